package board

import (
	"cmp"
	"strings"
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

// fresh is how long what changed stands out. It is as long as a call counts for the rate.
const fresh = rateOver

// Frame is the least time between two drawings of what moves.
const Frame = time.Second / 30

// motion is what stands out and moves, and the one clock that has the page drawn again for it.
type motion struct {
	// marks are when things changed; the zero time of what changed behind the page of the wizard.
	marks map[any]time.Time
	// due is when the clock strikes next, late how often it struck much too late, one after the other.
	due  time.Time
	late int
	// was is what SumLine said before the numbers began to stand out.
	was string
}

// Mark lets things stand out once, from now on, or from when the page is seen again.
func (b *Board) Mark(things ...any) tea.Cmd {
	if b.Still || len(things) == 0 {
		return nil
	}
	now := b.Now()
	for thing, began := range b.motion.marks {
		if !began.IsZero() && now.Sub(began) >= fresh {
			delete(b.motion.marks, thing)
		}
	}
	if b.motion.marks == nil {
		b.motion.marks = make(map[any]time.Time)
	}
	if b.Session != nil && b.Session.Unseen {
		now = time.Time{}
	}
	for _, thing := range things {
		b.motion.marks[thing] = now
	}
	return b.Move()
}

// Seen lets stand out what changed while the wizard was shown.
func (b *Board) Seen() tea.Cmd {
	var unseen []any
	for thing, began := range b.motion.marks {
		if began.IsZero() {
			unseen = append(unseen, thing)
		}
	}
	return b.Mark(unseen...)
}

// Age is for how long a thing stands out; false if it does not.
func (b *Board) Age(thing any) (age time.Duration, is bool) {
	if began := b.motion.marks[thing]; !began.IsZero() {
		age = b.Now().Sub(began)
		return age, age < fresh
	}
	return 0, false
}

// IsFresh reports whether a thing stands out.
func (b *Board) IsFresh(thing any) bool {
	_, is := b.Age(thing)
	return is
}

// IsSame reports whether what is shown now is of the environment that *of names, which it then does.
func (b *Board) IsSame(of *string) bool {
	was := *of
	*of = b.Snap.Name()
	return was == *of
}

// next is after which time the page looks different by itself; 0 for never.
func (b *Board) next(now time.Time) (next time.Duration) {
	sooner := func(d time.Duration) {
		if d > 0 && (next == 0 || d < next) {
			next = max(d, Frame)
		}
	}
	for _, began := range b.motion.marks {
		sooner(fresh - now.Sub(began))
	}
	if recent := b.Told.recent; len(recent) > 0 {
		sooner(rateOver - now.Sub(recent[len(recent)-1]))
	}
	if tab := b.front.Load(); tab != nil {
		if m, ok := (*tab).(Mover); ok {
			sooner(m.Moves(now))
		}
	}
	return next
}

// Move has the page drawn again as long as it looks different by itself.
func (b *Board) Move() tea.Cmd {
	now := b.Now()
	next := b.next(now)
	due := now.Add(next)
	if next == 0 || b.motion.due.After(now) && !due.Before(b.motion.due) {
		return nil
	}
	b.motion.due = due
	tick := tea.Tick(next, func(time.Time) tea.Msg {
		return frame.ThenMsg(func() tea.Cmd {
			slow := b.measure(due)
			if !due.Equal(b.motion.due) {
				return slow
			}
			b.motion.due = time.Time{}
			return tea.Batch(slow, b.Move())
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
		b.motion.late = 0
		return nil
	}
	if b.motion.late++; b.motion.late < most || b.Still {
		return nil
	}
	b.Still, b.motion.marks = true, nil
	return frame.Say(frame.Info, "the line is slow, so requests no longer travel over the map; the counts go on")
}

// sumOf is the sum of an environment, as a thing that stands out.
type sumOf struct{ environment string }

// count takes what the sandbox told, and lets the numbers that it changed stand out. A number does not roll
// through those before it: for that time it would differ from the requests that are listed beside it.
func (b *Board) count(batches []*Batch, take func(i int)) tea.Cmd {
	was, anew, thing := b.SumLine().Text, false, sumOf{b.Wanted()}
	for i, batch := range batches {
		b.Told.Take(batch, b.Now())
		anew = anew || batch.Anew
		take(i)
	}
	if anew || was == "" || was == b.SumLine().Text {
		return b.Move()
	}
	if !b.IsFresh(thing) {
		b.motion.was = was
	}
	return b.Mark(thing)
}

// DrawSum draws a line. If it begins with the SumLine, the digits that have just changed stand out.
func (b *Board) DrawSum(t *theme.Theme, line prose.Line) string {
	style, sum := t.Of(line.Tone), b.SumLine().Text
	if sum == "" || !strings.HasPrefix(line.Text, sum) || !b.IsFresh(sumOf{b.Wanted()}) {
		return style.Render(line.Text)
	}
	drawn, from := "", 0
	for _, at := range NewDigits(b.motion.was, line.Text) {
		drawn += style.Render(line.Text[from:at[0]]) + t.Fresh.Render(line.Text[at[0]:at[1]])
		from = at[1]
	}
	return drawn + style.Render(line.Text[from:])
}

// NewDigits are the places in a text of the digits that differ from the text before: of each number those
// from the first one that differs. The same number has the same word after it, or else before it.
func NewDigits(was, now string) (places [][2]int) {
	a, b := runsOf(was), runsOf(now)
	twin := func(i, beside int) string {
		word := wordAt(b, i+beside)
		for j, run := range a {
			if word != "" && isDigit(run[0]) && wordAt(a, j+beside) == word {
				return run
			}
		}
		return ""
	}
	at := 0
	for i, run := range b {
		if isDigit(run[0]) {
			before, same := cmp.Or(twin(i, 1), twin(i, -1)), 0
			for len(before) == len(run) && same < len(run) && before[same] == run[same] {
				same++
			}
			if same < len(run) {
				places = append(places, [2]int{at + same, at + len(run)})
			}
		}
		at += len(run)
	}
	return places
}

// wordAt is a word between numbers, without what depends on the numbers.
func wordAt(runs []string, i int) string {
	if i < 0 || i >= len(runs) {
		return ""
	}
	return strings.Trim(runs[i], " ,s()")
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// runsOf are the numbers of a text, and what is between them.
func runsOf(text string) (runs []string) {
	for from, i := 0, 1; i <= len(text); i++ {
		if i == len(text) || isDigit(text[i]) != isDigit(text[from]) {
			runs, from = append(runs, text[from:i]), i
		}
	}
	return runs
}
