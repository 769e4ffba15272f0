// Package secret recognizes credentials and other secrets, by the names of headers, parameters and fields
// that hold them and by their shapes, so that they are neither kept nor written.
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

// alone are names of secrets that are also parts of other words.
var alone = []string{"pin", "otp"}

// Named reports whether a header, a parameter or a field of this name holds a secret, as far
// as the name says.
func Named(name string) bool {
	plain := plainOf(name)
	return hasOne(plain, words) && !slices.Contains(harmless, plain) || slices.Contains(alone, plain)
}

// plainOf is a name in lower case, without what divides its words.
func plainOf(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r == '-' || r == '_' || r == '.' || r == ' ':
			return -1
		}
		return r
	}, name)
}

func hasOne(text string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

// Maybe is a quick look whether a text may have a name that Named knows, or a secret with a shape:
// most texts have neither. Letters may be percent-encoded.
func Maybe(text string) bool {
	plain := plainOf(text)
	return hasOne(plain, words) || hasOne(plain, alone) || mayHaveShape(text) || encoded().MatchString(text)
}

// encoded matches the code of a letter or of a sign of a name, or of a percent sign, after which one
// may be encoded again. Bytes that are no text have many percent signs, but few of these.
var encoded = lazyregexp.New(`%(?:2[05DEde]|[46][1-9A-Fa-f]|[57][0-9Aa]|5[Ff])`)

// shape matches what is a secret whatever its name: tokens in three parts (JWT), what follows
// Bearer or Basic, access keys of AWS, and private keys.
var shape = lazyregexp.New(`eyJ[\w-]+\.[\w-]*\.?[\w-]*(?:\.[\w-]*){0,2}|(?i:bearer|basic)\s+[\w.~+/=-]{6,}|\b(?:AKIA|ASIA)[0-9A-Z]{12,}|-----BEGIN[A-Z ]*PRIVATE KEY-----[^-]*(?:-----END[A-Z ]*-----)?`)

// mayHaveShape is a quick look whether a text has how a shape begins.
func mayHaveShape(text string) bool {
	return hasOne(text, []string{"eyJ", "AKIA", "ASIA", "-----BEGIN"}) ||
		hasOne(strings.ToLower(text), []string{"bearer", "basic"})
}

// HideShapes replaces the secrets in a text that have a shape.
func HideShapes(text, with string) string {
	if !mayHaveShape(text) {
		return text
	}
	return shape().ReplaceAllLiteralString(text, with)
}
