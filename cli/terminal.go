package cli

import (
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// isTerminal reports whether a stream is a terminal that a person looks at.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// safe is text fit for where it goes: a terminal must not obey control
// characters that stand in somebody's files; a pipe gets them as they are.
func safe(text string, out io.Writer) string {
	if !isTerminal(out) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unseen(r) {
			return '\uFFFD'
		}
		return r
	}, text)
}

// unseen reports whether a character steers a terminal, or the order in which it
// shows others, and is not to be seen itself.
func unseen(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }
