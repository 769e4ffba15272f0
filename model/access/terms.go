package access

import (
	"path"
	"slices"
	"strings"
)

// Terms are what the rules of paths mean where they are deployed. The zero value is what they mean in
// a project of our own, whose guests get an identity.
type Terms struct {
	// NoGuests says that guests get no identity.
	NoGuests bool
	// GroupAlone says that a member of groups acts as the first of them alone: on a path without an
	// entry for that group they may do nothing. Else they then act as any signed-in user.
	GroupAlone bool
	// GetAlone says that read is GET alone. Else it is HEAD too.
	GetAlone bool
	// Below says that what a path grants holds for the requests of all paths below it too: its roles
	// cover them with an *, which crosses slashes, and deny nothing.
	Below bool
}

// For returns the terms of an API, which may be nil. Tokens of the user pool open an API with the reserved
// path, whatever the roles of their users may do.
func (t Terms) For(api *API) Terms {
	if t.GroupAlone && (api == nil || api.Path(ProxyPath) != nil) {
		return Terms{NoGuests: t.NoGuests}
	}
	return t
}

// needs are the actions that HTTP methods need.
var needs = []struct {
	method string
	action Action
}{{"POST", Create}, {"GET", Read}, {"HEAD", Read}, {"PUT", Update}, {"PATCH", Update}, {"DELETE", Delete}}

// Methods returns the HTTP methods that an action allows.
func (t Terms) Methods(a Action) (methods []string) {
	for _, one := range needs {
		if one.action == a && !(t.GetAlone && one.method == "HEAD") {
			methods = append(methods, one.method)
		}
	}
	return methods
}

// Letters explains the letters of a matrix: "C create (POST), R read (GET, HEAD), ...".
func (t Terms) Letters() string {
	words := make([]string, len(AllActions))
	for i, a := range AllActions {
		words[i] = strings.ToUpper(a.String()[:1]) + " " + a.String() + " (" + strings.Join(t.Methods(a), ", ") + ")"
	}
	return strings.Join(words, ", ")
}

// ActionOf returns the action that a method needs; false for OPTIONS, the CORS preflight, which needs
// none, and for other methods. It is 0 for HEAD if read is GET alone: no rule allows it.
func (t Terms) ActionOf(method string) (Action, bool) {
	if t.GetAlone && method == "HEAD" {
		return 0, true
	}
	for _, one := range needs {
		if one.method == method {
			return one.action, true
		}
	}
	return 0, false
}

// Rules are the accesses of the paths of an API under its terms. Unlike a Router it knows no requests.
type Rules struct {
	terms Terms
	// around finds the paths that cover others; nil if what a path grants holds for no other.
	around *Router
}

// NewRules makes the rules of an API. groups are the user pool's in order of precedence.
func NewRules(api *API, groups []string, terms Terms) Rules {
	r := Rules{terms: terms.For(api)}
	if r.terms.Below {
		r.around = NewRouter(api, groups, terms)
	}
	return r
}

// Rules are those of the API of the router.
func (r *Router) Rules() Rules {
	if r.terms.Below {
		return Rules{r.terms, r}
	}
	return Rules{terms: r.terms}
}

// Terms returns what the rules mean.
func (r Rules) Terms() Terms { return r.terms }

// Allowed returns what a principal may do under a path of the API: what its rule allows, and what
// those of the paths above do if their roles cover it (see Terms).
func (r Rules) Allowed(p *Path, who Principal) Actions {
	actions := p.Access.Allowed(who, r.terms)
	for _, above := range r.around.covering(p) {
		actions |= above.Access.Allowed(who, r.terms)
	}
	return actions
}

// Row says for each principal what Decide says under a path of the API (see RowOf).
func (r Rules) Row(p *Path, groups []string) Row {
	row := RowOf(p, groups, r.terms)
	for _, above := range r.around.covering(p) {
		also := RowOf(above, groups, r.terms)
		row.Guest |= also.Guest
		row.Authenticated |= also.Authenticated
		for i := range row.Groups {
			row.Groups[i].Actions |= also.Groups[i].Actions
		}
	}
	return row
}

// covering lists the restricted paths whose roles cover all requests of another restricted path. A nil
// router has none.
func (r *Router) covering(p *Path) []*Path {
	if r == nil || !r.terms.Below || p.Access.Setting == Open {
		return nil
	}
	var found []*Path
	add := func(above *Path) {
		if above != nil && above != p && above.Access.Setting != Open {
			found = append(found, above)
		}
	}
	if v := r.root.variable; v != nil && p.Name == "/" {
		add(v.path) // its pattern /* covers / too
	}
	reached := []*node{&r.root}
	for _, s := range ReadSegments(p.Name) {
		var next []*node
		for _, n := range reached {
			add(n.path)
			if child := n.static[s.Text]; child != nil && !s.Variable {
				next = append(next, child)
			}
			if n.variable != nil {
				next = append(next, n.variable)
			}
		}
		reached = next
	}
	for _, n := range reached {
		add(n.path)
	}
	for _, other := range r.crossing {
		if covers(other.Name, p.Name) && !slices.Contains(found, other) {
			add(other)
		}
	}
	return found
}

