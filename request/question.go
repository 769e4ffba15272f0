package request

import (
	"cmp"

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
func (w *World) Questions(f Form, people []Option) []Question {
	var all []Question
	for _, r := range f.Rows() {
		q := Question{
			Row: r, Label: f.Label(r), Value: f.Value(r), Help: cmp.Or(kinds[r.Kind].example, r.Placeholder()),
			Options: w.Options(f, r), Lines: r.Kind == BodyRow,
		}
		if r.Kind == CallerRow {
			q.Options = people
		}
		if r.Kind != CallerRow || !f.Test {
			all = append(all, q)
		}
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
func (w *World) Answer(f *Form, r Row, value string) {
	f.Set(r, value)
	w.Fit(f)
}

// Options are what may be chosen for a row of a form; none for a text, and for who
// calls: those are asked of the sandbox, by People.
func (w *World) Options(f Form, r Row) []Option {
	if options := kinds[r.Kind].options; options != nil {
		return options(w, f)
	}
	return nil
}

// optionsOf are options for some things, each by its name and what more there is to
// say of it.
func optionsOf[T any](things []T, say func(T) (name, note string)) []Option {
	var options []Option
	for _, thing := range things {
		name, note := say(thing)
		options = append(options, Option{ID: name, Label: name, Note: note})
	}
	return options
}

// environmentOptions have those that nothing can be sent to, which may be looked at
// all the same.
func environmentOptions(w *World, _ Form) []Option {
	return optionsOf(w.environments, func(e *Environment) (name, note string) {
		note = "as it was pushed"
		if e.Tree {
			note = "from the working tree"
		}
		if e.Guarded {
			note += ", guarded"
		}
		return e.Name, cmp.Or(e.Closed, note)
	})
}

func apiOptions(w *World, f Form) []Option {
	return optionsOf(w.backend(f).APIs, func(api *model.API) (name, note string) {
		return api.Label, model.Count(len(api.Paths), "path")
	})
}

func pathOptions(w *World, f Form) []Option {
	api := w.backend(f).API(f.API)
	if api == nil {
		return nil
	}
	return optionsOf(api.Paths, func(path *model.Path) (name, note string) {
		return path.Name, path.Function + ", " + string(path.Access.Setting)
	})
}

func methodOptions(*World, Form) []Option {
	return optionsOf(model.Methods, func(method string) (name, note string) {
		if action, ok := model.ActionOf(method); ok {
			return method, action.String()
		}
		return method, "the CORS preflight"
	})
}
