package prove

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// Answer is the decision of a deployment about one request.
type Answer struct {
	Allowed bool `json:"allowed"`
	// Known is false if something decides that a template does not say; then Allowed is false.
	Known bool `json:"known"`
	// As is whose policies count, and Why what decides, for people.
	As  string `json:"as"`
	Why string `json:"why"`
	// Served says that a path of the API serves the request.
	Served bool `json:"served"`
}

// Ask returns the decision of a deployment about a request to an API of a backend, which is
// named by its label. The path is raw, without a query, and begins with a slash. The error says
// that the backend does not have the API; one that is gone in the deployment serves nothing.
func Ask(d *Deployment, b *model.Backend, api string, from access.Caller, method, path string) (Answer, error) {
	var r Report
	pairs := pair(d, b, Options{}, &r)
	i := slices.IndexFunc(pairs, func(p paired) bool { return p.own.Label == api })
	if i < 0 && b.API(api) == nil {
		return Answer{}, fmt.Errorf("the API %s is not deployed", phrase.Quote(api))
	}
	if i < 0 {
		c := &comparison{d: d, b: b, report: &r}
		return Answer{Known: true, As: c.acting(from).words, Why: "the API no longer exists in " + d.name()}, nil
	}
	c := newComparison(d, b, pairs[i], Options{}, &r)
	who := c.acting(from)
	sure, unsure := c.search(who, method, false)
	at := sure.endingOf(path)
	a := Answer{As: who.words, Served: at.deployed != access.NoResource}
	a.Allowed, a.Known = c.may(who, method, at)
	if unsure && a.Known {
		most, _ := c.search(who, method, true)
		may, _ := c.may(who, method, most.endingOf(path))
		a.Known = may == a.Allowed
	}
	if c.api.closed {
		a.Known = false
	}
	a.Allowed = a.Allowed && a.Known
	a.Why = c.reason(who, method, path, sure, at, a)
	return a, nil
}

// acting returns the caller that somebody acts as: the group with the lowest precedence that
// has a role, and signed-in users if two are equal.
func (c *comparison) acting(from access.Caller) caller {
	all := c.callers()
	switch {
	case from.Stranger:
		return all[0]
	case !from.SignedIn:
		return all[1]
	}
	var first *Group
	tied := false
	for i := range c.d.Groups {
		g := &c.d.Groups[i]
		if g.Role == nil || !slices.Contains(from.Groups, g.Name) {
			continue
		}
		switch {
		case first == nil || g.rank() < first.rank():
			first, tied = g, false
		case g.rank() == first.rank() && g.Role.Name != first.Role.Name:
			tied = true
		}
	}
	if first == nil || tied {
		return all[2]
	}
	i := slices.IndexFunc(all, func(who caller) bool {
		return who.principal.Kind == access.Group && who.principal.Group == first.Name
	})
	return all[i]
}

// endingOf is the request with a path.
func (s *search) endingOf(path string) ending {
	e := ending{guarded: s.guarded, raw: path}
	project, deployed := s.project.Start(), s.deployed.Start()
	for segment := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		project, deployed = s.project.Next(project, segment), s.deployed.Next(deployed, segment)
	}
	e.project, e.deployed = s.project.Resource(project), s.deployed.Resource(deployed)
	for i := range s.policies {
		e.byPolicy[i] = s.policies[i].permits(strings.TrimPrefix(path, "/"))
	}
	return e
}

// reason says what decides about a request.
func (c *comparison) reason(who caller, method, path string, s *search, e ending, a Answer) string {
	if e.deployed == access.NoResource {
		return "no path serves it"
	}
	authorization, ok := c.api.Resources[e.deployed].authorization(method)
	at := c.api.Resources[e.deployed].Path
	switch {
	case !ok:
		return phrase.Quote(at) + " has no method for it"
	case c.api.closed:
		return "the own address of the API is closed, and what leads to it is not read"
	case !a.Known:
		return "a custom authorizer, a condition or what could not be read decides"
	case authorization == Nothing && a.Allowed:
		return "the method of " + phrase.Quote(at) + " asks for no credentials"
	case authorization != Nothing && who.unsigned:
		return "the method of " + phrase.Quote(at) + " asks for credentials"
	case authorization == UserPool && a.Allowed:
		return "the method of " + phrase.Quote(at) + " asks only for a token of the user pool"
	case authorization == UserPool && who.guest:
		return "the method of " + phrase.Quote(at) + " asks for a token of the user pool"
	case authorization != Signed && e.guarded && !a.Allowed:
		return "the resource policy of the API does not allow it"
	case a.Allowed && e.guarded && !c.rolePermits(who, method, path):
		return "the resource policy of the API allows it"
	case a.Allowed:
		return "a policy of their role allows it"
	case who.role == nil || who.role.Name == "":
		return "they get no role"
	}
	for _, p := range s.policies {
		if (&policies{allow: p.deny}).permits(strings.TrimPrefix(path, "/")) {
			return "a policy denies it"
		}
	}
	return "no policy of their role allows it"
}

// rolePermits reports whether the role of a caller alone allows a request.
func (c *comparison) rolePermits(who caller, method, path string) bool {
	if who.role == nil {
		return false
	}
	var p policies
	for _, r := range rules(who.role.Statements,
		arn{api: c.api.ref, stage: c.api.stage, method: method, others: c.d.refs, place: c.d.place}) {
		p.add(r, false)
	}
	return p.permits(strings.TrimPrefix(path, "/"))
}
