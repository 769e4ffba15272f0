package frame

import (
	"fmt"
	"time"

	"charm.land/bubbles/v2/progress"
	"charm.land/bubbles/v2/spinner"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// unseen is how long nothing moves: what is over by then needs no spinner.
const unseen = 200 * time.Millisecond

// draw draws what runs: a spinner where it takes a while, and a bar where it is known
// how much there is to do.
func (r *running) draw(t *theme.Theme, elapsed time.Duration, w int) string {
	mark := "  "
	if elapsed >= unseen {
		frames := spinner.MiniDot.Frames
		mark = frames[int(elapsed/pulse)%len(frames)] + " "
	}
	text := prose.Printable(r.line(elapsed))
	if done, of := r.done.Load(), r.of.Load(); of > 0 && layout.Width(text)+barW+len(mark)+2 <= w {
		bar := progress.New(progress.WithoutPercentage(), progress.WithFillCharacters('━', '─'), progress.WithWidth(barW))
		bar.FullColor, bar.EmptyColor = t.Note.GetForeground(), t.Border.GetForeground()
		text += "  " + bar.ViewAs(min(1, float64(done)/float64(of)))
	}
	return t.Note.Render(layout.Cut(" "+mark+text, w))
}

// barW is the width of the bar in cells.
const barW = 24

// line says what runs, since when, and how far it is.
func (r *running) line(elapsed time.Duration) string {
	text := r.title + " ..."
	if seconds := int(elapsed.Seconds()); seconds > 0 {
		text = fmt.Sprintf("%s %d s", text, seconds)
	}
	if done, of := r.done.Load(), r.of.Load(); of > 0 {
		text = fmt.Sprintf("%s, %d of %d", text, done, of)
	}
	if r.stopping {
		return text + ", stopping"
	}
	return text + ", esc stops it"
}
