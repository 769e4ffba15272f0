// Package prose is text that is meant for people before anybody draws it: lines
// with what they mean, and the one filter that makes text from outside fit for a
// terminal. It knows no terminal itself: commands and screens share it.
package prose

// Tone is what a line means. Whoever draws it chooses how that looks; the words
// of the line say it too.
type Tone uint8

// The tones.
const (
	Plain Tone = iota
	// Muted may be overlooked, Strong draws the eye, Title begins a part.
	Muted
	Strong
	Title
	Good
	Warning
	Bad
	// Note is what is under way, or only worth knowing.
	Note
	// Added, Removed and Changed are lines of a difference: Changed is the header
	// of a hunk.
	Added
	Removed
	Changed
	// Code is a line of JSON.
	Code
)

// Line is a line of text with its tone. A screen may break it into several.
type Line struct {
	Tone Tone
	Text string
}

// Texts are the texts of lines, without their tones.
func Texts(lines []Line) []string {
	texts := make([]string, len(lines))
	for i, line := range lines {
		texts[i] = line.Text
	}
	return texts
}

// InTone gives texts one tone.
func InTone(tone Tone, texts ...string) []Line {
	lines := make([]Line, len(texts))
	for i, text := range texts {
		lines[i] = Line{tone, text}
	}
	return lines
}

// YesNo is a truth as people read it.
func YesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}
