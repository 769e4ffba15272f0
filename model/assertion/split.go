package assertion

import (
	"slices"
	"strings"
	"unicode"
)

// word is a word of a sentence, or a comma.
type word struct {
	text   string
	quoted bool
	column int
}

// is reports whether the word is one of these, in capitals or not.
func (w word) is(words ...string) bool {
	return !w.quoted && slices.ContainsFunc(words, func(one string) bool { return strings.EqualFold(w.text, one) })
}

// split returns the words of a sentence, as far as because: what follows is for people.
func split(text string) ([]word, *Misread) {
	var words []word
	runes := []rune(text)
	for i := 0; i < len(runes); {
		switch r := runes[i]; {
		case unicode.IsSpace(r):
			i++
		case r == ',':
			words = append(words, word{text: ",", column: i + 1})
			i++
		case r == '"':
			end := slices.Index(runes[i+1:], '"')
			if end < 0 {
				return nil, &Misread{Column: i + 1, Text: "has a quote without an end"}
			}
			words = append(words, word{text: string(runes[i+1 : i+1+end]), quoted: true, column: i + 1})
			i += end + 2
		default:
			end := i
			for end < len(runes) && !unicode.IsSpace(runes[end]) &&
				!(runes[end] == ',' && (end+1 == len(runes) || unicode.IsSpace(runes[end+1]))) {
				end++
			}
			words = append(words, word{text: string(runes[i:end]), column: i + 1})
			if i = end; len(words) > 1 && words[len(words)-1].is("because") {
				return words, nil
			}
		}
	}
	if last := len(words) - 1; last >= 0 && !words[last].quoted && !strings.HasPrefix(words[last].text, "/") {
		if words[last].text = strings.TrimSuffix(words[last].text, "."); words[last].text == "" {
			words = words[:last]
		}
	}
	return words, nil
}
