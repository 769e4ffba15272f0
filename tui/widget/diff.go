package widget

import (
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/keys"
)

// lineLimit is how many bytes of a line a Diff shows; a row says how many more there are.
const lineLimit = 16 << 10

// Diff shows how a file changes: its lines with their numbers, in the colours of its language. A new file
// looks like a text; in a changed one, an edge says + or -, and the words that changed are emphasised. Only
// the lines in view are drawn, so that a file may be large. The zero value is empty.
type Diff struct {
	file     *prose.FileDiff
	language *prose.Language
	// states has the state of the language before each line of the new file, as far as they
	// have been needed.
	states []prose.State
	// changes are the indexes of the lines that a change begins with.
	changes []int
	// at is the first row in view.
	at place
	// width, page and more are from the last Draw: the cells of a text, the rows in view,
	// and whether there are more.
	width, page int
	more        bool
}

// place is a row of a line; a line that is wrapped has several.
type place struct{ line, row int }

func (p place) before(q place) bool { return p.line < q.line || p.line == q.line && p.row < q.row }

// Show shows a file from its beginning; nil shows nothing. The file must not change after
// it.
func (d *Diff) Show(file *prose.FileDiff) {
	*d = Diff{file: file}
	if file == nil {
		return
	}
	d.language = prose.LanguageOf(file.Path)
	stays := true
	for i, line := range file.Lines {
		changes := line.Tone == prose.Added || line.Tone == prose.Removed
		if changes && stays {
			d.changes = append(d.changes, i)
		}
		stays = !changes
	}
}

// stateBefore is the state of the language before a line of the new file, from 1.
func (d *Diff) stateBefore(number int) prose.State {
	for len(d.states) < number {
		var s prose.State
		if n := len(d.states); n > 0 {
			s = d.language.After(d.file.New[n-1], d.states[n-1])
		}
		d.states = append(d.states, s)
	}
	return d.states[number-1]
}

// shown is the printable text of a line, and how many bytes of the line are not in it.
func (d *Diff) shown(line prose.DiffLine) (text string, missing int) {
	if line.Tone == prose.Changed {
		return "", 0
	}
	text = d.file.Text(line)
	if len(text) <= lineLimit {
		return prose.Printable(text), 0
	}
	end := lineLimit
	for end > lineLimit-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return prose.Printable(text[:end]), len(text) - end
}

// open reports whether a line is the last of its file and has no line break.
func (d *Diff) open(line prose.DiffLine) bool {
	return d.file.OldOpen && line.Tone == prose.Removed && line.Old == len(d.file.Old) ||
		d.file.NewOpen && line.Tone != prose.Removed && line.New == len(d.file.New)
}

// height is the number of rows of a line.
func (d *Diff) height(i int) int {
	line := d.file.Lines[i]
	text, missing := d.shown(line)
	n := len(rows(text, d.width))
	if missing > 0 {
		n++
	}
	if d.open(line) {
		n++
	}
	return n
}

// move is the place a number of rows further down, or further up if it is negative; at most
// the first row or the place after the last one.
func (d *Diff) move(p place, by int) place {
	for by < 0 {
		if p.row+by >= 0 {
			return place{p.line, p.row + by}
		}
		if p.line == 0 {
			return place{}
		}
		by += p.row + 1
		p.line--
		p.row = d.height(p.line) - 1
	}
	for by > 0 && p.line < len(d.file.Lines) {
		left := d.height(p.line) - p.row
		if by < left {
			return place{p.line, p.row + by}
		}
		by -= left
		p = place{line: p.line + 1}
	}
	return p
}

// last is the place where the last page begins.
func (d *Diff) last() place { return d.move(place{line: len(d.file.Lines)}, -d.page) }

// show scrolls to a place, or to the last page.
func (d *Diff) show(p place) {
	d.at = p
	if last := d.last(); last.before(p) {
		d.at = last
	}
}

// Scroll scrolls down by a number of rows, up if it is negative.
func (d *Diff) Scroll(by int) {
	if d.more {
		d.show(d.move(d.at, by))
	}
}

func (d *Diff) toEnd() {
	if d.more {
		d.at = d.last()
	}
}

// change is the place of the next change, with a little of what is above it; of the
// previous one if by is negative. It is the same place if there is none.
func (d *Diff) change(by int) place {
	const above = 2
	found, atEnd := d.at, !d.at.before(d.last())
	for _, line := range d.changes {
		p := place{line: max(0, line-above)}
		if by < 0 && p.before(d.at) {
			found = p
		}
		if by > 0 && d.at.before(p) && !atEnd {
			return p
		}
	}
	return found
}

// Bindings scroll, and go from change to change. At the last change the key for the next
// one is free.
func (d *Diff) Bindings() []keys.Binding {
	all := scrolling(d.Scroll, d.page, d.more, func() { d.at = place{} }, d.toEnd)
	if d.more && len(d.changes) > 1 {
		next, prior := d.change(1), d.change(-1)
		all = append(all,
			keys.NextMatch.Does("next change", "go to the next change", keys.NoCmd(func() { d.show(next) })).
				Unless(keys.When(next == d.at, "there is no change further down")),
			keys.PriorMatch.Does("previous change", "go to the previous change", keys.NoCmd(func() { d.show(prior) })).
				Unless(keys.When(prior == d.at, "there is no change further up")))
	}
	return keys.InGroup("move", all)
}

// Wheel scrolls by a few rows.
func (d *Diff) Wheel(msg tea.MouseWheelMsg) { d.Scroll(WheelSteps(msg)) }
