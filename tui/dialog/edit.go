package dialog

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// Editing says what Edit asks for.
type Editing struct {
	ID, Title, Text string
	// Line is the one at whose end the cursor begins, counted from 1; 0 is the
	// beginning of the text.
	Line int
	// Check refuses a text with an error, and says at which of its lines, counted
	// from 1; 0 is none of them. It is called whenever the text changes, and may be
	// nil.
	Check func(text string) (line int, err error)
	// Colour draws a line that is fit for the screen, and adds no cell; it may be
	// nil.
	Colour func(t *theme.Theme, line string) string
	// Editor is the command of an editor that the text may be opened in; "" is none.
	Editor string
}

// Elsewhere is the text of an Edit that is to be edited in another program.
type Elsewhere string

// edit asks for a text of several lines.
type edit struct {
	of    Editing
	area  area
	line  int
	fault error
	// touched says that the text is not what it was, leaving that esc was pressed
	// then.
	touched, leaving bool
	// top is the first line in view, rows how many are in view, as last drawn.
	top, rows int
}

// Edit asks for a text of several lines. What Check says against it is shown
// while it is typed. ctrl+s ends it with Entered, where Check lets it, ctrl+o with
// Elsewhere, where there is an Editor, esc with Cancelled, twice where the text
// was changed.
func Edit(of Editing) Dialog {
	e := &edit{of: of, rows: 1}
	e.area.set(of.Text)
	if of.Line > 0 {
		e.area.toRow(of.Line - 1)
		e.area.col = len(e.area.lines[e.area.row])
	}
	e.check()
	return e
}

// EditAgain is Edit with a text that differs from what there was: to leave it is
// to lose it.
func EditAgain(of Editing) Dialog {
	e := Edit(of).(*edit)
	e.touched = true
	return e
}

func (e *edit) check() {
	e.line, e.fault = 0, nil
	if e.of.Check != nil {
		e.line, e.fault = e.of.Check(e.area.text())
	}
}

func (e *edit) ID() string { return e.of.ID }

func (e *edit) Update(msg tea.Msg) (Action, tea.Cmd) {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "esc":
			if !e.touched || e.leaving {
				return Cancelled{}, nil
			}
			e.leaving = true
			return nil, nil
		case "ctrl+s":
			if e.fault == nil {
				return Entered(e.area.text()), nil
			}
			if e.line > 0 {
				e.area.toRow(e.line - 1)
			}
			return nil, nil
		case "ctrl+o":
			if e.of.Editor != "" {
				return Elsewhere(e.area.text()), nil
			}
			return nil, nil
		}
	}
	e.leaving = false
	if e.area.update(msg, e.rows) {
		e.touched = true
		e.check()
	}
	return nil, nil
}

// What a text of several lines is drawn in: no wider than widestText cells, and no
// lower than fewestRows lines, so that the dialog does not grow with every line.
const (
	widestText = 100
	fewestRows = 8
)

func (e *edit) View(t *theme.Theme, maxW, maxH int) string {
	w := max(min(widestText, maxW-frameW), 1)
	below := e.below(t, w)
	e.rows = max(1, min(max(fewestRows, len(e.area.lines)), maxH-frameH-len(below)))
	e.top = min(e.top, e.area.row)
	e.top = max(e.top, e.area.row-e.rows+1)
	e.top = max(0, min(e.top, len(e.area.lines)-e.rows))
	var lines []string
	for i := e.top; i < e.top+e.rows; i++ {
		if i < len(e.area.lines) {
			lines = append(lines, e.drawn(t, i, w))
			continue
		}
		lines = append(lines, strings.Repeat(" ", w))
	}
	return box(t, e.of.Title, append(lines, below...), maxW, maxH)
}

// below says what is wrong, or where the cursor is.
func (e *edit) below(t *theme.Theme, w int) []string {
	switch {
	case e.leaving:
		return detail(t.Warning, "what was typed would be lost: esc again leaves it, any other key stays", w)
	case e.fault != nil:
		return detail(t.Error, "not yet: "+e.fault.Error(), w)
	}
	return detail(t.Muted, fmt.Sprintf("line %d of %d; ctrl+s takes it", e.area.row+1, len(e.area.lines)), w)
}

// drawn draws a line in w cells, with a mark where something is wrong with it.
func (e *edit) drawn(t *theme.Theme, i, w int) string {
	const gutter = 2
	mark := t.Base.Render("  ")
	if e.fault != nil && i == e.line-1 {
		mark = t.Error.Render("! ")
	}
	w = max(1, w-gutter)
	line := e.area.lines[i]
	x := layout.Width(prose.Fit(string(e.area.lines[e.area.row][:e.area.col])))
	scroll := max(x-w+1, 0)
	text := ansi.Truncate(ansi.TruncateLeft(prose.Fit(string(line))+" ", scroll, ""), w, "")
	if i != e.area.row {
		text = strings.TrimRight(text, " ")
		if e.of.Colour != nil {
			return mark + e.of.Colour(t, text)
		}
		return mark + t.Field.Render(text)
	}
	before, rest := ansi.Truncate(text, x-scroll, ""), ansi.TruncateLeft(text, x-scroll, "")
	at, after := firstCluster(rest)
	return mark + t.Field.Render(before) + t.Cursor.Render(at) + t.Field.Render(after)
}

func (e *edit) Keys() []Binding {
	keys := []Binding{
		{Keys: []string{"ctrl+s"}, Label: "take it", Help: "take the text", Footer: true},
		{Keys: []string{"esc"}, Label: "cancel", Help: "leave the text as it was", Footer: true},
	}
	if e.of.Editor != "" {
		keys = append(keys, Binding{Keys: []string{"ctrl+o"}, Label: "your editor", Help: "open the text in your editor", Footer: true})
	}
	if e.fault != nil {
		keys[0].Disabled = e.fault.Error()
	}
	return keys
}
