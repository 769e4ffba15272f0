package console

import (
	"cmp"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/request"
	"gatewright/internal/text/prose"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/widget"
)

// table is the form as a table; text is typed in the cell of its row.
func (p *Page) table() widget.Table[request.Row] {
	const widestLabel = 12
	return widget.Table[request.Row]{
		Framed: true,
		Columns: []widget.Column[request.Row]{
			{
				Least: widestLabel, Most: widestLabel, Text: func(r request.Row) string { return r.Label },
				Tone: func(request.Row) prose.Tone { return prose.Muted },
			},
			{Least: widestLabel, Text: p.shown, Tone: p.tone, Draw: widget.Method},
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

// shown is the value of a row, or its placeholder.
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
	case r.Kind == request.ModeRow && p.at.Form.Test:
		return prose.Warning
	}
	return prose.Plain
}

// refresh completes the form, drops its empty headers, and makes the rows again; the cursor
// stays on its row.
func (p *Page) refresh() {
	if next := p.at.Form.Copy(); p.snapshot != nil {
		// A path that is gone has no form any more; another path never gets its form.
		if p.snapshot.Complete(&next); next.API != p.at.Form.API || next.Path != p.at.Form.Path {
			p.goTo(next)
		} else {
			p.at.Form = next
		}
		p.callAsViewer()
	}
	p.setRows()
}

// callAsViewer has requests sent as whom the pages look, unless the caller was chosen by hand.
func (p *Page) callAsViewer() {
	f := &p.at.Form
	if f.ByHand {
		return
	}
	f.As, f.Groups, f.Missing = identitypool.Signer{}, nil, false
	if v := p.context.Viewer; v != nil {
		f.As = p.snapshot.SignerAs(p.env(), v.Caller, v.User)
		if f.As.User != "" {
			f.Groups = v.Caller.Groups
		}
	}
}

// setRows makes the rows again.
func (p *Page) setRows() { p.rows.SetRows(p.at.Form.Rows()) }

// startTyping puts the text field into a row.
func (p *Page) startTyping(r request.Row) {
	p.typing = true
	p.field.SetValue(r.Value)
}

// takeText takes the text of the text field and moves the cursor by rows. With onward,
// typing continues there if that row is a text.
func (p *Page) takeText(by int, onward bool) tea.Cmd {
	r, _ := p.rows.Row()
	r.Set(p.field.Value())
	p.typing = false
	p.setRows()
	cmd := p.rows.Move(by)
	r, _ = p.rows.Row()
	// Enter on the empty last header ends the typing of headers.
	if onward && r.IsText() && (r.Kind != request.HeaderRow || r.Value != "") {
		p.startTyping(r)
	}
	return cmd
}

// whyNotClear is the reason why the row at the cursor cannot be cleared; "" if it can.
func (p *Page) whyNotClear() string {
	if r, _ := p.rows.Row(); p.inAnswer || !r.IsText() && r.Kind != request.BodyRow {
		return "only a line of text or the body can be cleared"
	}
	return ""
}

// clear clears the row at the cursor, after asking.
func (p *Page) clear() tea.Cmd {
	r, _ := p.rows.Row()
	if r.Value == "" {
		return frame.Say(frame.Info, "the line is empty")
	}
	of := p.at
	return frame.Open(dialog.Sure("Clear "+r.Label+"?", r.Shown, "Clear", func() tea.Cmd {
		// The rows may have been made again meanwhile.
		if row, ok := p.rows.Row(); ok && of == p.at && rowID(row) == rowID(r) && row.Value == r.Value {
			p.set(row, "")
		}
		return nil
	}))
}

// mouse scrolls the pane under the wheel. A click moves the cursor to a row or the focus
// to the answer; a click on the row at the cursor changes it.
func (p *Page) mouse(msg tea.MouseMsg) tea.Cmd {
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
		if at.Button != tea.MouseLeft || p.Typing() {
			return nil
		}
		if p.inAnswer = overAnswer; overAnswer {
			p.answer.Click(at.Y - p.rowsAt)
			return nil
		}
		cmd, again := p.rows.Click(at.X-widget.PaneW/2, at.Y-p.rowsAt)
		if again {
			return p.changeRow()
		}
		return cmd
	}
	return nil
}
