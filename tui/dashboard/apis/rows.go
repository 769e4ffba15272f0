package apis

import (
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/prose"
	"gatewright/tui/dashboard/board"
)

// row is an API, or one of its paths.
type row struct {
	// api is what the row is of; definition its path, nil in the row of an API. there
	// says that the project has it.
	api        *model.API
	definition *model.Path
	there      bool
	label      string
	// path is the path's name; "" in the row of an API.
	path, function, access string
	mark                   board.Mark
	// url is the endpoint; "" where it was not pushed. proxy is the one of the
	// proxy resource; "" where there is none.
	url, proxy string
	// taken is the path that serves what lies below this one, so that it has no
	// proxy resource.
	taken   string
	reasons []string
	// about is what there is to say of an API beside its mark.
	about []prose.Line
}

func (r *row) isAPI() bool { return r.path == "" }

func markOf(r *row) board.Mark { return r.mark }

// name is the row's first column.
func (r *row) name() string {
	if r.isAPI() {
		return r.label
	}
	return "  " + r.path
}

// rowsOf are the APIs and their paths, in the order in which requests are
// matched, and what was pushed and is no more. then is what was last pushed, as
// the environment has it; nil for nothing.
func rowsOf(s *board.Snapshot, then *model.Backend) []*row {
	b := comparison{s: s, then: then, told: s.Status.Untold == "", functions: make(map[string][]string)}
	for _, r := range s.Status.Resources {
		if r.Of.Kind == model.KindFunction && r.Operation != model.NoChange {
			b.functions[r.Of.Name] = r.Reasons
		}
	}
	all := slices.Clone(s.Backend.APIs)
	if then != nil {
		for _, api := range then.APIs {
			if s.Backend.API(api.Label) == nil {
				all = append(all, api)
			}
		}
	}
	slices.SortFunc(all, func(a, b *model.API) int { return strings.Compare(a.Label, b.Label) })
	for _, api := range all {
		b.add(api, s.Backend.API(api.Label) == api)
	}
	return b.rows
}

// comparison makes the rows.
type comparison struct {
	s    *board.Snapshot
	then *model.Backend
	// told says that the project could be compared with the last push.
	told bool
	// functions are those that a push changes, with the reasons.
	functions map[string][]string
	rows      []*row
}

// add adds the rows of an API; there says that the project has it.
func (b *comparison) add(api *model.API, there bool) {
	var was map[string]*model.Path
	if b.then != nil {
		was = byName(b.then.API(api.Label))
	}
	here := there && (b.s.Env == nil || b.s.Env.Has(api.Label))
	head := len(b.rows)
	b.rows = append(b.rows, &row{
		api: api, there: there, about: aboutAPI(b.s, api, there),
		label: prose.Short(api.Label), function: model.Count(len(api.Paths), "path"), url: prose.Short(b.s.Env.Endpoint(api.Label)),
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
		r := &row{api: api, definition: p, there: there && now[p.Name] == p, label: prose.Short(api.Label), path: prose.Short(p.Name), function: prose.Short(p.Function), access: prose.Short(p.Access.String())}
		then := was[p.Name]
		r.mark, r.reasons = b.markOfPath(then, p, here && now[p.Name] != nil)
		if below := taken[p]; below != nil {
			r.taken = prose.Short(below.Name)
		}
		if then != nil {
			r.url, r.proxy = endpointsOf(b.s.Env.Endpoint(api.Label), p, r.taken == "")
		}
		b.rows = append(b.rows, r)
	}
	b.markChanged(head)
}

// endpointsOf are the addresses of a path's main and proxy resource below that of
// its API; "" where there is none.
func endpointsOf(url string, p *model.Path, proxy bool) (main, below string) {
	if url == "" {
		return "", ""
	}
	if proxy {
		below = prose.Short(url + model.ProxyOf(p.Name))
	}
	if p.Name == model.ProxyPath {
		return below, ""
	}
	return prose.Short(url + p.Name), below
}

func byName(api *model.API) map[string]*model.Path {
	if api == nil {
		return nil
	}
	paths := make(map[string]*model.Path, len(api.Paths))
	for _, p := range api.Paths {
		paths[p.Name] = p
	}
	return paths
}

// presence is the mark of what was pushed or was not, and which a push would leave there
// or would not; board.Same where its parts decide.
func (b *comparison) presence(was, here bool) board.Mark {
	switch {
	case !here && !was:
		return board.Absent
	case !b.told:
		return board.Unknown
	case !here:
		return board.Gone
	case !was:
		return board.Added
	}
	return board.Same
}

// markOfPath compares a path with what was pushed of it; here says that a push
// would leave it there.
func (b *comparison) markOfPath(then, now *model.Path, here bool) (board.Mark, []string) {
	if mark := b.presence(then != nil, here); mark != board.Same {
		return mark, nil
	}
	if reasons := model.PathChanges(then, now); len(reasons) > 0 {
		return board.Changed, prose.Shorts(reasons)
	}
	if reasons, ok := b.functions[now.Function]; ok {
		return board.Served, prose.Shorts(reasons)
	}
	return board.Same, nil
}

// markChanged marks an API by what its paths are.
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
		case board.Served:
			api.mark = board.Served
		}
	}
}

// takenBelow are the paths that have no proxy resource, each with the path that
// serves what lies below it.
func takenBelow(all []model.Takeover) map[*model.Path]*model.Path {
	taken := make(map[*model.Path]*model.Path)
	for _, t := range all {
		if t.All {
			taken[t.Above] = t.Below
		}
	}
	return taken
}
