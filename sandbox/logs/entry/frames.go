package entry

import (
	"fmt"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
)

// fewOutside is how many frames are shown of a stack without any of the project.
const fewOutside = 3

// isUnderFrame reports whether a line is the source text that Python shows below a frame.
func isUnderFrame(lines []string, at int) bool {
	return at > 0 && strings.HasPrefix(lines[at], "    ") &&
		(strings.Contains(lines[at-1], `File "`) || strings.HasPrefix(lines[at-1], "    "))
}

// frames shows frames. Folded, the last ones that are not of the project become one line, and
// of a stack without any of the project the first ones are shown.
func (b *body) frames(lines []string) {
	shown := len(lines)
	if !b.whole {
		for shown > 0 && !b.isOwn(lines[shown-1]) {
			shown--
		}
		if shown == 0 {
			shown = min(fewOutside, len(lines))
		}
		for shown < len(lines) && !isFrame(lines[shown]) {
			shown++
		}
		if shown+1 >= len(lines) {
			shown = len(lines)
		}
	}
	for _, line := range lines[:shown] {
		if isPython(line) {
			b.newestLast = true
		}
		b.frame(line)
	}
	if more := countFrames(lines[shown:]); more > 0 {
		b.add(Line{Parts: []Part{{prose.Muted, "  " + phrase.Count(more, "frame") + " outside of the project"}}})
	}
}

// isPython reports whether a line is a frame of Python.
func isPython(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " "), `File "`) }

func countFrames(lines []string) int {
	n := 0
	for _, line := range lines {
		if isFrame(line) {
			n++
		}
	}
	return n
}

func (b *body) isOwn(line string) bool {
	_, own := b.of.Name(placeIn(line))
	return own
}

// frame shows a frame, with its file relative to the function's folder.
func (b *body) frame(line string) {
	place := placeIn(line)
	_, own := b.of.Name(place)
	line = strings.TrimRight(line, "\r")
	if rest, deep := strings.CutPrefix(line, "    at "); deep && !b.whole {
		line = "  at " + rest
	}
	switch {
	case !own:
		text := line
		if !b.whole && place.File != "" {
			text = strings.Replace(line, place.File, b.of.short(place), 1)
		}
		b.add(Line{Parts: []Part{{prose.Muted, prose.Printable(cut(text, shortText))}}})
	case b.whole:
		b.add(Line{Parts: []Part{{prose.Plain, prose.Printable(cut(line, longText))}}, Place: place})
	default:
		at := strings.Index(line, place.File)
		before, after := line[:at], line[at+len(place.File):]
		file := b.of.short(place)
		if number := fmt.Sprintf(":%d", place.Line); strings.HasPrefix(after, number) {
			file, after = file+number, after[len(number):]
		}
		b.add(Line{Place: place, Parts: []Part{
			{prose.Plain, prose.Printable(cut(before, shortText))},
			{prose.Strong, prose.Printable(file)},
			{prose.Plain, prose.Printable(cut(after, shortText))},
		}})
	}
}
