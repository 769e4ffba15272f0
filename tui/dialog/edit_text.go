package dialog

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
)

// longestText is how many characters a text of several lines takes: more than any
// item of a table has.
const longestText = 1 << 20

// area is text of several lines that is being edited. What it was given it keeps
// to the letter; what is typed or pasted into it loses its control characters.
type area struct {
	lines [][]rune
	// row and col say before which character the next one goes.
	row, col int
	length   int
}

// set replaces the text and brings the cursor to its beginning.
func (a *area) set(text string) {
	*a = area{}
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		a.lines = append(a.lines, []rune(line))
		a.length += len(a.lines[len(a.lines)-1]) + 1
	}
}

func (a *area) text() string {
	var b strings.Builder
	for i, line := range a.lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(string(line))
	}
	return b.String()
}

// update takes a key or a paste, and tells whether the text is another one then.
func (a *area) update(msg tea.Msg, page int) (changed bool) {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		return a.insert(msg.Content)
	case tea.KeyPressMsg:
		if msg.Text != "" && msg.Mod&^(tea.ModShift|tea.ModCapsLock|tea.ModNumLock|tea.ModScrollLock) == 0 {
			return a.insert(msg.Text)
		}
		return a.move(msg.Keystroke(), page) || a.change(msg.Keystroke())
	}
	return false
}

// move moves the cursor; the text stays.
func (a *area) move(key string, page int) bool {
	end := len(a.lines[a.row])
	switch key {
	case "left", "ctrl+b":
		switch {
		case a.col > 0:
			a.col--
		case a.row > 0:
			a.row--
			a.col = len(a.lines[a.row])
		}
	case "right", "ctrl+f":
		switch {
		case a.col < end:
			a.col++
		case a.row < len(a.lines)-1:
			a.row, a.col = a.row+1, 0
		}
	case "up", "ctrl+p":
		a.toRow(a.row - 1)
	case "down", "ctrl+n":
		a.toRow(a.row + 1)
	case "pgup":
		a.toRow(a.row - page)
	case "pgdown":
		a.toRow(a.row + page)
	case "home", "ctrl+a":
		a.col = 0
	case "end", "ctrl+e":
		a.col = end
	case "ctrl+home":
		a.row, a.col = 0, 0
	case "ctrl+end":
		a.row = len(a.lines) - 1
		a.col = len(a.lines[a.row])
	}
	return false
}

func (a *area) toRow(row int) {
	a.row = max(0, min(row, len(a.lines)-1))
	a.col = min(a.col, len(a.lines[a.row]))
}

// change does what a key that is no character does to the text.
func (a *area) change(key string) bool {
	line := a.lines[a.row]
	switch key {
	case "enter":
		before := 0
		for before < a.col && line[before] == ' ' {
			before++
		}
		return a.insert("\n" + strings.Repeat(" ", before))
	case "tab":
		return a.insert("  ")
	case "backspace", "ctrl+h":
		if a.col > 0 {
			return a.remove(a.col-1, a.col)
		}
		return a.row > 0 && a.join(a.row-1)
	case "delete", "ctrl+d":
		if a.col < len(line) {
			return a.remove(a.col, a.col+1)
		}
		return a.row < len(a.lines)-1 && a.join(a.row)
	case "ctrl+w", "alt+backspace":
		from := a.col
		for from > 0 && !word(line[from-1]) {
			from--
		}
		for from > 0 && word(line[from-1]) {
			from--
		}
		return a.remove(from, a.col)
	case "ctrl+u":
		return a.remove(0, a.col)
	case "ctrl+k":
		if a.col == len(line) && a.row < len(a.lines)-1 {
			return a.join(a.row)
		}
		return a.remove(a.col, len(line))
	}
	return false
}

// insert puts text, which may have several lines, before the cursor.
func (a *area) insert(text string) bool {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", "  ").Replace(text)
	length := a.length
	line := a.lines[a.row]
	after := append([]rune(nil), line[a.col:]...)
	line = append([]rune(nil), line[:a.col]...)
	var above [][]rune
	for _, r := range text {
		if r != '\n' && (!unicode.IsPrint(r) || r == unicode.ReplacementChar) || a.length >= longestText {
			continue
		}
		a.length++
		if r == '\n' {
			above, line = append(above, line), nil
			continue
		}
		line = append(line, r)
	}
	rest := append([][]rune(nil), a.lines[a.row+1:]...)
	a.lines = append(append(append(a.lines[:a.row:a.row], above...), append(line, after...)), rest...)
	a.row, a.col = a.row+len(above), len(line)
	return a.length > length
}

// remove takes characters of the cursor's line away.
func (a *area) remove(from, to int) bool {
	line := a.lines[a.row]
	a.lines[a.row] = append(line[:from:from], line[to:]...)
	a.length -= to - from
	a.col = from
	return to > from
}

// join brings a line and the one below it together, with the cursor between them.
func (a *area) join(row int) bool {
	a.row, a.col = row, len(a.lines[row])
	a.lines[row] = append(a.lines[row][:a.col:a.col], a.lines[row+1]...)
	a.lines = append(a.lines[:row+1], a.lines[row+2:]...)
	a.length--
	return true
}
