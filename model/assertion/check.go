package assertion

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/spelling"
)

// Outcome is what became of a test.
type Outcome struct {
	// Text is the sentence, Because what it says the test is for.
	Text, Because string
	// Err says why the test could not be decided, in one line; nil if it was.
	Err error
	// Decisions is how many decisions the test rests on: each is about a caller, an action and all
	// requests of one path that the test means.
	Decisions int
	// Broken are the decisions against the test; the shortest request is first.
	Broken []Counterexample
	// Keep are the groups that the test leaves out of those who may not.
	Keep []string
	// Notes are sentences about a test that holds otherwise than it reads.
	Notes []string
}

// Holds reports whether the test was decided and holds.
func (o Outcome) Holds() bool { return o.Err == nil && len(o.Broken) == 0 }

// Counterexample is a request that is decided against a test.
type Counterexample struct {
	// API and Path are the label of the API and the name of the path that serves the request.
	API, Path string
	// Who is the caller. Anybody says that the path is open, and so serves every caller.
	Who     model.Principal
	Anybody bool
	// Method and Raw are the request: its method, and its raw path (see model.Router.Match).
	Method, Raw string
	// Decision is the decision about the request, with its rule.
	Decision model.Decision
}

// Caller returns the caller of the request, for model.Router.Decide.
func (c Counterexample) Caller() model.Caller {
	switch c.Who.Kind {
	case model.Group:
		return model.Caller{SignedIn: true, Groups: []string{c.Who.Group}}
	case model.Authenticated:
		return model.Caller{SignedIn: true}
	}
	return model.Caller{}
}

// Checker decides tests of one backend, with what tests share made once. It is for one goroutine.
type Checker struct {
	backend  *model.Backend
	groups   []string
	router   func(label string) *model.Router
	matchers map[string]*model.Matcher
}

