package model

import (
	"cmp"
	"strings"
)

// CompareResources puts resources of an API, or its paths, into the order in which
// requests are matched (Router.Match): of those that fit a request the first one
// serves it. A resource goes before what lies below it, and text before a variable
// before the proxy variable. It is 0 for two at the same place, and otherwise -1
// or 1.
func CompareResources(a, b string) int {
	for {
		first, restA, moreA := nextSegment(a)
		second, restB, moreB := nextSegment(b)
		switch {
		case !moreA && !moreB:
			return 0
		case !moreA:
			return -1
		case !moreB:
			return 1
		}
		order := cmp.Compare(first.rank(), second.rank())
		if order == 0 && !first.Variable {
			order = strings.Compare(first.Text, second.Text)
		}
		if order != 0 {
			return order
		}
		a, b = restA, restB
	}
}

// rank is how late a segment is tried among those at its place.
func (s Segment) rank() int {
	switch {
	case !s.Variable:
		return 0
	case s.Text == "proxy+":
		return 2
	}
	return 1
}
