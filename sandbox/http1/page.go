package http1

import (
	"net"
	"strings"
)

// MayBeFromPage reports whether a web page may have sent the request: it has an Origin
// header, as every POST of a page has, or a Host that a public name server could resolve
// to this machine (DNS rebinding). Safe hosts are IP addresses, localhost and names below
// it (RFC 6761), and names below internal, which containers use for their host.
func (h *Head) MayBeFromPage() bool {
	if h.Get("Origin") != "" {
		return true
	}
	name, _, err := net.SplitHostPort(h.Host)
	if err != nil {
		name = h.Host
	}
	if name == "" || net.ParseIP(strings.Trim(name, "[]")) != nil {
		return false
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	top := name[strings.LastIndexByte(name, '.')+1:]
	return top != "localhost" && top != "internal"
}
