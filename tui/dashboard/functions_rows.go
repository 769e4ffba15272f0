package dashboard

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
	"gatewright/tui/layout"
)

// functionTable is what the files say of the functions, and of which environment.
type functionTable struct {
	environment string
	rows        []functionRow
	list        []entry
	// nameW and pathsW are as wide as the widest of the rows.
	nameW, pathsW int
	// marks says that any row has one.
	marks bool
}

// functionRow is a function as it is shown.
type functionRow struct {
	// of is the function; nil where only the last push has it.
	of   *model.Function
	key  string
	name string
	// serves is its column of paths, paths all of them with their APIs.
	serves string
	paths  []pathOf
	// facts are what its definition says, a line each.
	facts   []said
	mark    mark
	reasons []string
}

// pathOf is a path that a function serves.
type pathOf struct{ api, path string }

// functionsOf is what a snapshot says of the functions of the project in a folder.
func functionsOf(s *snapshot, root string) functionTable {
	t := functionTable{environment: s.name(), nameW: len("function"), pathsW: len("paths")}
	if s.env == nil && s.backend.Foreign {
		// The sandbox serves such a project as this one (deploy.LiveEnvironment).
		t.environment = "dev"
	}
	secrets, problem := []string(nil), ""
	if t.environment != "" {
		secrets, problem = deploy.KnownSecrets(root, t.environment)
	}
	here := s.backend
	if s.env != nil {
		here = s.backend.For(s.env.Environment)
	}
	serves, marks := pathsOfFunctions(s.backend), marksOfFunctions(s)
	for _, f := range s.backend.Functions {
		row := functionRow{of: f, key: f.Name, name: fit(f.Name), paths: serves[f.Name]}
		row.serves = servesWords(row.paths)
		row.mark, row.reasons = marks.of(f.Name)
		now := here.Function(f.Name)
		if now == nil {
			now = f
		}
		row.facts = factsOfFunction(s.layout, now, secrets, problem)
		t.rows = append(t.rows, row)
	}
	for _, r := range s.status.Resources {
		if r.Of.Kind == model.KindFunction && s.backend.Function(r.Of.Name) == nil {
			row := functionRow{key: r.Of.Name, name: fit(r.Of.Name), serves: "-"}
			row.mark, row.reasons = marks.of(r.Of.Name)
			t.rows = append(t.rows, row)
		}
	}
	t.order(0)
	for _, r := range t.rows {
		t.nameW = max(t.nameW, layout.Width(r.name))
		t.pathsW = max(t.pathsW, layout.Width(r.serves))
		t.marks = t.marks || r.mark != unknown
	}
	return t
}

// functionOrders are the orders of the rows.
var functionOrders = []string{"name", "what a push does", "number of paths"}

// order puts the rows into one of the orders.
func (t *functionTable) order(n int) {
	slices.SortStableFunc(t.rows, func(a, b functionRow) int {
		byName := cmp.Or(strings.Compare(strings.ToLower(a.name), strings.ToLower(b.name)), strings.Compare(a.key, b.key))
		switch n {
		case 1:
			return cmp.Or(cmp.Compare(urgent(a.mark), urgent(b.mark)), byName)
		case 2:
			return cmp.Or(cmp.Compare(len(b.paths), len(a.paths)), byName)
		}
		return byName
	})
	t.list = make([]entry, len(t.rows))
	for i, r := range t.rows {
		words := []string{"function", r.name, r.mark.words(), r.serves}
		for _, p := range r.paths {
			words = append(words, p.path)
		}
		if r.of != nil {
			words = append(words, string(r.of.Runtime), string(r.of.Template))
		}
		t.list[i] = entry{id: r.key, text: strings.ToLower(strings.Join(words, " ")), head: none}
	}
}

// pathsOfFunctions are the paths that each function serves.
func pathsOfFunctions(b *model.Backend) map[string][]pathOf {
	serves := make(map[string][]pathOf)
	for _, api := range b.APIs {
		for _, p := range api.Paths {
			serves[p.Function] = append(serves[p.Function], pathOf{api.Label, p.Name})
		}
	}
	return serves
}

func servesWords(paths []pathOf) string {
	switch len(paths) {
	case 0:
		return "no path"
	case 1:
		return fit(paths[0].api + " " + paths[0].path)
	}
	return model.Count(len(paths), "path")
}

// functionMarks are what a push would do to functions, and whether that is told.
type functionMarks struct {
	status map[string]project.ResourceStatus
	told   bool
}

func marksOfFunctions(s *snapshot) functionMarks {
	m := functionMarks{status: make(map[string]project.ResourceStatus), told: s.status.untold == ""}
	for _, r := range s.status.Resources {
		if r.Of.Kind == model.KindFunction {
			m.status[r.Of.Name] = r
		}
	}
	return m
}

// of is the mark of a function, with the reasons.
func (m functionMarks) of(name string) (mark, []string) {
	r, ok := m.status[name]
	switch {
	case !m.told || !ok:
		return unknown, nil
	case r.Operation == model.ToCreate:
		return added, nil
	case r.Operation == model.ToUpdate:
		return changed, fitAll(r.Reasons)
	case r.Operation == model.ToDelete:
		return gone, nil
	}
	return same, nil
}

// factsOfFunction are what a definition says, as an environment has it.
func factsOfFunction(kind project.Layout, f *model.Function, secrets []string, problem string) []said {
	var facts []said
	say := func(name string, values ...string) {
		if text := strings.Join(slices.DeleteFunc(values, func(v string) bool { return v == "" }), ", "); text != "" {
			facts = append(facts, said{plain, fit(name + ": " + text)})
		}
	}
	deployed := ""
	if f.DeployedName() != f.Name {
		deployed = "deployed as " + f.DeployedName()
	}
	entry := ""
	if f.Handler != "" {
		entry = "handler " + f.Handler
	}
	say("runs on", string(f.Runtime), entry, model.Count(cmp.Or(f.Timeout, model.DefaultTimeout), "second"), model.Count(cmp.Or(f.Memory, model.DefaultMemory), "megabyte"), deployed)
	if f.Template != "" {
		say("made from", f.Template.Title())
	}
	say("table", f.Table)
	say("schedule", f.Schedule)
	for _, a := range f.Access {
		say("may use "+strings.Replace(a.Resource, "/", " ", 1), a.Actions.String())
	}
	var variables []string
	for _, v := range f.Environment {
		variables = append(variables, v.Name)
	}
	say("variables", variables...)
	facts = append(facts, secretFacts(f, secrets, problem)...)
	say("layers", f.Layers...)
	folder := "backend/function/" + f.Name
	if kind == project.Amplify {
		folder = "amplify/" + folder
	}
	say("folder", folder)
	return facts
}

// secretFacts name the secrets, and say which of them have a value on this machine.
func secretFacts(f *model.Function, known []string, problem string) []said {
	if len(f.Secrets) == 0 {
		return nil
	}
	if problem != "" {
		return []said{{warning, fit("secrets: " + strings.Join(f.Secrets, ", ") + "; " + problem)}}
	}
	all, how := make([]string, len(f.Secrets)), plain
	for i, name := range f.Secrets {
		all[i] = name + " (has a value here)"
		if !slices.Contains(known, name) {
			all[i], how = name+" (no value here)", warning
		}
	}
	return []said{{how, fit("secrets: " + strings.Join(all, ", "))}}
}
