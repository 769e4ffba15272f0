package course

import (
	"strings"

	"gatewright/internal/text/lazyregexp"
	"gatewright/internal/text/prose"
)

// Line is a line of a text, of any length; the screen breaks it. An empty line has no
// spans.
type Line struct {
	// Mark is the number or dash of a list item, or the indent of code. If the line is
	// broken, its further parts are indented by the mark's width.
	Mark string
	// Spans are the parts of the line. Bold text has the tone Title, code the tone Strong.
	Spans []prose.Line
	// Code says that the line is not broken: what is too long is cut off.
	Code bool
}

// Lines reads the subset of Markdown that the lessons use: headings, lists with numbers or
// dashes, paragraphs (each of these on one line), fenced code, and bold text and code within
// a line. Everything else is plain text.
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

// beginning matches the mark before the text of a heading or a list item.
var beginning = lazyregexp.New(`^(#+ |- |[0-9]+\. )?`)

// lineOf reads a line outside of fenced code.
func lineOf(line string) Line {
	mark := beginning().FindString(line)
	text := line[len(mark):]
	if strings.HasPrefix(mark, "#") {
		return Line{Spans: prose.InTone(prose.Title, strings.TrimSpace(text))}
	}
	return Line{Mark: mark, Spans: spans(text)}
}

// marked matches bold text or code within a line.
var marked = lazyregexp.New("\\*\\*(.*?)\\*\\*|`(.*?)`")

// spans divides a line into plain text, bold text and code. A mark that is not closed is
// plain text.
func spans(line string) []prose.Line {
	var all []prose.Line
	add := func(tone prose.Tone, from, to int) {
		if from < to {
			all = append(all, prose.Line{Tone: tone, Text: line[from:to]})
		}
	}
	end := 0
	for _, at := range marked().FindAllStringSubmatchIndex(line, -1) {
		add(prose.Plain, end, at[0])
		add(prose.Title, at[2], at[3])
		add(prose.Strong, at[4], at[5])
		end = at[1]
	}
	add(prose.Plain, end, len(line))
	return all
}

// PlainLines returns the lines of a text without the marks of bold text and code, for
// --accessible.
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
