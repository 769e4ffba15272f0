package http1

import (
	"iter"
	"strconv"
	"strings"
)

// SplitTarget is the raw path and the raw query of a request target, without the
// scheme and host that a client writes for a proxy (RFC 9112, section 3.2.2). A
// target without a path, such as *, gives two empty strings.
func SplitTarget(target string) (path, query string) {
	if !strings.HasPrefix(target, "/") {
		_, after, ok := strings.Cut(target, "://")
		slash := strings.IndexAny(after, "/?")
		if !ok || slash < 0 {
			return "", ""
		}
		target = after[slash:]
	}
	path, query, _ = strings.Cut(target, "?")
	return path, query
}

// Parameters are the names and values of a raw query, decoded and in their order. A
// plus sign is a space; a percent sign that begins no escape stands for itself.
func Parameters(query string) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for pair := range strings.SplitSeq(query, "&") {
			if name, value, _ := strings.Cut(pair, "="); pair != "" && !yield(unescape(name), unescape(value)) {
				return
			}
		}
	}
}

func unescape(s string) string {
	if strings.IndexByte(s, '%') < 0 && strings.IndexByte(s, '+') < 0 {
		return s
	}
	plain := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '+' {
			c = ' '
		} else if c == '%' && i+2 < len(s) {
			if code, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				c = byte(code)
				i += 2
			}
		}
		plain = append(plain, c)
	}
	return string(plain)
}
