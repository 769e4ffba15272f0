package preview

import (
	"slices"
	"strings"

	"gatewright/flow"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/render"
)

// Made is what the answers of a step make: lines of a file.
type Made struct {
	// Of is the thing whose file it is.
	Of    model.Ref
	Lines []string
	// Fault is what keeps the step from making anything; nil if nothing does.
	Fault error
}

// Of returns what a step makes: the entry of its path, its function, its table.
func Of(f *flow.Flow, at flow.ID) Made {
	made := of(f, at)
	if render.Failed([]byte(strings.Join(made.Lines, "\n"))) != nil {
		made.Lines, made.Fault = nil, f.Check(at)
	}
	return made
}

func of(f *flow.Flow, at flow.ID) Made {
	api, current := f.Sketch(at, 0)
	entries := Made{Of: model.Ref{Kind: model.KindAPI, Name: api.Label}, Lines: Entry(current)}
	if current.Name == "" {
		entries.Lines = nil
	}
	switch at.Kind {
	case "project":
		// The application id is made when the project is written.
		lines := slices.DeleteFunc(rows(render.Project(f.Project(), render.AmplifyCLI)),
			func(line string) bool { return strings.Contains(line, `"applicationId"`) })
		return Made{Of: model.Ref{Kind: model.KindProject}, Lines: lines}
	case "function", "advanced":
		if fn := f.Function(at.Path); fn != nil {
			return Made{
				Of:    model.Ref{Kind: model.KindFunction, Name: fn.Name},
				Lines: rows(render.Function(fn, render.AmplifyCLI)),
			}
		}
	case "table":
		if table := f.Table(at.Path); table != nil {
			return Made{
				Of:    model.Ref{Kind: model.KindTable, Name: table.Name},
				Lines: rows(render.Table(table, render.AmplifyCLI)),
			}
		}
	case "environments":
		made := f.NewEnvironments()
		if len(made) > 0 {
			last := made[len(made)-1]
			return Made{
				Of:    model.Ref{Kind: model.KindEnvironment, Name: last.Name},
				Lines: rows(render.Environment(last, render.AmplifyCLI)),
			}
		}
	}
	return entries
}

func rows(file []byte) []string { return strings.Split(strings.TrimSpace(string(file)), "\n") }

// Answer says what happens to a request: "GET /books/1 by guests: refused", "... served by
// the function books". Decided is the decision, for those who want to know more.
func Answer(
	api *access.API, gate access.Gate, who access.Principal, action access.Action, path string,
) (text string, decided access.Decision) {
	caller := access.Caller{SignedIn: who.Kind != access.Guest}
	if who.Kind == access.Group {
		caller.Groups = []string{who.Group}
	}
	raw, method := access.ExamplePath([]string{path}), gate.Terms.Methods(action)[0]
	decided = gate.RouterOf(api).Decide(caller, method, raw)
	text = method + " " + raw + " by " + who.String() + ": "
	if !decided.Allowed {
		return text + "refused", decided
	}
	text += "yes"
	if decided.Route.Path.Function != "" {
		text += ", function " + phrase.Quote(decided.Route.Path.Function)
	}
	return text, decided
}
