package access

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/prose"
	"gatewright/tui/widget"
)

// What differs from the last push: which rows say what model.Compare says, and what the cells
// were.

// The signs of access that is more open, or less, than it was pushed, of paths that are new or
// gone, and of edits that wait for review.
const (
	widerSign    = "▲"
	narrowerSign = "▼"
	addedSign    = "+"
	goneSign     = "-"
	stagedSign   = "●"
)

// routers find the routers of the APIs on both sides.
type routers struct {
	was, here func(label string) *model.Router
}

func (s *sides) routers() routers {
	r := routers{here: s.here.Routers(), was: func(string) *model.Router { return nil }}
	if s.was != nil {
		r.was = s.was.Routers()
	}
	return r
}

// groups are the groups of the columns. Those that only the last push had are among them if
// something differs for their members.
func (s *sides) groups() []string {
	groups := slices.Clone(s.now.RoleOrder())
	known := make(map[string]bool, len(groups))
	for _, group := range groups {
		known[group] = true
	}
	for _, d := range s.changed {
		for _, group := range []string{d.Who.Group, d.AlsoIn} {
			if group != "" && !known[group] {
				known[group] = true
				groups = append(groups, group)
			}
		}
	}
	return groups
}

// byPath gives each difference to the path that serves its requests now, and to the path that
// is gone and served them; to the API if there is neither.
func (s *sides) byPath() map[[2]string][]model.AccessDifference {
	all := make(map[[2]string][]model.AccessDifference)
	routers := s.routers()
	served := func(of *model.Router, d model.AccessDifference) string {
		if of == nil {
			return ""
		}
		route, ok := of.Match(d.Methods[0], d.Raw)
		if !ok {
			return ""
		}
		return route.Path.Name
	}
	for _, d := range s.changed {
		now, was := served(routers.here(d.API), d), served(routers.was(d.API), d)
		if api := s.now.API(d.API); was != "" && (api == nil || api.Path(was) == nil || now == "") && was != now {
			at := [2]string{d.API, was}
			all[at] = append(all[at], d)
			if now == "" {
				continue
			}
		}
		at := [2]string{d.API, now}
		all[at] = append(all[at], d)
	}
	return all
}

// gonePaths are the paths of an API that only the last push has.
func (s *sides) gonePaths(api *model.API) []*model.Path {
	if s.was == nil {
		return nil
	}
	then, now := s.was.API(api.Label), s.now.API(api.Label)
	if then == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(then.Paths), func(p *model.Path) bool { return now != nil && now.Path(p.Name) != nil })
}

// compare finds out what a path was for each principal, if anything differs, and which columns
// differ.
func (m *matrix) compare(s *sides, r *row, routers routers) {
	if s.was == nil {
		return
	}
	then := s.was.API(r.api.Label)
	r.added = then == nil || then.Path(r.Path.Name) == nil
	if len(r.changed) == 0 {
		return
	}
	r.was = &model.AccessRow{Groups: make([]model.GroupAccess, len(m.groups))}
	if served := servedBefore(routers, r); served != nil {
		was := s.was.AccessRow(served, m.groups)
		r.was = &was
	}
	for i := range m.principals {
		m.changed[i] = m.changed[i] || r.before(i) != r.after(i)
	}
}

// servedBefore is the path that served the requests to the path of a row at the last push; nil
// if none did.
func servedBefore(routers routers, r *row) *model.Path {
	was, here := routers.was(r.api.Label), routers.here(r.api.Label)
	if was == nil {
		return nil
	}
	raw := ""
	if here != nil {
		raw = exampleOf(here, r)
	}
	if raw == "" {
		raw = model.ExamplePath([]string{r.Path.Name})
	}
	route, ok := was.Match("GET", raw)
	if !ok {
		return nil
	}
	return route.Path
}

// exampleOf is a raw path that the path of a row serves; "" if none is found.
func exampleOf(here *model.Router, r *row) string {
	raws := []string{model.ExamplePath([]string{r.Path.Name})}
	for _, d := range r.changed {
		if d.Path == r.Path.Name {
			raws = append(raws, d.Raw)
			break
		}
	}
	for _, raw := range slices.Backward(raws) {
		if route, ok := here.Match("GET", raw); ok && route.Path == r.Path {
			return raw
		}
	}
	return ""
}

