package edit

import (
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/check"
)

// AddAPI adds a whole API, such as one read from a file. Unlike AddPath it accepts the
// reserved ProxyPath and grants without actions, which files of the Amplify CLI have.
func AddAPI(b *model.Backend, api *access.API) error {
	if err := free(model.KindAPI, b.APIs, api.Label, ""); err != nil {
		return err
	}
	for _, p := range api.Paths {
		if p.Name == access.ProxyPath {
			continue
		}
		if err := model.CheckPath(p.Name); err != nil {
			return err
		}
	}
	api = model.Copied(api)
	next := *b
	next.APIs = with(b.APIs, api)
	if err := check.Refusal(check.New(&next).CheckAPI(api), check.None); err != nil {
		return err
	}
	*b = next
	return nil
}

// AddPath adds a path to an API, last in its file.
func AddPath(b *model.Backend, label string, path *access.Path) error {
	api, err := apiOf(b, label)
	if err != nil {
		return err
	}
	if err := newPath(b, api, path, nil); err != nil {
		return err
	}
	putPaths(b, api, append(slices.Clip(api.Paths), model.Copied(path)))
	return nil
}

// UpdatePath replaces the path called name, keeping its place; path may carry another name.
func UpdatePath(b *model.Backend, label, name string, path *access.Path) error {
	api, err := apiOf(b, label)
	if err != nil {
		return err
	}
	at := api.Index(name)
	if at < 0 {
		return unknownPath(api, name)
	}
	if err := newPath(b, api, path, api.Paths[at]); err != nil {
		return err
	}
	paths := slices.Clone(api.Paths)
	paths[at] = model.Copied(path)
	putPaths(b, api, paths)
	return nil
}

// RemovePath removes a path. An API's only path is not removed: the error's
// cause is ErrLastPath, and the caller may offer to remove the API.
func RemovePath(b *model.Backend, label, name string) error {
	api, err := apiOf(b, label)
	if err != nil {
		return err
	}
	at := api.Index(name)
	if at < 0 {
		return unknownPath(api, name)
	}
	if len(api.Paths) == 1 {
		return &model.Problem{
			Of: model.Ref{Kind: model.KindPath, API: label, Name: name}, Text: "is the only path of its API",
			Fix: "remove the API " + phrase.Quote(label) + " instead", Cause: model.ErrLastPath,
		}
	}
	putPaths(b, api, slices.Delete(slices.Clone(api.Paths), at, at+1))
	return nil
}

func apiOf(b *model.Backend, label string) (*access.API, error) {
	if api := b.API(label); api != nil {
		return api, nil
	}
	return nil, model.UnknownError(model.Ref{Kind: model.KindAPI, Name: label}, model.Names(b.APIs))
}

func unknownPath(api *access.API, name string) error {
	have := make([]string, len(api.Paths))
	for i, p := range api.Paths {
		have[i] = p.Name
	}
	return model.UnknownError(model.Ref{Kind: model.KindPath, API: api.Label, Name: name}, have)
}

// putPaths replaces an API's paths.
func putPaths(b *model.Backend, api *access.API, paths []*access.Path) {
	changed := *api
	changed.Paths = paths
	b.APIs = swapped(b.APIs, api.Label, &changed)
}

// newPath checks a new or changed path by itself and against the others; old is the path
// before the change, nil for a new one.
func newPath(b *model.Backend, api *access.API, path, old *access.Path) error {
	if old == nil || path.Name != old.Name {
		if err := freePath(api, path, old); err != nil {
			return err
		}
	}
	var was map[string]bool
	if old != nil {
		was = make(map[string]bool)
		as := *old
		as.Name = path.Name
		for _, p := range check.New(b).CheckEdited(api, &as) {
			was[p.Text] = true
		}
	}
	for _, p := range check.New(b).CheckEdited(api, path) {
		// An edit refuses even what Check only warns of in a file, except unknown functions
		// and groups, which the Amplify CLI may have.
		if (p.Level == model.Error || p.Cause == nil) && !was[p.Text] {
			p.Level = model.Error
			return p
		}
	}
	return nil
}

// freePath checks the name of a new or renamed path, and that it conflicts with no other
// path. A conflict that old has already does not count.
func freePath(api *access.API, path, old *access.Path) error {
	if err := model.CheckPath(path.Name); err != nil {
		return err
	}
	for _, other := range api.Paths {
		if other == old {
			continue
		}
		if len(other.Name) == len(path.Name) && strings.EqualFold(other.Name, path.Name) {
			return takenError(model.KindPath, path.Name, other.Name)
		}
		if c := path.ConflictWith(other); c != nil && (old == nil || old.ConflictWith(other) == nil) {
			return check.Conflict(api, *c)
		}
	}
	return nil
}
