package dashboard

import (
	"encoding/json"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"gatewright/model"
	"gatewright/tui/theme"
)

// token is a part of a line of JSON.
type token struct {
	kind tokenKind
	text string
}

type tokenKind uint8

const (
	spaceToken tokenKind = iota
	markToken            // { } [ ] : ,
	keyToken
	stringToken
	wordToken // a number, true, false, null, or what should not be there
)

// tokensOf divides a line of JSON. A string ends with its line, as it does in
// JSON; what is no JSON is divided somehow, and nothing of it is lost.
func tokensOf(line string) []token {
	var tokens []token
	for line != "" {
		kind, n := spaceToken, len(line)-len(strings.TrimLeft(line, " \t"))
		switch {
		case n > 0:
		case strings.ContainsRune("{}[]:,", rune(line[0])):
			kind, n = markToken, 1
		case line[0] == '"':
			kind, n = stringToken, stringEnd(line)
			if strings.HasPrefix(strings.TrimLeft(line[n:], " "), ":") {
				kind = keyToken
			}
		default:
			kind, n = wordToken, strings.IndexAny(line, " \t{}[]:,\"")
			if n < 0 {
				n = len(line)
			}
		}
		tokens = append(tokens, token{kind, line[:n]})
		line = line[n:]
	}
	return tokens
}

// stringEnd is where the string that a line begins with ends.
func stringEnd(line string) int {
	for i := 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(line)
}

// colour draws a line of JSON; without colour it stays as it is.
func colour(t *theme.Theme, line string) string {
	if t.Kind == theme.None {
		return line
	}
	var b strings.Builder
	for _, part := range tokensOf(line) {
		var style lipgloss.Style
		switch part.kind {
		case spaceToken:
			b.WriteString(part.text)
			continue
		case markToken:
			style = t.Muted
		case keyToken:
			style = t.Accent
		case stringToken:
			style = t.Good
		case wordToken:
			style = t.Note
		}
		b.WriteString(style.Render(part.text))
	}
	return b.String()
}

// linesOf divides a JSON file into lines, says which section each is in, and
// takes out what is secret.
func linesOf(text string) []clientLine {
	var (
		lines []clientLine
		r     redactor
	)
	for line := range strings.SplitSeq(text, "\n") {
		at := clientLine{section: r.section}
		var b strings.Builder
		for _, part := range tokensOf(strings.TrimSuffix(line, "\r")) {
			b.WriteString(r.take(part))
			at.section = r.section
		}
		at.text = fit(b.String())
		lines = append(lines, at)
	}
	return lines
}

// redactor follows a JSON file token by token.
type redactor struct {
	depth int
	// section is the member of the root that the token is in.
	section string
	// last is the string before, key the name of the value to come.
	last, key string
	// secret is the depth of the innermost value that is hidden with all that
	// stands in it; 0 for none.
	secret int
}

// take is the token as it is shown.
func (r *redactor) take(t token) string {
	switch t.kind {
	case keyToken, stringToken, wordToken:
		if t.kind != keyToken && (r.secret > 0 || isSecret(r.key)) && !slices.Contains(noSecrets, t.text) {
			t.text = `"` + model.Redacted + `"`
		}
		r.last, r.key = t.text, ""
		if t.kind == keyToken && r.depth == 1 {
			r.section = nameOf(t.text)
		}
	case markToken:
		r.mark(t.text)
	}
	return t.text
}

// noSecrets are values that hide nothing, even where a key belongs.
var noSecrets = []string{`""`, "null", `"` + model.APIKeyPlaceholder + `"`}

// isSecret reports whether a member of that name holds a key.
func isSecret(name string) bool {
	return model.WithoutSecrets("/"+model.PointerToken(name), "key") == model.Redacted
}

func (r *redactor) mark(text string) {
	switch text {
	case "{", "[":
		r.depth++
		if r.secret == 0 && isSecret(r.key) {
			r.secret = r.depth
		}
		r.key = ""
	case "}", "]":
		if r.depth == r.secret {
			r.secret = 0
		}
		r.depth--
		r.key = ""
		if r.depth <= 0 {
			r.section = ""
		}
	case ":":
		r.key = nameOf(r.last)
	}
}

// nameOf is the name that stands as a string of JSON.
func nameOf(text string) string {
	var name string
	if json.Unmarshal([]byte(text), &name) != nil {
		return strings.Trim(text, `"`)
	}
	return name
}
