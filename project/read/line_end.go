package read

import "bytes"

// SameLines reports whether two texts are the same except for the ends of their lines. On Windows
// git gives a person the files of a clone with other ends than were committed.
func SameLines(one, other []byte) bool {
	return bytes.Equal(one, other) || bytes.Equal(unixLines(one), unixLines(other))
}

// EndLinesAs returns a text with the ends of lines that another has.
func EndLinesAs(other, text []byte) []byte {
	text = unixLines(text)
	if bytes.Contains(other, []byte("\r\n")) {
		return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	}
	return text
}

func unixLines(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }
