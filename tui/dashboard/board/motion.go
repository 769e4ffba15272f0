package board

import (
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/frame"
	"gatewright/tui/frame/waiting"
	"gatewright/tui/theme"
)

// Mover is a tab that has to be drawn again by itself. Moves says after which time; 0 for not at all.
type Mover interface {
	Moves(now time.Time) time.Duration
}

// fresh is how long what changed stands out: as long as a call counts for the rate.
const fresh = rateOver

// Frame is the least time between two drawings of what moves.
const Frame = time.Second / 30

// Cell is a place of the screen: in a list, a row and a column of it, or a row as a whole.
type Cell struct{ List, Row, Column string }

// Texts are what the cells of a list show. Those of another scope, such as another environment, are not
// compared with them.
type Texts struct {
	Scope   string
	Columns []string
	// Rows have the texts of each row as TextsOf joins them: most rows are as they were.
	Rows map[string]string
}

const between = "\x00"

// TextsOf joins the texts of a row.
func TextsOf(texts ...string) string { return strings.Join(texts, between) }

// mark is what changed: when, and what was there before; the zero time for what nobody could see yet.
type mark struct {
	began time.Time
	was   string
}

// Marks are the cells that stand out, since they changed a moment ago. The zero value has none.
type Marks struct {
	// Now is the clock of what moves.
	Now   func() time.Time
	shown map[string]Texts
	marks map[Cell]mark
	// due is when the page is drawn again by itself, turn the number of that drawing, late how often it was
	// much too late, one after the other.
	due  time.Time
	turn atomic.Int64
	late int
}

// Shows takes what a list shows now. What it showed otherwise before, or not, stands out once.
func (b *Board) Shows(list string, now Texts) tea.Cmd {
	if b.shown == nil {
		b.shown, b.marks = make(map[string]Texts), make(map[Cell]mark)
	}
	before, known := b.shown[list]
	if b.shown[list] = now; b.Still || !known {
		return nil
	}
	if before.Scope != now.Scope {
		maps.DeleteFunc(b.marks, func(c Cell, _ mark) bool { return c.List == list })
		return nil
	}
	began := b.Now()
	if b.Session != nil && b.Session.Unseen {
		began = time.Time{}
	}
	for id, row := range now.Rows {
		was, had := before.Rows[id]
		if had && was == row {
			continue
		}
		if !had {
			b.marks[Cell{list, id, ""}] = mark{began: began}
		}
		old := strings.Split(was, between)
		for i, text := range strings.SplitN(row, between, len(now.Columns)) {
			cell, was := Cell{list, id, now.Columns[i]}, ""
			if at := slices.Index(before.Columns, now.Columns[i]); had && at >= 0 && at < len(old) {
				if was = old[at]; was == text {
					continue
				}
			}
			if _, earlier, is := b.Changed(cell); is {
				was = earlier
			}
			b.marks[cell] = mark{began, was}
		}
	}
	return b.Move()
}

// Changed says how long ago a cell changed that still stands out, and what it was.
func (m *Marks) Changed(c Cell) (age time.Duration, was string, is bool) {
	if of := m.marks[c]; !of.began.IsZero() {
		age = m.Now().Sub(of.began)
		return age, of.was, age < fresh
	}
	return 0, "", false
}

// None reports whether nothing stands out.
func (m *Marks) None() bool { return len(m.marks) == 0 }

// Or is the tone of a cell while it stands out, or another one.
func (m *Marks) Or(c Cell, otherwise prose.Tone) prose.Tone {
	if _, _, is := m.Changed(c); is {
		return prose.Fresh
	}
	return otherwise
}

// Seen lets stand out what changed while the wizard was shown.
func (b *Board) Seen() tea.Cmd {
	for cell, of := range b.marks {
		if of.began.IsZero() {
			b.marks[cell] = mark{b.Now(), of.was}
		}
	}
	return b.Move()
}

