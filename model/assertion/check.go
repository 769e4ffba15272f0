package assertion

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
	"gatewright/model"
	"gatewright/model/access"
)

// Checker decides tests of one backend, with what tests share made once. It is for one goroutine.
type Checker struct {
	backend  *model.Backend
	groups   []string
	router   func(label string) *access.Router
	matchers map[string]*access.Matcher
}

// NewChecker returns the checker of a backend.
func NewChecker(b *model.Backend) *Checker {
	return &Checker{backend: b, groups: b.RoleOrder(), router: b.Routers(), matchers: make(map[string]*access.Matcher)}
}

// CheckAll decides tests of a backend, in their order.
func CheckAll(b *model.Backend, tests []string) []Outcome {
	c := NewChecker(b)
	outcomes := make([]Outcome, len(tests))
	for i, t := range tests {
		outcomes[i] = c.Check(t)
	}
	return outcomes
}

// Check decides a test for all callers and all requests of its APIs. Callers are guests, users who
// are in no group, and for each group those who act as its members: a member of several groups acts
// as the first of them (see access.FirstGroup).
func (c *Checker) Check(text string) Outcome {
	s, err := Parse(text)
	o := Outcome{Text: text, Because: s.Because}
	if err == nil && s.environment != "" {
		if err = c.backend.Known(model.Ref{Kind: model.KindEnvironment, Name: s.environment}); err == nil {
			c = NewChecker(c.backend.For(c.backend.Environment(s.environment)))
		}
	}
	if err == nil {
		err = c.names(s)
	}
	var apis []*access.API
	if err == nil {
		apis, err = c.apis(s.api)
	}
	if err != nil {
		o.Err = err
		return o
	}
	if s.callers.but != nil && s.claim == never {
		o.Keep = s.callers.but.groups
	}
	for _, method := range c.methods(s, s.claim == mayOnly && s.methods != nil) {
		action, _ := (access.Terms{}).ActionOf(method)
		o.Actions |= access.Actions(action)
	}
	served := false
	var have, lack []Counterexample
	for _, api := range apis {
		switch s.claim {
		case notOpen, needSignIn, count:
			yes, no := c.paths(&o, s, api)
			have, lack = append(have, yes...), append(lack, no...)
		default:
			served = c.requests(&o, s, api) || served
		}
	}
	if len(have)+len(lack) > 0 {
		served = true
		o.count(s, have, lack)
	}
	slices.SortStableFunc(o.Broken, func(a, b Counterexample) int {
		return cmp.Or(cmp.Compare(strings.Count(a.Raw, "/"), strings.Count(b.Raw, "/")), cmp.Compare(len(a.Raw), len(b.Raw)))
	})
	if !served {
		o.nothing(s, meant(s, apis))
	}
	return o
}

// names refuses groups that there are not, and words that could mean a group.
func (c *Checker) names(s Statement) error {
	if s.function != "" {
		if err := c.backend.Known(model.Ref{Kind: model.KindFunction, Name: s.function}); err != nil {
			return err
		}
	}
	for i, side := range append(s.callers.sides(), s.others) {
		if i == 1 && s.callers.but != nil && side.together != nil {
			return &model.Problem{
				Text: "excludes members of two groups, who act as the first of them", Fix: "exclude the first group instead",
			}
		}
		for _, group := range slices.Concat(append(side.together, side.groups)...) {
			if slices.Contains(c.groups, group) {
				continue
			}
			problem := &model.Problem{
				Of: model.Ref{Kind: model.KindGroup, Name: group}, Text: "not found",
				Fix: "correct the test, or add the group", Cause: model.ErrUnknown,
			}
			if near := spelling.Nearest(group, c.groups); near != "" {
				problem.Fix = "did you mean " + phrase.Quote(near) + "?"
			}
			return problem
		}
		for _, word := range side.words {
			if slices.Contains(c.groups, word) {
				return &model.Problem{
					Text: phrase.Quote(word) + " could be the group of this name",
					Fix:  "write group:" + word + " for the group, or " + strings.ToUpper(word) + " for what the word means",
				}
			}
		}
	}
	return nil
}

// apis returns the API with a label, or all for "".
func (c *Checker) apis(label string) ([]*access.API, error) {
	if label == "" {
		return c.backend.APIs, nil
	}
	if err := c.backend.Known(model.Ref{Kind: model.KindAPI, Name: label}); err != nil {
		return nil, err
	}
	return []*access.API{c.backend.API(label)}, nil
}

func (c *Checker) matcher(api *access.API) *access.Matcher {
	m := c.matchers[api.Label]
	if m == nil {
		m = access.MatcherOf(api)
		c.matchers[api.Label] = m
	}
	return m
}

// requests decides what a test says of requests to an API, and reports whether any is served.
func (c *Checker) requests(o *Outcome, s Statement, api *access.API) (served bool) {
	found := search(c.matcher(api), c.router(api.Label).Patterns(), s.where, s.except, s.claim == mayOnly)
	who := c.asked(s.callers)
	for _, i := range slices.Sorted(maps.Keys(found)) {
		path := api.Paths[i]
		if s.function != "" && path.Function != s.function {
			continue
		}
		for _, e := range found[i].in {
			served = true
			c.decide(o, s, api, path, e, who, s.claim == mayOnly)
			if s.without != nil {
				not := s
				not.claim, not.methods = never, s.without
				c.decide(o, not, api, path, e, who, false)
			}
		}
		for _, e := range found[i].out {
			if s.claim == mayOnly {
				all := s
				all.methods = nil
				c.decide(o, all, api, path, e, who, false)
			}
		}
	}
	return served
}

// paths finds the paths of an API that a test is about, those that serve a request that it means, whatever they are
// called, without those that it leaves out by their names: those that are as it says, and the others.
func (c *Checker) paths(o *Outcome, s Statement, api *access.API) (yes, no []Counterexample) {
	found := search(c.matcher(api), c.router(api.Label).Patterns(), s.where, nil, false)
	for _, i := range slices.Sorted(maps.Keys(found)) {
		path := api.Paths[i]
		if found[i].in == nil || s.function != "" && path.Function != s.function ||
			slices.ContainsFunc(s.except, func(p place) bool { return p.has(path.Name) }) {
			continue
		}
		o.Decisions++
		x := Counterexample{API: api.Label, Path: path.Name, Who: access.Principal{Kind: access.Guest}, Method: "GET"}
		who, is := c.asked(s.callers), path.Access.Setting == access.Open
		if s.claim == notOpen || s.claim == count && len(who) == 0 {
			x.Raw = found[i].in[0].raw
			c.ask(&x)
		} else {
			x, is = c.first(found[i].in, who, c.methods(s, false), x)
		}
		if is {
			yes = append(yes, x)
		} else {
			no = append(no, x)
		}
	}
	return yes, no
}

// first returns the first of requests like one that is allowed, or the last one.
func (c *Checker) first(
	in []example, who []Counterexample, methods []string, like Counterexample,
) (x Counterexample, allowed bool) {
	for _, e := range in {
		for _, method := range methods {
			for _, one := range who {
				x = like
				x.Who, x.Groups, x.Method, x.Raw = one.Who, one.Groups, method, e.raw
				if c.ask(&x); x.Decision.Allowed {
					return x, true
				}
			}
		}
	}
	return x, false
}

// ask decides a request.
func (c *Checker) ask(x *Counterexample) {
	x.Decision = c.router(x.API).Decide(x.Caller(), x.Method, x.Raw)
	x.Anybody = x.Decision.Rule == access.OpenToAll
}
