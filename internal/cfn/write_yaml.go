package cfn

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// YAML writes a node as YAML in block style: members in their order, two spaces for each level. A text that
// YAML could read otherwise is in double quotes, with the escapes of JSON, which YAML has too
// (https://yaml.org/spec/1.2.2/#57-escaped-characters). A number that JSON does not have becomes a text.
func (n *Node) YAML() []byte {
	var w yamlWriter
	w.value(n, 0)
	return append(bytes.TrimPrefix(w.out, []byte("\n")), '\n')
}

// yamlWriter writes nodes as YAML.
type yamlWriter struct{ out []byte }

// value writes what follows the colon of a member, or the document: a scalar on the same line,
// or lines below at a level.
func (w *yamlWriter) value(n *Node, level int) {
	switch {
	case len(n.Members) > 0:
		for _, m := range n.Members {
			w.line(level)
			w.member(m, level)
		}
	case len(n.Items) > 0:
		for _, item := range n.Items {
			w.line(level)
			w.item(item, level)
		}
	default:
		w.scalar(n)
	}
}

func (w *yamlWriter) line(level int) {
	w.out = append(w.out, '\n')
	for range level {
		w.out = append(w.out, "  "...)
	}
}

func (w *yamlWriter) member(m Member, level int) {
	w.text(m.Name)
	w.out = append(w.out, ':')
	n := m.Value.there()
	if n.scalar() || len(n.Items)+len(n.Members) == 0 {
		w.out = append(w.out, ' ')
	}
	w.value(n, level+1)
}

// item writes an item of a list. The first line of a map or a list stands next to its dash.
func (w *yamlWriter) item(n *Node, level int) {
	w.out = append(w.out, "- "...)
	start := len(w.out)
	w.value(n, level+1)
	if len(n.Items)+len(n.Members) > 0 {
		// The dash and its space are as wide as the indentation of the first line.
		end := start + len("\n") + 2*(level+1)
		w.out = append(w.out[:start], w.out[end:]...)
	}
}

func (w *yamlWriter) scalar(n *Node) {
	if n.Kind == String {
		w.text(n.Text)
		return
	}
	json := writer{out: w.out}
	json.scalar(n)
	w.out = json.out
}

// isPlain reports whether a text needs no quotes, unless it is a word with a meaning: it begins
// with a letter, a slash or a dollar sign, has no sign that begins something else, such as a
// colon, and no space at its end.
func isPlain(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z', c == '/', c == '$':
		case i == 0:
			return false
		case '0' <= c && c <= '9', strings.IndexByte("._(){}+=-", c) >= 0:
		case strings.IndexByte(" ,;", c) < 0, i == len(text)-1:
			return false
		}
	}
	return text != ""
}

// yamlWords are the words that YAML 1.1 or 1.2 reads as something other than a text
// (https://yaml.org/type/bool.html, https://yaml.org/type/null.html).
var yamlWords = []string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}

func (w *yamlWriter) text(text string) {
	if isPlain(text) && !isYAMLWord(text) {
		w.out = append(w.out, text...)
		return
	}
	quoted, _ := jsontext.AppendQuote(nil, text)
	for _, r := range string(quoted) {
		if isYAMLPrintable(r) {
			w.out = utf8.AppendRune(w.out, r)
			continue
		}
		w.out = fmt.Appendf(w.out, `\u%04x`, r)
	}
}

// isYAMLPrintable reports whether YAML allows a character that JSON does in a text, and whether
// it ends no line (https://yaml.org/spec/1.2.2/#51-character-set).
func isYAMLPrintable(r rune) bool {
	switch r {
	case '\u2028', '\u2029', '\uFEFF', '\uFFFE', '\uFFFF':
		return false
	}
	return r < 0x7F || r >= 0xA0
}

func isYAMLWord(text string) bool {
	const longest = len("false")
	if len(text) > longest {
		return false
	}
	for _, word := range yamlWords {
		if strings.EqualFold(text, word) {
			return true
		}
	}
	return false
}
