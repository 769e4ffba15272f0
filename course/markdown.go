package course

import (
	"regexp"
	"strings"

	"gatewright/prose"
)

// Line is a line of a text, of any length: who draws it breaks it. An empty line has
// no spans.
type Line struct {
	// Mark stands before the line, and what of it is broken off is below what follows
	// the mark: the number or the dash of an item, the indent of code.
	Mark string
	// Spans are the parts of the line: plain, a title for what is bold, strong for code.
	Spans []prose.Line
	// Code is shown as it is: what is too long of it is cut off.
	Code bool
}

// Lines reads the part of Markdown that the course is written in: headings, lists
// with numbers or dashes, paragraphs, all of them one line each, fenced code, and
// within lines bold text and code. There is nothing that it refuses.
func Lines(text string) []Line {
	var lines []Line
	code := false
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			code = !code
		case code:
			lines = append(lines, Line{Mark: "  ", Spans: []prose.Line{{Tone: prose.Strong, Text: line}}, Code: true})
		default:
			lines = append(lines, lineOf(line))
		}
	}
	return lines
}

// beginning is the mark of a heading or of an item, before their text.
var beginning = regexp.MustCompile(`^(#+ |- |[0-9]+\. )?`)

// lineOf reads a line that is no code.
func lineOf(line string) Line {
	mark := beginning.FindString(line)
	text := line[len(mark):]
	if strings.HasPrefix(mark, "#") {
		return Line{Spans: prose.InTone(prose.Title, strings.TrimSpace(text))}
	}
	return Line{Mark: mark, Spans: spans(text)}
}

// marked is bold text or code within a line.
var marked = regexp.MustCompile("\\*\\*(.*?)\\*\\*|`(.*?)`")

// spans reads a line. A mark that nothing closes is text.
func spans(line string) []prose.Line {
	var all []prose.Line
	add := func(tone prose.Tone, from, to int) {
		if from < to {
			all = append(all, prose.Line{Tone: tone, Text: line[from:to]})
		}
	}
	end := 0
	for _, at := range marked.FindAllStringSubmatchIndex(line, -1) {
		add(prose.Plain, end, at[0])
		add(prose.Title, at[2], at[3])
		add(prose.Strong, at[4], at[5])
		end = at[1]
	}
	add(prose.Plain, end, len(line))
	return all
}

// PlainLines are the lines of a text without what sets parts of them off: what is
// read aloud.
func PlainLines(text string) []string {
	var lines []string
	for _, line := range Lines(text) {
		plain := line.Mark
		for _, span := range line.Spans {
			plain += span.Text
		}
		lines = append(lines, plain)
	}
	return lines
}
