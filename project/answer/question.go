package answer

import (
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// Question is whether a caller may send a request.
type Question struct {
	Backend *model.Backend
	Caller  *Caller
	// Method is in capitals; Path is raw, as in a URL.
	Method, Path string
	// APIs are the APIs that the request may go to, at least one. Chosen says that it
	// is one, which the asker named.
	APIs   []*access.API
	Chosen bool
	// Older are the labels of APIs that are defined by an api-params.json, which must
	// be migrated before an edit.
	Older []string
	// Environment is the value of --env in commands about users; "" for none.
	Environment string

	// api is the API that the request goes to; nil if none has the path.
	api *access.API
}

// Answer is the answer to a Question, as --json prints it. API, Path, Resource,
// Function, Action and ActsAs are empty if they do not apply.
type Answer struct {
	Allowed bool `json:"allowed"`
	// Rule is the kind of rule that decides, one of ruleWords.
	Rule     string `json:"rule"`
	Reason   string `json:"reason"`
	API      string `json:"api"`
	Path     string `json:"path"`
	Resource string `json:"resource"`
	Function string `json:"function"`
	Action   string `json:"action"`
	// User is "" if the caller is no particular user; Groups are the caller's groups
	// in the pool's order.
	User   string   `json:"user"`
	Groups []string `json:"groups"`
	// ActsAs is guest, authenticated or group:NAME; IdleGroups are the caller's groups
	// that have no effect here.
	ActsAs     string   `json:"actsAs"`
	IdleGroups []string `json:"idleGroups"`
	// Changes are lists of commands. Each list alone would let the request through.
	Changes [][]string `json:"changes"`
	// Nearest are the paths that may be meant, if no path serves the request.
	Nearest []string `json:"nearest"`
	Notes   []string `json:"notes"`

	decision access.Decision
}

// ruleWords are the names of the rules in JSON.
var ruleWords = map[access.Rule]string{
	access.NoRoute: "noRoute", access.Preflight: "preflight", access.OpenToAll: "open", access.ByGuest: "guest",
	access.ByAuthenticated: "authenticated", access.ByGroup: "group", access.ByNoEntry: "noEntry",
	access.ByPathAbove: "pathAbove", access.ByStranger: "stranger",
	access.GuestsOff: "guestsOff",
}

// find finds the API that the request goes to: the only one, else the one that has
// the path; nil if none has it. It ignores a method that no API serves.
func (q *Question) find() (*access.API, error) {
	var having, reserved []*access.API
	method := q.Method
	if !slices.Contains(access.Methods, method) {
		method = "GET"
	}
	for _, api := range q.APIs {
		switch route, found := q.Backend.Router(api.Label).Match(method, q.Path); {
		case found && route.Path.Name == access.ProxyPath:
			reserved = append(reserved, api)
		case found:
			having = append(having, api)
		}
	}
	if len(having) == 0 {
		// An API that has every path counts only if no other API has this one.
		having = reserved
	}
	switch {
	case q.Chosen || len(q.APIs) == 1:
		return q.APIs[0], nil
	case len(having) == 1:
		return having[0], nil
	case len(having) > 1:
		return nil, unclear("several APIs have the path %s: %s; give --api LABEL", phrase.Quote(q.Path), labelsOf(having))
	}
	return nil, nil
}

func labelsOf(apis []*access.API) string {
	var labels []string
	for _, api := range apis {
		labels = append(labels, api.Label)
	}
	return phrase.QuoteList(labels)
}

// Answer answers the question. The error is Unclear if several APIs have the path and
// none was chosen.
func (q Question) Answer() (Answer, error) {
	var (
		d   access.Decision
		err error
	)
	if q.api, err = q.find(); err != nil {
		return Answer{}, err
	}
	if q.api != nil {
		d = q.Backend.Router(q.api.Label).Decide(q.Caller.decided(), q.Method, q.Path)
	}
	a := Answer{
		Allowed: d.Allowed, Rule: ruleWords[d.Rule], Reason: d.Reason(), User: q.Caller.User, Groups: listed(q.Caller.Member),
		IdleGroups: []string{}, Changes: [][]string{}, Nearest: []string{}, Notes: []string{}, decision: d,
	}
	if d.Rule == access.NoRoute {
		a.noRoute(&q)
		return a, nil
	}
	a.API, a.Path, a.Resource, a.Function = q.api.Label, d.Route.Path.Name, d.Route.Resource, d.Route.Path.Function
	if d.Rule != access.Preflight {
		a.Action = d.Action.String()
	}
	switch {
	case d.Rule.Acts() || d.Rule == access.GuestsOff:
		a.ActsAs = PrincipalWord(d.As)
		if len(a.Groups) > 1 {
			a.IdleGroups = a.Groups[1:]
		}
	case q.Caller.Unsigned && d.Rule == access.ByStranger:
		a.Reason = phrase.Quote(a.Path) + " is restricted, and refuses unsigned requests"
	case d.Rule == access.ByStranger:
		a.Reason = phrase.Quote(a.Path) + " is restricted, and user " + phrase.Quote(q.Caller.User) + " " + q.Caller.Locked
	}
	if a.Allowed {
		if note := q.Backend.CreateNote(a.Function); note != "" && d.Action == access.Create && d.Rule != access.Preflight {
			a.Notes = append(a.Notes, note)
		}
		a.noteGroups(&q)
		return a, nil
	}
	a.Changes = listed(q.changes(d))
	return a, nil
}

// noRoute explains that no path serves the request, and suggests others.
func (a *Answer) noRoute(q *Question) {
	a.Reason = "no path serves " + phrase.Quote(q.Path)
	if !slices.Contains(access.Methods, q.Method) {
		a.Reason = "no path serves the method " + phrase.Quote(q.Method) + "; there is " + strings.Join(access.Methods, ", ")
		return
	}
	a.Nearest = listed(nearestPaths(q.Path, q.APIs))
	if len(a.Nearest) == 0 {
		a.Notes = append(a.Notes, pathsOf(q.APIs))
	}
}

// noteGroups notes if the pool lacks the group that the caller acts as, so that nobody
// can be a member of it.
func (a *Answer) noteGroups(q *Question) {
	if group := a.decision.As.Group; slices.Contains(q.Caller.Lacking, group) {
		a.Notes = append(a.Notes, "the user pool has no group "+phrase.Quote(group)+"; "+q.Backend.AddingGroup(group))
	}
}

// PrincipalWord returns a principal in JSON: guest, authenticated or group:NAME.
func PrincipalWord(p access.Principal) string {
	switch p.Kind {
	case access.Guest:
		return GuestWord
	case access.Group:
		return GroupPrefix + p.Group
	}
	return AuthenticatedWord
}

// listed makes a nil list empty, which JSON prints as [].
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
