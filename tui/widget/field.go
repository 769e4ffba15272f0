package widget

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// longestField is how many characters a field takes. It keeps a pasted file from
// becoming a name.
const longestField = 4096

// Field is one line of text that is being edited: a Bubbles text input that holds
// printable characters only, and draws its cursor so that it is seen without colour.
// What is pasted loses its control characters and those that reorder or hide text.
// The zero value is empty.
type Field struct {
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

// newInput is a Bubbles text input that is drawn by others, and pastes what it is told.
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

// SetValue replaces the text and brings the cursor to its end.
func (f *Field) SetValue(text string) {
	f.make().SetValue(printable(text))
	f.input.CursorEnd()
}

// Update takes a key or a paste, and tells whether the field is another one then.
func (f *Field) Update(msg tea.Msg) (changed bool) {
	input := f.make()
	before, at := input.Value(), input.Position()
	switch m := msg.(type) {
	case tea.PasteMsg:
		msg = tea.PasteMsg{Content: printable(m.Content)}
	case tea.KeyPressMsg:
		if IsText(m) {
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

// edit has a text input take a message. Bubbles v2.1.0 breaks where the word to delete
// begins with the last character: all that follows the cursor is deleted then.
func edit(input *textinput.Model, msg tea.Msg) {
	k, pressed := msg.(tea.KeyPressMsg)
	if pressed && key.Matches(k, input.KeyMap.DeleteWordForward) && input.Position()+1 >= utf8.RuneCountInString(input.Value()) {
		msg = tea.KeyPressMsg{Code: 'k', Mod: tea.ModCtrl}
	}
	*input, _ = input.Update(msg)
}

// printable is text without what must not stand in a field.
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

// View draws the field in exactly w cells, the placeholder where it is empty. Where
// focused is true the cursor is drawn in it as a reversed cell.
func (f *Field) View(t *theme.Theme, placeholder string, w int, focused bool) string {
	w = max(w, 1)
	text, style := f.Value(), t.Field
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
	before, at, after := parted(text, x-scroll)
	line := style.Render(before) + t.Cursor.Render(at) + style.Render(after)
	if layout.Width(line) == w {
		return line
	}
	// A mark that combines with the character before it takes a cell of its own where
	// the cursor parts them.
	return layout.Pad(ansi.Truncate(line, w, ""), w)
}

// parted divides a line around the character at the cell x, which is one as a person
// counts them.
func parted(line string, x int) (before, at, after string) {
	before, rest := ansi.Truncate(line, x, ""), ansi.TruncateLeft(line, x, "")
	at, _ = ansi.FirstGraphemeCluster(rest, ansi.GraphemeWidth)
	return before, at, rest[len(at):]
}

// TextKeys are the keys that edit a line of text, for the help: they belong to the
// field.
func TextKeys() []Binding {
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

// textKey is a key that edits text, as the help says it.
type textKey struct {
	of           key.Binding
	label, about string
}

// textKeys are the bindings of them. They do nothing: the keys are the field's.
func textKeys(of []textKey) []Binding {
	all := make([]Binding, len(of))
	for i, k := range of {
		all[i] = Meaning{keys: k.of.Keys()}.Does(k.label, k.about, nil).In("text")
	}
	return all
}
