package dialog

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// input is a question that one line of text answers.
type input struct {
	id, title, placeholder string
	check                  func(string) error
	field                  Field
	// refused is why enter did nothing; typing takes it away.
	refused error
}

// Input asks for one line of text. Enter ends it with Entered; check, which may
// be nil, refuses a text with an error that is shown below the field. Esc ends it
// with Cancelled.
func Input(id, title, placeholder string, check func(string) error) Dialog {
	if check == nil {
		check = func(string) error { return nil }
	}
	return &input{id: id, title: title, placeholder: placeholder, check: check}
}

func (i *input) ID() string { return i.id }

func (i *input) Update(msg tea.Msg) (Action, tea.Cmd) {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "esc":
			return Cancelled{}, nil
		case "enter":
			if i.refused = i.check(i.field.Value()); i.refused == nil {
				return Entered(i.field.Value()), nil
			}
			return nil, nil
		}
	}
	if i.field.Update(msg) {
		i.refused = nil
	}
	return nil, nil
}

func (i *input) View(t *theme.Theme, maxW, maxH int) string {
	w := inner(maxW)
	lines := []string{t.Key.Render("› ") + i.field.View(t, i.placeholder, w-2, true)}
	if i.refused != nil {
		lines = append(lines, "")
		for _, line := range layout.Wrap(prose.Fit("error: "+i.refused.Error()), w) {
			lines = append(lines, t.Error.Render(line))
		}
	}
	return box(t, i.title, lines, maxW, maxH)
}

func (i *input) Keys() []Binding {
	return []Binding{
		{Keys: []string{"enter"}, Label: "ok", Help: "take the text", Footer: true},
		{Keys: []string{"esc"}, Label: "cancel", Help: "leave the question", Footer: true},
	}
}
