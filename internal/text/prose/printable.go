package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// shortLimit is how many bytes of a text PrintableStart keeps.
const shortLimit = 4 << 10

// PrintableStart returns the first 4 KiB of a text of any length, printable. It is for
// lines that are drawn often.
func PrintableStart(text string) string {
	if len(text) > shortLimit {
		text = strings.ToValidUTF8(text[:shortLimit], "") + "…"
	}
	return Printable(text)
}

// IsStart reports whether a text is one that PrintableStart cut.
func IsStart(text string) bool {
	return len(text) > shortLimit-utf8.UTFMax && strings.HasSuffix(text, "…")
}

// PrintableStarts returns PrintableStart of each text.
func PrintableStarts(texts []string) []string {
	short := make([]string, len(texts))
	for i, text := range texts {
		short[i] = PrintableStart(text)
	}
	return short
}

// Printable makes a line of text from a file, a name or a network safe for the terminal,
// which must not obey it. Control characters become Unicode's pictures of them, invalid
// bytes and invisible characters, which can reorder or hide text, become U+FFFD, and a tab
// becomes four spaces. A sign that asks for its picture, such as a warning sign, is left as a
// sign: terminals give the picture one cell or two, and what follows it would be misplaced.
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
		case r == asPicture:
		case unprintable(r):
			b.WriteRune(unicode.ReplacementChar)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// asPicture follows a sign that is to be drawn as a picture (variation selector 16).
const asPicture = '\ufe0f'

// unprintable reports whether a character must not reach the terminal. Zero-width joiner and
// non-joiner are invisible too, but scripts and emoji need them.
func unprintable(r rune) bool {
	const nonJoiner, joiner, lineSeparator, paragraphSeparator = '\u200c', '\u200d', '\u2028', '\u2029'
	switch r {
	case nonJoiner, joiner:
		return false
	case lineSeparator, paragraphSeparator, asPicture:
		return true
	}
	return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r)
}
