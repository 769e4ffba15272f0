package dialog

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/keys"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// Editing are the options of Edit.
type Editing struct {
	Title, Text string
	// Line is the line at whose end the cursor starts, counted from 1; 0 starts at the
	// beginning of the text.
	Line int
	// Changed says that Text has unsaved changes already, so that esc asks first.
	Changed bool
	// Check refuses a text with an error, and returns its line, counted from 1; 0 if the
	// error has no line. It is called whenever the text changes, and may be nil.
	Check func(text string) (line int, err error)
	// Colour draws a printable line without adding cells; it may be nil.
	Colour func(t *theme.Theme, line string) string
	// Take gets the text.
	Take func(text string) tea.Cmd
	// OpenEditor gets the text to edit it in another program; nil if there is none.
	OpenEditor func(text string) tea.Cmd
}

// edit is the dialog of Edit.
type edit struct {
	base
	options Editing
	area    widget.Area
	line    int
	fault   error
	// touched says that the text has unsaved changes, leaving that esc was pressed once.
	touched, leaving bool
}

// Edit asks for a text of several lines. The error of Check is shown while a person
// types. ctrl+s gives the text to Take if Check allows it, ctrl+e gives it to OpenEditor,
// and esc closes the dialog; after changes it has to be pressed twice.
func Edit(of Editing) Dialog {
	e := &edit{base: base{title: of.Title}, options: of, touched: of.Changed}
	e.area.SetValue(of.Text)
	if of.Line > 0 {
		e.area.ToLine(of.Line - 1)
	}
	e.check()
	return e
}

// EditJSON is Edit for JSON, which has colours. Check is only called for valid JSON.
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

// syntax is the first syntax error of a text that should be JSON, and its line.
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
	return line, fmt.Errorf("line %d is not valid JSON: %w", line, err)
}

func (e *edit) check() {
	e.line, e.fault = 0, nil
	if e.options.Check != nil {
		e.line, e.fault = e.options.Check(e.area.Value())
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

// leave closes the dialog, or asks for a second esc if changes would be lost.
func (e *edit) leave() tea.Cmd {
	if !e.touched || e.leaving {
		return e.end(nil)
	}
	e.leaving = true
	return nil
}

// save takes the text, or moves the cursor to the error.
func (e *edit) save() tea.Cmd {
	e.leaving = false
	if e.fault == nil {
		return e.end(bind(e.options.Take, e.area.Value()))
	}
	if e.line > 0 {
		e.area.ToLine(e.line - 1)
	}
	return nil
}

func (e *edit) Bindings() []keys.Binding {
	all := []keys.Binding{
		keys.Save.Does("take it", "take the text; if it has an error, go there", e.save).ShownIf(e.fault == nil),
		keys.Back.Does("cancel", "discard the changes", e.leave).Shown().Answers(e.leaving),
	}
	if e.options.OpenEditor != nil {
		all = append(all, keys.OpenFile.Does("your editor", "open the text in your editor", func() tea.Cmd {
			return e.end(bind(e.options.OpenEditor, e.area.Value()))
		}).Shown())
	}
	return append(all, widget.AreaKeys()...)
}

// Copied is the text as it is now.
func (e *edit) Copied() string { return e.area.Value() }

// fewestRows is the least height of the text, so that the dialog does not grow at once.
const fewestRows = 8

func (e *edit) View(t *theme.Theme, maxW, maxH int) string {
	w := within(editWidth, maxW)
	below := e.below(t, w)
	rows := max(1, min(max(fewestRows, e.area.Lines()), maxH-frameH-len(below)))
	wrong := -1
	if e.fault != nil {
		wrong = e.line - 1
	}
	return box(t, e.title, append(e.area.Draw(t, w, rows, wrong, e.options.Colour), below...), maxW, maxH)
}

// below shows the error, or the position of the cursor.
func (e *edit) below(t *theme.Theme, w int) []string {
	switch {
	case e.leaving:
		return widget.Detail(t, prose.Warning,
			"your changes would be lost: esc again discards them, any other key keeps them", w, detailHeight)
	case e.fault != nil:
		return widget.Detail(t, prose.Bad, "not yet: "+e.fault.Error(), w, detailHeight)
	}
	return widget.Detail(t, prose.Muted, fmt.Sprintf("line %d of %d; ctrl+s takes it", e.area.Line()+1, e.area.Lines()),
		w, detailHeight)
}
