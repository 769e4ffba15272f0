package frame

import (
	"fmt"
	"time"

	"charm.land/bubbles/v2/progress"
	"charm.land/bubbles/v2/spinner"

	"gatewright/internal/text/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// spinnerDelay keeps the spinner away from jobs that end quickly.
const spinnerDelay = 200 * time.Millisecond

// draw draws the line of a running job: a spinner if it takes a while, and a bar if the
// total is known.
func (r *runningJob) draw(t *theme.Theme, elapsed time.Duration, w int) string {
	mark := "  "
	if elapsed >= spinnerDelay {
		frames := spinner.MiniDot.Frames
		mark = frames[int(elapsed/redrawInterval)%len(frames)] + " "
	}
	text := prose.Printable(r.text(elapsed, w-len(mark)-1))
	if done, total := r.done.Load(), r.total.Load(); total > 0 && layout.Width(text)+barWidth+len(mark)+2 <= w {
		bar := progress.New(progress.WithoutPercentage(), progress.WithFillCharacters('━', '─'), progress.WithWidth(barWidth))
		bar.FullColor, bar.EmptyColor = t.Note.GetForeground(), t.Border.GetForeground()
		text += "  " + bar.ViewAs(min(1, float64(done)/float64(total)))
	}
	return t.Note.Render(layout.Cut(" "+mark+text, w))
}

// barWidth is the width of the progress bar in cells.
const barWidth = 24

// text says in about w cells what runs, for how long, how far it is, and what it does now,
// which is cut first.
func (r *runningJob) text(elapsed time.Duration, w int) string {
	text := r.title + " ..."
	if seconds := int(elapsed.Seconds()); seconds > 0 {
		text = fmt.Sprintf("%s %d s", text, seconds)
	}
	if done, total := r.done.Load(), r.total.Load(); total > 0 {
		text = fmt.Sprintf("%s, %d of %d", text, done, total)
	}
	end := ", esc " + r.stops
	if r.stopping {
		end = ", stopping"
	}
	const least, gap = 12, ": "
	step := r.step.Load()
	if room := w - layout.Width(text) - layout.Width(end) - len(gap); step != nil && *step != "" && room >= least {
		text += gap + layout.Cut(prose.Printable(*step), room)
	}
	return text + end
}
