package access

import (
	"cmp"
	"slices"
)

// Difference says that a caller may send requests of one kind after a change and not
// before it, or the other way round.
type Difference struct {
	// API is the label of the API.
	API string
	// Path is the resource that serves the requests: "/books", or "/books/{proxy+}" for requests below /books and not
	// to /books itself. Other paths of the API that are below it, or that match more exactly, are not meant.
	Path string
	// Below says that the requests below Path differ like those to Path itself.
	Below bool
	// Who is the caller: a guest, a signed-in user, or a member of one group. What holds for
	// signed-in users holds for the members of a group without an entry of its own.
	Who Principal
	// AlsoIn is set for members of two groups, Who.Group and this one. They act as the group
	// that comes first, so they may gain and lose what neither group does.
	AlsoIn string
	// Anybody is set instead of Who if a path is opened to everybody: then it says what all callers gain, also those
	// without valid credentials, whom only open paths serve. If it is lost, it says what these lose.
	Anybody bool
	// Gained says that the requests are allowed after and not before; else they are lost.
	Gained bool
	// Actions are empty if HEAD alone differs, which goes with read under other terms or on open paths.
	Actions Actions
	// Methods are the methods that differ. Differences share the list.
	Methods []string
	// Raw is the raw path (see Router.Match) of the shortest example.
	Raw string
	// Function is the function that serves the requests where they are allowed.
	Function string
}

// The sides of a comparison, as indexes.
const (
	before = iota
	after
	sides
)

// Compare lists what differs in access between two backends, given by their gates: every request
// that some caller may send to one of them and not to the other, as Router.Decide says. The method
// OPTIONS, which needs no grant, is left out. Callers without valid credentials (Caller.Stranger)
// are meant by differences for Anybody, and else by those for guests. APIs are paired by their
// labels. What is gained comes first; then differences are in the order of APIs, paths and callers:
// guests, signed-in users, members of groups in the order of precedence, members of two groups.
//
// Parts that did not change cost little. A path that only one side has is compared with all
// paths that get its requests on the other side; complete is false if that took too many
// steps (see mostSearched), or if more than mostTogether pairs of groups differ under a path:
// then some differences are not listed.
func Compare(was, now Gate) (differences []Difference, complete bool) {
	c := &accessComparison{callers: newCallers(was, now), gates: [sides]Gate{was, now}, left: mostSearchedAll}
	for w, n := range Pairs(was.APIs, now.APIs, func(api *API) string { return api.Label }) {
		if w == n && !c.changed() {
			continue
		}
		either := n
		if either == nil {
			either = w
		}
		c.api = either.Label
		c.compareAPI(w, n)
	}
	slices.SortStableFunc(c.found, func(x, y Difference) int {
		return cmp.Compare(losing(x), losing(y))
	})
	return c.found, !c.cut
}

func losing(d Difference) int {
	if d.Gained {
		return 0
	}
	return 1
}

// Caller returns the caller of the difference, for Router.Decide.
func (d Difference) Caller() Caller {
	switch {
	case d.Anybody:
		return Caller{Stranger: true}
	case d.Who.Kind == Guest:
		return Caller{}
	case d.Who.Kind == Authenticated:
		return Caller{SignedIn: true}
	case d.AlsoIn != "":
		return Caller{SignedIn: true, Groups: []string{d.Who.Group, d.AlsoIn}}
	}
	return Caller{SignedIn: true, Groups: []string{d.Who.Group}}
}

// accessComparison is the state of one Compare.
type accessComparison struct {
	callers
	gates [sides]Gate
	api   string
	found []Difference
	// routers are those of an API of which a path lets in requests next to it, so that each
	// difference has to be asked about; else both are nil.
	routers [sides]*Router
	// left is how many ways searches may still try.
	left int
}

// compareAPI compares the two versions of one API; nil for a side that lacks it.
func (c *accessComparison) compareAPI(was, now *API) {
	for side, api := range [sides]*API{was, now} {
		c.rules[side] = c.gates[side].RulesOf(api)
	}
	c.crossed(was, now)
	root, all := plantSpots(was, now)
	for _, s := range all {
		switch {
		case s == root:
			c.compareRoot(root)
		case s.lone():
			c.compareLone(root, s)
		default:
			for _, g := range c.gains(s.main) {
				c.say(class{path: s.name(), at: true, below: !s.covered(), raw: s.example(), paths: s.main}, g)
			}
		}
	}
}