// rightsIn is what the principal of a column may do in a row. own says that a group has an
// entry.
func rightsIn(of *model.AccessRow, i int) (actions model.Actions, own bool) {
	switch i {
	case 0:
		return of.Guest, true
	case 1:
		return of.Authenticated, true
	}
	group := of.Groups[i-2]
	return group.Actions, group.Own
}

// before is what the principal of a column could do with the requests of the path.
func (r *row) before(i int) model.Actions {
	if r.was == nil {
		return r.after(i)
	}
	actions, _ := rightsIn(r.was, i)
	return actions
}

// after is what the principal of a column may do after a push.
func (r *row) after(i int) model.Actions {
	if r.left {
		return 0
	}
	actions, _ := rightsIn(&r.AccessRow, i)
	return actions
}

// letters are what the principal of a column may do, and before them what it could do if that
// differs. Small ones say that the path has no entry for the group, whose members act as
// signed-in users.
func (r *row) letters(i int) string {
	now, own := rightsIn(&r.AccessRow, i)
	is := widget.Letters(now, !own && r.exposure != everybody)
	if r.was == nil || r.before(i) == r.after(i) {
		return is
	}
	had, owned := rightsIn(r.was, i)
	open := r.was.Path != nil && r.was.Path.Access.Setting == model.Open
	if r.left {
		is = widget.Letters(0, false)
	}
	if r.was.Path == nil {
		return is // it is all new
	}
	return widget.Letters(had, !owned && !open) + widget.Becomes + is
}

// tone is the tone of the cells of a row.
func (r *row) tone() prose.Tone {
	switch {
	case r.gone:
		return prose.Muted
	case r.was != nil && r.was.Path == nil && r.isWider():
		return prose.Wider
	}
	return prose.Plain
}

// isWider reports whether callers gained something since the last push.
func (r *row) isWider() bool { return !r.gone && len(r.changed) > 0 && r.changed[0].Gained }

// pathTone is the tone of the name.
func (r *row) pathTone() prose.Tone {
	if r.gone {
		return prose.Muted
	}
	return prose.Plain
}

// differs reports whether anything is to be seen of a row that differs from the last push, or
// that waits for review.
func (r *row) differs() bool { return len(r.changed) > 0 || r.added || r.gone || r.staged }

// sign says what changed since the last push; "" for nothing.
func (r *row) sign() string {
	sign := ""
	switch {
	case r.isWider():
		sign = widerSign
	case len(r.changed) > 0 && !r.gone:
		sign = narrowerSign
	}
	switch {
	case r.staged:
		sign += stagedSign
	case r.gone:
		sign += goneSign
	case r.added:
		sign += addedSign
	}
	return sign
}

// signTone is the tone of the sign.
func (r *row) signTone() prose.Tone {
	switch {
	case r.isWider():
		return prose.Wider
	case r.gone:
		return prose.Muted
	}
	return prose.Note
}

// urgency is larger the more a reviewer should look: at what is more open first, then at what
// else differs.
func (r *row) urgency() int {
	switch {
	case r.isWider():
		return 3
	case len(r.changed) > 0 && !r.gone:
		return 2
	case r.differs():
		return 1
	}
	return 0
}

// changeCounts count paths by how they differ from the last push.
type changeCounts struct{ wider, narrower, other, staged int }

func (c *changeCounts) add(r *row) {
	if r.staged {
		c.staged++
	}
	switch {
	case r.isWider():
		c.wider++
	case len(r.changed) > 0:
		c.narrower++
	case r.differs() && !r.staged:
		c.other++
	}
}

// String is empty if nothing differs.
func (c changeCounts) String() string {
	var parts []string
	add := func(n int, words string) {
		if n > 0 {
			parts = append(parts, fmt.Sprint(n, words))
		}
	}
	add(c.wider, " more open")
	add(c.narrower, " less open")
	add(c.other, " new or gone")
	add(c.staged, " staged")
	return strings.Join(parts, ", ")
}
