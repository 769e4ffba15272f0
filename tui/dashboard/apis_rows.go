package dashboard

import (
	"slices"
	"strings"

	"gatewright/model"
)

// apiRow is a row of the APIs: an API, or one of its paths.
type apiRow struct {
	// api is what the row is of, and of its path; nil in the row of an API. there
	// says that the project has it.
	api   *model.API
	of    *model.Path
	there bool
	label string
	// path is the path's name; "" in the row of an API.
	path, function, access string
	mark                   mark
	// url is the endpoint; "" where it was not pushed. proxy is the one of the
	// proxy resource; "" where there is none.
	url, proxy string
	// taken is the path that serves what lies below this one, so that it has no
	// proxy resource.
	taken   string
	reasons []string
	// about is what there is to say of an API beside its mark.
	about []said
	// head is the index of the API's row.
	head int
}

// mark is how a path or an API is, compared with the last push.
type mark uint8

const (
	unknown mark = iota
	same
	added
	changed
	// served says that the path is as it was, and its function is not.
	served
	gone
	// absent says that the environment has not the API.
	absent
)

// words are the mark in the list: a glyph and a word.
func (m mark) words() string {
	return [...]string{unknown: "", same: "= no change", added: "+ new", changed: "~ changed", served: "~ function", gone: "- gone", absent: "· not here"}[m]
}

// apiRows are the APIs and their paths, in the order in which requests are
// matched, and what was pushed and is no more. then is what was last pushed, as
// the environment has it; nil for nothing.
func apiRows(s *snapshot, then *model.Backend) []apiRow {
	b := compareAPIs{s: s, then: then, told: s.status.untold == "", functions: make(map[string][]string)}
	for _, r := range s.status.Resources {
		if r.Of.Kind == model.KindFunction && r.Operation != model.NoChange {
			b.functions[r.Of.Name] = r.Reasons
		}
	}
	labels := make(map[string]bool)
	for _, api := range s.backend.APIs {
		labels[api.Label] = true
	}
	all := slices.Clone(s.backend.APIs)
	if then != nil {
		for _, api := range then.APIs {
			if !labels[api.Label] {
				all = append(all, api)
			}
		}
	}
	slices.SortFunc(all, func(a, b *model.API) int { return strings.Compare(a.Label, b.Label) })
	n := len(all)
	for _, api := range all {
		n += len(api.Paths)
	}
	b.rows = make([]apiRow, 0, n)
	for _, api := range all {
		b.add(api, labels[api.Label])
	}
	return b.rows
}

// compareAPIs makes the rows.
type compareAPIs struct {
	s    *snapshot
	then *model.Backend
	// told says that the project could be compared with the last push.
	told bool
	// functions are those that a push changes, with the reasons.
	functions map[string][]string
	rows      []apiRow
}

// add adds the rows of an API; there says that the project has it.
func (b *compareAPIs) add(api *model.API, there bool) {
	var was map[string]*model.Path
	if b.then != nil {
		was = byName(b.then.API(api.Label))
	}
	here := there && (b.s.env == nil || b.s.env.Has(api.Label))
	head := len(b.rows)
	b.rows = append(b.rows, apiRow{
		api: api, there: there, about: aboutAPI(b.s, api, there),
		label: fit(api.Label), function: model.Count(len(api.Paths), "path"), url: fit(b.s.env.endpoint(api.Label)),
		mark: b.markOfAPI(was, there, here), head: none,
	})
	paths, now := slices.Clone(api.Paths), byName(api)
	if here && was != nil {
		for _, p := range b.then.API(api.Label).Paths {
			if now[p.Name] == nil {
				paths = append(paths, p)
			}
		}
	}
	sortPaths(paths)
	taken := takenBelow(b.s.takeovers.of(api))
	for _, p := range paths {
		row := apiRow{api: api, of: p, there: there && now[p.Name] == p, label: fit(api.Label), path: fit(p.Name), function: fit(p.Function), access: fit(p.Access.String()), head: head}
		then := was[p.Name]
		row.mark, row.reasons = b.markOfPath(then, p, here && now[p.Name] != nil)
		if below := taken[p]; below != nil {
			row.taken = fit(below.Name)
		}
		if then != nil {
			row.url, row.proxy = endpointsOf(b.s.env.endpoint(api.Label), p, row.taken == "")
		}
		b.rows = append(b.rows, row)
	}
	b.markChanged(head)
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

// endpointsOf are the addresses of a path's main and proxy resource below that of
// its API; "" where there is none.
func endpointsOf(url string, p *model.Path, proxy bool) (main, below string) {
	if url == "" {
		return "", ""
	}
	if proxy {
		below = fit(url + model.ProxyOf(p.Name))
	}
	if p.Name == model.ProxyPath {
		return below, ""
	}
	return fit(url + p.Name), below
}

// markOfAPI is the mark of an API as far as its paths do not decide it.
func (b *compareAPIs) markOfAPI(was map[string]*model.Path, there, here bool) mark {
	switch {
	case there && !here && was == nil:
		return absent
	case !b.told:
		return unknown
	case !here:
		return gone
	case was == nil:
		return added
	}
	return same
}

// markOfPath compares a path with what was pushed of it; here says that a push
// would leave it there.
func (b *compareAPIs) markOfPath(then, now *model.Path, here bool) (mark, []string) {
	switch {
	case !here && then == nil:
		return absent, nil
	case !b.told:
		return unknown, nil
	case !here:
		return gone, nil
	case then == nil:
		return added, nil
	}
	if !alike(then, now) {
		only := func(p *model.Path) *model.Backend {
			return &model.Backend{APIs: []*model.API{{Paths: []*model.Path{p}}}}
		}
		for _, d := range model.Diff(only(then), only(now)) {
			if d.Of.Kind == model.KindAPI && d.Operation != model.NoChange {
				return changed, fitAll(d.Reasons)
			}
		}
	}
	if reasons, ok := b.functions[now.Function]; ok {
		return served, fitAll(reasons)
	}
	return same, nil
}

// alike reports whether two paths of one name are written the same; those that are
// not may still mean the same. Of many paths most are, and are told so fast.
func alike(a, b *model.Path) bool {
	return a.Function == b.Function && a.Access.Setting == b.Access.Setting && slices.Equal(a.Access.Grants, b.Access.Grants)
}

// markChanged marks an API by what its paths are.
func (b *compareAPIs) markChanged(head int) {
	api := &b.rows[head]
	if api.mark != same {
		return
	}
	for _, row := range b.rows[head+1:] {
		switch row.mark {
		case added, changed, gone:
			api.mark = changed
			return
		case served:
			api.mark = served
		}
	}
}

func fitAll(lines []string) []string {
	plain := make([]string, len(lines))
	for i, line := range lines {
		plain[i] = fit(line)
	}
	return plain
}

// takeovers are which requests paths take from others, for each API.
type takeovers map[*model.API][]model.Takeover

// takeoversIn are those of the APIs of a backend. Of many paths they take a while.
func takeoversIn(b *model.Backend) takeovers {
	all := make(takeovers, len(b.APIs))
	for _, api := range b.APIs {
		all[api] = api.Takeovers()
	}
	return all
}

// of are those of one API, which need not be of the backend.
func (t takeovers) of(api *model.API) []model.Takeover {
	if all, known := t[api]; known {
		return all
	}
	return api.Takeovers()
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

// sortPaths puts paths into the order in which requests are matched.
func sortPaths(paths []*model.Path) {
	slices.SortStableFunc(paths, func(a, b *model.Path) int { return model.CompareResources(a.Name, b.Name) })
}