// crosses reports whether a path has a variable before another segment, so that its pattern may cover
// requests of a path that is next to it.
func crosses(segments []Segment) bool {
	return len(segments) > 1 && slices.ContainsFunc(segments[:len(segments)-1], func(s Segment) bool { return s.Variable })
}

// slash stands for a slash in patterns, since an * of path.Match does not cross one and one of a policy
// does; value stands for the value of a variable.
const slash, value = "\x00", "\x01"

// inPattern writes a path with slash, and with another text for its variables.
func inPattern(name, variable string) string {
	var b strings.Builder
	for _, s := range ReadSegments(name) {
		text := s.Text
		if s.Variable {
			text = variable
		}
		b.WriteString(slash + text)
	}
	return b.String()
}

// matches reports whether the roles of a path cover a request.
func matches(name, raw string) bool {
	pattern := inPattern(name, "*")
	at, _ := path.Match(pattern, raw)
	below, _ := path.Match(pattern+slash+"*", raw)
	return at || below
}

// covers reports whether the roles of a path cover another path and everything below that.
func covers(above, below string) bool {
	raw := inPattern(below, value)
	return matches(above, raw) && matches(above, raw+slash+value)
}

// Pattern is what the roles of a path cover, of a path with a variable before another segment: a variable is
// any number of segments there (see Terms.Below). It is read segment by segment; the bits of a state say how
// many segments of the path may have been read, and 1 is the first one.
type Pattern []Segment

// Patterns are those of the paths that may cover requests of paths next to them.
func (r *Router) Patterns() (all []Pattern) {
	for _, p := range r.crossing {
		if p.Access.Setting != Open {
			all = append(all, ReadSegments(p.Name))
		}
	}
	return all
}

// Next returns the state after one more segment of a request.
func (p Pattern) Next(state uint64, text string) (next uint64) {
	for i := range len(p) + 1 {
		switch {
		case state&(1<<i) == 0:
			continue
		case i == len(p), i > 0 && p[i-1].Variable:
			next |= 1 << i
		}
		if i < len(p) && (p[i].Variable || p[i].Text == text) {
			next |= 1 << (i + 1)
		}
	}
	return next
}

// Covers reports whether a request that ends in a state is covered.
func (p Pattern) Covers(state uint64) bool { return state&(1<<len(p)) != 0 }

// Texts are the texts that lead from a state to another one than any text does.
func (p Pattern) Texts(state uint64) (texts []string) {
	for i, s := range p {
		if state&(1<<i) != 0 && !s.Variable {
			texts = append(texts, s.Text)
		}
	}
	return texts
}

// grantedAbove returns a path whose roles allow a request that the path which serves it does not; nil for none.
func (r *Router) grantedAbove(d Decision, raw string) *Path {
	if !r.terms.Below {
		return nil
	}
	all := r.covering(d.Route.Path)
	raw = slash + strings.ReplaceAll(strings.Trim(raw, "/"), "/", slash)
	for _, other := range r.crossing {
		if other.Access.Setting != Open && matches(other.Name, raw) {
			all = append(all, other)
		}
	}
	for _, above := range all {
		if above.Access.Allowed(d.As, r.terms).Has(d.Action) {
			return above
		}
	}
	return nil
}

// Effective returns the access of a path with what its callers may do under the terms, for people who read it.
func (r Rules) Effective(p *Path) Access {
	if r.around == nil {
		return p.Access
	}
	return r.Explicit(p, r.around.groups)
}

// meant is an access with the terms under which it is the whole of what callers may do.
type meant struct {
	rules Access
	terms Terms
}

func (r Rules) meant(p *Path) meant {
	if r.around != nil {
		return meant{r.Effective(p), Terms{}}
	}
	return meant{p.Access, r.terms}
}

// Losses are those of a path of the API, with what other paths grant on it (see Access.Losses).
func (r Rules) Losses(p *Path, order []string) ([]Loss, []GroupLoss) {
	m := r.meant(p)
	return m.rules.Losses(order, m.terms), m.rules.LossesByGroup(order, m.terms)
}

// Explicit returns the access of a path that means under the zero Terms what the path's means under
// those of the rules, except for HEAD: each group of groups that may do something else than signed-in
// users has an entry, and what other paths grant is granted by the path.
func (r Rules) Explicit(p *Path, groups []string) Access {
	if p.Access.Setting == Open {
		return p.Access
	}
	row, to := r.Row(p, groups), p.Access
	guest, user := Principal{Kind: Guest}, Principal{Kind: Authenticated}
	if row.Guest.Without(to.Allowed(guest, Terms{})) != 0 {
		to = to.Granted(Grant{guest, row.Guest})
	}
	if row.Authenticated != to.Allowed(user, Terms{}) {
		to = to.With(user, row.Authenticated)
	}
	for i, group := range groups {
		who, may := Principal{Kind: Group, Group: group}, row.Groups[i].Actions
		switch {
		case may == row.Authenticated && !row.Groups[i].Own:
		case may|row.Authenticated == 0:
			to = to.Without(who)
		default:
			to = to.With(who, may)
		}
	}
	return to
}
