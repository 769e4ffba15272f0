package signature

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"gatewright/sandbox/http1"
)

// canonical is the canonical request.
func canonical(r *Request, path, query string, signed []string, bodyHash string) []byte {
	b := make([]byte, 0, 512+len(path)+len(query))
	b = append(append(b, r.Method...), '\n')
	b = append(append(b, path...), '\n')
	b = append(append(b, query...), '\n')
	for _, name := range signed {
		b = append(append(b, name...), ':')
		if name == "host" {
			b = appendTrimmed(b, r.Host)
		} else {
			for i, value := range r.values(name) {
				if i > 0 {
					b = append(b, ',')
				}
				b = appendTrimmed(b, value)
			}
		}
		b = append(b, '\n')
	}
	b = append(b, '\n')
	for i, name := range signed {
		if i > 0 {
			b = append(b, ';')
		}
		b = append(b, name...)
	}
	return append(append(b, '\n'), bodyHash...)
}

// appendTrimmed appends a header's value, with one space for each run of spaces and tabs, and
// none at its ends.
func appendTrimmed(b []byte, value string) []byte {
	value = strings.Trim(value, " \t")
	space := false
	for i := range len(value) {
		blank := value[i] == ' ' || value[i] == '\t'
		switch {
		case !blank:
			b = append(b, value[i])
		case !space:
			b = append(b, ' ')
		}
		space = blank
	}
	return b
}

// toSign is the string to sign.
func toSign(stamp, scope string, canonical []byte) string {
	return algorithm + "\n" + stamp + "\n" + scope + "\n" + hash(canonical)
}

// sign is the signature of a string to sign.
func sign(secret, date, region, service, terminator, text string) string {
	key := mac([]byte("AWS4"+secret), date)
	key = mac(key, region)
	key = mac(key, service)
	key = mac(key, terminator)
	return hex.EncodeToString(mac(key, text))
}

func mac(key []byte, text string) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(text))
	return m.Sum(make([]byte, 0, sha256.Size))
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// IsRelative reports whether a raw path has a segment . or ..
func IsRelative(path string) bool {
	if !strings.Contains(path, "/.") {
		return false
	}
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "." || segment == ".." {
			return true
		}
	}
	return false
}

// Normal is a raw path as most clients sign it: with . and .. segments resolved, and without
// empty segments except at the end.
func Normal(path string) string {
	if !strings.Contains(path, "//") && !strings.Contains(path, "/.") {
		if path == "" {
			return "/"
		}
		return path
	}
	var kept []string
	for segment := range strings.SplitSeq(path, "/") {
		switch segment {
		case "", ".":
		case "..":
			kept = kept[:max(0, len(kept)-1)]
		default:
			kept = append(kept, segment)
		}
	}
	if len(kept) == 0 {
		return "/"
	}
	whole := "/" + strings.Join(kept, "/")
	if strings.HasSuffix(path, "/") {
		whole += "/"
	}
	return whole
}

// encoding says which bytes are not percent-encoded.
type encoding [256]bool

func newEncoding(more string) *encoding {
	var e encoding
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~" + more) {
		e[c] = true
	}
	return &e
}

// The bytes of a path are encoded as they are sent, so an escape is encoded again, except
// for S3.
var (
	pathEncoding  = newEncoding("/")
	queryEncoding = newEncoding("")
)

func (e *encoding) encode(text string) string {
	odd := 0
	for i := range len(text) {
		if !e[text[i]] {
			odd++
		}
	}
	if odd == 0 {
		return text
	}
	const digits = "0123456789ABCDEF"
	b := make([]byte, 0, len(text)+2*odd)
	for i := range len(text) {
		if c := text[i]; e[c] {
			b = append(b, c)
		} else {
			b = append(b, '%', digits[c>>4], digits[c&15])
		}
	}
	return string(b)
}

// parameter is a decoded parameter of a query.
type parameter struct{ name, value string }

// parseQuery returns the decoded parameters of a raw query.
func parseQuery(query string) []parameter {
	if query == "" {
		return nil
	}
	all := make([]parameter, 0, 1+strings.Count(query, "&"))
	for name, value := range http1.Parameters(query) {
		all = append(all, parameter{name, value})
	}
	return all
}

// canonicalQuery is the encoded and then sorted parameters of a query, except the signature
// itself.
func canonicalQuery(parameters []parameter) string {
	encoded := encodeParameters(parameters)
	slices.SortFunc(encoded, byNameThenValue)
	return joinParameters(encoded)
}

func encodeParameters(parameters []parameter) []parameter {
	encoded := make([]parameter, 0, len(parameters))
	for _, p := range parameters {
		if p.name != signatureParameter {
			encoded = append(encoded, parameter{queryEncoding.encode(p.name), queryEncoding.encode(p.value)})
		}
	}
	return encoded
}

func byNameThenValue(a, b parameter) int {
	if c := strings.Compare(a.name, b.name); c != 0 {
		return c
	}
	return strings.Compare(a.value, b.value)
}

func joinParameters(parameters []parameter) string {
	var b strings.Builder
	for i, p := range parameters {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(p.name)
		b.WriteByte('=')
		b.WriteString(p.value)
	}
	return b.String()
}
