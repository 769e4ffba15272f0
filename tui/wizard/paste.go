package wizard

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/internal/text/phrase"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// paste puts pasted text into the fields it fits: one line into this field, the lines of a
// list into a field for several names, and several lines into this and the next text fields
// if there are as many. Otherwise it asks. Terminals end a line with CR, LF or both.
func (f *form) paste(msg tea.PasteMsg) tea.Cmd {
	var lines []string
	for line := range strings.FieldsFuncSeq(msg.Content, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	now := f.now()
	fields := f.textsFrom(f.field)
	switch {
	case len(lines) <= 1 || now.Kind == flow.Access:
		return f.typeKey(msg)
	case now.List:
		return f.typeKey(tea.PasteMsg{Content: strings.Join(lines, ", ")})
	case len(lines) <= len(fields):
		return f.fill(fields, lines)
	}
	text := fmt.Sprintf("%d lines were pasted, but from here on there %s.", len(lines), fieldCount(len(fields)))
	return frame.Open(dialog.Confirm("Several lines were pasted", text,
		dialog.Button{Label: "Cancel", Cancel: true},
		dialog.Button{
			Label: "Only the first " + strings.TrimPrefix(phrase.Count(len(fields), "line"), "1 "),
			Do:    func() tea.Cmd { return f.fill(fields, lines[:len(fields)]) },
		},
		dialog.Button{Label: "All in this field", Do: func() tea.Cmd {
			return f.typeKey(tea.PasteMsg{Content: strings.Join(lines, " ")})
		}}))
}

func fieldCount(n int) string {
	if n == 1 {
		return "is 1 field"
	}
	return fmt.Sprintf("are %d fields", n)
}

// textsFrom are the indexes of the text fields from one on.
func (f *form) textsFrom(field int) []int {
	var texts []int
	for i, of := range f.question.Fields {
		if i >= field && of.Kind == flow.Text {
			texts = append(texts, i)
		}
	}
	return texts
}

// fill replaces the texts of fields by lines.
func (f *form) fill(fields []int, lines []string) tea.Cmd {
	var cmds []tea.Cmd
	for i, line := range lines {
		if f.field != fields[i] {
			f.leave()
			f.focus(fields[i])
		}
		f.input.SetValue(line)
		cmds = append(cmds, f.set(f.input.Value(), nil, true))
	}
	return tea.Batch(cmds...)
}
