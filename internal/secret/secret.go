// Package secret recognizes credentials and other secrets, by the names of headers,
// parameters and fields that hold them and by their shapes, so that they are neither kept nor
// written.
package secret

import (
	"slices"
	"strings"

	"gatewright/internal/text/lazyregexp"
)

// words are parts of names whose values are secrets.
var words = []string{
	"authorization", "cookie", "password", "passwd", "pwd", "passphrase", "secret", "token", "apikey", "accesskey",
	"privatekey", "credential", "signature",
	"csrf", "xsrf", "xauth", "sessionid",
}

// harmless are names of places in a list, which end like a token.
var harmless = []string{"nexttoken", "pagetoken", "continuationtoken", "startingtoken"}

// Named reports whether a header, a parameter or a field of this name holds a secret, as far
// as the name says.
func Named(name string) bool {
	plain := strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r == '-' || r == '_' || r == '.' || r == ' ':
			return -1
		}
		return r
	}, name)
	if slices.Contains(harmless, plain) {
		return false
	}
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(plain, word) }) || plain == "pin" ||
		plain == "otp"
}

// shape matches what is a secret whatever its name: tokens in three parts (JWT), what follows
// Bearer or Basic, access keys of AWS, and private keys.
var shape = lazyregexp.New(`eyJ[\w-]+\.[\w-]*\.?[\w-]*(?:\.[\w-]*){0,2}|(?i:bearer|basic)\s+[\w.~+/=-]{6,}|\b(?:AKIA|ASIA)[0-9A-Z]{12,}|-----BEGIN[A-Z ]*PRIVATE KEY-----[^-]*(?:-----END[A-Z ]*-----)?`)

// mayHaveShape is a quick look whether a text has how a shape begins.
func mayHaveShape(text string) bool {
	for _, begin := range []string{"eyJ", "AKIA", "ASIA", "-----BEGIN"} {
		if strings.Contains(text, begin) {
			return true
		}
	}
	lower := strings.ToLower(text)
	return strings.Contains(lower, "bearer") || strings.Contains(lower, "basic")
}

// HideShapes replaces the secrets in a text that have a shape.
func HideShapes(text, with string) string {
	if !mayHaveShape(text) {
		return text
	}
	return shape().ReplaceAllLiteralString(text, with)
}
