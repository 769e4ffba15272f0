package board

import (
	"fmt"

	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/sandbox/traffic"
)

// Third is a pane for reading that a wide window has beside the rows and the details: what belongs to
// the row at hand.
type Third struct {
	// Title is safe for the screen. Without Lines there is no such pane.
	Title string
	Lines []prose.Line
	// Last is how many of the last lines of the details are in Lines, too: they are left out there.
	Last int
}

// Companion is a tab with a third pane.
type Companion interface{ Third() Third }

// ThirdOf is the third pane of a tab in a window that is wide enough.
func (b *Board) ThirdOf(t Tab) Third {
	c, ok := t.(Companion)
	if !ok || !b.Wide || b.Snap == nil {
		return Third{}
	}
	third := c.Third()
	if len(third.Lines) == 0 {
		return Third{}
	}
	return third
}

// Calls is the third pane with the calls that a condition keeps, while a sandbox runs.
func (b *Board) Calls(title string, keep func(*traffic.Call) bool) Third {
	if !b.Followed {
		return Third{}
	}
	lines := b.Latest(keep)
	if len(lines) == 0 {
		lines = []prose.Line{{Tone: prose.Muted, Text: "none of the last " + phrase.Count(len(b.Told.calls), "call")}}
	}
	return Third{Title: title, Lines: lines}
}

// mostCalls is how many calls are kept to be shown beside things, mostLatest how many of them are shown.
const (
	mostCalls  = 1000
	mostLatest = 40
)

// Latest says of the latest calls of the shown environment, the newest first, how they went. keep chooses
// some; nil is all.
func (b *Board) Latest(keep func(*traffic.Call) bool) (lines []prose.Line) {
	environment := b.Wanted()
	for i := len(b.Told.calls) - 1; i >= 0 && len(lines) < mostLatest; i-- {
		call := b.Told.calls[i]
		if call.Environment != environment && call.Environment != "" || keep != nil && !keep(call) {
			continue
		}
		tone := prose.Plain
		switch {
		case call.Failed:
			tone = prose.Bad
		case call.Refused():
			tone = prose.Warning
		}
		text := fmt.Sprintf("%s %s %s   %s  %s", clock.Second(call.Time), call.Name(), call.MarkedOutcome(),
			clock.Took(call.Took), call.Who.String())
		if note := call.Note(); note != "" {
			text += "   " + note
		}
		lines = append(lines, prose.Line{Tone: tone, Text: prose.PrintableStart(text)})
	}
	return lines
}
