package matrix

import (
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/model/access"
	"gatewright/model/check"
	"gatewright/render/policy"
)

// WithNeighbours returns the matrix of a path with what the path takes from others of its API,
// what they take from it, and what AWS refuses because of them. It has the access of the matrix, not its own.
func (m Matrix) WithNeighbours(of *access.Path, others []*access.Path) Matrix {
	m.Around, m.TakenBy = nil, ""
	changed := *of
	path := &changed
	path.Access = m.effective()
	api := &access.API{Paths: append(slices.DeleteFunc(slices.Clone(others), func(p *access.Path) bool { return p == of }),
		path)}
	for _, t := range api.Takeovers() {
		if t.Above != path && t.Below != path {
			continue
		}
		if t.All && t.Above == path {
			m.TakenBy = t.Below.Name
		}
		for _, problem := range check.TakeoverProblems(api, t, m.Terms) {
			m.Around = append(m.Around, phrase.Quote(problem.Of.Name)+" "+problem.Text)
		}
	}
	refused, _ := policy.Soon(api, m.order(api), m.Terms)
	m.Around = append(m.Around, policy.Words(refused, path.Name)...)
	return m
}

// order is the order of precedence of the groups that the matrix knows and the others that the paths name.
func (m Matrix) order(api *access.API) []string {
	order := slices.Clone(m.Groups)
	for _, group := range api.Groups() {
		if !slices.Contains(order, group) {
			order = append(order, group)
		}
	}
	return order
}
