package board

import (
	"fmt"

	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/sandbox/traffic"
)

// Third is a pane for reading that a wide window has next to the rows and the details: what belongs to
// the row at hand.
type Third struct {
	// Title is safe for the screen; "" for no such pane.
	Title string
	Lines []prose.Line
	// Last is how many of the last lines of the details are in Lines, too: they are left out there.
	Last int
}

// Calls is the third pane with the calls that a condition keeps, while a sandbox runs.
func (b *Board) Calls(title string, keep func(*traffic.Call) bool) Third {
	if !b.Followed {
		return Third{}
	}
	lines, _, all := b.Latest(keep)
	if len(lines) == 0 {
		lines = prose.InTone(prose.Muted, "none of the last "+phrase.Count(all, "call"))
	}
	return Third{Title: title, Lines: lines}
}

// Latest says of the latest calls of the shown environment, the newest first, how they went. keep chooses
// kept of all that are known; nil is each. Only the newest of many have lines.
func (b *Board) Latest(keep func(*traffic.Call) bool) (lines []prose.Line, kept, all int) {
	const most = 40
	environment := b.Wanted()
	for i := len(b.Told.calls) - 1; i >= 0; i-- {
		call := b.Told.calls[i]
		if call.Environment != environment && call.Environment != "" {
			continue
		}
		if all++; keep != nil && !keep(call) {
			continue
		}
		if kept++; kept > most {
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
	return lines, kept, all
}
