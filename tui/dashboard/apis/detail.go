package apis

import (
	"cmp"
	"fmt"
	"strings"

	"gatewright/flow/resource"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/tui/dashboard/board"
)

// describe gives the details of a row, the most important first.
func (t *Tab) describe(r *row) []prose.Line {
	url, proxy := t.addresses(r)
	var all []prose.Line
	say := func(tone prose.Tone, text string) { all = append(all, prose.Line{Tone: tone, Text: text}) }
	if !r.isAPI() {
		all = append(all, t.board.MayLines(r.rules, r.definition)...)
	}
	if r.noFunction != "" {
		say(prose.Bad, "! the function "+r.function+" "+r.noFunction+": add it, or name another in the path")
	}
	switch {
	case url != "":
		say(prose.Strong, url)
		if proxy != "" {
			say(prose.Strong, proxy)
		}
		if url != r.url && r.url != "" {
			say(prose.Warning,
				"the sandbox now serves it here; the last push of "+prose.Printable(t.board.Snap.Env.Name)+" had "+r.url)
		}
	case !r.isAPI():
		// The table may have cut it.
		say(prose.Strong, r.path)
	}
	if url == "" && t.board.Snap.Env != nil && r.mark != board.Absent && r.mark != board.Added &&
		!t.board.Snap.Env.Foreign {
		say(prose.Muted, t.noEndpoint())
	}
	if r.takenBy != "" {
		say(prose.Muted, access.ProxyOf(r.path)+" is never reached: "+r.takenBy+" serves everything below")
	}
	if why := t.why(r); why != "" {
		say(r.mark.Line().Tone, why)
	}
	for _, reason := range r.reasons {
		say(prose.Plain, "  "+reason)
	}
	if r.isAPI() {
		return append(all, r.about...)
	}
	say(prose.Plain, "served by "+r.function+"; "+r.access)
	all = append(all, t.board.PathLines(t.countsOf(r))...)
	return append(all, t.aboutFunction(r)...)
}

// aboutFunction describes the function of a path.
func (t *Tab) aboutFunction(r *row) []prose.Line {
	f := t.board.Snap.Backend.Function(r.definition.Function)
	if f == nil || !r.inProject {
		return nil
	}
	timeout, memory := cmp.Or(f.Timeout, model.DefaultTimeout), cmp.Or(f.Memory, model.DefaultMemory)
	return []prose.Line{{
		Tone: prose.Muted,
		Text: fmt.Sprintf("%s: %s, handler %s, at most %d seconds, %d megabytes", r.function, f.Runtime,
			prose.PrintableStart(f.Handler), timeout, memory),
	}}
}

// noEndpoint says why there is no endpoint.
func (t *Tab) noEndpoint() string {
	name := prose.Printable(t.board.Snap.Env.Name)
	switch {
	case t.board.Snap.Env.Pushing:
		return "no endpoint while " + name + " is being pushed"
	case t.board.Snap.Env.Problem != "":
		return t.board.Snap.Env.Problem
	case t.board.Snap.Env.Record == nil:
		return "no endpoint yet: " + name + " was never pushed"
	}
	return "no endpoint yet: the last push of " + name + " did not have it"
}

// why says what the mark of a row means.
func (t *Tab) why(r *row) string {
	switch {
	case r.mark == board.Unknown:
		return t.board.Snap.Status.Problem
	case r.mark == board.FunctionChanged && r.isAPI():
		return "a push of " + prose.Printable(t.board.Snap.Name()) + " changes some of its functions"
	}
	return r.mark.Means(t.board.Snap.Name())
}

// aboutAPI counts what an API has, and names its environments; inProject says that the
// project has it.
func aboutAPI(s *board.Snapshot, api *access.API, inProject bool) []prose.Line {
	text := fmt.Sprintf("%s served by %s; %s", phrase.Count(len(api.Paths), "path"),
		phrase.Count(len(api.Functions()), "function"), cmp.Or(openIn(api), "none open to everybody"))
	all := []prose.Line{{Text: text}}
	if len(api.BinaryMediaTypes) > 0 {
		all = append(all, prose.Line{Text: prose.PrintableStart(api.BinaryWords() + ": their bodies are binary")})
	}
	for _, row := range api.CORS.Fields() {
		if !row.Empty() {
			text := cmp.Or(row.Noun, "CORS origins") + ": " + strings.Join(resource.Lines(row.Value), ", ")
			all = append(all, prose.Line{Text: prose.PrintableStart(text)})
		}
	}
	if !inProject {
		return all
	}
	var names []string
	for _, e := range s.Environments {
		if e.Has(api.Label) {
			names = append(names, prose.PrintableStart(e.Name))
		}
	}
	if len(names) == 0 {
		return append(all, prose.Line{Tone: prose.Warning, Text: "no environment has it"})
	}
	return append(all, prose.Line{Tone: prose.Muted, Text: "in " + phrase.List(names)})
}
