package assertion

import (
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model/access"
)

// reach says which requests a place has: those to its path, those below it, or both.
type reach uint8

const (
	at reach = iota
	below
	under
)

// place is a set of requests, by their paths.
type place struct {
	segments []access.Segment
	reach    reach
}

// anySegment is the segment of a path that stands for any text.
const anySegment = "*"

// readPlace reads a path of a sentence: "/books", "/books/{isbn}" with any text instead of
// {isbn}, "/books/*" for everything below /books. The fault is "" if there is none.
func readPlace(path string, reach reach) (p place, fault string) {
	p.reach = reach
	if strings.ContainsAny(path, "?#") {
		return p, "has a query string, which access does not depend on"
	}
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	if path == "/" {
		parts = nil
	}
	for i, part := range parts {
		last := i == len(parts)-1
		inner, isVariable := strings.CutPrefix(part, "{")
		inner, closed := strings.CutSuffix(inner, "}")
		switch {
		case part == "":
			return p, "has an empty segment"
		case last && (part == anySegment || isVariable && closed && strings.HasSuffix(inner, "+")):
			p.reach = max(p.reach, below)
			if reach == under {
				p.reach = below
			}
		case part == anySegment, isVariable && closed && inner != "":
			p.segments = append(p.segments, access.Segment{Text: inner, Variable: true})
		case strings.ContainsAny(part, "*{}"):
			return p, "has the segment " + phrase.Quote(part) +
				"; a whole segment may be {name} for any text, and the last one * for everything below"
		default:
			p.segments = append(p.segments, access.Segment{Text: part})
		}
	}
	return p, ""
}

func (p place) path() string {
	if len(p.segments) == 0 {
		return "/"
	}
	var b strings.Builder
	for _, s := range p.segments {
		b.WriteByte('/')
		if s.Variable {
			b.WriteString("{" + s.Text + "}")
			continue
		}
		b.WriteString(s.Text)
	}
	return b.String()
}

// has reports whether the place has the path of an API with this name, whatever its variables are called.
func (p place) has(name string) bool {
	segments := access.ReadSegments(name)
	n := len(p.segments)
	if len(segments) < n || p.reach == at && len(segments) > n || p.reach == below && len(segments) == n {
		return false
	}
	return slices.EqualFunc(segments[:n], p.segments, func(have, want access.Segment) bool {
		return want.Variable && have.Variable || !want.Variable && !have.Variable && have.Text == want.Text
	})
}

// takes reports whether the segment number i of a request may have a text. An empty segment is no text of a variable.
func (p place) takes(i int, text string) bool {
	switch {
	case i >= len(p.segments):
		return p.reach != at
	case p.segments[i].Variable:
		return text != ""
	}
	return p.segments[i].Text == text
}

// ends reports whether a request that has been taken so far, with n segments, is in the place.
func (p place) ends(n int) bool {
	if p.reach == below {
		return n > len(p.segments)
	}
	return n >= len(p.segments)
}
