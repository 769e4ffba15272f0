package logs

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
)

// longestName is the longest file name without its ending that is not replaced by a hash.
// File systems allow 255 bytes.
const longestName = 200

// fileName is the file name of an environment or a function. Lower-case letters, digits, -
// and _ stay, an upper-case letter becomes + and the lower-case letter, and any other byte
// = and two hexadecimal digits. So two names never share a file, even if the file system
// ignores case, and no name is a path or a device ("..", "a/b", "CON").
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

// isDevice reports whether a name is a device on Windows, with any ending.
func isDevice(name string) bool {
	stem, digit := name[:max(len(name)-1, 0)], name[max(len(name)-1, 0):]
	return slices.Contains([]string{"con", "prn", "aux", "nul"}, name) ||
		(stem == "com" || stem == "lpt") && "0" <= digit && digit <= "9"
}
