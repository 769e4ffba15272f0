// Package prose is text for people before it is drawn: lines with their meaning, and the
// filter that makes text from outside safe for a terminal. Commands and screens share it.
//
// The colours of source are our own: chroma v2 takes about 10 ms for 3 KB and begins at the top of
// a file, and a screen is drawn again after each key. Ours reads 90 MB a second, line by line.
package prose

// Tone is the meaning of a line, from which a screen chooses its colour. The words of the
// line say the same, because a terminal may have no colours.
type Tone uint8

// The tones.
const (
	Plain Tone = iota
	// Muted is less important, Strong more important; Title begins a part.
	Muted
	Strong
	Title
	Good
	Warning
	Bad
	// Note is information, such as something in progress.
	Note
	// Added, Removed and Changed are lines of a diff; Changed is the header of a hunk.
	Added
	Removed
	Changed
	// Updated is a thing that exists already and becomes another.
	Updated
	// Code is a line of JSON.
	Code
	// Wider is access that is more open than it was, or than it looks.
	Wider
	// Fresh has just changed. It is another tone a moment later.
	Fresh
)

// Line is a line of text with its tone. A screen may break it into several.
type Line struct {
	Tone Tone
	Text string
}

// Texts returns the texts of lines.
func Texts(lines []Line) []string {
	texts := make([]string, len(lines))
	for i, line := range lines {
		texts[i] = line.Text
	}
	return texts
}

// InTone returns a line for each text, all in one tone.
func InTone(tone Tone, texts ...string) []Line {
	lines := make([]Line, len(texts))
	for i, text := range texts {
		lines[i] = Line{tone, text}
	}
	return lines
}

// YesNo returns "yes" or "no".
func YesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}
