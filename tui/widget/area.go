package widget

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/internal/text/prose"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// longestText is how many characters an Area takes: more than any item of a table has.
const longestText = 1 << 20

// Area is an editor for text of several lines. It takes printable characters only, but keeps control
// characters of the text that it was given, and draws lines in colours. The line of the cursor is a Bubbles
// text input, and the keys between lines are those of Bubbles' text area. The text area itself has a limit of
// ten thousand lines, draws the whole text at every key, and drops control characters, so it is not used.
// Private characters from U+100000 on are not kept. The zero value is empty.
type Area struct {
	// lines are the text; the current content of the cursor's line is in input.
	lines []string
	line  int
	input textinput.Model
	made  bool
	// top is the first line in view, page the number of lines in view.
	top, page int
}

// areaKeys are the keys that go from line to line.
var areaKeys = textarea.DefaultKeyMap()

func (a *Area) make() {
	if a.made {
		return
	}
	a.input = newInput()
	a.lines, a.page, a.made = []string{""}, 1, true
}

// The text input does not keep control characters and U+FFFD. Private characters of Unicode's last plane
// replace them there: firstPrivate+c replaces the control character c, replacementChar replaces U+FFFD.
const (
	firstPrivate    = '\U00100000'
	replacementChar = firstPrivate + unicode.MaxLatin1 + 1
)

// encode makes a line that the text input keeps, decode is its inverse.
func encode(line string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r):
			return firstPrivate + r
		case r == unicode.ReplacementChar:
			return replacementChar
		}
		return r
	}, line)
}

func decode(line string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == replacementChar:
			return unicode.ReplacementChar
		case r >= firstPrivate && r < replacementChar:
			return r - firstPrivate
		}
		return r
	}, line)
}

// SetValue replaces the text and puts the cursor at its beginning.
func (a *Area) SetValue(text string) {
	a.make()
	a.lines = strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	a.moveTo(0, 0)
}

// text are all lines, the cursor's one with its current content.
func (a *Area) text() []string {
	a.make()
	a.lines[a.line] = decode(a.input.Value())
	return a.lines
}

// moveTo puts the cursor before a character of a line; both are limited to the text.
func (a *Area) moveTo(line, column int) {
	a.line = max(0, min(line, len(a.lines)-1))
	a.input.SetValue(encode(a.lines[a.line]))
	a.input.SetCursor(column)
}

// Value is the text.
func (a *Area) Value() string { return strings.Join(a.text(), "\n") }

// Lines is the number of lines.
func (a *Area) Lines() int { return len(a.text()) }

// Line is the line of the cursor, counted from 0.
func (a *Area) Line() int { return a.line }

// SetLine replaces the line of the cursor, and puts the cursor at its end.
func (a *Area) SetLine(text string) {
	a.text()[a.line] = printable(text)
	a.moveTo(a.line, 0)
	a.input.CursorEnd()
}

// LineText is the line of the cursor.
func (a *Area) LineText() string { return a.text()[a.line] }

// ToLine puts the cursor at the end of a line, counted from 0.
func (a *Area) ToLine(line int) {
	a.text()
	a.moveTo(line, 0)
	a.input.CursorEnd()
}

// Update takes a key or a paste, and reports whether the text has changed.
func (a *Area) Update(msg tea.Msg) (changed bool) {
	a.make()
	switch m := msg.(type) {
	case tea.PasteMsg:
		return a.insert(m.Content)
	case tea.KeyPressMsg:
		switch {
		case keys.IsText(m):
			return a.insert(m.Text)
		case keys.NextField.Has(m):
			return a.insert("  ")
		case keys.Open.Has(m):
			return a.insert("\n" + a.indent())
		case a.move(m):
			return false
		}
		if changed, taken := a.join(m); taken {
			return changed
		}
		m.Text = ""
		before := a.input.Value()
		edit(&a.input, m)
		return a.input.Value() != before
	}
	return false
}

// move moves the cursor between lines; false if the key does something else.
func (a *Area) move(m tea.KeyPressMsg) bool {
	column := a.input.Position()
	end := utf8.RuneCountInString(a.input.Value())
	line := a.line
	switch {
	case key.Matches(m, areaKeys.LinePrevious):
		line--
	case key.Matches(m, areaKeys.LineNext):
		line++
	case key.Matches(m, areaKeys.PageUp):
		line -= a.page
	case key.Matches(m, areaKeys.PageDown):
		line += a.page
	case key.Matches(m, areaKeys.InputBegin):
		line, column = 0, 0
	case key.Matches(m, areaKeys.InputEnd):
		a.ToLine(a.Lines() - 1)
		return true
	case key.Matches(m, areaKeys.CharacterBackward) && column == 0 && line > 0:
		a.ToLine(line - 1)
		return true
	case key.Matches(m, areaKeys.CharacterForward) && column == end && line < len(a.lines)-1:
		line, column = line+1, 0
	default:
		return false
	}
	a.text()
	a.moveTo(line, column)
	return true
}

