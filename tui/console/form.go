package console

import (
	"cmp"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/prose"
	"gatewright/request"
	"gatewright/tui/frame"
	"gatewright/tui/widget"
)

// table is the form: a line of text is typed in its place.
func (p *Page) table() widget.Table[request.Row] {
	const widestLabel = 12
	return widget.Table[request.Row]{
		Columns: []widget.Column[request.Row]{
			{Least: widestLabel, Most: widestLabel, Text: func(r request.Row) string { return r.Label }, Tone: func(request.Row) prose.Tone { return prose.Muted }},
			{Least: widestLabel, Text: p.shown, Tone: p.tone},
		},
		ID: rowID,
		Field: func(r request.Row) (*widget.Field, string) {
			if p.typing {
				return &p.field, r.Placeholder
			}
			return nil, ""
		},
	}
}

func rowID(r request.Row) string { return fmt.Sprint(r.Kind, r.N) }

// shown is what a row has, or what stands there where it is empty.
func (p *Page) shown(r request.Row) string {
	if env := p.env(); r.Kind == request.EnvironmentRow && env != nil && env.Guarded {
		return r.Shown + " (guarded)"
	}
	return cmp.Or(r.Shown, r.Placeholder, "none")
}

func (p *Page) tone(r request.Row) prose.Tone {
	switch {
	case r.Shown == "":
		return prose.Muted
	case r.Kind == request.ModeRow && p.form.Test:
		return prose.Warning
	}
	return prose.Plain
}

// refresh makes the rows anew, without headers that are empty, and with what follows
// from the others; the cursor stays on its row.
func (p *Page) refresh() {
	p.world.Complete(&p.form)
	p.form = p.form.Copy()
	p.lay()
}

// lay makes the rows anew.
func (p *Page) lay() { p.rows.SetRows(p.form.Rows()) }

// begin begins to type a row.
func (p *Page) begin(r request.Row) {
	p.typing = true
	p.field.SetValue(r.Value)
}

// taken puts what was typed into the form and moves to the row beside. onward goes on
// typing there where it is text.
func (p *Page) taken(by int, onward bool) tea.Cmd {
	r, _ := p.rows.Row()
	r.Set(p.field.Value())
	p.typing = false
	p.lay()
	cmd := p.rows.Move(by)
	r, _ = p.rows.Row()
	// Whoever is done with headers goes on with enter.
	if onward && r.IsText() && (r.Kind != request.HeaderRow || r.Value != "") {
		p.begin(r)
	}
	return cmd
}

// lineless is why the row at hand cannot be emptied; "" where it can.
func (p *Page) lineless() string {
	if r, _ := p.rows.Row(); p.inAnswer || !r.IsText() && r.Kind != request.BodyRow {
		return "the line is no text"
	}
	return ""
}

// empty empties the row at hand.
func (p *Page) empty() {
	r, _ := p.rows.Row()
	p.set(r, "")
}

// longestTyped is how many bytes a body has that is typed or pasted.
const longestTyped = 1 << 20

// paste takes a paste: into the row at hand, the body with its line breaks.
func (p *Page) paste(msg tea.PasteMsg) tea.Cmd {
	r, ok := p.rows.Row()
	switch {
	case p.inAnswer && !p.typing || !ok:
	case r.IsText():
		if !p.typing {
			p.begin(r)
		}
		p.field.Update(msg)
	case r.Kind == request.BodyRow && len(msg.Content) > longestTyped:
		return frame.Say(frame.Warn, "a body that is pasted has at most %s", model.Count(longestTyped, "byte"))
	case r.Kind == request.BodyRow:
		p.set(r, msg.Content)
	}
	return nil
}

// pointer takes the mouse: the wheel moves what it is over, a click goes to a row or
// to the answer, and a click on the row at hand changes it.
func (p *Page) pointer(msg tea.MouseMsg) tea.Cmd {
	at, overAnswer := msg.Mouse(), p.inAnswer
	if !p.layout.Side.Empty() {
		overAnswer = at.X >= p.layout.Main.W
	}
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		if overAnswer {
			p.answer.Wheel(msg)
		} else if !p.typing {
			return p.rows.Wheel(msg)
		}
	case tea.MouseClickMsg:
		if at.Button != tea.MouseLeft || p.typing {
			return nil
		}
		if p.inAnswer = overAnswer; overAnswer {
			return nil
		}
		cmd, again := p.rows.Click(at.X-len(margin), at.Y-p.rowsAt)
		if again {
			return p.change()
		}
		return cmd
	}
	return nil
}
