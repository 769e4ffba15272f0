// Package uuid makes the ids of users, identities, tokens and requests.
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
	text := hex.EncodeToString(id[:])
	return text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:]
}
