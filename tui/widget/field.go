package widget

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/internal/text/prose"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// longestField is how many characters a field takes.
const longestField = 4096

// Field is an editor for one line of text: a Bubbles text input that holds printable
// characters only, and draws its cursor so that it is seen without colour. A paste
// loses control characters and those that reorder or hide text. The zero value is empty.
type Field struct {
	// Masked draws a star for each character: nobody shall read the text over a shoulder.
	Masked bool

	input textinput.Model
	made  bool
}

func (f *Field) make() *textinput.Model {
	if !f.made {
		f.input, f.made = newInput(), true
		f.input.CharLimit = longestField
	}
	return &f.input
}

// newInput is a Bubbles text input without a prompt, which does not read the clipboard.
func newInput() textinput.Model {
	input := textinput.New()
	input.Prompt = ""
	input.KeyMap.Paste.SetEnabled(false)
	input.KeyMap.AcceptSuggestion.SetEnabled(false)
	input.Focus()
	return input
}

// Value is the text.
func (f *Field) Value() string { return f.make().Value() }

// SetValue replaces the text and puts the cursor at its end.
func (f *Field) SetValue(text string) {
	f.make().SetValue(printable(text))
	f.input.CursorEnd()
}

// Update takes a key or a paste, and reports whether text or cursor have changed.
func (f *Field) Update(msg tea.Msg) (changed bool) {
	input := f.make()
	before, at := input.Value(), input.Position()
	switch m := msg.(type) {
	case tea.PasteMsg:
		msg = tea.PasteMsg{Content: printable(m.Content)}
	case tea.KeyPressMsg:
		if keys.IsText(m) {
			m.Text = printable(m.Text)
			if m.Text == "" {
				return false
			}
		} else {
			m.Text = "" // such as alt with a letter
		}
		msg = m
	default:
		return false
	}
	edit(input, msg)
	return input.Value() != before || input.Position() != at
}

// edit gives a message to a text input. It works around a bug of Bubbles v2.1.0, which
// panics if the word to delete begins with the last character.
func edit(input *textinput.Model, msg tea.Msg) {
	k, pressed := msg.(tea.KeyPressMsg)
	if pressed && key.Matches(k, input.KeyMap.DeleteWordForward) &&
		input.Position()+1 >= utf8.RuneCountInString(input.Value()) {
		msg = tea.KeyPressMsg{Code: 'k', Mod: tea.ModCtrl}
	}
	*input, _ = input.Update(msg)
}

// printable is text without the characters that a field does not take.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case !unicode.IsPrint(r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, text)
}

// View draws the field in exactly w cells, or the placeholder if it is empty. If focused
// is true, the cursor is a reversed cell.
func (f *Field) View(t *theme.Theme, placeholder string, w int, focused bool) string {
	w = max(w, 1)
	text, style := f.Value(), t.Field
	if f.Masked {
		text = strings.Repeat("*", utf8.RuneCountInString(text))
	}
	runes := []rune(text)
	x := layout.Width(string(runes[:min(f.make().Position(), len(runes))]))
	if text == "" {
		text, style = prose.Printable(placeholder), t.Placeholder
	}
	scroll := max(x-w+1, 0)
	text = ansi.Truncate(ansi.TruncateLeft(text+" ", scroll, ""), w, "")
	text = layout.Pad(text, w)
	if !focused {
		return style.Render(text)
	}
	before, at, after := splitAt(text, x-scroll)
	line := style.Render(before) + t.Cursor.Render(at) + style.Render(after)
	if layout.Width(line) == w {
		return line
	}
	// A combining mark takes a cell of its own when the cursor separates it from its
	// character.
	return layout.Pad(ansi.Truncate(line, w, ""), w)
}

// splitAt splits a line into the text before the cell x, the grapheme cluster at x, and
// the rest.
func splitAt(line string, x int) (before, at, after string) {
	before, rest := ansi.Truncate(line, x, ""), ansi.TruncateLeft(line, x, "")
	at, _ = ansi.FirstGraphemeCluster(rest, ansi.GraphemeWidth)
	return before, at, rest[len(at):]
}

// TextKeys are the keys that edit a line of text, for the help.
func TextKeys() []keys.Binding {
	keys := textinput.DefaultKeyMap()
	return textKeys([]textKey{
		{keys.CharacterBackward, "left", "a character to the left"},
		{keys.CharacterForward, "right", "a character to the right"},
		{keys.WordBackward, "word left", "a word to the left"},
		{keys.WordForward, "word right", "a word to the right"},
		{keys.LineStart, "begin", "to the beginning of the line"},
		{keys.LineEnd, "end", "to the end of the line"},
		{keys.DeleteCharacterBackward, "delete", "delete the character before the cursor"},
		{keys.DeleteCharacterForward, "delete next", "delete the character at the cursor"},
		{keys.DeleteWordBackward, "delete word", "delete the word before the cursor"},
		{keys.DeleteWordForward, "delete next word", "delete the word after the cursor"},
		{keys.DeleteBeforeCursor, "delete before", "delete all before the cursor"},
		{keys.DeleteAfterCursor, "delete after", "delete all after the cursor"},
	})
}

// textKey is a key of a text field with its texts for the help.
type textKey struct {
	of           key.Binding
	label, about string
}

// textKeys are bindings without actions: the field itself takes their keys.
func textKeys(of []textKey) []keys.Binding {
	all := make([]keys.Binding, len(of))
	for i, k := range of {
		all[i] = keys.Of(k.of.Keys()...).Does(k.label, k.about, nil).In("text")
	}
	return all
}
