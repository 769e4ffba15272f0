package apis

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/diff"
	"gatewright/tui/dashboard/board"
)

// row is an API, or one of its paths.
type row struct {
	// api is the row's API; definition is its path, nil in the row of an API. inProject is
	// false if only the last push has it.
	api        *access.API
	definition *access.Path
	inProject  bool
	label      string
	// path is the path's name, "" in the row of an API, which has no function and counts its
	// open paths as its access.
	path, function, access string
	mark                   board.Mark
	// rules are those of the API. may is what the viewer may do, in the row of an API under any path, and
	// reached how many paths that are.
	rules   access.Rules
	may     access.Actions
	reached int
	// noFunction is why there is no function of that name; "" if there is one.
	noFunction string
	// url is the endpoint in the last push, proxy that of the proxy resource; "" if there is
	// none.
	url, proxy string
	// takenBy is the path that serves everything below this one, which then has no proxy
	// resource.
	takenBy string
	reasons []string
	// about are the details of an API.
	about []prose.Line
}

func (r *row) isAPI() bool { return r.path == "" }

func markOf(r *row) board.Mark { return r.mark }

// name is the row's first column.
func (r *row) name() string {
	if r.isAPI() {
		return r.label + "  " + phrase.Count(len(r.api.Paths), "path")
	}
	return "  " + r.path
}

// functionText is the name of the function, with a sign and words if there is none.
func (r *row) functionText() string {
	if r.noFunction == "" {
		return r.function
	}
	return "! " + r.function + " " + r.noFunction
}

// called is the title of the details of a row.
func (r *row) called() string {
	if r.isAPI() {
		return "API " + r.label
	}
	return r.path
}

// sumOf counts the APIs and the paths.
func sumOf(rows []*row) string {
	apis := 0
	for _, r := range rows {
		if r.isAPI() {
			apis++
		}
	}
	return phrase.Count(apis, "API") + ", " + phrase.Count(len(rows)-apis, "path")
}

// rowsOf are the APIs and their paths in the order in which requests are matched, with those
// that only the last push has. then is the backend of that push; nil for none.
func rowsOf(s *board.Snapshot, then *model.Backend) []*row {
	b := comparison{s: s, then: then, compared: s.Status.Problem == "", functions: make(map[string][]string)}
	for _, r := range s.Status.Resources {
		if r.Of.Kind == model.KindFunction && r.Operation != diff.NoChange {
			b.functions[r.Of.Name] = r.Reasons
		}
	}
	all := slices.Clone(s.Backend.APIs)
	if then != nil {
		here := s.Backend
		if s.Env != nil {
			here = here.For(s.Env.Environment)
		}
		b.access = board.ByPath(s.Status.Access, s.Backend, here.Routers(), then.Routers())
		for _, api := range then.APIs {
			if s.Backend.API(api.Label) == nil {
				all = append(all, api)
			}
		}
	}
	slices.SortFunc(all, func(a, b *access.API) int { return strings.Compare(a.Label, b.Label) })
	for _, api := range all {
		b.add(api, s.Backend.API(api.Label) == api)
	}
	return b.rows
}

// comparison makes the rows.
type comparison struct {
	s    *board.Snapshot
	then *model.Backend
	// compared says that the project could be compared with the last push.
	compared bool
	// functions are those that a push changes, by name, with the reasons.
	functions map[string][]string
	// access is what differs in access, by path.
	access map[[2]string][]access.Difference
	rows   []*row
}

