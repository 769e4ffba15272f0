package strip

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/sandbox/traffic"
	"gatewright/tui/layout"
	"gatewright/tui/widget"
)

// mostRows is how many lines the uses of a call may take.
const mostRows = 3

// usesOf places what was used below the strip: a sign where it began, as many cells as it took, and what
// it was; uses that overlap are one below the other.
func usesOf(c *traffic.Call, cells []int) (lines []Segments) {
	all := slices.SortedStableFunc(slices.Values(c.Uses), func(a, b traffic.Use) int { return cmp.Compare(a.At, b.At) })
	w := 0
	for _, n := range cells {
		w += n
	}
	left := c.UsesLeft
	for i := range all {
		u := &all[i]
		at, sign, label := cellAt(c, cells, u.At), widget.ResourceSign(u.Resource), Named(u)+" "+Tenths(u.Took)
		span := sign + strings.Repeat("·", max(0, cellAt(c, cells, u.At+u.Took)-at))
		text := span + " " + label
		if room := layout.Width(span) - layout.Width(sign+" "+label+" "); room >= 0 {
			text = sign + " " + label + " " + strings.Repeat("·", room)
		} else if at+layout.Width(text) > w && layout.Width(label) < at {
			text, at = label+" "+span, at-layout.Width(label)-1
		}
		row := slices.IndexFunc(lines, func(l Segments) bool { return l.Width() == 0 || l.Width()+2 <= at })
		if row < 0 && len(lines) < mostRows {
			row, lines = len(lines), append(lines, nil)
		}
		if row < 0 {
			left++
			continue
		}
		tone := prose.Plain
		if u.Failed {
			tone = prose.Bad
		}
		lines[row] = append(lines[row], Segment{prose.Plain, strings.Repeat(" ", at-lines[row].Width()), ""},
			Segment{tone, layout.Cut(text, max(w, leastWidth)-at), ""})
	}
	if left > 0 {
		lines = append(lines, Segments{{prose.Muted, "and " + phrase.Count(left, "further use"), ""}})
	}
	return lines
}

// Named is a use in two words: orders put.
func Named(u *traffic.Use) string {
	what := u.Resource
	if _, name, ok := strings.Cut(what, "/"); ok {
		what = name
	}
	words := what + " " + widget.Operation(u.Operation)
	if u.Failed {
		words += " failed"
	}
	return prose.PrintableStart(words)
}
