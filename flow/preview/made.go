package preview

import (
	"slices"
	"strings"

	"gatewright/flow"
	"gatewright/model"
	"gatewright/render"
)

// Made is what the answers of a step make: lines of a file.
type Made struct {
	// File is the name of the file below the folder of the backend.
	File  string
	Lines []string
}

// Of returns what a step makes: the entry of its path, its function, its table.
func Of(f *flow.Flow, at flow.ID) Made {
	api, current := f.Sketch(at, 0)
	entries := Made{File: "api/" + api.Label + "/cli-inputs.json", Lines: Entry(current)}
	if current.Name == "" {
		entries.Lines = nil
	}
	switch at.Kind {
	case "project":
		// The application id is made when the project is written.
		lines := slices.DeleteFunc(rows(render.Project(f.Project(), render.AmplifyCLI)), func(line string) bool { return strings.Contains(line, `"applicationId"`) })
		return Made{"project.json", lines}
	case "function", "advanced":
		if fn := f.Function(at.Path); fn != nil {
			return Made{"function/" + fn.Name + "/function.json", rows(render.Function(fn, render.AmplifyCLI))}
		}
	case "table":
		if table := f.Table(at.Path); table != nil {
			return Made{"table/" + table.Name + "/table.json", rows(render.Table(table, render.AmplifyCLI))}
		}
	case "environments":
		made := f.NewEnvironments()
		if len(made) > 0 {
			last := made[len(made)-1]
			return Made{"environments/" + last.Name + ".json", rows(render.Environment(last, render.AmplifyCLI))}
		}
	}
	return entries
}

func rows(file []byte) []string { return strings.Split(strings.TrimSpace(string(file)), "\n") }

// Answer says what happens to a request: "GET /books/1 by guests: refused", "... served by
// the function books". Decided is the decision, for those who want to know more.
func Answer(api *model.API, groups []string, who model.Principal, action model.Action, path string) (text string, decided model.Decision) {
	caller := model.Caller{SignedIn: who.Kind != model.Guest}
	if who.Kind == model.Group {
		caller.Groups = []string{who.Group}
	}
	raw, method := model.ExamplePath([]string{path}), action.Methods()[0]
	decided = model.NewRouter(api, groups).Decide(caller, method, raw)
	text = method + " " + raw + " by " + who.String() + ": "
	if !decided.Allowed {
		return text + "refused", decided
	}
	text += "yes"
	if decided.Route.Path.Function != "" {
		text += ", function " + model.Quote(decided.Route.Path.Function)
	}
	return text, decided
}
