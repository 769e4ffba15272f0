package traffic

import (
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// hidden stands for a value that is not kept, as in the logs.
const hidden = "<redacted>"

// secretWords are parts of names whose values are credentials or other secrets.
var secretWords = []string{"authorization", "cookie", "password", "passwd", "passphrase", "secret", "token", "apikey", "accesskey", "privatekey", "credential", "signature"}

// harmless are words for places in a list, which end like a token.
var harmless = []string{"nexttoken", "pagetoken", "continuationtoken", "startingtoken"}

// IsSecret reports whether the value of a header, parameter or field of this name is a
// credential or another secret, as far as the name says.
func IsSecret(name string) bool {
	plain := strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r == '-' || r == '_' || r == '.' || r == ' ':
			return -1
		}
		return r
	}, name)
	return !slices.Contains(harmless, plain) && slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(plain, word) })
}

// MaybeSecret is a quick look whether a text has a word that IsSecret knows: without one, it
// has no secret that a name tells.
func MaybeSecret[Text ~string | ~[]byte](text Text) bool {
	const letters = 0x20
	for i := range len(text) {
		// All words begin with one of these letters.
		switch text[i] | letters {
		case 'a', 'c', 'p', 's', 't':
			if beginsSecret(text[i:]) {
				return true
			}
		}
	}
	return false
}

// beginsSecret reports whether a text may begin with one of secretWords.
func beginsSecret[Text ~string | ~[]byte](text Text) bool {
	for _, w := range [...]string{"authorization", "cookie", "passw", "passp", "secret", "token", "credential", "signature"} {
		if hasFold(text[:min(len(text), len(w))], w) {
			return true
		}
	}
	for _, w := range [...]string{"api", "access", "private"} {
		if !hasFold(text[:min(len(text), len(w))], w) {
			continue
		}
		rest := text[len(w):]
		if len(rest) > 0 && (rest[0] == '-' || rest[0] == '_' || rest[0] == '.' || rest[0] == ' ') {
			rest = rest[1:]
		}
		return len(rest) > 0 && rest[0]|0x20 == 'k'
	}
	return false
}

// hasFold reports whether a text is a word of lower-case letters, in any case.
func hasFold[Text ~string | ~[]byte](text Text, word string) bool {
	if len(text) != len(word) {
		return false
	}
	for i := range len(word) {
		if text[i]|0x20 != word[i] {
			return false
		}
	}
	return true
}

// member finds what looks like a member of a JSON object in text that is not JSON: a name, a
// colon, and a string, number or word. The quotes may be escaped, as in a string.
var member = regexp.MustCompile(`\\*"([^"\\]*)\\*"\s*:\s*(\\*"(?:[^"\\]|\\[^"])*\\*"?|[^\s"\\{}\[\],]+)`)

// formPair is a pair in the encoding of HTML forms.
var formPair = regexp.MustCompile(`(^|[&?])([^=&\s]+)=([^&\s]*)`)

// Masked is a text without the values of members of JSON objects, and of pairs of forms, whose
// names say that they are secrets; names are those. The rest of the text stays as it is.
func Masked(text string) (masked string, names []string) {
	if !MaybeSecret(text) {
		return text, nil
	}
	if masked, names, ok := maskedJSON(text); ok {
		return masked, names
	}
	found := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	text = replace(member, text, 2, func(parts []string) (string, bool) {
		if !IsSecret(parts[1]) {
			return "", false
		}
		found(parts[1])
		return hidden, true
	})
	return replace(formPair, text, 3, func(parts []string) (string, bool) {
		if !IsSecret(parts[2]) || parts[3] == "" || parts[3] == hidden {
			return "", false
		}
		found(parts[2])
		return hidden, true
	}), names
}

// maskedJSON is Masked for JSON; it also looks into strings that hold JSON.
func maskedJSON(text string) (masked string, names []string, ok bool) {
	d := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	var b strings.Builder
	done := 0
	put := func(value string, length int) {
		end := int(d.InputOffset())
		b.WriteString(text[done : end-length])
		b.WriteString(value)
		done = end
	}
	for {
		kind, size := d.StackIndex(d.StackDepth())
		isName := kind == '{' && size%2 == 0
		next := d.PeekKind()
		if isName && next == '"' {
			token, err := d.ReadToken()
			if err != nil {
				return "", nil, false
			}
			if name := token.String(); IsSecret(name) {
				value, err := d.ReadValue()
				if err != nil {
					return "", nil, false
				}
				if text := string(value); text != "null" && text != `""` {
					put(`"`+hidden+`"`, len(value))
					if !slices.Contains(names, name) {
						names = append(names, name)
					}
				}
			}
			continue
		}
		if next == '"' {
			value, err := d.ReadValue()
			if err != nil {
				return "", nil, false
			}
			length := len(value)
			if inner, more := maskedString(value); len(more) > 0 {
				put(inner, length)
				for _, name := range more {
					if !slices.Contains(names, name) {
						names = append(names, name)
					}
				}
			}
			continue
		}
		if _, err := d.ReadToken(); err == io.EOF {
			b.WriteString(text[done:])
			return b.String(), names, true
		} else if err != nil {
			return "", nil, false
		}
	}
}

// maskedString is a JSON string without the secrets of the text that it holds; names is empty
// if it has none.
func maskedString(value jsontext.Value) (masked string, names []string) {
	if !MaybeSecret(value) {
		return "", nil
	}
	inner, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		return "", nil
	}
	text, names := Masked(string(inner))
	quoted, _ := jsontext.AppendQuote(nil, text) // the error reports invalid UTF-8, which was replaced
	return string(quoted), names
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
		text = strings.ReplaceAll(text, secret, hidden)
	}
	return text
}
