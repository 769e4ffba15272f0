package spelling

import "strings"

// Rule is a rule for names: Min to Max characters, which are ASCII letters, digits or those of
// Punctuation. With PlainStart the first is a letter or a digit, with LetterStart a letter.
type Rule struct {
	Min, Max                int
	Punctuation             string
	PlainStart, LetterStart bool
}

// Accepts reports whether a name keeps the rule.
func (r Rule) Accepts(name string) bool {
	if len(name) < r.Min || len(name) > r.Max {
		return false
	}
	for i := range len(name) {
		c := name[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		plain := letter || c >= '0' && c <= '9'
		switch {
		case i == 0 && (r.LetterStart && !letter || r.PlainStart && !plain):
			return false
		case !plain && strings.IndexByte(r.Punctuation, c) < 0:
			return false
		}
	}
	return true
}
