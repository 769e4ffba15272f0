package edit

import (
	"reflect"
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/check"
)

// UpdateAPI gives the API called api.Label exactly the paths and the binary media types of api, and its CORS if that
// says something. Paths are matched by name: changed paths keep their place, new ones are appended in the order
// given, and the others are removed. The order of paths, of grants or of media types alone is no difference; without
// a difference b stays unchanged. The error is the first problem that the update adds, as in AddAPI, or has the cause
// ErrLastPath if api has no paths.
func UpdateAPI(b *model.Backend, api *access.API) error {
	have, err := apiOf(b, api.Label)
	if err != nil {
		return err
	}
	paths, fresh := mergePaths(have.Paths, api.Paths)
	types, cors := have.BinaryMediaTypes, have.CORS
	if !api.CORS.IsDefault() {
		cors = model.Copied(api.CORS)
	}
	if !model.SameMediaTypes(types, api.BinaryMediaTypes) {
		types = slices.Clone(api.BinaryMediaTypes)
	} else if slices.Equal(paths, have.Paths) && reflect.DeepEqual(cors, have.CORS) {
		return nil
	}
	if len(paths) == 0 {
		return &model.Problem{
			Of: model.Ref{Kind: model.KindAPI, Name: api.Label}, Pointer: "/paths", Text: "would have no paths",
			Fix: "remove the API " + phrase.Quote(api.Label) + " instead", Cause: model.ErrLastPath,
		}
	}
	for _, p := range fresh {
		if p.Name == access.ProxyPath {
			continue
		}
		if err := model.CheckPath(p.Name); err != nil {
			return err
		}
	}
	next := *b
	changed := *have
	changed.BinaryMediaTypes, changed.CORS, changed.Paths = types, cors, paths
	next.APIs = swapped(b.APIs, api.Label, &changed)
	before := func() []*model.Problem { return check.New(b).CheckAPI(have) }
	err = check.Refusal(check.New(&next).CheckAPI(next.API(api.Label)), before)
	if err != nil {
		return err
	}
	b.APIs = next.APIs
	return nil
}

// mergePaths returns the paths of want, the unchanged ones as they are in have, and which of them are new (fresh).
func mergePaths(have, want []*access.Path) (paths, fresh []*access.Path) {
	wanted := make(map[string]*access.Path, len(want))
	for _, p := range want {
		if wanted[p.Name] == nil {
			wanted[p.Name] = p
		}
	}
	placed := make(map[string]bool, len(want))
	paths = make([]*access.Path, 0, len(want))
	for _, p := range have {
		with := wanted[p.Name]
		switch {
		case with == nil || placed[p.Name]:
			continue
		case p.Function == with.Function && p.Access.Same(with.Access):
			paths = append(paths, p)
		default:
			paths = append(paths, model.Copied(with))
		}
		placed[p.Name] = true
	}
	for _, p := range want {
		if placed[p.Name] {
			// A second path of the same name is appended, so that the check refuses it.
			placed[p.Name] = false
			continue
		}
		fresh = append(fresh, model.Copied(p))
	}
	return append(paths, fresh...), fresh
}
