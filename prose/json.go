package prose

import "strings"

// JSONLexeme is a part of a line of JSON. Its kind is the tone to draw it in.
type JSONLexeme struct {
	Kind Tone
	Text string
}

// The kinds of lexemes. A mark is one of { } [ ] : and the comma; a word is a number, true,
// false, null, or invalid text.
const (
	JSONSpace  = Plain
	JSONMark   = Muted
	JSONKey    = Strong
	JSONString = Good
	JSONWord   = Note
)

// JSONLexemes divides a line of JSON into its lexemes, which together are the whole line. It
// also divides text that is not JSON. A string ends at the end of its line at the latest.
func JSONLexemes(line string) []JSONLexeme {
	var lexemes []JSONLexeme
	for line != "" {
		kind, n := JSONSpace, len(line)-len(strings.TrimLeft(line, " \t"))
		switch {
		case n > 0:
		case strings.ContainsRune("{}[]:,", rune(line[0])):
			kind, n = JSONMark, 1
		case line[0] == '"':
			kind, n = JSONString, stringEnd(line)
			if strings.HasPrefix(strings.TrimLeft(line[n:], " "), ":") {
				kind = JSONKey
			}
		default:
			kind, n = JSONWord, strings.IndexAny(line, " \t{}[]:,\"")
			if n < 0 {
				n = len(line)
			}
		}
		lexemes = append(lexemes, JSONLexeme{kind, line[:n]})
		line = line[n:]
	}
	return lexemes
}

// stringEnd returns the length of the string at the beginning of a line.
func stringEnd(line string) int {
	for i := 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(line)
}
