package console

import (
	"gatewright/sandbox/call"
	"gatewright/tui/dialog"
)

// Question is a row of the form for who is asked line by line.
type Question struct {
	Label, Value string
	// Help says what an answer looks like.
	Help string
	// Options are what may be chosen; none where a text is asked for.
	Options []dialog.Item
	// Lines says that the text may have several lines.
	Lines bool

	row row
}

// Questions are the rows of a form, with what may be chosen. people are those who
// may call.
func (w *World) Questions(f Form, people []Person) []Question {
	var all []Question
	env := w.of(f)
	for _, r := range rowsOf(f) {
		q := Question{Label: f.label(r), Value: f.text(r), Help: r.placeholder(), row: r}
		switch r.kind {
		case modeRow:
			q.Options = []dialog.Item{{ID: "call", Label: "CALL", Note: "what a client sends"}, {ID: "test", Label: "TEST", Note: "the test of the gateway's console; refuses nobody"}}
			q.Value = "call"
			if f.Test {
				q.Value = "test"
			}
		case environmentRow:
			q.Options, q.Value = w.environmentItems(), f.Environment
		case apiRow:
			q.Options, q.Value = apiItems(env), f.API
		case pathRow:
			q.Options, q.Value = pathItems(env, f.API), f.Path
		case methodRow:
			q.Options, q.Value = methodItems(), f.Method
		case belowRow:
			q.Help = "/1/cover, which follows the path"
		case bodyRow:
			q.Value, q.Lines, q.Help = f.Body, true, `{"title": "Emma"}`
		case whoRow:
			if f.Test {
				continue
			}
			q.Options, q.Value = personItems(people), whoID(f.As)
		}
		all = append(all, q)
	}
	return all
}

// Check refuses a text that cannot be the answer.
func (q Question) Check(text string) error {
	if q.row.kind != headerRow || text == "" {
		return nil
	}
	if _, _, ok := call.Header(text); !ok {
		return badHeader(text)
	}
	return nil
}

// Answer puts an answer into a form: a text, or the ID of an option. What depends on
// it follows.
func (w *World) Answer(f *Form, q Question, value string, people []Person) {
	switch q.row.kind {
	case modeRow:
		f.Test = value == "test"
	case environmentRow:
		w.toEnvironment(f, value)
	case apiRow:
		w.toAPI(f, value)
	case pathRow:
		w.toPath(f, value)
	case methodRow:
		f.Method = value
	case bodyRow:
		f.Body = value
	case whoRow:
		for _, person := range people {
			if whoID(person.Who) == value {
				f.As = person.Who
			}
		}
	default:
		f.set(q.row, value)
	}
}

// personItems are people as the items of a list.
func personItems(people []Person) []dialog.Item {
	items := make([]dialog.Item, len(people))
	for i, person := range people {
		items[i] = dialog.Item{ID: whoID(person.Who), Label: person.Label, Note: person.Note, Disabled: person.Closed}
	}
	return items
}
