package prose

import "strings"

// JSONLexeme is a part of a line of JSON. Its kind is the tone that it has.
type JSONLexeme struct {
	Kind Tone
	Text string
}

// The kinds. A mark is one of { } [ ] : , and a word a number, true, false, null, or
// what should not be there.
const (
	JSONSpace  = Plain
	JSONMark   = Muted
	JSONKey    = Strong
	JSONString = Good
	JSONWord   = Note
)

// JSONLexemes divides a line of JSON. A string ends with its line, as it does in JSON;
// what is no JSON is divided somehow, and nothing of it is lost.
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

// stringEnd is where the string that a line begins with ends.
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
