// Package uuid makes the ids of users, identities, tokens, tables, events and
// requests.
package uuid

import (
	"crypto/rand"
	"encoding/hex"
)

// New is a random UUID (RFC 9562, 5.4).
func New() string {
	var id [16]byte
	_, _ = rand.Read(id[:])
	return Of(id)
}

// Of is the UUID of the random kind that has these bytes, but for the six bits that
// say its kind.
func Of(id [16]byte) string {
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	var text [36]byte
	hex.Encode(text[0:8], id[0:4])
	hex.Encode(text[9:13], id[4:6])
	hex.Encode(text[14:18], id[6:8])
	hex.Encode(text[19:23], id[8:10])
	hex.Encode(text[24:36], id[10:16])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return string(text[:])
}
