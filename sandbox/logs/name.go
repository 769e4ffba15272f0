package logs

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
)

// longestName is how long a name in a folder may be before its rest is a hash;
// file systems allow 255 bytes, with the ending.
const longestName = 200

// fileName is the name that an environment or a function has in the folder.
// Lower-case letters, digits, - and _ are themselves, an upper-case letter is +
// and its lower-case one, any other byte is = and two hexadecimal digits: two
// names never share a file, not even where the disk ignores case, and none leads
// anywhere (names come from files: "..", "a/b", "CON").
func fileName(name string) string {
	switch name {
	case "":
		return "="
	case Gateway:
		return "=gateway"
	case Identity:
		return "=identity"
	}
	var b strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z' && !(i == 0 && isDevice(name)), '0' <= c && c <= '9', c == '-', c == '_':
			b.WriteByte(c)
		case 'A' <= c && c <= 'Z':
			b.WriteByte('+')
			b.WriteByte(c + 'a' - 'A')
		default:
			fmt.Fprintf(&b, "=%02x", c)
		}
	}
	if b.Len() <= longestName {
		return b.String()
	}
	return fmt.Sprintf("=s%x", sha256.Sum256([]byte(name)))
}

// isDevice reports whether Windows takes the name for a device, whatever its
// ending.
func isDevice(name string) bool {
	stem, digit := name[:max(len(name)-1, 0)], name[max(len(name)-1, 0):]
	return slices.Contains([]string{"con", "prn", "aux", "nul"}, name) ||
		(stem == "com" || stem == "lpt") && "0" <= digit && digit <= "9"
}
