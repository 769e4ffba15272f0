package prove

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// Options are what a comparison needs besides the two sides.
type Options struct {
	// API is the label of the API to compare; "" for all.
	API string
	// Policies gives the policies that the project would have in the cloud, as patterns of
	// METHOD/path. What they refuse although the project allows it was announced, because
	// patterns cannot say it, and is no difference. nil is for none.
	Policies func(api string, who access.Principal) (allow, deny []string)
	// Project names the backend in sentences; "" is "the project".
	Project string
}

// mine and theirs name the two sides in sentences.
func (c *comparison) mine() string { return cmp.Or(c.options.Project, "the project") }

func (c *comparison) theirs() string { return c.d.name() }

// name names the deployment in sentences.
func (d *Deployment) name() string {
	if d.place != nil {
		return "AWS"
	}
	return "the template"
}

// Compare holds a deployment against the decisions of a backend (see model.Router.Decide),
// for one environment's APIs. No list of the report is nil, so that none is null as JSON.
func Compare(d *Deployment, b *model.Backend, options Options) *Report {
	r := &Report{
		Notices: append([]string{}, d.Notices...), Differences: []Difference{}, Refused: []Difference{},
		Undecided: append([]string{}, d.Unread...),
	}
	pairs := pair(d, b, options, r)
	for _, p := range pairs {
		c := newComparison(d, b, p, options, r)
		c.run()
	}
	all, only := pairs, []paired(nil)
	if options.API != "" {
		all, only = pair(d, b, Options{}, new(Report)), pairs
	}
	with := *d
	with.doors = slices.Concat(d.doors, d.reader.roleDoors(b))
	r.Doors = doorsOf(&with, all, only)
	c := comparison{d: d, b: b, options: options, report: r}
	c.precedence()
	r.Differences, r.Refused = withoutOdd(r.Differences), withoutOdd(r.Refused)
	if len(d.unset) > 0 && (len(r.Undecided) > 0 ||
		slices.ContainsFunc(r.Differences, func(x Difference) bool { return x.Direction == Unknown }) ||
		slices.ContainsFunc(r.Doors, func(x Door) bool { return x.Direction == Unknown })) {
		r.Notices = append(r.Notices,
			"parameters without a value: "+phrase.QuoteList(d.unset)+"; give each with --parameter NAME=VALUE")
	}
	slices.SortStableFunc(r.Differences, func(x, y Difference) int {
		return cmp.Or(cmp.Compare(weight(x), weight(y)), cmp.Compare(x.API, y.API), cmp.Compare(len(x.Path), len(y.Path)),
			cmp.Compare(x.Path, y.Path), cmp.Compare(x.caller, y.caller))
	})
	return r
}

func weight(d Difference) int { return slices.Index([]Direction{More, Unknown, Less}, d.Direction) }

// comparison compares one API of each side.
type comparison struct {
	d        *Deployment
	b        *model.Backend
	api      *API
	own      *access.API
	options  Options
	report   *Report
	project  *access.Matcher
	deployed *access.Matcher
	// decides says what the project does.
	decides access.Rules
}

func newComparison(d *Deployment, b *model.Backend, p paired, options Options, r *Report) *comparison {
	c := &comparison{d: d, b: b, api: p.api, own: p.own, options: options, report: r}
	c.decides = b.Rules(p.own)
	c.project = access.MatcherOf(p.own)
	c.deployed = access.NewMatcher()
	for i, resource := range p.api.Resources {
		if len(resource.Methods) > 0 {
			c.deployed.Add(resource.Path, i)
		}
	}
	return c
}

func (c *comparison) run() {
	for _, who := range c.callers() {
		methods := access.Methods
		if !who.unsigned {
			methods = slices.DeleteFunc(slices.Clone(methods), func(m string) bool { return m == "OPTIONS" })
		}
		for _, method := range methods {
			c.compare(who, method)
		}
	}
	c.integrations()
	c.report.Differences = c.withoutImplied(c.report.Differences)
}

// compare goes through the requests of one caller with one method: once with what a role
// certainly allows, and, if something of it is not known, once with all it may allow.
func (c *comparison) compare(who caller, method string) {
	sure, unsure := c.search(who, method, false)
	c.visit(who, method, sure, Less, unsure)
	if !unsure {
		return
	}
	most, _ := c.search(who, method, true)
	c.visit(who, method, most, More, unsure)
}

