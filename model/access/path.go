package access

import (
	"fmt"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
)

// ProxyPath is the reserved path that covers a whole API and has no main resource. The Amplify CLI writes it for the
// API of Cognito administration ("AdminQueries"). It is read, shown and kept, but no edit makes it.
const ProxyPath = "/{proxy+}"

// maxPath is the greatest length of a path in bytes.
const maxPath = 1024

// The parts of a path between its slashes: static text, and names of variables.
var (
	segmentSpelling  = spelling.Rule{Min: 1, Max: maxPath, Punctuation: "._:-"}
	variableSpelling = spelling.Rule{Min: 1, Max: maxPath, Punctuation: "._-"}
)

// PathError says what is wrong with a path, and what to do. Of is the path of an API that it is
// about, nil for a text that would be one.
type PathError struct {
	Of        *Path
	Text, Fix string
}

// Error gives the error as one line.
func (e *PathError) Error() string { return "path: " + e.Text + "; " + e.Fix }

// Segment is one part of a path between two slashes.
type Segment struct {
	// Text is the static text, or the variable's name without braces.
	Text     string
	Variable bool
}

// ParsePath checks a path and splits it into segments. The root "/" has none. The error is a *PathError.
func ParsePath(path string) ([]Segment, error) {
	bad := func(fix, text string, args ...any) error {
		return &PathError{Text: fmt.Sprintf(text, args...), Fix: fix}
	}
	switch {
	case path == "":
		return nil, bad("give one such as /items or /book/{isbn}", "is empty")
	case path == "/":
		return nil, nil
	case path == ProxyPath:
		return nil, bad("use / to serve everything", "%s is reserved", ProxyPath)
	case path[0] != '/':
		return nil, bad(writeInstead("/"+strings.TrimLeft(strings.TrimSpace(path), "/"), "start it with /, such as /items"),
			"%s does not start with /", phrase.Quote(path))
	case len(path) > maxPath:
		return nil, bad(fmt.Sprintf("use at most %d characters", maxPath), "is %d characters long", len([]rune(path)))
	case strings.HasSuffix(path, "/"):
		return nil, bad(writeInstead(strings.TrimRight(path, "/"), "remove the last /"),
			"%s ends with /", phrase.Quote(path))
	}
	parts := strings.Split(path[1:], "/")
	segments := make([]Segment, 0, len(parts))
	seen := make(map[string]bool, len(parts))
	for _, part := range parts {
		switch {
		case part == "":
			return nil, bad("remove one /", "%s has an empty segment", phrase.Quote(path))
		case part == "{proxy+}":
			return nil, bad("remove {proxy+}: every path already has it", "%s names the proxy resource", phrase.Quote(path))
		case part == "." || part == "..":
			return nil, bad("remove it", "%s has the segment %s, which clients remove before they send the request",
				phrase.Quote(path), part)
		case segmentSpelling.Accepts(part):
			segments = append(segments, Segment{Text: part})
		case part[0] == '{' && part[len(part)-1] == '}' && len(part) > 2 && variableSpelling.Accepts(part[1:len(part)-1]):
			name := part[1 : len(part)-1]
			if name == "proxy" {
				return nil, bad("choose another name",
					"%s has the variable {proxy}, which the proxy resource of every path uses", phrase.Quote(path))
			}
			if seen[name] {
				return nil, bad("give each variable its own name", "%s has the variable {%s} twice", phrase.Quote(path), name)
			}
			seen[name] = true
			segments = append(segments, Segment{Text: name, Variable: true})
		default:
			return nil, bad("use A-Z a-z 0-9 . _ : - or a whole variable such as {id}", "%s has the segment %s",
				phrase.Quote(path), phrase.Quote(part))
		}
	}
	return segments, nil
}

// writeInstead advises to write another path, or what otherwise says if that is none either.
func writeInstead(path, otherwise string) string {
	if _, err := ParsePath(path); err != nil {
		return otherwise
	}
	return "write " + phrase.Quote(path)
}

// ReadSegments splits a path without checking it: even an invalid path of a file has to be shown, matched and kept.
func ReadSegments(path string) []Segment {
	var segments []Segment
	for s, rest, ok := nextSegment(path); ok; s, rest, ok = nextSegment(rest) {
		segments = append(segments, s)
	}
	return segments
}

// nextSegment cuts the first segment off a path; ok is false if there is none.
func nextSegment(path string) (s Segment, rest string, ok bool) {
	path = strings.TrimLeft(path, "/")
	if path == "" {
		return Segment{}, "", false
	}
	part, rest, _ := strings.Cut(path, "/")
	if len(part) > 2 && part[0] == '{' && part[len(part)-1] == '}' {
		return Segment{Text: part[1 : len(part)-1], Variable: true}, rest, true
	}
	return Segment{Text: part}, rest, true
}

// Meets reports whether each of two paths alone would serve some request, or a variable has two names in them.
func (p *Path) Meets(other string) bool {
	for a, b := p.Name, other; ; {
		mine, restA, more := nextSegment(a)
		theirs, restB, both := nextSegment(b)
		if !more || !both {
			return true
		}
		if mine.Text != theirs.Text && mine.Variable == theirs.Variable {
			return mine.Variable
		}
		a, b = restA, restB
	}
}

// ProxyOf returns the proxy resource of a path: "/items/{proxy+}".
func ProxyOf(path string) string {
	if path == ProxyPath {
		return path
	}
	return strings.TrimSuffix(path, "/") + ProxyPath
}
