package function

import (
	"encoding/base64"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Apart is a long text that goes next to the JSON that it belongs into, since it would be escaped
// and unescaped there byte by byte. The JSON has an empty string at its place.
type Apart struct {
	// Text is UTF-8; nil if there is none. With Base64 it is bytes, and their base64 is the text.
	Text   []byte
	Base64 bool
	// At is where the empty string begins in the JSON, in bytes.
	At int
}

// LeastApart is the length in bytes of the shortest text that is worth it.
const LeastApart = 4 << 10

// Into returns JSON with the text at its place.
func (a Apart) Into(json []byte) []byte {
	if a.Text == nil {
		return json
	}
	all := append(make([]byte, 0, len(json)+len(a.Text)+len(a.Text)/2), json[:a.At]...)
	if a.Base64 {
		all = append(base64.StdEncoding.AppendEncode(append(all, '"'), a.Text), '"')
	} else {
		// The error would tell of bytes that are not UTF-8.
		all, _ = jsontext.AppendQuote(all, a.Text)
	}
	return append(all, json[a.At+len(`""`):]...)
}

// Exceeds reports whether JSON with the text at its place has more than a number of bytes.
func (a Apart) Exceeds(json []byte, most int) bool {
	if a.Base64 {
		return len(json)+base64.StdEncoding.EncodedLen(len(a.Text)) > most
	}
	const longestEscape = len(`\u0000`)
	if len(json)+longestEscape*len(a.Text) <= most {
		return false
	}
	size := len(json) + len(a.Text)
	for _, c := range a.Text {
		switch {
		case c == '"' || c == '\\' || c < ' ' && slices.Contains([]byte("\b\t\n\f\r"), c):
			size++
		case c < ' ':
			size += longestEscape - 1
		}
	}
	return size > most
}
