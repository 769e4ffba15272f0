// Package phrase is how names and lists stand in a line for people.
package phrase

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Longest is how many characters of a name Quote shows.
const Longest = 80

// mostListed is how many things List names at most before it counts the rest.
const mostListed = 6

// List joins things for one line: the first few, and how many more there are.
func List(things []string) string {
	if len(things) <= mostListed+1 {
		return strings.Join(things, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(things[:mostListed], ", "), len(things)-mostListed)
}

// Either joins choices for a sentence: "a, b or c".
func Either[T ~string](choices []T) string {
	var b strings.Builder
	for i, choice := range choices {
		switch {
		case i == 0:
		case i == len(choices)-1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(string(choice))
	}
	return b.String()
}

// QuoteList is List of names, each shown by Quote.
func QuoteList(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = Quote(name)
	}
	return List(quoted)
}

// Quote shows a name in a line of text: as it is if it is one word of printable characters, else in quotes.
// Characters that a terminal might obey or that nobody sees (control characters, marks that reorder text,
// invalid UTF-8) are escaped, and a long name is cut. All names from files and networks are shown this way.
func Quote(name string) string {
	shown, length := name, 0
	for i := range name {
		if length++; length > Longest {
			shown = name[:i]
			break
		}
	}
	quoted := Escape(shown)
	if quoted == `"`+shown+`"` && shown != "" && !strings.ContainsAny(shown, " ,;") {
		quoted = shown
	}
	if len(shown) < len(name) {
		return quoted + "..."
	}
	return quoted
}

// QuotePath makes the path of a file or folder safe for a terminal: it escapes a path that has
// unprintable characters, and never cuts one, since people open it. Quote is for names: it quotes
// spaces too, and shortens.
func QuotePath(path string) string {
	quoted := Escape(path)
	if quoted == `"`+path+`"` {
		return path
	}
	return quoted
}

// Escape quotes a text as Go does, with invisible characters escaped too. It leaves
// backslashes single if nothing else is escaped: people paste paths of Windows.
func Escape(text string) string {
	quoted := strconv.Quote(text)
	if strings.ContainsFunc(text, invisible) {
		quoted = strconv.QuoteToASCII(text)
	}
	if plain := `"` + text + `"`; strings.ReplaceAll(quoted, `\\`, `\`) == plain {
		return plain
	}
	return quoted
}

// invisible reports printable characters that are drawn as nothing, such as U+3164.
func invisible(r rune) bool { return unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) }

// Count returns a number with its noun: "1 path", "2 paths".
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Enumerated joins words for a sentence: "create, read and update".
func Enumerated(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