// add adds the rows of an API; inProject says that the project has it.
func (b *comparison) add(api *access.API, inProject bool) {
	var was map[string]*access.Path
	if b.then != nil {
		was = byName(b.then.API(api.Label))
	}
	here := inProject && (b.s.Env == nil || b.s.Env.Has(api.Label))
	head := len(b.rows)
	rules := b.s.Backend.Rules(api)
	b.rows = append(b.rows, &row{
		api: api, rules: rules, inProject: inProject, about: aboutAPI(b.s, api, inProject),
		label: prose.PrintableStart(api.Label), access: openIn(api), url: prose.PrintableStart(b.s.Env.Endpoint(api.Label)),
		mark: b.presence(was != nil, here),
	})
	paths, now := slices.Clip(api.Paths), byName(api)
	if here && was != nil {
		for _, p := range b.then.API(api.Label).Paths {
			if now[p.Name] == nil {
				paths = append(paths, p)
			}
		}
	}
	taken := takenBelow(b.s.Takeovers.Of(api))
	for _, p := range board.InOrder(paths) {
		r := &row{
			api: api, rules: rules, definition: p, inProject: inProject && now[p.Name] == p,
			label: prose.PrintableStart(api.Label),
			path:  prose.PrintableStart(p.Name), function: prose.PrintableStart(p.Function),
			access: prose.PrintableStart(rules.Effective(p).String()),
		}
		if r.inProject {
			r.noFunction = b.s.NoFunction(p.Function)
		}
		then := was[p.Name]
		r.mark, r.reasons = b.markOfPath(api.Label, then, p, here && now[p.Name] != nil)
		if below := taken[p]; below != nil {
			r.takenBy = prose.PrintableStart(below.Name)
		}
		if then != nil {
			r.url, r.proxy = endpointsOf(b.s.Env.Endpoint(api.Label), p, r.takenBy == "")
		}
		b.rows = append(b.rows, r)
	}
	b.markChanged(head)
}

// openIn counts the paths of an API that are open to everybody; "" for none.
func openIn(api *access.API) string {
	open := 0
	for _, p := range api.Paths {
		if p.Access.Setting == access.Open {
			open++
		}
	}
	if open == 0 {
		return ""
	}
	return fmt.Sprintf("%d open to everybody", open)
}

// endpointsOf are the endpoints of a path's main and proxy resource below the URL of its API;
// "" if there is none.
func endpointsOf(url string, p *access.Path, proxy bool) (main, below string) {
	if url == "" {
		return "", ""
	}
	if proxy {
		below = prose.PrintableStart(url + access.ProxyOf(p.Name))
	}
	if p.Name == access.ProxyPath {
		return below, ""
	}
	return prose.PrintableStart(url + p.Name), below
}

func byName(api *access.API) map[string]*access.Path {
	if api == nil {
		return nil
	}
	paths := make(map[string]*access.Path, len(api.Paths))
	for _, p := range api.Paths {
		paths[p.Name] = p
	}
	return paths
}

// presence is the mark of something that the last push has or not (was), and the next one
// would have or not (here); board.Same if its parts decide.
func (b *comparison) presence(was, here bool) board.Mark {
	switch {
	case !here && !was:
		return board.Absent
	case !b.compared:
		return board.Unknown
	case !here:
		return board.Gone
	case !was:
		return board.Added
	}
	return board.Same
}

// markOfPath compares a path of an API with the last push; here says that the next push would have it.
func (b *comparison) markOfPath(label string, then, now *access.Path, here bool) (board.Mark, []string) {
	if mark := b.presence(then != nil, here); mark != board.Same {
		return mark, nil
	}
	if reasons := diff.PathChanges(then, now, b.s.Backend.Terms()); len(reasons) > 0 {
		return board.Changed, prose.PrintableStarts(reasons)
	}
	// The order of groups, what guests may and what other paths leave to it are no part of the path.
	if len(b.access[[2]string{label, now.Name}]) > 0 {
		return board.Changed, []string{"who may send requests differs: see the tab Access"}
	}
	if reasons, ok := b.functions[now.Function]; ok {
		return board.FunctionChanged, prose.PrintableStarts(reasons)
	}
	return board.Same, nil
}

// markChanged marks an API by the marks of its paths.
func (b *comparison) markChanged(head int) {
	api := b.rows[head]
	if api.mark != board.Same {
		return
	}
	for _, row := range b.rows[head+1:] {
		switch row.mark {
		case board.Added, board.Changed, board.Gone:
			api.mark = board.Changed
			return
		case board.FunctionChanged:
			api.mark = board.FunctionChanged
		}
	}
}

// takenBelow are the paths without a proxy resource, each with the path that serves
// everything below it.
func takenBelow(all []access.Takeover) map[*access.Path]*access.Path {
	taken := make(map[*access.Path]*access.Path)
	for _, t := range all {
		if t.All {
			taken[t.Above] = t.Below
		}
	}
	return taken
}
