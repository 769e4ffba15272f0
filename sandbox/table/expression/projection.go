package expression

import (
	"gatewright/sandbox/table/attribute"
)

// ParseProjection parses a ProjectionExpression.
func ParseProjection(text string, n *Names) (Projection, error) {
	paths, err := parseProjection(text, n)
	if err != nil {
		return nil, prefixed("ProjectionExpression", err)
	}
	return paths, nil
}

func parseProjection(text string, n *Names) (Projection, error) {
	s, err := newSource(text, "")
	if err != nil {
		return nil, err
	}
	list := &term{}
	for {
		path, err := s.pathTerm()
		if err != nil {
			return nil, err
		}
		list.args = append(list.args, path)
		if !s.take(",") {
			break
		}
	}
	if s.peek().kind != endLexeme {
		return nil, s.unexpected()
	}
	for _, check := range []func(*term) error{reservedName, tooDeep} {
		if err := first(list, check); err != nil {
			return nil, err
		}
	}
	r := &resolution{names: n}
	list.walk(r.term)
	if r.first != nil {
		return nil, r.first
	}
	var paths Projection
	for _, path := range list.args {
		paths = append(paths, path.path)
	}
	return paths, paths.clash()
}

// FromAttributesToGet is the projection of AttributesToGet, whose names are not paths.
func FromAttributesToGet(names []string) (Projection, error) {
	seen := map[string]bool{}
	var paths Projection
	for _, name := range names {
		if seen[name] {
			return nil, attribute.InvalidParameter("Duplicate value in attribute name: %s", name)
		}
		seen[name] = true
		paths = append(paths, Path{{name, -1}})
	}
	return paths, nil
}
