package prose

import (
	"strings"
	"unicode"
)

// shortLimit is how many bytes of one line are kept: more are never seen.
const shortLimit = 4 << 10

// Short is Printable for text that may be of any length and is drawn again and again: of
// more than 4 KiB the beginning is kept.
func Short(text string) string {
	if len(text) > shortLimit {
		text = strings.ToValidUTF8(text[:shortLimit], "") + "…"
	}
	return Printable(text)
}

// Shorts is Short for each of some texts.
func Shorts(texts []string) []string {
	fit := make([]string, len(texts))
	for i, text := range texts {
		fit[i] = Short(text)
	}
	return fit
}

// Printable makes one line of text that came from a file, a name or a network fit for the
// terminal, which must not obey it. Control characters become the pictures that
// Unicode has for them, invalid bytes and invisible characters that reorder or hide
// text become U+FFFD, and a tab becomes four spaces.
func Printable(text string) string {
	if !strings.ContainsFunc(text, unprintable) && strings.ToValidUTF8(text, "") == text {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + 16)
	for _, r := range text {
		switch {
		case r == '\t':
			b.WriteString("    ")
		case r < ' ':
			b.WriteRune('\u2400' + r)
		case r == '\x7f':
			b.WriteRune('\u2421')
		case unprintable(r):
			b.WriteRune(unicode.ReplacementChar)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unprintable tells whether a character must not reach the terminal. The two joiners
// are invisible too, but scripts and emoji need them.
func unprintable(r rune) bool {
	const nonJoiner, joiner, lineSeparator, paragraphSeparator = '\u200c', '\u200d', '\u2028', '\u2029'
	switch r {
	case nonJoiner, joiner:
		return false
	case lineSeparator, paragraphSeparator:
		return true
	}
	return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r)
}
