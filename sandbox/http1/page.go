package http1

import (
	"net"
	"strings"
)

// MayBeFromPage reports whether a web page may have sent the request.
func (h *Head) MayBeFromPage() bool { return MayBeFromPage(h.Get("Origin"), h.Host) }

// MayBeFromPage reports whether a web page may have sent a request with these headers: it has
// an Origin, as every POST of a page has, or a Host that a public name server could resolve
// to this machine (DNS rebinding). Safe hosts are IP addresses, localhost and names below
// it (RFC 6761), and names below internal, which containers use for their host.
func MayBeFromPage(origin, host string) bool {
	if origin != "" {
		return true
	}
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	if name == "" || net.ParseIP(strings.Trim(name, "[]")) != nil {
		return false
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	top := name[strings.LastIndexByte(name, '.')+1:]
	return top != "localhost" && top != "internal"
}