// visit runs a search and adds the differences. If something is not known, the search is
// for one direction only, and another one counts the decisions.
func (c *comparison) visit(who caller, method string, s *search, only Direction, unsure bool) {
	seen := make(map[string]bool)
	complete := s.run(func(e ending) {
		// The preflight of a path that the project lacks gives nobody anything.
		if e.project == access.NoResource && (e.deployed == access.NoResource || method == "OPTIONS") {
			return
		}
		if !seen[e.class] && !e.odd && only == Less && who.by == "" {
			c.report.Decisions++
		}
		again := seen[e.class]
		seen[e.class] = true
		want := c.wanted(who, method, e)
		may, known := c.may(who, method, e)
		direction := Less
		switch {
		case !known:
			direction = Unknown
		case may == want:
			return
		case may:
			direction = More
		}
		if again || e.odd && direction == Less || unsure && direction != Unknown && direction != only {
			return
		}
		if unsure && direction != Unknown {
			direction = c.certain(who, method, e, direction)
		}
		c.differ(who, method, e, direction)
	})
	if !complete {
		c.report.Undecided = append(c.report.Undecided,
			fmt.Sprintf("%s %s of the API %s: the patterns cross the paths in too many ways", who.words, method,
				phrase.Quote(c.own.Label)))
	}
}

// certain says whether a difference that one reading of the policies gives holds in the
// other too.
func (c *comparison) certain(who caller, method string, e ending, direction Direction) Direction {
	s, _ := c.search(who, method, direction == Less)
	for i := range s.policies {
		e.byPolicy[i] = s.policies[i].permits(strings.TrimPrefix(e.raw, "/"))
	}
	if may, _ := c.may(who, method, e); may == (direction == More) {
		return direction
	}
	return Unknown
}

// wanted is the project's decision.
func (c *comparison) wanted(who caller, method string, e ending) bool {
	if e.project == access.NoResource {
		return false
	}
	path, terms := c.own.Paths[e.project/2], c.decides.Terms()
	action, _ := terms.ActionOf(method)
	switch {
	case method == "OPTIONS" || path.Access.Setting == access.Open:
		return true
	case who.unsigned || who.guest && terms.NoGuests:
		return false
	}
	return c.decides.Allowed(path, who.principal).Has(action)
}

// may is the deployment's decision; known is false if the template does not tell.
func (c *comparison) may(who caller, method string, e ending) (may, known bool) {
	if e.deployed == access.NoResource {
		return false, c.api.unread == ""
	}
	authorization, ok := c.api.Resources[e.deployed].authorization(method)
	switch {
	case !ok:
		return false, c.api.unread == ""
	case authorization == Failing:
		return false, true
	case authorization == Nothing:
		return !e.guarded || e.byPolicy[public], true
	case authorization == Signed:
		return !who.unsigned && e.byPolicy[theirs], true
	case authorization == UserPool:
		return !who.unsigned && !who.guest && (!e.guarded || e.byPolicy[tokens]), true
	}
	return false, false
}

// search makes the search for one caller and method. unsure says that the role has statements whose effect a
// template does not tell; most counts them as if they allowed and did not refuse.
func (c *comparison) search(who caller, method string, most bool) (s *search, unsure bool) {
	s = &search{project: c.project, deployed: c.deployed}
	of := arn{api: c.api.ref, stage: c.api.stage, method: method, others: c.d.refs, place: c.d.place}
	unsure = s.guard(c.api.policy, of, most)
	if who.role == nil {
		return s, unsure
	}
	s.policies[ours] = c.ours(who, method)
	for _, r := range rules(who.role.Statements, of) {
		unsure = unsure || r.doubtful
		s.policies[theirs].add(r, most)
	}
	return s, unsure
}

// ours makes the policies that the project would have in the cloud.
func (c *comparison) ours(who caller, method string) policies {
	var p policies
	if c.options.Policies == nil {
		return p
	}
	allow, deny := c.options.Policies(c.own.Label, who.principal)
	for _, list := range []struct {
		of *[]clause
		by []string
	}{{&p.allow, allow}, {&p.deny, deny}} {
		for _, pattern := range list.by {
			if g, ok := begin(pattern, method+"/"); ok {
				*list.of = append(*list.of, clause{globs: []glob{g}})
			}
		}
	}
	return p
}

// restricted reports whether the path that serves a request asks for credentials.
func (c *comparison) restricted(e ending) bool {
	return e.project != access.NoResource && c.own.Paths[e.project/2].Access.Setting != access.Open
}