// next is after which time the page looks different by itself; 0 for never.
func (b *Board) next(now time.Time) (next time.Duration) {
	sooner := func(d time.Duration) {
		if d > 0 && (next == 0 || d < next) {
			next = max(d, Frame)
		}
	}
	for cell, of := range b.marks {
		left := fresh - now.Sub(of.began)
		if sooner(left); left <= 0 && !of.began.IsZero() {
			delete(b.marks, cell)
		}
	}
	if len(b.Told.recent) > 0 {
		sooner(rateOver - now.Sub(b.Told.taken))
	}
	if tab := b.front.Load(); tab != nil {
		if m, ok := (*tab).(Mover); ok {
			sooner(m.Moves(now))
		}
	}
	return next
}

// Move has the page, which is drawn now, drawn again as long as it looks different by itself.
func (b *Board) Move() tea.Cmd {
	now := b.Now()
	next := b.next(now)
	due := now.Add(next)
	switch {
	case next == 0:
		due = time.Time{}
	case due.Equal(b.due):
		return nil
	}
	b.due = due
	turn := b.turn.Add(1)
	if next == 0 {
		return nil
	}
	tick := tea.Tick(next, func(time.Time) tea.Msg {
		if b.turn.Load() != turn {
			return nil // it was drawn since
		}
		return frame.ThenMsg(func() tea.Cmd {
			if b.turn.Load() != turn {
				return nil
			}
			b.due = time.Time{}
			return tea.Batch(b.measure(due), b.Move())
		})
	})
	return func() tea.Msg {
		waiting.Begins(waiting.Time)
		return tick()
	}
}

// measure lets nothing move any more if the terminal takes frames much later than they are made: a frame
// waits for the one before it to be written.
func (b *Board) measure(due time.Time) tea.Cmd {
	const tooLate, most = 300 * time.Millisecond, 3
	if b.Now().Sub(due) < tooLate {
		b.late = 0
		return nil
	}
	if b.late++; b.late < most || b.Still {
		return nil
	}
	b.Still = true
	clear(b.marks)
	return frame.Say(frame.Info, "the connection is slow, so the map no longer animates requests; the counts go on")
}

// showSum lets the digits of the sum stand out that the sandbox, which began then, has changed. The number
// does not roll through those before it: it would differ from the requests that are listed next to it.
func (b *Board) showSum(began time.Time) tea.Cmd {
	rows := map[string]string{b.Wanted(): b.SumLine().Text}
	return b.Shows(sumList, Texts{b.Wanted() + began.String(), []string{""}, rows})
}

const sumList = "sum"

func (b *Board) sumCell() Cell { return Cell{List: sumList, Row: b.Wanted()} }

// DrawSum draws a line. If it begins with the SumLine, the digits that have just changed stand out.
func (b *Board) DrawSum(t *theme.Theme, line prose.Line) (drawn string) {
	style, sum, from := t.Of(line.Tone), b.SumLine().Text, 0
	if _, was, is := b.Changed(b.sumCell()); is && sum != "" && strings.HasPrefix(line.Text, sum) {
		for _, at := range NewDigits(was, sum) {
			drawn += style.Render(line.Text[from:at]) + t.Fresh.Render(line.Text[at:at+1])
			from = at + 1
		}
	}
	return drawn + style.Render(line.Text[from:])
}

// NewDigits are the places in a text of the digits that differ from the text before: of those between what
// both begin and end with, if one of them is longer.
func NewDigits(was, now string) (places []int) {
	begin, end, short := 0, 0, min(len(was), len(now))
	for begin < short && was[begin] == now[begin] {
		begin++
	}
	for end < short-begin && was[len(was)-1-end] == now[len(now)-1-end] {
		end++
	}
	for i := begin; i < len(now)-end; i++ {
		if '0' <= now[i] && now[i] <= '9' && (len(was) != len(now) || was[i] != now[i]) {
			places = append(places, i)
		}
	}
	return places
}
