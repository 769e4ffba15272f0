// Package preview describes what the answers of the wizard will make: the routes of an API, the lines of a file, what
// happens to a request, and an overview for the review. Screens colour lines by their tone.
package preview

import (
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/check"
	"gatewright/render"
)

// Routes returns the routes of an API as a tree: each path with its own and its proxy
// resource, the methods, the function, and who has access.
func Routes(api *access.API) []prose.Line {
	if api == nil || len(api.Paths) == 0 {
		return prose.InTone(prose.Muted, "no path yet")
	}
	var lines []prose.Line
	for _, p := range slices.SortedStableFunc(slices.Values(api.Paths),
		func(a, b *access.Path) int { return strings.Compare(a.Name, b.Name) }) {
		depth := strings.Repeat("  ", max(0, strings.Count(strings.TrimSuffix(p.Name, "/"), "/")-1))
		add := func(tone prose.Tone, text string) { lines = append(lines, prose.Line{Tone: tone, Text: depth + text}) }
		function, rules := "no function yet", prose.Plain
		if p.Function != "" {
			function = phrase.Quote(p.Function)
		}
		if p.Access.Setting == access.Open {
			rules = prose.Warning
		}
		add(prose.Plain, phrase.Quote(p.Name))
		add(prose.Muted, "  ANY OPTIONS -> "+function)
		if p.Name != access.ProxyPath {
			add(prose.Muted, "  "+access.ProxyOf("")+" the same, at any depth")
		}
		add(rules, "  "+p.Access.String())
	}
	return lines
}

// Entry returns the lines of a path's entry in a new cli-inputs.json.
func Entry(p *access.Path) []string {
	text := strings.TrimSpace(string(render.API(&access.API{Paths: []*access.Path{p}}, render.AmplifyCLI)))
	rows := strings.Split(strings.ReplaceAll(text, "\n    ", "\n"), "\n")
	const before, after = 3, 2
	if len(rows) <= before+after {
		return nil
	}
	return rows[before : len(rows)-after]
}

// NewProblems returns the problems that next has and was does not have. A problem that
// differs only in its advice is not new.
func NewProblems(was, next *model.Backend) []*model.Problem {
	type finding struct {
		of   model.Ref
		text string
	}
	problems := check.Backend(next)
	if len(problems) == 0 {
		return nil
	}
	known := make(map[finding]bool)
	for _, p := range check.Backend(was) {
		known[finding{p.Of, p.Text}] = true
	}
	return slices.DeleteFunc(problems, func(p *model.Problem) bool { return known[finding{p.Of, p.Text}] })
}
