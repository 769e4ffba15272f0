package layout

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Composed puts letters and the accents that follow them into one character, where there is
// one: Bubble Tea drops a character without a width after a letter of ASCII, so that a name
// with an accent would look like another name.
func Composed(text string) string {
	// The combining marks of Latin begin with one of these bytes, and nothing else does.
	if strings.IndexByte(text, 0xcc) < 0 && strings.IndexByte(text, 0xcd) < 0 {
		return text
	}
	return norm.NFC.String(text)
}
