package functions

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/deploy/secretfile"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/diff"
	"gatewright/project"
	"gatewright/project/status"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/keys"
)

// row is the row of a function.
type row struct {
	// definition is the function; nil where only the last push has it.
	definition *model.Function
	key, name  string
	// runtime and template are columns.
	runtime, template string
	// serves is the column of its paths; paths are all of them.
	serves string
	paths  []pathOf
	// facts are the details of its definition.
	facts   []prose.Line
	mark    board.Mark
	reasons []string
}

// pathOf is a path that a function serves.
type pathOf struct {
	api, path  string
	rules      access.Rules
	definition *access.Path
}

func markOf(r *row) board.Mark { return r.mark }

// words are searched by the filter in addition to the columns.
func (r *row) words() string {
	words := []string{"function"}
	for _, p := range r.paths {
		words = append(words, p.path)
	}
	return strings.Join(words, " ")
}

// rowsOf are the functions of a snapshot sorted by name, with those that only the last push
// has.
func rowsOf(s *board.Snapshot) []*row {
	secrets, problem := []string(nil), ""
	if environment := s.Name(); environment != "" {
		secrets, problem = secretfile.Known(s.Root, environment)
	}
	here := s.Backend
	if s.Env != nil {
		here = s.Backend.For(s.Env.Environment)
	}
	pushed, serves := make(map[string]status.Resource), pathsOfFunctions(s.Backend)
	var rows []*row
	add := func(name string, of *model.Function) *row {
		r := &row{definition: of, key: name, name: prose.PrintableStart(name), runtime: "-", template: "-", serves: "-"}
		if push, ok := pushed[name]; ok && s.Status.Problem == "" {
			r.mark = board.Of(push.Operation)
			if r.mark == board.Changed {
				r.reasons = prose.PrintableStarts(push.Reasons)
			}
		}
		rows = append(rows, r)
		return r
	}
	for _, push := range s.Status.Resources {
		if push.Of.Kind != model.KindFunction {
			continue
		}
		pushed[push.Of.Name] = push
		if s.Backend.Function(push.Of.Name) == nil {
			add(push.Of.Name, nil)
		}
	}
	for _, f := range s.Backend.Functions {
		r := add(f.Name, f)
		r.paths = serves[f.Name]
		r.serves = servesWords(r.paths)
		r.runtime, r.template = cmp.Or(prose.PrintableStart(string(f.Runtime)), "-"),
			cmp.Or(prose.PrintableStart(string(f.Template)), "-")
		r.facts = append(calledBy(s.Backend, f.Name),
			factsOf(s.Layout, cmp.Or(here.Function(f.Name), f), secrets, problem)...)
	}
	slices.SortStableFunc(rows, func(a, b *row) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.name), strings.ToLower(b.name)), strings.Compare(a.key, b.key))
	})
	return rows
}

// pathsOfFunctions are the paths that each function serves.
func pathsOfFunctions(b *model.Backend) map[string][]pathOf {
	serves := make(map[string][]pathOf)
	for _, api := range b.APIs {
		rules := b.Rules(api)
		for _, p := range api.Paths {
			serves[p.Function] = append(serves[p.Function], pathOf{api.Label, p.Name, rules, p})
		}
	}
	return serves
}

// calledBy says which triggers call a function.
func calledBy(b *model.Backend, name string) []prose.Line {
	var lines []prose.Line
	for _, t := range b.Triggers {
		if t.Function == name {
			lines = append(lines, prose.Line{Text: prose.PrintableStart("called by the user pool at " + string(t.At))})
		}
	}
	for _, t := range b.Tables {
		if t.Trigger(name) != nil {
			lines = append(lines, prose.Line{Text: prose.PrintableStart("called with the changes of the table " + t.Name)})
		}
	}
	return lines
}

func servesWords(paths []pathOf) string {
	switch len(paths) {
	case 0:
		return "no path"
	case 1:
		return prose.PrintableStart(paths[0].api + " " + paths[0].path)
	}
	return phrase.Count(len(paths), "path")
}

// factsOf are the details of a definition, as an environment has it.
func factsOf(kind project.Layout, f *model.Function, secrets []string, problem string) []prose.Line {
	var facts []prose.Line
	say := func(name string, values ...string) {
		if text := strings.Join(slices.DeleteFunc(values, func(v string) bool { return v == "" }), ", "); text != "" {
			facts = append(facts, prose.Line{Text: prose.PrintableStart(name + ": " + text)})
		}
	}
	deployed := keys.When(f.DeployedName() != f.Name, "deployed as "+f.DeployedName())
	entry := keys.When(f.Handler != "", "handler "+f.Handler)
	say("runs on", string(f.Runtime), entry, phrase.Count(cmp.Or(f.Timeout, model.DefaultTimeout), "second"),
		phrase.Count(cmp.Or(f.Memory, model.DefaultMemory), "megabyte"), deployed)
	if f.Template != "" {
		say("made from", f.Template.Title())
	}
	say("table", f.Table)
	say("schedule", f.Schedule)
	for _, a := range f.Access {
		say("may use "+strings.Replace(a.Resource, "/", " ", 1), a.Actions.String())
	}
	for _, policy := range diff.Policies(f) {
		say("policy", policy)
	}
	var variables []string
	for _, v := range f.Environment {
		variables = append(variables, v.Name)
	}
	say("variables", variables...)
	facts = append(facts, secretFacts(f, secrets, problem)...)
	say("layers", f.Layers...)
	say("folder", kind.FunctionFolder(f.Name))
	return facts
}

// secretFacts name the secrets, and say which of them have a value on this machine.
func secretFacts(f *model.Function, known []string, problem string) []prose.Line {
	if len(f.Secrets) == 0 {
		return nil
	}
	if problem != "" {
		return []prose.Line{{
			Tone: prose.Warning,
			Text: prose.PrintableStart("secrets: " + strings.Join(f.Secrets, ", ") + "; " + problem),
		}}
	}
	all, how := make([]string, len(f.Secrets)), prose.Plain
	for i, name := range f.Secrets {
		all[i] = name + " (has a value here)"
		if !slices.Contains(known, name) {
			all[i], how = name+" (no value here)", prose.Warning
		}
	}
	return []prose.Line{{Tone: how, Text: prose.PrintableStart("secrets: " + strings.Join(all, ", "))}}
}
