// Package uuid makes UUIDs (RFC 9562). It is our own because github.com/google/uuid
// makes none of version 8 and takes one more allocation for a new one.
package uuid

import (
	"crypto/rand"
	"encoding/hex"
)

// New returns a random UUID (version 4).
func New() string {
	var id [16]byte
	_, _ = rand.Read(id[:])
	return V4(id)
}

// V4 returns the UUID of version 4, the random kind, with these bytes, except for the
// six bits that hold version and variant.
func V4(id [16]byte) string { return format(id, 4) }

// V8 returns the UUID of version 8, the kind for bytes of any origin, with these bytes,
// except for the six bits that hold version and variant.
func V8(id [16]byte) string { return format(id, 8) }

func format(id [16]byte, version byte) string {
	id[6], id[8] = id[6]&0x0f|version<<4, id[8]&0x3f|0x80
	var text [36]byte
	hex.Encode(text[0:8], id[0:4])
	hex.Encode(text[9:13], id[4:6])
	hex.Encode(text[14:18], id[6:8])
	hex.Encode(text[19:23], id[8:10])
	hex.Encode(text[24:36], id[10:16])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return string(text[:])
}
