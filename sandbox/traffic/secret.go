package traffic

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"gatewright/internal/secret"
	"gatewright/internal/text/lazyregexp"
	"gatewright/model"
)

// member finds what looks like a member of a JSON object in text that is not JSON: a name, a
// colon, and a string, number or word. The quotes may be escaped, as in a string.
var member = lazyregexp.New(`\\*"([^"\\]*)\\*"\s*:\s*(\\*"(?:[^"\\]|\\[^"])*\\*"?|[^\s"\\{}\[\],]+)`)

// formPair is a pair in the encoding of HTML forms, or on a line of its own.
var formPair = lazyregexp.New(`(?m)(^|[&?;])([^=&?;\s]+)=([^&\s]*)`)

// others find a name and its value in further kinds of text: the part of a form with a
// boundary, an element of XML, a line of YAML.
var others = []func() *regexp.Regexp{
	lazyregexp.New(`(?i)\bform-data;[^\r\n]*?\bname="([^"]*)"[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n((?s:.*?))(?:\r?\n--|\z)`),
	lazyregexp.New(`<([\w:.-]+)(?:\s[^<>]*)?>([^<>]+)`),
	lazyregexp.New(`(?m)^[ \t-]*([\w.-]+)[ \t]*:[ \t]+(\S[^\r\n]*)`),
}

// Shaped is the name of what is known to be a secret by its shape alone.
const Shaped = "a token or a key"

// Masked is a text without the values of members of JSON objects, and of pairs of forms, whose
// names say that they are secrets; names are those. The rest of the text stays as it is.
func Masked(text string) (masked string, names []string) { return maskedText(text, true) }

// maskedText is Masked. decodes says that the values of forms are looked into: what they hold
// is not decoded once more.
func maskedText(text string, decodes bool) (masked string, names []string) {
	if !secret.Maybe(text) {
		return text, nil
	}
	masked, names = maskedNames(text, decodes)
	if shapeless := secret.HideShapes(masked, model.Redacted); shapeless != masked {
		return shapeless, append(names, Shaped)
	}
	return masked, names
}

// maskedNames is Masked for names alone.
func maskedNames(text string, decodes bool) (masked string, names []string) {
	if masked, names, ok := maskedJSON(text, decodes); ok {
		return masked, names
	}
	if !strings.ContainsAny(text, ":=<") && !strings.Contains(text, "form-data;") {
		return text, nil // no name has a value
	}
	found := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	text = replace(member(), text, 2, func(parts []string) (string, bool) {
		if !secret.Named(parts[1]) {
			return "", false
		}
		found(parts[1])
		return model.Redacted, true
	})
	text = replace(formPair(), text, 3, func(parts []string) (string, bool) {
		if at, name := secretIn(parts[2], parts[3], decodes); at >= 0 && parts[3] != model.Redacted {
			found(name)
			return parts[3][:at] + model.Redacted, true
		}
		return "", false
	})
	for _, other := range others {
		text = replace(other(), text, 2, func(parts []string) (string, bool) {
			if !secret.Named(parts[1]) || strings.TrimSpace(parts[2]) == "" || parts[2] == model.Redacted {
				return "", false
			}
			found(parts[1])
			return model.Redacted, true
		})
	}
	return text, names
}

// secretIn is where a secret begins in the value of a pair, and the name that says so; -1 if it
// has none. A query is divided at semicolons too, a form is not: so the value may have more
// pairs, and a secret ends with it.
func secretIn(name, value string, decodes bool) (at int, of string) {
	if plain := model.QueryName(name); value != "" && secret.Named(plain) {
		return 0, plain
	}
	for pair := range strings.SplitSeq(value, ";") {
		if name, value, _ := strings.Cut(pair, "="); at > 0 && value != "" {
			if plain := model.QueryName(name); secret.Named(plain) || decodes && encodesSecret(value) {
				return at + len(name) + 1, plain
			}
		}
		at += len(pair) + 1
	}
	if decodes && encodesSecret(value) {
		return 0, model.QueryName(name)
	}
	return -1, ""
}

// encodesSecret reports whether the value of a form holds a secret once it is decoded, as the
// address to return to may.
func encodesSecret(value string) bool {
	plain, err := url.QueryUnescape(value)
	if err != nil || !strings.Contains(value, "%") {
		return false
	}
	_, names := maskedText(plain, false)
	return len(names) > 0
}

// replace replaces the n-th group of each match for which with returns true.
func replace(r *regexp.Regexp, text string, n int, with func(parts []string) (string, bool)) string {
	var b strings.Builder
	done := 0
	for _, m := range r.FindAllStringSubmatchIndex(text, -1) {
		parts := make([]string, len(m)/2)
		for i := range parts {
			if m[2*i] >= 0 {
				parts[i] = text[m[2*i]:m[2*i+1]]
			}
		}
		if value, is := with(parts); is {
			b.WriteString(text[done:m[2*n]])
			b.WriteString(value)
			done = m[2*n+1]
		}
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// Credentials are the texts in the values of a header that are credentials themselves, such
// as a token after the word Bearer, to be found elsewhere.
func Credentials(value string) []string {
	var all []string
	for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return strings.ContainsRune(" ,;", r) }) {
		if name, after, ok := strings.Cut(part, "="); ok && len(name) < 32 {
			part = after
		}
		const shortest = 12
		if len(part) >= shortest {
			all = append(all, part)
		}
	}
	return all
}

// Without replaces texts.
func Without(text string, secrets []string) string {
	for _, secret := range secrets {
		text = strings.ReplaceAll(text, secret, model.Redacted)
	}
	return text
}
