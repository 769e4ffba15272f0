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

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// longestText is how many characters can be typed into a text of several lines: more
// than any item of a table has.
const longestText = 1 << 20

// Area is text of several lines that is being edited. But for the private characters
// from U+100000 on it keeps to the letter what it was given, takes printable characters
// only, and draws its lines in colours. The line of the cursor is a Bubbles text input,
// and the keys between lines are those of its text area; that one itself has no place for
// a text of ten thousand lines, draws all of it at every key, and drops control
// characters. The zero value is empty.
type Area struct {
	// lines are the text, but for the one at hand, which input has.
	lines []string
	at    int
	input textinput.Model
	made  bool
	// top is the first line in view, page how many are.
	top, page int
}

// between are the keys that go from line to line.
var between = textarea.DefaultKeyMap()

func (a *Area) make() {
	if a.made {
		return
	}
	a.input = newInput()
	a.lines, a.page, a.made = []string{""}, 1, true
}

// hidden stands for a control character in the text input, which would not keep it:
// private characters of Unicode's last plane. lost stands for U+FFFD, which it drops.
const (
	hidden = '\U00100000'
	lost   = hidden + unicode.MaxLatin1 + 1
)

// hide makes a line one that the text input keeps, show makes it what it was.
func hide(line string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r):
			return hidden + r
		case r == unicode.ReplacementChar:
			return lost
		}
		return r
	}, line)
}

func show(line string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == lost:
			return unicode.ReplacementChar
		case r >= hidden && r < lost:
			return r - hidden
		}
		return r
	}, line)
}

// SetValue replaces the text and brings the cursor to its beginning.
func (a *Area) SetValue(text string) {
	a.make()
	a.lines = strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	a.take(0, 0)
}

// all are all lines as they are now.
func (a *Area) all() []string {
	a.make()
	a.lines[a.at] = show(a.input.Value())
	return a.lines
}

// take brings the cursor before a character of a line, as far as there are any.
func (a *Area) take(line, column int) {
	a.at = max(0, min(line, len(a.lines)-1))
	a.input.SetValue(hide(a.lines[a.at]))
	a.input.SetCursor(column)
}

// Value is the text.
func (a *Area) Value() string { return strings.Join(a.all(), "\n") }

// Lines is how many lines there are.
func (a *Area) Lines() int { return len(a.all()) }

// Line is the line of the cursor, counted from 0.
func (a *Area) Line() int { return a.at }

// ToLine brings the cursor to the end of a line, counted from 0.
func (a *Area) ToLine(line int) {
	a.all()
	a.take(line, 0)
	a.input.CursorEnd()
}

// Update takes a key or a paste, and tells whether the text is another one then.
func (a *Area) Update(msg tea.Msg) (changed bool) {
	a.make()
	switch m := msg.(type) {
	case tea.PasteMsg:
		return a.insert(m.Content)
	case tea.KeyPressMsg:
		switch {
		case IsText(m):
			return a.insert(m.Text)
		case NextField.has(m):
			return a.insert("  ")
		case Open.has(m):
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

// move moves the cursor from line to line; false where the key is for the line.
func (a *Area) move(m tea.KeyPressMsg) bool {
	column := a.input.Position()
	end := utf8.RuneCountInString(a.input.Value())
	line := a.at
	switch {
	case key.Matches(m, between.LinePrevious):
		line--
	case key.Matches(m, between.LineNext):
		line++
	case key.Matches(m, between.PageUp):
		line -= a.page
	case key.Matches(m, between.PageDown):
		line += a.page
	case key.Matches(m, between.InputBegin):
		line, column = 0, 0
	case key.Matches(m, between.InputEnd):
		a.ToLine(a.Lines() - 1)
		return true
	case key.Matches(m, between.CharacterBackward) && column == 0 && line > 0:
		a.ToLine(line - 1)
		return true
	case key.Matches(m, between.CharacterForward) && column == end && line < len(a.lines)-1:
		line, column = line+1, 0
	default:
		return false
	}
	a.all()
	a.take(line, column)
	return true
}

// join brings two lines together where a key deletes what is between them.
func (a *Area) join(m tea.KeyPressMsg) (changed, taken bool) {
	line := a.at
	switch {
	case key.Matches(m, between.DeleteCharacterBackward) && a.input.Position() == 0:
		line--
	case key.Matches(m, between.DeleteCharacterForward, between.DeleteAfterCursor) && a.input.Position() == utf8.RuneCountInString(a.input.Value()):
	default:
		return false, false
	}
	all := a.all()
	if line < 0 || line == len(all)-1 {
		return false, true
	}
	column := utf8.RuneCountInString(all[line])
	all[line] += all[line+1]
	a.lines = slices.Delete(all, line+1, line+2)
	a.take(line, column)
	return true, true
}

// insert puts text before the cursor, without what must not stand in it.
func (a *Area) insert(text string) bool {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", "  ").Replace(text)
	lines := strings.Split(text, "\n")
	size := len(lines) - 1
	for i, line := range lines {
		lines[i] = printable(line)
		size += utf8.RuneCountInString(lines[i])
	}
	all := a.all()
	for _, line := range all {
		size += utf8.RuneCountInString(line) + 1
	}
	if text == "" || size > longestText {
		return false
	}
	under, last := []rune(all[a.at]), len(lines)-1
	column := utf8.RuneCountInString(lines[last])
	if last == 0 {
		column += a.input.Position()
	}
	lines[0] = string(under[:a.input.Position()]) + lines[0]
	lines[last] += string(under[a.input.Position():])
	changed := last > 0 || lines[0] != all[a.at]
	a.lines = slices.Replace(all, a.at, a.at+1, lines...)
	a.take(a.at+last, column)
	return changed
}

// indent is the spaces that the line of the cursor begins with, as far as the cursor.
func (a *Area) indent() string {
	line := a.input.Value()
	spaces := len(line) - len(strings.TrimLeft(line, " "))
	return line[:min(spaces, a.input.Position())]
}

// Draw draws h lines of w cells around the cursor. wrong is the line that has a mark,
// counted from 0; -1 for none. colour draws a line that is fit for the screen and adds
// no cell; nil is without colour.
func (a *Area) Draw(t *theme.Theme, w, h, wrong int, colour func(t *theme.Theme, line string) string) []string {
	if w <= 0 || h <= 0 {
		return nil
	}
	lines, at := a.all(), a.at
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
			before, under, after := parted(text, x-scroll)
			if under == "" { // a wide character that has no room
				under = " "
			}
			drawn = append(drawn, mark+t.Field.Render(before)+t.Cursor.Render(under)+t.Field.Render(after))
		case colour != nil:
			drawn = append(drawn, mark+colour(t, strings.TrimRight(text, " ")))
		default:
			drawn = append(drawn, mark+t.Field.Render(strings.TrimRight(text, " ")))
		}
		if w <= gutter || i == at {
			// A mark that combines with the character before it may take a cell of its own
			// where the cursor parts them.
			drawn[len(drawn)-1] = ansi.Truncate(drawn[len(drawn)-1], w, "")
		}
	}
	return drawn
}

// AreaKeys are the keys that edit a text of several lines, for the help.
func AreaKeys() []Binding {
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
