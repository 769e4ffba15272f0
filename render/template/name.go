package template

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

const (
	// idHash is how many hexadecimal digits of its hash a logical id ends with.
	idHash = 6
	// longestReadable is how long the readable part of a logical id is at most. The id has at
	// most 255 characters, letters and digits
	// (https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/resources-section-structure.html).
	longestReadable = 80
)

// logicalID makes the logical id of a resource: the name that it is made for, readable, its
// kind, and a hash of both, since names that differ may be readable alike.
func logicalID(kind string, name ...string) string {
	sum := sha256.Sum256([]byte(kind + "\x00" + strings.Join(name, "\x00")))
	readable := camelCase(strings.Join(name, " "))
	readable = readable[:min(len(readable), longestReadable)]
	if readable == "" || readable[0] >= '0' && readable[0] <= '9' {
		readable = "Of" + readable
	}
	return readable + kind + hex.EncodeToString(sum[:])[:idHash]
}

// camelCase makes one word of a name: /book/{isbn} becomes BookIsbn, API_KEY ApiKey.
func camelCase(name string) string {
	if name == strings.ToUpper(name) {
		name = strings.ToLower(name)
	}
	var b strings.Builder
	first := true
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z' && first:
			b.WriteRune(r - 'a' + 'A')
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			b.WriteRune(r)
		default:
			first = true
			continue
		}
		first = false
	}
	return b.String()
}
