package saved

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"gatewright/internal/secret"
	"gatewright/internal/text/lazyregexp"
	"gatewright/model"
	"gatewright/project/document"
)

// IsSecret reports whether a header, a parameter or a member of this name may hold a secret.
func IsSecret(name string) bool {
	name = strings.TrimSpace(name)
	return strings.HasPrefix(strings.ToLower(name), "x-amz-") || secret.Named(name)
}

// Hidden stands instead of a secret.
const Hidden = "***"

// pair is a name like password and the value after it, in a text that is not JSON.
var pair = lazyregexp.New(`(?i)([\w.-]*(?:authorization|cookie|token|secret|passw(?:or)?d|passphrase|credential|api[-_]?key|private[-_]?key|access[-_]?key|pwd|signature|[cx]srf|x[-_.]?auth|session[-_.]?id)[\w.-]*["']?\s*[:=]\s*["']?)(\$\{\w+\}|[^\s"'&,;}<]+)`)

// part is a part of a multipart body, with its name, and element an element of XML.
var (
	part    = lazyregexp.New(`(?i)(\bname="?([^"\r\n;]*)[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n)([^\r\n]+)`)
	element = lazyregexp.New(`(<([\w.:-]+)(?:\s[^<>]*)?>)([^<>]+)`)
)

// hideNamed hides what a pattern finds by a name that says so: its groups are what stays, the
// name in that, and the value.
func hideNamed(pattern *regexp.Regexp, text string) string {
	return pattern.ReplaceAllStringFunc(text, func(found string) string {
		parts := pattern.FindStringSubmatch(found)
		if !IsSecret(parts[2]) || hasVariable(parts[3]) || strings.TrimSpace(parts[3]) == "" {
			return found
		}
		return parts[1] + Hidden
	})
}

// hide hides secrets in a text by their shape.
func hide(text string) string { return secret.HideShapes(text, Hidden) }

// Hide returns a body, a header or a query without secrets: the values of members and
// parameters whose names say so, and what has the shape of a secret. Values of variables
// (${NAME}) stay.
func Hide(text string) string {
	if doc, err := document.Parse([]byte(text)); err == nil && doc.Root().Len() > 0 {
		return hide(hideJSON(doc, text))
	}
	text = hideNamed(element(), hideNamed(part(), text))
	text = pair().ReplaceAllStringFunc(text, func(found string) string {
		parts := pair().FindStringSubmatch(found)
		if name := strings.TrimRight(parts[1], " \t\r\n\"':="); hasVariable(parts[2]) || !IsSecret(name) {
			return found
		}
		return parts[1] + Hidden
	})
	return hide(text)
}

// HideQuery is Hide for a query, whose values may have a secret when they are decoded, such as a
// filter in JSON.
func HideQuery(query string) string {
	var b strings.Builder
	for part, divider := range model.QueryParts(query) {
		name, value, _ := strings.Cut(part, "=")
		if plain, err := url.QueryUnescape(value); err == nil && plain != value && Hide(plain) != plain {
			part = name + "=" + Hidden
		}
		b.WriteString(part + divider)
	}
	return Hide(b.String())
}

// IsSecretPart reports whether a part NAME=VALUE of a query, or of a form, has the name of a
// secret, and returns the decoded name.
func IsSecretPart(part string) (name string, is bool) {
	name = model.QueryName(part)
	return name, IsSecret(name)
}

// hideJSON replaces the values of members with the name of a secret.
func hideJSON(doc *document.Document, text string) string {
	var out bytes.Buffer
	end := 0
	for _, m := range secretMembers(doc.Root(), "", nil) {
		start := m.node.Offset()
		out.WriteString(text[end:start])
		out.WriteString(`"` + Hidden + `"`)
		end = start + len(m.node.Raw())
	}
	out.WriteString(text[end:])
	return out.String()
}

// member is a member of an object, or a parameter, that may hold a secret.
type member struct {
	pointer, name string
	node          document.Node
}

// secretMembers finds the members with the name of a secret and a value of their own, and the
// values with the shape of one, in the order of the text.
func secretMembers(n document.Node, pointer string, to []member) []member {
	if text := n.Text(); text != "" && hide(text) != text {
		return append(to, member{pointer, "a password, a token or a key", n})
	}
	for i, element := range n.Elements() {
		to = secretMembers(element, pointer+"/"+itoa(i), to)
	}
	for name, value := range n.Members() {
		at := pointer + "/" + segment(name)
		if IsSecret(name) && !harmless(value) {
			to = append(to, member{at, name, value})
			continue
		}
		to = secretMembers(value, at, to)
	}
	return to
}

// harmless reports whether a value tells nothing: it is empty, no text, hidden already, or of
// a variable.
func harmless(n document.Node) bool {
	switch n.Kind() {
	case document.Null, document.Bool:
		return true
	case document.String:
		text := n.Text()
		return text == "" || text == Hidden || hasVariable(text)
	}
	return false
}

// SecretsIn returns the names of what in a body may hold a secret.
func SecretsIn(body string) []string {
	var names []string
	if doc, err := document.Parse([]byte(body)); err == nil && doc.Root().Len() > 0 {
		for _, m := range secretMembers(doc.Root(), "", nil) {
			names = append(names, m.name)
		}
	} else {
		names = secretParameters(body)
	}
	if len(names) == 0 && Hide(body) != body {
		names = append(names, "a password, a token or a key")
	}
	return names
}

// secretParameters are the names of the parameters of a query, or of a form, that may hold a
// secret.
func secretParameters(query string) []string {
	var names []string
	for part := range model.QueryParts(query) {
		_, value, _ := strings.Cut(part, "=")
		if name, is := IsSecretPart(part); is && value != "" && !hasVariable(value) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// HideValue is a JSON value without secrets, and the JSON paths to what was hidden.
func HideValue(raw json.RawMessage) (clean json.RawMessage, paths []string) {
	doc, err := document.Parse(raw)
	if err != nil {
		return raw, nil
	}
	for _, m := range secretMembers(doc.Root(), "", nil) {
		paths = append(paths, pathOf(m.pointer))
	}
	return json.RawMessage(hide(hideJSON(doc, string(raw)))), paths
}
