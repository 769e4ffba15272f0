package dialog

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// Editing says what Edit asks for.
type Editing struct {
	Title, Text string
	// Line is the one at whose end the cursor begins, counted from 1; 0 is the
	// beginning of the text.
	Line int
	// Changed says that the text differs from what there was: to leave it is to lose
	// it.
	Changed bool
	// Check refuses a text with an error, and says at which of its lines, counted
	// from 1; 0 is none of them. It is called whenever the text changes, and may be
	// nil.
	Check func(text string) (line int, err error)
	// Colour draws a line that is fit for the screen, and adds no cell; it may be
	// nil.
	Colour func(t *theme.Theme, line string) string
	// Take is given the text.
	Take func(text string) tea.Cmd
	// Elsewhere is given the text to be edited in another program; nil where there is
	// none.
	Elsewhere func(text string) tea.Cmd
}

// edit asks for a text of several lines.
type edit struct {
	base
	of    Editing
	area  widget.Area
	line  int
	fault error
	// touched says that the text is not what it was, leaving that esc was pressed
	// then.
	touched, leaving bool
}

// Edit asks for a text of several lines. What Check says against it is shown while it
// is typed. ctrl+s gives it to Take, where Check lets it, ctrl+e to Elsewhere, and esc
// leaves it, twice where the text was changed.
func Edit(of Editing) Dialog {
	e := &edit{base: base{title: of.Title}, of: of, touched: of.Changed}
	e.area.SetValue(of.Text)
	if of.Line > 0 {
		e.area.ToLine(of.Line - 1)
	}
	e.check()
	return e
}

// EditJSON is Edit for JSON, which is drawn in colours. Check is asked about what is JSON
// alone.
func EditJSON(of Editing) Dialog {
	check := of.Check
	of.Colour = widget.JSON
	of.Check = func(text string) (line int, err error) {
		if line, err = syntax(text); err == nil && check != nil {
			line, err = check(text)
		}
		return line, err
	}
	return Edit(of)
}

// syntax says what keeps a text from being JSON, and in which of its lines.
func syntax(text string) (line int, err error) {
	err = json.Unmarshal([]byte(text), new(json.RawMessage))
	if err == nil {
		return 0, nil
	}
	at := len(text)
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = min(int(wrong.Offset), len(text))
	}
	line = 1 + strings.Count(strings.TrimRight(text[:at], "\n"), "\n")
	return line, fmt.Errorf("line %d is no JSON: %w", line, err)
}

func (e *edit) check() {
	e.line, e.fault = 0, nil
	if e.of.Check != nil {
		e.line, e.fault = e.of.Check(e.area.Value())
	}
}

func (e *edit) Typing() bool { return true }

func (e *edit) Update(msg tea.Msg) tea.Cmd {
	e.leaving = false
	if e.area.Update(msg) {
		e.touched = true
		e.check()
	}
	return nil
}

// leave ends the dialog, or asks to be told again where something would be lost.
func (e *edit) leave() tea.Cmd {
	if !e.touched || e.leaving {
		return e.end(nil)
	}
	e.leaving = true
	return nil
}

// save takes the text, or goes to where it is wrong.
func (e *edit) save() tea.Cmd {
	e.leaving = false
	if e.fault == nil {
		return e.end(with(e.of.Take, e.area.Value()))
	}
	if e.line > 0 {
		e.area.ToLine(e.line - 1)
	}
	return nil
}

func (e *edit) Bindings() []widget.Binding {
	all := []widget.Binding{
		widget.Save.Does("take it", "take the text; where something is wrong go there", e.save).ShownIf(e.fault == nil),
		widget.Back.Does("cancel", "leave the text as it was", e.leave).Shown(),
	}
	if e.of.Elsewhere != nil {
		all = append(all, widget.OpenFile.Does("your editor", "open the text in your editor", func() tea.Cmd {
			return e.end(with(e.of.Elsewhere, e.area.Value()))
		}).Shown())
	}
	return append(all, widget.AreaKeys()...)
}

// fewestRows is how high a text of several lines is at the least, so that the dialog does
// not grow with every line.
const fewestRows = 8

func (e *edit) View(t *theme.Theme, maxW, maxH int) string {
	w := within(code, maxW)
	below := e.below(t, w)
	rows := max(1, min(max(fewestRows, e.area.Lines()), maxH-frameH-len(below)))
	wrong := -1
	if e.fault != nil {
		wrong = e.line - 1
	}
	return box(t, e.title, append(e.area.Draw(t, w, rows, wrong, e.of.Colour), below...), maxW, maxH)
}

// below says what is wrong, or where the cursor is.
func (e *edit) below(t *theme.Theme, w int) []string {
	switch {
	case e.leaving:
		return widget.Detail(t, prose.Warning, "what was typed would be lost: esc again leaves it, any other key stays", w, detailH)
	case e.fault != nil:
		return widget.Detail(t, prose.Bad, "not yet: "+e.fault.Error(), w, detailH)
	}
	return widget.Detail(t, prose.Muted, fmt.Sprintf("line %d of %d; ctrl+s takes it", e.area.Line()+1, e.area.Lines()), w, detailH)
}
