package check

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"gatewright/internal/openapi"
)

// route is the path of an item.
type route struct {
	item     *openapi.Item
	segments []segment
	// rank orders the routes that match a path: the least is meant.
	rank string
}

// The ranks of segments.
const (
	literalRank  = '1'
	partRank     = '2'
	variableRank = '3'
	greedyRank   = '4'
)

// segment is a part of a path between slashes.
type segment struct {
	rank byte
	// names are those of the variables, and texts what stands before, between and after them:
	// one more.
	names, texts []string
}

func newRoute(item *openapi.Item) *route {
	name, _, _ := strings.Cut(item.Name, "?")
	name, _, _ = strings.Cut(name, "#")
	r := &route{item: item}
	var rank []byte
	for _, text := range segmentsOf(name) {
		s := newSegment(text)
		r.segments, rank = append(r.segments, s), append(rank, s.rank)
	}
	r.rank = string(rank)
	return r
}

// segmentsOf returns the parts of a path. The slash at the end does not count.
func segmentsOf(path string) []string {
	path = strings.TrimSuffix(strings.TrimPrefix(path, "/"), "/")
	if path == "" {
		return nil
	}
	return strings.Split(path, "/")
}

func newSegment(text string) segment {
	var s segment
	rest := text
	for {
		before, after, found := strings.Cut(rest, "{")
		name, next, closed := strings.Cut(after, "}")
		if !found || !closed {
			break
		}
		s.names, s.texts, rest = append(s.names, name), append(s.texts, unescaped(before)), next
	}
	s.texts = append(s.texts, unescaped(rest))
	whole := len(s.names) == 1 && s.texts[0] == "" && s.texts[1] == ""
	switch {
	case len(s.names) == 0:
		s.rank = literalRank
	case whole && strings.HasSuffix(s.names[0], "+"):
		s.rank, s.names[0] = greedyRank, strings.TrimSuffix(s.names[0], "+")
	case whole:
		s.rank = variableRank
	default:
		s.rank = partRank
	}
	return s
}

// match puts the values of the variables in a text into a map: each takes as little as it can,
// and at least a character, and the last one takes what is left.
func (s segment) match(text string, variables map[string]string) bool {
	rest, ok := strings.CutPrefix(text, s.texts[0])
	if !ok {
		return false
	}
	for i, name := range s.names {
		_, size := utf8.DecodeRuneInString(rest)
		next, end := s.texts[i+1], 0
		if i+1 < len(s.names) {
			end = strings.Index(rest[size:], next)
		} else if end = len(rest) - size - len(next); end >= 0 && !strings.HasSuffix(rest, next) {
			return false
		}
		if size == 0 || end < 0 {
			return false
		}
		variables[name], rest = rest[:size+end], rest[size+end+len(next):]
	}
	return rest == ""
}

// unescaped decodes the percent signs of a segment. One that is not well-formed stays as it is.
func unescaped(text string) string {
	if decoded, err := url.PathUnescape(text); err == nil {
		return decoded
	}
	return text
}

// match returns the values of the variables of a path; not ok if it is none of the route. The
// segments are decoded.
func (r *route) match(path []string) (variables map[string]string, ok bool) {
	// Most of the routes that are tried do not match, so that the map is made late.
	for i, s := range r.segments {
		if i >= len(path) || s.rank == literalRank && path[i] != s.texts[0] {
			return nil, false
		}
	}
	variables = make(map[string]string)
	for i, s := range r.segments {
		if s.rank == greedyRank {
			variables[s.names[0]] = strings.Join(path[i:], "/")
			return variables, true
		}
		if !s.match(path[i], variables) {
			return nil, false
		}
	}
	return variables, len(path) == len(r.segments)
}

// found is what a request reaches.
type found struct {
	// operation is nil if there is none.
	operation *openapi.Operation
	variables map[string]string
	// items are those whose path is that of the request; unread says that the operations of
	// one of them are not known.
	items  []*openapi.Item
	unread bool
}

func (c *Contract) find(method, path string) found {
	segments := segmentsOf(path)
	for i, s := range segments {
		segments[i] = unescaped(s)
	}
	var f found
	var rank string
	var values []map[string]string
	for _, routes := range [][]*route{c.routes[len(segments)], c.greedy} {
		for _, r := range routes {
			if len(f.items) > 0 && r.rank > rank {
				continue
			}
			variables, ok := r.match(segments)
			if !ok {
				continue
			}
			if r.rank != rank {
				rank, f.items, values, f.unread = r.rank, nil, nil, false
			}
			f.items, values = append(f.items, r.item), append(values, variables)
			f.unread = f.unread || r.item.Unread != nil
		}
	}
	methods := []string{method, openapi.AnyMethod}
	if method == "HEAD" {
		methods = []string{method, "GET", openapi.AnyMethod}
	}
	for _, wanted := range methods {
		for i, item := range f.items {
			for _, o := range item.Operations {
				if o.Method == wanted {
					f.operation, f.variables = o, values[i]
					return f
				}
			}
		}
	}
	return f
}
