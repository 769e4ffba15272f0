package cli

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/project"
)

// question is what `can` was asked.
type question struct {
	backend *model.Backend
	caller  *callerOf
	method  string
	// path is raw, as in a URL.
	path string
	// api is the one that the request goes to; nil where none has the path.
	api *model.API
	// older are the labels of APIs in the older format, which are not edited.
	older []string
	// env is what --env said.
	env string
}

// canAnswer is the answer as JSON. API, path, resource, function, action and actsAs
// are empty where they play no part.
type canAnswer struct {
	Allowed bool `json:"allowed"`
	// Rule is the kind of rule that says so.
	Rule     string `json:"rule"`
	Reason   string `json:"reason"`
	API      string `json:"api"`
	Path     string `json:"path"`
	Resource string `json:"resource"`
	Function string `json:"function"`
	Action   string `json:"action"`
	// User is "" for whoever is none; Groups are the caller's in the pool's order.
	User   string   `json:"user"`
	Groups []string `json:"groups"`
	// ActsAs is guest, authenticated or group:NAME, IdleGroups are those of the
	// caller that count for nothing here.
	ActsAs     string   `json:"actsAs"`
	IdleGroups []string `json:"idleGroups"`
	// Changes would each let the request through: commands, in their order.
	Changes [][]string `json:"changes"`
	// Nearest are the paths that may have been meant, where none serves the request.
	Nearest []string `json:"nearest"`
	Notes   []string `json:"notes"`

	decision model.Decision
}

// ruleWords are the rules as programs read them.
var ruleWords = map[model.Rule]string{
	model.NoRoute: "noRoute", model.Preflight: "preflight", model.OpenToAll: "open", model.ByGuest: "guest",
	model.ByAuthenticated: "authenticated", model.ByGroup: "group", model.ByStranger: "stranger", model.GuestsOff: "guestsOff",
}

// find is the API that the request goes to: the only one, else the one that has
// the path; nil where none has it. Where the method is served nowhere the path
// alone counts.
func (q *question) find(apis []*model.API, chosen bool) (*model.API, error) {
	var having, reserved []*model.API
	method := q.method
	if !slices.Contains(model.Methods, method) {
		method = "GET"
	}
	for _, api := range apis {
		switch route, found := q.backend.Router(api.Label).Match(method, q.path); {
		case found && route.Path.Name == model.ProxyPath:
			reserved = append(reserved, api)
		case found:
			having = append(having, api)
		}
	}
	if len(having) == 0 {
		// An API that has every path is meant where no other has this one.
		having = reserved
	}
	switch {
	case chosen || len(apis) == 1:
		return apis[0], nil
	case len(having) == 1:
		return having[0], nil
	case len(having) > 1:
		return nil, misuse("several APIs have the path %s: %s; give --api LABEL", model.Quote(q.path), labelsOf(having))
	}
	return nil, nil
}

func labelsOf(apis []*model.API) string {
	var labels []string
	for _, api := range apis {
		labels = append(labels, api.Label)
	}
	return model.QuoteList(labels)
}

// answer decides; apis are those that may have been meant.
func (q *question) answer(apis []*model.API) canAnswer {
	var d model.Decision
	if q.api != nil {
		d = q.backend.Router(q.api.Label).Decide(q.caller.decided(), q.method, q.path)
	}
	a := canAnswer{
		Allowed: d.Allowed, Rule: ruleWords[d.Rule], Reason: d.Reason(), User: q.caller.user, Groups: listed(q.caller.member),
		IdleGroups: []string{}, Changes: [][]string{}, Nearest: []string{}, Notes: []string{}, decision: d,
	}
	if d.Rule == model.NoRoute {
		a.Reason = "no path serves " + model.Quote(q.path)
		if !slices.Contains(model.Methods, q.method) {
			a.Reason = "no path serves the method " + model.Quote(q.method) + "; there is " + strings.Join(model.Methods, ", ")
			return a
		}
		a.Nearest = listed(nearestPaths(q.path, apis))
		if len(a.Nearest) == 0 {
			a.Notes = append(a.Notes, pathsOf(apis))
		}
		return a
	}
	a.API, a.Path, a.Resource, a.Function = q.api.Label, d.Route.Path.Name, d.Route.Resource, d.Route.Path.Function
	if d.Rule != model.Preflight {
		a.Action = d.Action.String()
	}
	switch d.Rule {
	case model.ByGuest, model.GuestsOff, model.ByAuthenticated, model.ByGroup:
		a.ActsAs = principalWord(d.As)
		if len(a.Groups) > 1 {
			a.IdleGroups = a.Groups[1:]
		}
	case model.ByStranger:
		a.Reason = model.Quote(a.Path) + " is restricted, and user " + model.Quote(q.caller.user) + " " + q.caller.locked
	}
	if a.Allowed {
		a.noteGroups(q)
		return a
	}
	a.Changes = listed(q.changes(d))
	return a
}

