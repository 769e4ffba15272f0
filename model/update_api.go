package model

import "slices"

// UpdateAPI makes the API called api.Label have exactly the paths of api. Paths
// are the same by name. One that does not change stays as it is, one that does
// keeps its place, new ones come last in the order given, and the others go. The
// order of paths or of grants alone is no difference: where nothing differs, b
// stays untouched. What is newly wrong with it is the error, as in AddAPI; an API
// that would lose all its paths has the cause ErrLastPath.
func (b *Backend) UpdateAPI(api *API) error {
	have, err := b.api(api.Label)
	if err != nil {
		return err
	}
	paths, fresh := mergePaths(have.Paths, api.Paths)
	if slices.Equal(paths, have.Paths) {
		return nil
	}
	if len(paths) == 0 {
		return &Problem{
			Of: Ref{Kind: KindAPI, Name: api.Label}, Pointer: "/paths", Text: "would have no paths",
			Fix: "remove api " + Quote(api.Label) + " instead", Cause: ErrLastPath,
		}
	}
	for _, p := range fresh {
		if p.Name == ProxyPath {
			continue
		}
		if _, err := ParsePath(p.Name); err != nil {
			return err
		}
	}
	next := *b
	next.putPaths(have, paths)
	err = refusal(next.checker().checkAPI(next.API(api.Label)), func() []*Problem { return b.checker().checkAPI(have) })
	if err != nil {
		return err
	}
	b.APIs = next.APIs
	return nil
}

// mergePaths is the list that has exactly the paths wanted, with as much as
// possible of the one that is there, and the paths of it that are new.
func mergePaths(have, want []*Path) (paths, fresh []*Path) {
	wanted := make(map[string]*Path, len(want))
	for _, p := range want {
		if wanted[p.Name] == nil {
			wanted[p.Name] = p
		}
	}
	placed := make(map[string]bool, len(want))
	paths = make([]*Path, 0, len(want))
	for _, p := range have {
		with := wanted[p.Name]
		switch {
		case with == nil || placed[p.Name]:
			continue
		case p.Function == with.Function && p.Access.same(with.Access):
			paths = append(paths, p)
		default:
			paths = append(paths, copiedPath(with))
		}
		placed[p.Name] = true
	}
	for _, p := range want {
		if placed[p.Name] {
			// A second path of that name is added, so that the check refuses it.
			placed[p.Name] = false
			continue
		}
		fresh = append(fresh, copiedPath(p))
	}
	return append(paths, fresh...), fresh
}

// same reports whether two accesses are written the same but for the order of
// their grants.
func (a Access) same(b Access) bool {
	if a.equal(b) {
		return true
	}
	if a.Setting != b.Setting || len(a.Grants) != len(b.Grants) {
		return false
	}
	count := make(map[Grant]int, len(a.Grants))
	for _, g := range a.Grants {
		count[g]++
	}
	for _, g := range b.Grants {
		if count[g]--; count[g] < 0 {
			return false
		}
	}
	return true
}
