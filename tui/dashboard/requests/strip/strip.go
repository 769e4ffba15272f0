// Package strip draws the time of a request, from the gate to the answer, in its parts and in
// proportion, and below it what its function used, on the same axis. It only draws what was measured.
package strip

import (
	"slices"
	"strings"
	"time"

	"gatewright/internal/text/prose"
	"gatewright/sandbox/traffic"
	"gatewright/tui/layout"
)

// Segment is a piece of a drawn line.
type Segment struct {
	Tone prose.Tone
	Text string
	// Part is the part of the time that the segment stands for in the strip; "" in all other lines.
	Part traffic.PartKind
}

// leastWidth is the width below which there is nothing but Words.
const leastWidth = 60

// signs tell the parts apart without colours.
var signs = map[traffic.PartKind]string{
	traffic.Gate: "▌", traffic.Wait: "·", traffic.Prepare: "▒", traffic.Start: "▬", traffic.Handler: "━",
	traffic.Answer: "▐",
}

// Draw draws the strip of a call, the names that it has no room for, and what was used, in lines of at
// most w cells; nil if that is too narrow. The strip with its time takes exactly w cells.
func Draw(c *traffic.Call, w int) []Segments {
	if w < leastWidth || len(c.Parts) == 0 {
		return nil
	}
	total := " " + Tenths(c.Took) + " ms"
	lines, cells := barOf(c, w-layout.Width(total), total)
	return append(lines, usesOf(c, cells)...)
}

// Pair draws the strip of a marked call above that of another one, where a cell stands for the same time
// in both, and the names that the lower one has no room for.
func Pair(marked, c *traffic.Call, w int) []Segments {
	if w < leastWidth || len(marked.Parts) == 0 || len(c.Parts) == 0 {
		return nil
	}
	above, below := " "+Tenths(marked.Took)+" ms, marked", " "+Tenths(c.Took)+" ms"
	room := w - max(layout.Width(above), layout.Width(below))
	longest := max(c.Took, marked.Took)
	scaled := func(took time.Duration) int { return int(float64(room) * float64(took) / float64(longest)) }
	upper, _ := barOf(marked, scaled(marked.Took), above)
	lower, _ := barOf(c, scaled(c.Took), below)
	return append(upper[:1:1], lower...)
}

// barOf draws the strip in w cells with the whole time after it, and below it the names that it has no
// room for.
func barOf(c *traffic.Call, w int, total string) (lines []Segments, cells []int) {
	var bar, below Segments
	cells = cellsOf(c.Parts, w)
	for i, label := range named(c) {
		kind := c.Parts[i].Kind
		sign, tone := signs[kind], toneOf(c, kind)
		text := strings.Repeat(sign, cells[i])
		if tone == prose.Bad {
			label += " failed"
		}
		if room := cells[i] - layout.Width(sign+" "+label+" "); room >= 0 {
			text = sign + " " + label + " " + strings.Repeat(sign, room)
		} else {
			one := Segment{tone, sign + " " + label + "  ", ""}
			if below.Width()+one.width() > leastWidth {
				lines, below = append(lines, below), nil
			}
			below = append(below, one)
		}
		bar = append(bar, Segment{tone, text, kind})
	}
	lines = append([]Segments{append(bar, Segment{prose.Muted, total, ""})}, lines...)
	if len(below) > 0 {
		lines = append(lines, below)
	}
	return lines, cells
}

// toneOf is the tone of a part: what failed stands out, and what a worker that is there already does not
// take.
func toneOf(c *traffic.Call, kind traffic.PartKind) prose.Tone {
	switch {
	case c.Failed && kind == failedIn(c):
		return prose.Bad
	case kind == traffic.Wait, kind == traffic.Prepare, kind == traffic.Start:
		return prose.Warning
	case kind == traffic.Handler:
		return prose.Strong
	}
	return prose.Muted
}

// failedIn is how far a call that failed came: its handler, or what was before there was one.
func failedIn(c *traffic.Call) (kind traffic.PartKind) {
	for _, p := range c.Parts {
		if p.Kind != traffic.Answer {
			kind = p.Kind
		}
	}
	return kind
}

// cellsOf are the cells of parts in w cells: in proportion, and at least one each.
func cellsOf(parts []traffic.Part, w int) []int {
	whole, all := time.Duration(0), 0
	for _, p := range parts {
		whole += p.Took
	}
	cells := rounded(parts, func(end time.Duration) int { return int(float64(w)*float64(end)/float64(whole) + 0.5) })
	for i, n := range cells {
		cells[i] = max(1, n)
		all += cells[i]
	}
	for ; all > max(w, len(parts)); all-- {
		cells[slices.Index(cells, slices.Max(cells))]--
	}
	return cells
}

// partAt is the index of the part in which a moment of a call is, the last one after its end, and how far the
// moment is in it.
func partAt(c *traffic.Call, at time.Duration) (i int, in time.Duration) {
	for i < len(c.Parts)-1 && at >= c.Parts[i].Took {
		at -= c.Parts[i].Took
		i++
	}
	return i, at
}

// At is the part in which a moment of a call with parts is.
func At(c *traffic.Call, at time.Duration) traffic.PartKind {
	i, _ := partAt(c, at)
	return c.Parts[i].Kind
}

// cellAt is the cell of a moment of a call, inside the cells of its part.
func cellAt(c *traffic.Call, cells []int, at time.Duration) (x int) {
	i, in := partAt(c, at)
	for _, n := range cells[:i] {
		x += n
	}
	return x + min(cells[i]-1, max(0, int(float64(cells[i])*float64(in)/float64(c.Parts[i].Took))))
}

// Segments are a drawn line.
type Segments []Segment

// Width is how many cells a line takes.
func (s Segments) Width() (w int) {
	for _, one := range s {
		w += one.width()
	}
	return w
}

func (s Segment) width() int { return layout.Width(s.Text) }