// noteGroups says which of the caller's groups is not in the pool: nobody is a
// member of it then.
func (a *canAnswer) noteGroups(q *question) {
	if group := a.decision.As.Group; slices.Contains(q.caller.lacking, group) {
		a.Notes = append(a.Notes, "the user pool has no group "+model.Quote(group)+"; "+addGroupFix(q.backend, group))
	}
}

func principalWord(p model.Principal) string {
	switch p.Kind {
	case model.Guest:
		return guestWord
	case model.Group:
		return groupPrefix + p.Group
	}
	return authenticatedWord
}

// text is the answer for people.
func (a canAnswer) text(c *callerOf, width int) string {
	var b strings.Builder
	word := "no: "
	if a.Allowed {
		word = "yes: "
	}
	b.WriteString(folded("", word+a.Reason, width))
	var rows [][]string
	if a.API != "" {
		route := project.QuotePath(a.Resource)
		if a.Resource != a.Path {
			route += ", of the path " + project.QuotePath(a.Path)
		}
		rows = append(rows, []string{"api", model.Quote(a.API)}, []string{"route", route}, []string{"function", model.Quote(a.Function)})
	}
	if c.user != "" {
		groups := "in no group"
		if len(a.Groups) > 0 {
			groups = "in " + model.QuoteList(a.Groups)
		}
		rows = append(rows, []string{"user", model.Quote(c.user) + ", " + groups})
	}
	if a.ActsAs != "" {
		rows = append(rows, []string{"acts as", a.as()})
	}
	columns(&b, "  ", width, rows)
	for _, note := range a.Notes {
		b.WriteString(folded("", "note: "+note, width))
	}
	switch {
	case len(a.Nearest) > 0:
		b.WriteString("did you mean " + model.QuoteList(a.Nearest) + "?\n")
	case len(a.Changes) == 1:
		b.WriteString("this would let it through:\n")
	case len(a.Changes) > 1:
		b.WriteString("any of these would let it through:\n")
	}
	for _, commands := range a.Changes {
		b.WriteString("  " + strings.Join(commands, " && ") + "\n")
	}
	return b.String()
}

// as says whom the caller acts as under the path, and why.
func (a canAnswer) as() string {
	d := a.decision
	text := d.As.String()
	first := ""
	if len(a.Groups) > 0 {
		first = a.Groups[0]
	}
	several := len(a.Groups) > 1
	switch {
	case first != "" && d.Rule == model.ByAuthenticated && several:
		text += ": of the caller's groups " + model.Quote(first) + " is the first in order, and the path has no entry for it"
	case first != "" && d.Rule == model.ByAuthenticated:
		text += ": the path has no entry for " + model.Quote(first)
	case several:
		text += ", the first in order of the caller's groups"
	}
	if several {
		count := "count"
		if len(a.IdleGroups) == 1 {
			count = "counts"
		}
		text += "; " + model.QuoteList(a.IdleGroups) + " " + count + " for nothing here"
	}
	return text
}

// nearestPaths are the few paths that a request may have been meant for: those
// that begin as it does, or nearly so.
func nearestPaths(raw string, apis []*model.API) []string {
	const most, longest = 3, 64
	type near struct {
		path     string
		distance int
	}
	var found []near
	request := strings.Split(strings.Trim(raw, "/"), "/")
	for _, api := range apis {
		for _, p := range api.Paths {
			segments := strings.Split(strings.Trim(p.Name, "/"), "/")
			if p.Name == model.ProxyPath || p.Name == "/" || len(segments) > len(request)+1 {
				continue
			}
			for i, s := range segments {
				if i < len(request) && strings.HasPrefix(s, "{") {
					segments[i] = request[i]
				}
			}
			shared := min(len(segments), len(request))
			wanted, have := strings.Join(request[:shared], "/"), strings.Join(segments[:shared], "/")
			if len(wanted) > longest || len(have) > longest {
				continue
			}
			distance := model.Distance(strings.ToLower(wanted), strings.ToLower(have))
			if distance <= max(1, len(wanted)/3) && wanted != "" {
				found = append(found, near{p.Name, distance})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return cmp.Compare(a.distance, b.distance) })
	var paths []string
	for _, n := range found[:min(most, len(found))] {
		paths = append(paths, n.path)
	}
	return slices.Compact(paths)
}

// pathsOf says which paths there are.
func pathsOf(apis []*model.API) string {
	var names []string
	for _, api := range apis {
		for _, p := range api.Paths {
			names = append(names, p.Name)
		}
	}
	if len(names) == 0 {
		return "there is no path yet"
	}
	return "the paths are " + model.QuoteList(names)
}
