package client

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/internal/text/prose"
)

// deprecatedTag is what editors strike through (https://jsdoc.app/tags-deprecated).
const deprecatedTag = "@deprecated"

// longestComment is how many characters a comment takes from a text of a document, and
// widestComment how many of them are in a line.
const longestComment, widestComment = 2000, 100

// docComment writes a comment of documentation at a level; "" without lines.
func docComment(level int, lines ...string) string {
	indent := strings.Repeat("  ", level)
	if len(lines) == 0 {
		return ""
	}
	if len(lines) == 1 {
		return indent + "/** " + lines[0] + " */\n"
	}
	var b strings.Builder
	b.WriteString(indent + "/**\n")
	for _, line := range lines {
		b.WriteString(strings.TrimRight(indent+" * "+line, " ") + "\n")
	}
	b.WriteString(indent + " */\n")
	return b.String()
}

// commentLines returns a text of a document in lines of a comment, none for an empty text.
// The text cannot end the comment, and no line begins with a tag, which compilers would obey.
func commentLines(text string) []string {
	var lines []string
	for word := range strings.FieldsSeq(commentText(text)) {
		if last := len(lines) - 1; last >= 0 &&
			utf8.RuneCountInString(lines[last])+len(" ")+utf8.RuneCountInString(word) <= widestComment {
			lines[last] += " " + word
			continue
		}
		if strings.HasPrefix(word, "@") {
			word = `\` + word
		}
		lines = append(lines, word)
	}
	return lines
}

// commentText returns a text of a document as a part of a line of a comment, which it cannot end.
func commentText(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > longestComment {
		text = string(runes[:longestComment]) + "..."
	}
	return strings.ReplaceAll(prose.Printable(text), "*/", `*\/`)
}

// aboutSchema are the lines of the comment of a schema or a parameter.
func aboutSchema(n *cfn.Node) []string {
	lines := commentLines(openapi.TextOf(n.Get("description")))
	if openapi.IsTrue(n.Get("deprecated")) {
		lines = append(lines, deprecatedTag)
	}
	return lines
}

// String returns a text as a string literal of JavaScript.
func String(text string) string { return "'" + Escaped(text, `\'`) + "'" }

// Escaped replaces characters that are not printable by \u escapes, which JSON, JavaScript
// and Dart share, and writes a backslash before each of the characters in special.
func Escaped(text, special string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case !unicode.IsPrint(r) && r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		case !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		case strings.ContainsRune(special, r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
