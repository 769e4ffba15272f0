package render

import (
	"strings"

	"gatewright/cfn"
	"gatewright/prose"
)

// deprecatedTag is what editors strike through (https://jsdoc.app/tags-deprecated).
const deprecatedTag = "@deprecated"

// longestComment is how many characters a comment takes from a text of a document.
const longestComment = 2000

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

// commentText makes one line of a text of a document, safe in a comment: it cannot end the
// comment, and cannot begin with a tag, which compilers obey.
func commentText(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > longestComment {
		text = string(runes[:longestComment]) + "..."
	}
	text = strings.ReplaceAll(prose.Printable(text), "*/", `*\/`)
	if strings.HasPrefix(text, "@") {
		text = `\` + text
	}
	return text
}

// aboutSchema are the lines of a schema's comment.
func aboutSchema(n *cfn.Node) []string {
	var lines []string
	if text := commentText(stringOf(n.Get("description"))); text != "" {
		lines = append(lines, text)
	}
	if isTrue(n.Get("deprecated")) {
		lines = append(lines, deprecatedTag)
	}
	return lines
}

// stringOf returns the text of a node of kind String, and "" for any other.
func stringOf(n *cfn.Node) string {
	if n == nil || n.Kind != cfn.String {
		return ""
	}
	return n.Text
}

func isTrue(n *cfn.Node) bool { return n != nil && n.Kind == cfn.Bool && n.Text == "true" }
