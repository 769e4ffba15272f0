package request

import (
	"net/http"

	"gatewright/model"
	"gatewright/sandbox/call"
)

// Option is one thing to choose.
type Option struct {
	ID, Label string
	// Note says more of it.
	Note string
	// Disabled is why it cannot be chosen; "" where it can.
	Disabled string
}

// Question is a row of the form for who is asked line by line.
type Question struct {
	Row          Row
	Label, Value string
	// Help says what an answer looks like.
	Help string
	// Options are what may be chosen; none where a text is asked for.
	Options []Option
	// Lines says that the text may have several lines.
	Lines bool
}

// Questions are the rows of a form, with what may be chosen. people are those who
// may call.
func (w *World) Questions(f Form, people []Person) []Question {
	var all []Question
	for _, r := range f.Rows() {
		q := Question{Row: r, Label: f.Label(r), Value: f.Text(r), Help: r.Placeholder(), Options: w.Options(f, r, people)}
		switch r.Kind {
		case ModeRow:
			q.Value = "call"
			if f.Test {
				q.Value = "test"
			}
		case EnvironmentRow:
			q.Value = f.Environment
		case APIRow:
			q.Value = f.API
		case PathRow:
			q.Value = f.Path
		case MethodRow:
			q.Value = f.Method
		case BelowRow:
			q.Help = "/1/cover, which follows the path"
		case BodyRow:
			q.Value, q.Lines, q.Help = f.Body, true, `{"title": "Emma"}`
		case CallerRow:
			if f.Test {
				continue
			}
			q.Value = idOf(f.As)
		}
		all = append(all, q)
	}
	return all
}

// Check refuses a text that cannot be the answer.
func (q Question) Check(text string) error {
	if q.Row.Kind != HeaderRow || text == "" {
		return nil
	}
	if _, _, ok := call.Header(text); !ok {
		return badHeader(text)
	}
	return nil
}

// Answer puts an answer into a row of a form: a text, or the ID of an option. What
// depends on it follows.
func (w *World) Answer(f *Form, r Row, value string, people []Person) {
	switch r.Kind {
	case ModeRow:
		f.Test = value == "test"
	case EnvironmentRow:
		w.toEnvironment(f, value)
	case APIRow:
		w.toAPI(f, value)
	case PathRow:
		w.toPath(f, value)
	case MethodRow:
		f.Method = value
	case BodyRow:
		f.Body = value
	case CallerRow:
		for _, person := range people {
			if person.ID() == value {
				f.As = person.Who
			}
		}
	default:
		f.Set(r, value)
	}
}

// Options are what may be chosen for a row of a form; none for a text. people are
// those who may call.
func (w *World) Options(f Form, r Row, people []Person) []Option {
	switch r.Kind {
	case ModeRow:
		return []Option{{ID: "call", Label: "CALL", Note: "what a client sends"}, {ID: "test", Label: "TEST", Note: "the test of the gateway's console; refuses nobody"}}
	case EnvironmentRow:
		return w.environmentOptions()
	case APIRow:
		return apiOptions(w.Of(f))
	case PathRow:
		return pathOptions(w.Of(f), f.API)
	case MethodRow:
		return methodOptions()
	case CallerRow:
		return personOptions(people)
	}
	return nil
}

func (w *World) environmentOptions() []Option {
	options := make([]Option, len(w.environments))
	for i, e := range w.environments {
		note := "as it was pushed"
		if e.Tree {
			note = "from the working tree"
		}
		if e.Guarded {
			note += ", guarded"
		}
		if e.Closed != "" {
			note = e.Closed
		}
		// One that nothing can be sent to may be looked at all the same.
		options[i] = Option{ID: e.Name, Label: e.Name, Note: note}
	}
	return options
}

func apiOptions(e *Environment) []Option {
	if e == nil {
		return nil
	}
	options := make([]Option, len(e.backend.APIs))
	for i, api := range e.backend.APIs {
		options[i] = Option{ID: api.Label, Label: api.Label, Note: model.Count(len(api.Paths), "path")}
	}
	return options
}

func pathOptions(e *Environment, label string) []Option {
	if e == nil || e.backend.API(label) == nil {
		return nil
	}
	var options []Option
	for _, path := range e.backend.API(label).Paths {
		options = append(options, Option{ID: path.Name, Label: path.Name, Note: path.Function + ", " + string(path.Access.Setting)})
	}
	return options
}

func methodOptions() []Option {
	var options []Option
	for _, method := range model.Methods {
		note := "the CORS preflight"
		if action, ok := model.ActionOf(method); ok && method != http.MethodOptions {
			note = action.String()
		}
		options = append(options, Option{ID: method, Label: method, Note: note})
	}
	return options
}

func personOptions(people []Person) []Option {
	options := make([]Option, len(people))
	for i, person := range people {
		options[i] = Option{ID: person.ID(), Label: person.Label, Note: person.Note, Disabled: person.Closed}
	}
	return options
}