// compareRoot compares the root of an API, whose main resource and proxy resource may belong to different paths. If
// only one side has a root, compareLone finds what the other side's paths have to do with it.
func (c *accessComparison) compareRoot(root *spot) {
	here, below := c.gains(root.main), []gain(nil)
	if !root.covered() {
		below = c.gains(root.proxy)
	}
	for _, g := range here {
		c.say(class{path: "/", at: true, below: slices.Contains(below, g), raw: "/", paths: root.main}, g)
	}
	for _, g := range below {
		if !slices.Contains(here, g) {
			c.say(class{path: "/", below: true, raw: "/" + fresh([]reach{{at: root}}), paths: root.proxy}, g)
		}
	}
}

// compareLone compares a path that one side has alone with the paths that get its requests on the other side.
func (c *accessComparison) compareLone(root, s *spot) {
	classes := c.search(root, s)
	all := make([][]gain, len(classes))
	name, base := s.name(), -1
	var whole class
	for i, one := range classes {
		all[i] = c.gains(one.paths)
		if base < 0 && one.path == name {
			base, whole = i, one
		}
		whole.at = whole.at || one.at && !one.deeper
		whole.below = whole.below || one.below || one.deeper
	}
	for i, one := range classes {
		for _, g := range all[i] {
			everywhere := base >= 0 && !slices.ContainsFunc(all, func(list []gain) bool { return !slices.Contains(list, g) })
			switch {
			case everywhere && i == base:
				c.say(whole, g)
			case everywhere, i != base && base >= 0 && classes[base].below && slices.Contains(all[base], g):
			default:
				c.say(one, g)
			}
		}
	}
}

// class is one kind of requests: those to a path, to everything below it, or both.
type class struct {
	path      string
	at, below bool
	// deeper says that path is below the path that the class was searched for.
	deeper bool
	// paths are the paths that serve the requests.
	paths [sides]*Path
	raw   string
}

// say adds a difference.
func (c *accessComparison) say(of class, g gain) {
	if !of.at {
		of.path, of.below = ProxyOf(of.path), false
	}
	d := Difference{
		API: c.api, Path: of.path, Below: of.below, Who: g.who, AlsoIn: g.alsoIn, Anybody: g.anybody, Gained: g.gained,
		Actions: g.actions & EveryAction, Methods: methodsOf[g.actions], Raw: of.raw,
	}
	side := before
	if g.gained {
		side = after
	}
	if p := of.paths[side]; p != nil {
		d.Function = p.Function
	}
	if d = c.asked(d); len(d.Methods) > 0 {
		c.found = append(c.found, d)
	}
}

// methodsOf has the methods of each set of actions. A HEAD that goes with no read comes last.
var methodsOf = func() (all [everyMethod + 1][]string) {
	for set := range all {
		for _, a := range AllActions {
			if Actions(set).Has(a) {
				all[set] = append(all[set], Terms{GetAlone: Actions(set)&head == 0}.Methods(a)...)
			}
		}
		if Actions(set)&head != 0 && !Actions(set).Has(Read) {
			all[set] = append(all[set], "HEAD")
		}
	}
	return all
}()

// crossed says of an API of which a path lets in requests next to it that not all differences are listed,
// unless nothing of it differs.
func (c *accessComparison) crossed(was, now *API) {
	c.routers = [sides]*Router{}
	crosses := func(r Rules) bool { return r.around != nil && len(r.around.crossing) > 0 }
	if !slices.ContainsFunc(c.rules[:], crosses) || !c.changed() && sameAccess(was, now) {
		return
	}
	c.cut = true
	for side, api := range [sides]*API{was, now} {
		if c.routers[side] = c.rules[side].around; c.routers[side] == nil {
			c.routers[side] = c.gates[side].RouterOf(cmp.Or(api, new(API)))
		}
	}
}

func sameAccess(was, now *API) bool {
	return was != nil && now != nil && slices.EqualFunc(was.Paths, now.Paths, func(w, n *Path) bool {
		return w.Name == n.Name && w.Access.Equal(n.Access)
	})
}

// asked returns a difference with the methods of which it is so.
func (c *accessComparison) asked(d Difference) Difference {
	if c.routers[before] == nil {
		return d
	}
	d.Methods = slices.DeleteFunc(slices.Clone(d.Methods), func(method string) bool {
		could := c.routers[before].Decide(d.Caller(), method, d.Raw).Allowed
		return could == d.Gained || c.routers[after].Decide(d.Caller(), method, d.Raw).Allowed != d.Gained
	})
	for _, a := range AllActions {
		if !slices.Contains(d.Methods, Terms{}.Methods(a)[0]) {
			d.Actions = d.Actions.Without(Actions(a))
		}
	}
	return d
}
