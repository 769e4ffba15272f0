package gateway

import "strings"

// parameter is one parameter of a query string with all its values.
type parameter struct {
	name   string
	values []string
}

// parseQuery reads a query string in the order in which it names parameters. A
// plus sign is a space; a percent sign that begins no escape stands for itself
// (research/sandbox.md 2.1).
func parseQuery(query string) []parameter {
	var parameters []parameter
	index := map[string]int{}
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		name, value = unescape(name), unescape(value)
		at, known := index[name]
		if !known {
			at = len(parameters)
			index[name] = at
			parameters = append(parameters, parameter{name: name})
		}
		parameters[at].values = append(parameters[at].values, value)
	}
	return parameters
}

func unescape(s string) string {
	if strings.IndexByte(s, '%') < 0 && strings.IndexByte(s, '+') < 0 {
		return s
	}
	plain := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '+':
			plain = append(plain, ' ')
		case s[i] == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			plain = append(plain, fromHex(s[i+1])<<4|fromHex(s[i+2]))
			i += 2
		default:
			plain = append(plain, s[i])
		}
	}
	return string(plain)
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func fromHex(c byte) byte {
	switch {
	case c >= 'a':
		return c - 'a' + 10
	case c >= 'A':
		return c - 'A' + 10
	}
	return c - '0'
}