// join joins two lines if a key deletes the line break between them.
func (a *Area) join(m tea.KeyPressMsg) (changed, taken bool) {
	line := a.line
	switch {
	case key.Matches(m, areaKeys.DeleteCharacterBackward) && a.input.Position() == 0:
		line--
	case key.Matches(m, areaKeys.DeleteCharacterForward, areaKeys.DeleteAfterCursor) &&
		a.input.Position() == utf8.RuneCountInString(a.input.Value()):
	default:
		return false, false
	}
	all := a.text()
	if line < 0 || line == len(all)-1 {
		return false, true
	}
	column := utf8.RuneCountInString(all[line])
	all[line] += all[line+1]
	a.lines = slices.Delete(all, line+1, line+2)
	a.moveTo(line, column)
	return true, true
}

// insert puts text before the cursor, without its characters that are not printable.
func (a *Area) insert(text string) bool {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", "  ").Replace(text)
	lines := strings.Split(text, "\n")
	size := len(lines) - 1
	for i, line := range lines {
		lines[i] = printable(line)
		size += utf8.RuneCountInString(lines[i])
	}
	all := a.text()
	for _, line := range all {
		size += utf8.RuneCountInString(line) + 1
	}
	if text == "" || size > longestText {
		return false
	}
	under, last := []rune(all[a.line]), len(lines)-1
	column := utf8.RuneCountInString(lines[last])
	if last == 0 {
		column += a.input.Position()
	}
	lines[0] = string(under[:a.input.Position()]) + lines[0]
	lines[last] += string(under[a.input.Position():])
	changed := last > 0 || lines[0] != all[a.line]
	a.lines = slices.Replace(all, a.line, a.line+1, lines...)
	a.moveTo(a.line+last, column)
	return changed
}

// indent is the spaces at the beginning of the cursor's line, up to the cursor.
func (a *Area) indent() string {
	line := a.input.Value()
	spaces := len(line) - len(strings.TrimLeft(line, " "))
	return line[:min(spaces, a.input.Position())]
}

// Draw draws h lines of w cells around the cursor. wrong is the line that gets a mark, counted from 0; -1 for
// none. colour draws a printable line without adding cells; nil draws without colours.
func (a *Area) Draw(t *theme.Theme, w, h, wrong int, colour func(t *theme.Theme, line string) string) []string {
	if w <= 0 || h <= 0 {
		return nil
	}
	lines, at := a.text(), a.line
	a.page = h
	a.top = min(a.top, at)
	a.top = max(a.top, at-h+1)
	a.top = max(0, min(a.top, len(lines)-h))
	const gutter = 2
	room := max(1, w-gutter)
	runes := []rune(lines[at])
	x := layout.Width(prose.Printable(string(runes[:min(a.input.Position(), len(runes))])))
	scroll := max(x-room+1, 0)
	drawn := make([]string, 0, h)
	for i := a.top; i < a.top+h; i++ {
		if i >= len(lines) {
			drawn = append(drawn, strings.Repeat(" ", w))
			continue
		}
		mark := t.Base.Render("  ")
		if i == wrong {
			mark = t.Error.Render("! ")
		}
		text := ansi.Truncate(ansi.TruncateLeft(prose.Printable(lines[i])+" ", scroll, ""), room, "")
		switch {
		case i == at:
			before, under, after := splitAt(text, x-scroll)
			if under == "" { // a wide character that does not fit
				under = " "
			}
			drawn = append(drawn, mark+t.Base.Render(before)+t.Cursor.Render(under)+t.Base.Render(after))
		case colour != nil:
			drawn = append(drawn, mark+colour(t, strings.TrimRight(text, " ")))
		default:
			drawn = append(drawn, mark+t.Base.Render(strings.TrimRight(text, " ")))
		}
		if w <= gutter || i == at {
			// A combining mark may take a cell of its own when the cursor separates it from
			// its character.
			drawn[len(drawn)-1] = ansi.Truncate(drawn[len(drawn)-1], w, "")
		}
	}
	return drawn
}

// AreaKeys are the keys that edit a text of several lines, for the help.
func AreaKeys() []keys.Binding {
	return append(TextKeys(), textKeys([]textKey{
		{key.NewBinding(key.WithKeys("up", "ctrl+p")), "up", "a line up"},
		{key.NewBinding(key.WithKeys("down", "ctrl+n")), "down", "a line down"},
		{key.NewBinding(key.WithKeys("pgup")), "page up", "a page up"},
		{key.NewBinding(key.WithKeys("pgdown")), "page down", "a page down"},
		{key.NewBinding(key.WithKeys("ctrl+home", "alt+<")), "first", "to the beginning of the text"},
		{key.NewBinding(key.WithKeys("ctrl+end", "alt+>")), "last", "to the end of the text"},
		{key.NewBinding(key.WithKeys("enter")), "new line", "begin a line, indented as this one"},
		{key.NewBinding(key.WithKeys("tab")), "indent", "two spaces"},
	})...)
}

// ListKeys are the keys that edit a list with an entry on each line in a form, for the help:
// there the arrows and tab go on to other lines of the form.
func ListKeys() []keys.Binding {
	return append(TextKeys(), textKeys([]textKey{
		{key.NewBinding(key.WithKeys("enter")), "new line", "begin another entry"},
	})...)
}
