package console

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/prose"
	"gatewright/request"
	"gatewright/tui/frame"
	"gatewright/tui/widget"
)

// row is a row of the form as it is shown.
type row struct {
	request.Row
	label, value string
	tone         prose.Tone
}

// table is the form: a line of text is typed in its place.
func (p *Page) table() widget.Table[row] {
	const widestLabel = 12
	return widget.Table[row]{
		Columns: []widget.Column[row]{
			{Least: widestLabel, Most: widestLabel, Text: func(r row) string { return r.label }, Tone: func(row) prose.Tone { return prose.Muted }},
			{Least: widestLabel, Text: func(r row) string { return r.value }, Tone: func(r row) prose.Tone { return r.tone }},
		},
		ID: func(r row) string { return rowID(r.Row) },
		Field: func(r row) (*widget.Field, string) {
			if p.typing {
				return &p.field, r.Placeholder()
			}
			return nil, ""
		},
	}
}

func rowID(r request.Row) string { return fmt.Sprint(r) }

// refresh makes the rows anew, without headers that are empty; the cursor stays on its
// row.
func (p *Page) refresh() {
	p.form = p.form.Copy()
	p.lay()
}

// lay makes the rows anew.
func (p *Page) lay() {
	var rows []row
	for _, r := range p.form.Rows() {
		one := row{Row: r, label: p.form.Label(r), value: p.shown(r)}
		switch {
		case one.value == "":
			one.value, one.tone = cmp.Or(r.Placeholder(), "none"), prose.Muted
		case r.Kind == request.ModeRow && p.form.Test:
			one.tone = prose.Warning
		}
		rows = append(rows, one)
	}
	p.rows.SetRows(rows)
}

// shown is what a row has.
func (p *Page) shown(r request.Row) string {
	text := p.form.Shown(r)
	switch {
	case r.Kind == request.EnvironmentRow && p.env() != nil && p.env().Guarded:
		return text + " (guarded)"
	case r.Kind == request.CallerRow && !p.form.Test && len(p.groupsOf()) > 0:
		return text + ", in " + prose.Fit(strings.Join(p.groupsOf(), ", "))
	}
	return text
}

// begin begins to type a row.
func (p *Page) begin(r request.Row) {
	p.typing = true
	p.field.SetValue(p.form.Value(r))
}

// taken puts what was typed into the form and moves to the row beside. onward goes on
// typing there where it is text.
func (p *Page) taken(by int, onward bool) tea.Cmd {
	if r, ok := p.rows.Row(); ok {
		p.form.Set(r.Row, p.field.Value())
	}
	p.typing = false
	p.lay()
	cmd := p.rows.Move(by)
	r, _ := p.rows.Row()
	// Whoever is done with headers goes on with enter.
	if onward && r.IsText() && (r.Kind != request.HeaderRow || p.form.Value(r.Row) != "") {
		p.begin(r.Row)
	}
	return cmd
}

// lineless is why the row at hand cannot be emptied; "" where it can.
func (p *Page) lineless() string {
	if r, ok := p.rows.Row(); p.inAnswer || !ok || !r.IsText() && r.Kind != request.BodyRow {
		return "the line is no text"
	}
	return ""
}

// empty empties the row at hand.
func (p *Page) empty() {
	if r, ok := p.rows.Row(); ok {
		p.set(r.Row, "")
	}
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
			p.begin(r.Row)
		}
		p.field.Update(msg)
	case r.Kind == request.BodyRow && len(msg.Content) > longestTyped:
		return frame.Say(frame.Warn, "a body that is pasted has at most %s", model.Count(longestTyped, "byte"))
	case r.Kind == request.BodyRow:
		p.set(r.Row, msg.Content)
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
