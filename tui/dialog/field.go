package dialog

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// longestField is how many characters a field takes. It keeps a pasted file from
// becoming a name.
const longestField = 4096

// Field is one line of text that is being edited. It holds printable characters
// only: what is pasted loses its control characters. The zero value is empty.
type Field struct {
	runes  []rune
	cursor int // index in runes before which the next character goes
}

// Value is the text.
func (f *Field) Value() string { return string(f.runes) }

// SetValue replaces the text and brings the cursor to its end.
func (f *Field) SetValue(text string) {
	f.runes, f.cursor = nil, 0
	f.insert(text)
}

// Update takes a key or a paste, and tells whether the field did anything with it.
func (f *Field) Update(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		f.insert(msg.Content)
		return true
	case tea.KeyPressMsg:
		if msg.Text != "" && msg.Mod&^(tea.ModShift|tea.ModCapsLock|tea.ModNumLock|tea.ModScrollLock) == 0 {
			f.insert(msg.Text)
			return true
		}
		return f.edit(msg.Keystroke())
	}
	return false
}

func (f *Field) edit(key string) bool {
	switch key {
	case "left", "ctrl+b":
		f.cursor = max(f.cursor-1, 0)
	case "right", "ctrl+f":
		f.cursor = min(f.cursor+1, len(f.runes))
	case "home", "ctrl+a":
		f.cursor = 0
	case "end", "ctrl+e":
		f.cursor = len(f.runes)
	case "alt+left", "ctrl+left":
		f.cursor = f.wordBefore()
	case "alt+right", "ctrl+right":
		f.cursor = f.wordAfter()
	case "backspace", "ctrl+h":
		f.remove(max(f.cursor-1, 0), f.cursor)
	case "delete", "ctrl+d":
		f.remove(f.cursor, min(f.cursor+1, len(f.runes)))
	case "ctrl+w", "alt+backspace":
		f.remove(f.wordBefore(), f.cursor)
	case "ctrl+u":
		f.remove(0, f.cursor)
	case "ctrl+k":
		f.remove(f.cursor, len(f.runes))
	default:
		return false
	}
	return true
}

func (f *Field) insert(text string) {
	var add []rune
	for _, r := range text {
		if r == '\t' {
			r = ' '
		}
		if unicode.IsPrint(r) && r != unicode.ReplacementChar && len(f.runes)+len(add) < longestField {
			add = append(add, r)
		}
	}
	f.runes = append(f.runes[:f.cursor:f.cursor], append(add, f.runes[f.cursor:]...)...)
	f.cursor += len(add)
}

func (f *Field) remove(from, to int) {
	f.runes = append(f.runes[:from:from], f.runes[to:]...)
	f.cursor = from
}

func (f *Field) wordBefore() int {
	i := f.cursor
	for i > 0 && !word(f.runes[i-1]) {
		i--
	}
	for i > 0 && word(f.runes[i-1]) {
		i--
	}
	return i
}

func (f *Field) wordAfter() int {
	i := f.cursor
	for i < len(f.runes) && !word(f.runes[i]) {
		i++
	}
	for i < len(f.runes) && word(f.runes[i]) {
		i++
	}
	return i
}

func word(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// CursorX is the cell of the cursor in a View of w cells.
func (f *Field) CursorX(w int) int {
	before := layout.Width(string(f.runes[:f.cursor]))
	return before - f.scroll(w)
}

// scroll is how many cells are out of view on the left.
func (f *Field) scroll(w int) int {
	return max(layout.Width(string(f.runes[:f.cursor]))-w+1, 0)
}

// View draws the field in exactly w cells, the placeholder where it is empty.
// Where focused is true the cursor is drawn in it as a reversed cell, so that it
// is seen without colour and without a terminal's own cursor.
func (f *Field) View(t *theme.Theme, placeholder string, w int, focused bool) string {
	w = max(w, 1)
	text, style := string(f.runes), t.Field
	if text == "" {
		text, style = prose.Fit(placeholder), t.Placeholder
	}
	scroll := f.scroll(w)
	text = ansi.Truncate(ansi.TruncateLeft(text+" ", scroll, ""), w, "")
	text += strings.Repeat(" ", max(w-layout.Width(text), 0))
	if !focused {
		return style.Render(text)
	}
	x := f.CursorX(w)
	before, rest := ansi.Truncate(text, x, ""), ansi.TruncateLeft(text, x, "")
	at, after := firstCluster(rest)
	return style.Render(before) + t.Cursor.Render(at) + style.Render(after)
}

// firstCluster divides text after the first character as a person counts them.
func firstCluster(text string) (first, rest string) {
	first, _ = ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
	return first, text[len(first):]
}
