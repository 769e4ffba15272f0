package traffic

import (
	"strings"
	"unicode"

	"gatewright/internal/clock"
)

// Texts are what is shown of a call, in lower case, to be searched.
type Texts struct {
	all string
	// words are those of the path, the caller and the function. The reason is a sentence, in
	// which the letters of almost any word can be found.
	words []string
}

// Texts makes the texts of a call.
func (c *Call) Texts() *Texts {
	names := strings.ToLower(c.Address() + "\n" + c.Who.String() + "\n" + c.Function)
	rest := strings.Join([]string{c.Note(), c.Method, c.Outcome(), c.Path, c.API, c.Request, clock.Thousandth(c.Time)},
		"\n")
	return &Texts{
		all:   names + "\n" + strings.ToLower(rest),
		words: strings.FieldsFunc(names, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }),
	}
}

// have reports whether a word in lower case is in the texts, or has some letters of one of
// their words, in their order and from the first on: rvws is in /reviews.
func (t *Texts) have(word string) bool {
	if strings.Contains(t.all, word) {
		return true
	}
	const fewest = 3
	if len(word) < fewest {
		return false
	}
	for _, part := range t.words {
		if part[0] == word[0] && hasLetters(part, word) {
			return true
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
