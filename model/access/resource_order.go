package access

import (
	"cmp"
	"strings"
)

// CompareResources orders resources of an API, or its paths, as Router.Match tries them:
// the first one that matches a request serves it. A resource precedes those below it, and
// static text precedes a variable, which precedes the proxy variable. The result is 0 for
// two resources at the same place, and otherwise -1 or 1.
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

// rank orders the segments at one place: a lower rank is tried first.
func (s Segment) rank() int {
	switch {
	case !s.Variable:
		return 0
	case s.Text == "proxy+":
		return 2
	}
	return 1
}