// NewChecker returns the checker of a backend.
func NewChecker(b *model.Backend) *Checker {
	return &Checker{backend: b, groups: b.RoleOrder(), router: b.Routers(), matchers: make(map[string]*model.Matcher)}
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
// as the first of them (see model.FirstGroup).
func (c *Checker) Check(text string) Outcome {
	s, err := Parse(text)
	o := Outcome{Text: text, Because: s.Because}
	if err == nil {
		err = c.names(s)
	}
	var apis []*model.API
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
	served := false
	for _, api := range apis {
		switch {
		case s.claim == notOpen:
			served = c.openPaths(&o, s, api) || served
		default:
			served = c.requests(&o, s, api) || served
		}
	}
	slices.SortStableFunc(o.Broken, func(a, b Counterexample) int {
		return cmp.Or(cmp.Compare(strings.Count(a.Raw, "/"), strings.Count(b.Raw, "/")), cmp.Compare(len(a.Raw), len(b.Raw)))
	})
	if !served {
		o.nothing(s, meant(s, apis))
	}
	return o
}

// nothing tells of a test that is about no request: one of what callers may is broken. meant is
// the path that it may be about; "" if it is not known.
func (o *Outcome) nothing(s Statement, meant string) {
	if meant != "" {
		meant = "did you mean " + model.Quote(meant) + "?"
	}
	if s.claim == may {
		o.Err = &model.Problem{Text: "no path serves a request of this test", Fix: cmp.Or(meant, "correct its path, or add the path"), Cause: model.ErrUnknown}
		return
	}
	note := "no path serves a request of this test, so it holds whatever the access is"
	if meant != "" {
		note += "; " + meant
	}
	o.Notes = append(o.Notes, note)
}

// meant returns the path of APIs of which the first path in a test may be a slip; "" for none.
func meant(s Statement, apis []*model.API) string {
	if len(s.where) == 0 {
		return ""
	}
	var names []string
	for _, api := range apis {
		for _, p := range api.Paths {
			names = append(names, p.Name)
		}
	}
	return spelling.Nearest(s.where[0].path(), names)
}

// names refuses groups that there are not, and words that could mean a group.
func (c *Checker) names(s Statement) error {
	for _, side := range s.callers.sides() {
		for _, group := range side.groups {
			if slices.Contains(c.groups, group) {
				continue
			}
			problem := &model.Problem{Of: model.Ref{Kind: model.KindGroup, Name: group}, Text: "not found", Fix: "correct the test, or add the group", Cause: model.ErrUnknown}
			if near := spelling.Nearest(group, c.groups); near != "" {
				problem.Fix = "did you mean " + model.Quote(near) + "?"
			}
			return problem
		}
		for _, word := range side.words {
			if slices.Contains(c.groups, word) {
				return &model.Problem{Text: model.Quote(word) + " could be the group of this name", Fix: "write group:" + word + " for the group, or " + strings.ToUpper(word) + " for what the word means"}
			}
		}
	}
	return nil
}

// apis returns the API with a label, or all for "".
func (c *Checker) apis(label string) ([]*model.API, error) {
	if label == "" {
		return c.backend.APIs, nil
	}
	if api := c.backend.API(label); api != nil {
		return []*model.API{api}, nil
	}
	problem := &model.Problem{Of: model.Ref{Kind: model.KindAPI, Name: label}, Text: "not found", Fix: "correct the test, or add the API", Cause: model.ErrUnknown}
	if near := spelling.Nearest(label, c.backend.Names(model.KindAPI)); near != "" {
		problem.Fix = "did you mean " + model.Quote(near) + "?"
	}
	return nil, problem
}

func (c *Checker) matcher(api *model.API) *model.Matcher {
	m := c.matchers[api.Label]
	if m == nil {
		m = model.MatcherOf(api)
		c.matchers[api.Label] = m
	}
	return m
}

// requests decides what a test says of requests to an API, and reports whether any is served.
func (c *Checker) requests(o *Outcome, s Statement, api *model.API) (served bool) {
	found := search(api, c.matcher(api), s.where, s.except)
	who := c.principals(s.callers)
	for i, path := range api.Paths {
		if found[i].in != nil {
			served = true
			c.decide(o, s, api, path, found[i].in, who, s.claim == mayOnly)
		}
		if s.claim == mayOnly && found[i].out != nil {
			all := s
			all.methods = nil
			c.decide(o, all, api, path, found[i].out, who, false)
		}
	}
	return served
}

// order are the methods by which decisions are told, one for each action.
var order = []string{"GET", "POST", "PUT", "DELETE"}

// decide decides about the requests of one path. others says that the methods of the statement
// are those that are allowed, and so the others are meant.
func (c *Checker) decide(o *Outcome, s Statement, api *model.API, path *model.Path, e *example, who []model.Principal, others bool) {
	for _, method := range c.methods(s, others) {
		for _, p := range who {
			x := Counterexample{API: api.Label, Path: path.Name, Who: p, Method: method, Raw: e.raw}
			x.Decision = c.router(api.Label).Decide(x.Caller(), method, e.raw)
			x.Anybody = x.Decision.Rule == model.OpenToAll
			o.Decisions++
			switch {
			case x.Decision.Allowed != (s.claim == may):
				o.Broken = append(o.Broken, x)
			case s.claim == may && p.Kind == model.Group:
				c.noteOthers(o, s, x)
			}
		}
	}
}

// mostNotes is how many notes a test gets.
const mostNotes = 3

// noteOthers notes whom a test forgets that says what members of a group may do: those who are also
// in a group that comes first, and which may not.
func (c *Checker) noteOthers(o *Outcome, s Statement, x Counterexample) {
	for _, first := range c.groups[:slices.Index(c.groups, x.Who.Group)] {
		if len(o.Notes) == mostNotes {
			return
		}
		if slices.Contains(s.callers.groups, first) || s.callers.users {
			continue
		}
		both := model.Caller{SignedIn: true, Groups: []string{first, x.Who.Group}}
		if c.router(x.API).Decide(both, x.Method, x.Raw).Allowed {
			continue
		}
		note := "members of both " + model.Quote(x.Who.Group) + " and " + model.Quote(first) + " act as " + model.Quote(first) + ", and may not " + x.Method + " " + model.Quote(x.Raw)
		if !slices.ContainsFunc(o.Notes, func(have string) bool { return strings.HasPrefix(have, note[:strings.LastIndex(note, ", and")]) }) {
			o.Notes = append(o.Notes, note)
		}
	}
}

// methods returns the methods that are meant, one for each action. GET stands for HEAD too, and
// PUT for PATCH, but not the other way round.
func (c *Checker) methods(s Statement, others bool) []string {
	if s.methods == nil && others {
		return nil
	}
	if s.methods == nil {
		return order
	}
	var methods []string
	seen := make(map[model.Action]bool)
	for _, method := range s.methods {
		action, _ := model.ActionOf(method)
		if !seen[action] {
			seen[action] = true
			methods = append(methods, method)
		}
	}
	if !others {
		return methods
	}
	var rest []string
	for _, method := range order {
		if !slices.Contains(s.methods, method) {
			rest = append(rest, method)
		}
	}
	return rest
}

// openPaths finds the open paths of an API that a test forbids, and reports whether there are paths
// that it is about: those that serve a request that it means, whatever they are called, without those
// that it leaves out by their names.
func (c *Checker) openPaths(o *Outcome, s Statement, api *model.API) (served bool) {
	found := search(api, c.matcher(api), s.where, nil)
	for i, path := range api.Paths {
		if found[i].in == nil || slices.ContainsFunc(s.except, func(p place) bool { return p.has(path.Name) }) {
			continue
		}
		served = true
		o.Decisions++
		if path.Access.Setting != model.Open {
			continue
		}
		x := Counterexample{API: api.Label, Path: path.Name, Who: model.Principal{Kind: model.Guest}, Anybody: true, Method: "GET", Raw: found[i].in.raw}
		x.Decision = c.router(api.Label).Decide(x.Caller(), x.Method, x.Raw)
		o.Broken = append(o.Broken, x)
	}
	return served
}

// principals lists those whom a sentence means.
func (c *Checker) principals(who callers) []model.Principal {
	var all []model.Principal
	for _, p := range slices.Concat([]model.Principal{{Kind: model.Guest}, {Kind: model.Authenticated}}, c.groupPrincipals()) {
		if who.has(p) && (who.but == nil || !who.but.has(p)) {
			all = append(all, p)
		}
	}
	return all
}

func (c *Checker) groupPrincipals() []model.Principal {
	all := make([]model.Principal, len(c.groups))
	for i, group := range c.groups {
		all[i] = model.Principal{Kind: model.Group, Group: group}
	}
	return all
}

func (c callers) has(p model.Principal) bool {
	switch p.Kind {
	case model.Guest:
		return c.guests
	case model.Authenticated:
		return c.users || c.groupless
	}
	return c.users || slices.Contains(c.groups, p.Group)
}
