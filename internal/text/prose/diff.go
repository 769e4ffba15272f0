package prose

import "strings"

// Diff returns the lines of a unified diff, safe for the terminal. The first line about a
// file has the tone Title, so that a reader can go from file to file.
func Diff(text string) []Line {
	texts := strings.Split(strings.TrimRight(text, "\n"), "\n")
	lines := make([]Line, len(texts))
	for i, text := range texts {
		tone := Plain
		switch {
		case strings.HasPrefix(text, "--- ") && i+2 < len(texts) && strings.HasPrefix(texts[i+1], "+++ ") &&
			strings.HasPrefix(texts[i+2], "@@ "):
			tone = Title
		case strings.HasPrefix(text, "+"):
			tone = Added
		case strings.HasPrefix(text, "-"):
			tone = Removed
		case strings.HasPrefix(text, "@"):
			tone = Changed
		}
		lines[i] = Line{tone, PrintableStart(strings.TrimRight(text, "\r"))}
	}
	return lines
}
