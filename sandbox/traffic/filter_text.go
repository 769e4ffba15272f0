package traffic

import (
	"strings"
	"unicode"

	"gatewright/clock"
)

// shows reports whether a word in lower case is in the columns of a call, or has some letters
// of one of the words there, in their order and from the first on: rvws is in /reviews.
func (c *Call) shows(word string) bool {
	texts := [...]string{c.Address(), c.Who.String(), c.Function, c.Note(), c.Method, c.Outcome(), c.Path, c.API, c.Request}
	for _, text := range texts {
		if strings.Contains(strings.ToLower(text), word) {
			return true
		}
	}
	if strings.Contains(word, ":") && strings.HasPrefix(clock.Thousandth(c.Time), word) {
		return true
	}
	const fewest = 3
	if len(word) < fewest {
		return false
	}
	// The reason is a sentence, in which the letters of almost any word can be found.
	for _, text := range texts[:3] {
		for part := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if part[0] == word[0] && hasLetters(part, word) {
				return true
			}
		}
	}
	return false
}

// hasLetters reports whether a text has the letters of a word in their order.
func hasLetters(text, word string) bool {
	for _, letter := range word {
		at := strings.IndexRune(text, letter)
		if at < 0 {
			return false
		}
		text = text[at+len(string(letter)):]
	}
	return true
}
