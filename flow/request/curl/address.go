package curl

import (
	"net/url"
	"strings"
)

// complete adds to the URL what else is sent in it, and takes the user out of it, as curl does.
func (p *parser) complete() {
	scheme, rest, ok := strings.Cut(p.out.URL, "://")
	if !ok {
		scheme, rest = "http", p.out.URL
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	if at := strings.LastIndexByte(rest[:end], '@'); at >= 0 {
		if user, err := url.PathUnescape(rest[:at]); err == nil && !p.hasHeader("Authorization") {
			p.out.Headers = append(p.out.Headers, basic(user))
		}
		p.out.URL = scheme + "://" + rest[at+1:]
	}
	if !p.asIs {
		p.out.URL = withoutDots(p.out.URL)
	}
	for _, part := range p.query {
		separator := "?"
		if strings.Contains(p.out.URL, "?") {
			separator = "&"
		}
		if part != "" {
			p.out.URL += separator + part
		}
	}
}

// withoutDots resolves the segments . and .. of a URL's path, as curl does without
// --path-as-is (https://www.rfc-editor.org/rfc/rfc3986#section-5.2.4).
func withoutDots(address string) string {
	if !strings.Contains(address, "/.") {
		return address
	}
	begin := 0
	if at := strings.Index(address, "://"); at >= 0 {
		begin = at + len("://")
	}
	end := len(address)
	if at := strings.IndexAny(address[begin:], "?#"); at >= 0 {
		end = begin + at
	}
	var kept []string
	segments := strings.Split(address[begin:end], "/")
	for i, segment := range segments {
		switch segment {
		case ".", "..":
			// The first segment is the host.
			if segment == ".." && len(kept) > 1 {
				kept = kept[:len(kept)-1]
			}
			if i == len(segments)-1 {
				kept = append(kept, "")
			}
		default:
			kept = append(kept, segment)
		}
	}
	return address[:begin] + strings.Join(kept, "/") + address[end:]
}
