package render

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// redacted stands for a value that is never shown.
const redacted = "<redacted>"

// longestShown is how many characters of a value a line shows.
const longestShown = 80

// secret reports whether a member with this name holds a key that nobody must
// see, however its author spells it: api_key, graphqlApiKey, X-Api-Key.
func secret(name string) bool {
	return strings.HasSuffix(strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name)), "apikey")
}

// secretAt is secret for a place: a key may stand deeper in what is named so.
func secretAt(pointer string) bool {
	for token := range strings.SplitSeq(pointer, "/") {
		if secret(token) {
			return true
		}
	}
	return false
}

// withoutSecrets is the value at a place with what is secret in it replaced.
func withoutSecrets(pointer string, value any) any {
	if secretAt(pointer) {
		return redacted
	}
	switch v := value.(type) {
	case map[string]any:
		next := make(map[string]any, len(v))
		for name, member := range v {
			next[name] = withoutSecrets("/"+name, member)
		}
		return next
	case []any:
		next := make([]any, len(v))
		for i, item := range v {
			next[i] = withoutSecrets("", item)
		}
		return next
	}
	return value
}

// shown is the value at a place as JSON without secrets, safe for a terminal.
func shown(pointer string, value any) string {
	if secretAt(pointer) {
		return redacted
	}
	return escaped(valueText(withoutSecrets(pointer, value)), "")
}

// valueText is a value as JSON in one line, members sorted.
func valueText(value any) string {
	w := newWriter(Part)
	w.value(value, nil)
	if w.failed != nil {
		return fmt.Sprint(value)
	}
	return strings.TrimRight(w.out.String(), "\n")
}

// cut shortens a text to what a line shows.
func cut(text string) string {
	if runes := []rune(text); len(runes) > longestShown {
		return string(runes[:longestShown]) + "..."
	}
	return text
}

// escaped writes what does not print as \u escapes, which JSON, JavaScript and
// Dart share, and a backslash before each of the characters in special.
func escaped(text, special string) string {
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
