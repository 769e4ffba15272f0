package model

import "fmt"

// pathProblem returns a problem of a path, with the pointer of its entry in the API's file.
func pathProblem(api *API, p *Path, level Level, fix, text string, args ...any) *Problem {
	return &Problem{
		Of: Ref{Kind: KindPath, API: api.Label, Name: p.Name}, Pointer: "/paths/" + PointerSegment(p.Name),
		Field: "path", Text: fmt.Sprintf(text, args...), Fix: fix, Level: level,
	}
}

func clashProblem(api *API, p *Path, c clash) *Problem {
	fix := fmt.Sprintf("write {%s} in both", c.name)
	if greedy := "proxy+"; c.name == greedy || c.given == greedy {
		fix = "remove the path with {" + greedy + "}: every path has it already"
	}
	return pathProblem(api, p, Error, fix,
		"names the variable {%s} that %s calls {%s} at the same place", c.given, Quote(c.first.Name), c.name)
}

func sameRouteProblem(api *API, p, other *Path) *Problem {
	return pathProblem(api, p, Error, "remove one, or give it another path", "is the same route as %s", Quote(other.Name))
}

func rootProblem(api *API, p *Path) *Problem {
	return pathProblem(api, p, Error, "remove one of them",
		"/ and the reserved %s have the same proxy resource", ProxyPath)
}

// conflicts finds pairs of paths that an API cannot have: the same route twice, or two names
// for the variable at one place. The order of the paths makes no difference.
func conflicts(api *API) []*Problem {
	var problems []*Problem
	root := &node{}
	for _, p := range api.Paths {
		if p.Name == ProxyPath {
			if root.reserved != nil {
				problems = append(problems, sameRouteProblem(api, p, root.reserved))
			}
			root.reserved = p
			continue
		}
		at, clash := root.place(p)
		switch {
		case clash != nil:
			problems = append(problems, clashProblem(api, p, *clash))
		case at.path != nil:
			problems = append(problems, sameRouteProblem(api, p, at.path))
		}
		if at.path == nil {
			at.path = p
		}
	}
	if root.reserved != nil && root.path != nil {
		problems = append(problems, rootProblem(api, root.reserved))
	}
	return problems
}

// conflict returns the problem that conflicts finds between two paths; nil if an API can
// have both.
func conflict(api *API, p, other *Path) *Problem {
	if p.Name == ProxyPath || other.Name == ProxyPath {
		_, _, some := nextSegment(p.Name)
		_, _, others := nextSegment(other.Name)
		switch {
		case p.Name == other.Name:
			return sameRouteProblem(api, p, other)
		case !some || !others:
			return rootProblem(api, p)
		}
		return nil
	}
	rest, otherRest := p.Name, other.Name
	for {
		a, restA, okA := nextSegment(rest)
		b, restB, okB := nextSegment(otherRest)
		switch {
		case !okA && !okB:
			return sameRouteProblem(api, p, other)
		case !okA || !okB || a.Variable != b.Variable:
			return nil
		case a.Variable && a.Text != b.Text:
			return clashProblem(api, p, clash{first: other, name: b.Text, given: a.Text})
		case a.Text != b.Text:
			return nil
		}
		rest, otherRest = restA, restB
	}
}
