package http1

import (
	"net"
	"strings"
)

// MayBeOfPage reports whether a page of a browser may have sent the request: it has
// an Origin, as every POST of a page has, or a Host that a stranger's name server
// can make to mean this machine. Other names of this machine are those that no
// public server gives: addresses, localhost and what is below it (RFC 6761), and
// internal, as containers call the machine that they run on.
func (h *Head) MayBeOfPage() bool {
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
