// Package preview describes in plain lines what the answers of the wizard will make:
// the routes of an API, who may do what, and the resources that will be created.
// Screens colour the lines by their tone.
package preview

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/prose"
	"gatewright/render"
)

// Routes returns the routes of an API as a tree: each path with its own and its proxy
// resource, the methods, the function, and who has access.
func Routes(api *model.API) []prose.Line {
	if api == nil || len(api.Paths) == 0 {
		return prose.InTone(prose.Muted, "no path yet")
	}
	var lines []prose.Line
	for _, p := range slices.SortedStableFunc(slices.Values(api.Paths), func(a, b *model.Path) int { return strings.Compare(a.Name, b.Name) }) {
		depth := strings.Repeat("  ", max(0, strings.Count(strings.TrimSuffix(p.Name, "/"), "/")-1))
		add := func(tone prose.Tone, text string) { lines = append(lines, prose.Line{Tone: tone, Text: depth + text}) }
		function, access := "no function yet", prose.Good
		if p.Function != "" {
			function = model.Quote(p.Function)
		}
		if p.Access.Setting == model.Open {
			access = prose.Warning
		}
		add(prose.Plain, model.Quote(p.Name))
		add(prose.Muted, "  ANY OPTIONS -> "+function)
		if p.Name != model.ProxyPath {
			add(prose.Muted, "  "+model.ProxyOf("")+" the same, at any depth")
		}
		add(access, "  "+p.Access.String())
	}
	return lines
}

// Matrix returns the access of a path as a table with a row for each principal and a
// column for each action.
func Matrix(p *model.Path) []prose.Line {
	principals := []model.Principal{{Kind: model.Guest}, {Kind: model.Authenticated}}
	for _, g := range p.Access.Groups() {
		principals = append(principals, model.Principal{Kind: model.Group, Group: g})
	}
	const widest = 24
	names, width := make([]string, len(principals)), 0
	for i, who := range principals {
		name := []rune(who.String())
		if len(name) > widest {
			name = append(name[:widest-1], '~')
		}
		names[i], width = string(name), max(width, len(name))
	}
	header := strings.Repeat(" ", width)
	for _, a := range model.AllActions {
		header += "  " + a.String()
	}
	lines := prose.InTone(prose.Muted, header)
	for i, who := range principals {
		row := fmt.Sprintf("%-*s", width, names[i])
		allowed := p.Access.Allowed(who)
		for _, a := range model.AllActions {
			mark := "-"
			if allowed.Has(a) {
				mark = "x"
			}
			row += fmt.Sprintf("  %-*s", len(a.String()), mark)
		}
		lines = append(lines, prose.Line{Text: strings.TrimRight(row, " ")})
	}
	return lines
}

// Resources returns what deploying the paths that differ between two backends will
// create: API Gateway resources and methods, functions with their log groups, the
// user pool, groups and tables.
func Resources(was, next *model.Backend) []prose.Line {
	var lines []prose.Line
	add := func(tone prose.Tone, text string) { lines = append(lines, prose.Line{Tone: tone, Text: text}) }
	for _, api := range next.APIs {
		old := was.API(api.Label)
		if old == api {
			continue
		}
		for _, p := range api.Paths {
			if old != nil && slices.Contains(old.Paths, p) {
				continue
			}
			state := " (exists)"
			if was.Function(p.Function) == nil {
				state = " (new), and its log group"
			}
			add(prose.Plain, model.Ref{Kind: model.KindPath, API: api.Label, Name: p.Name}.String())
			add(prose.Muted, "  resources "+model.Quote(p.Name)+" and "+model.Quote(model.ProxyOf(p.Name))+", methods ANY and OPTIONS")
			add(prose.Muted, "  function "+model.Quote(p.Function)+state)
		}
	}
	if was.Auth == nil && next.Auth != nil {
		add(prose.Plain, "user pool (new): users sign in with their email address")
	}
	for _, kind := range []model.Kind{model.KindGroup, model.KindTable} {
		for _, name := range next.Names(kind) {
			if !slices.Contains(was.Names(kind), name) {
				add(prose.Plain, model.Ref{Kind: kind, Name: name}.String()+" (new)")
			}
		}
	}
	return lines
}

// Entry returns the lines of a path's entry in a new cli-inputs.json.
func Entry(p *model.Path) []string {
	text := strings.TrimSpace(string(render.API(&model.API{Paths: []*model.Path{p}}, render.AmplifyCLI)))
	rows := strings.Split(strings.ReplaceAll(text, "\n    ", "\n"), "\n")
	const before, after = 3, 2
	if len(rows) <= before+after {
		return nil
	}
	return rows[before : len(rows)-after]
}

// Problems returns the problems that next has and was does not have, a line each.
func Problems(was, next *model.Backend) []string {
	var lines []string
	for _, problem := range NewProblems(was, next) {
		lines = append(lines, problem.Level.String()+": "+problem.Error())
	}
	return lines
}

// NewProblems returns the problems that next has and was does not have. A problem that
// differs only in its advice is not new.
func NewProblems(was, next *model.Backend) []*model.Problem {
	type finding struct {
		of   model.Ref
		text string
	}
	known := make(map[finding]bool)
	for _, p := range was.Check() {
		known[finding{p.Of, p.Text}] = true
	}
	return slices.DeleteFunc(next.Check(), func(p *model.Problem) bool { return known[finding{p.Of, p.Text}] })
}
