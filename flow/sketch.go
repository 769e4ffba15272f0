package flow

import (
	"slices"
	"strings"

	"gatewright/model"
)

// Sketch is the API as the answers have it so far, finished or not: the answered
// paths, and up to around of its other paths that stand nearest to the one at
// hand. It checks nothing and costs little however many paths the API has.
func (f *Flow) Sketch(at ID, around int) (api *model.API, current *model.Path) {
	api = &model.API{Label: f.label()}
	paths := f.paths()
	for i, p := range paths {
		drawn := &model.Path{Name: p.Path, Function: p.Existing, Access: p.access()}
		if p.Source == NewFunction {
			drawn.Function = p.functionName()
		}
		if i == min(at.Path, len(paths)-1) {
			current = drawn
		}
		if p.Path != "" {
			api.Paths = append(api.Paths, drawn)
		}
	}
	if old := f.Base.API(f.Task.API); old != nil {
		api.Label = old.Label
		api.Paths = append(api.Paths, nearest(old.Paths, current.Name, f.Task.Path, around)...)
	}
	return api, current
}

// nearest picks the paths that share the longest beginning with a name, leaving
// out the one that is being changed.
func nearest(paths []*model.Path, name, but string, most int) []*model.Path {
	type ranked struct {
		path   *model.Path
		shared int
	}
	var best []ranked
	for _, p := range paths {
		if p.Name == but || p.Name == name {
			continue
		}
		shared := sharedBeginning(p.Name, name)
		if len(best) == most && (most == 0 || shared <= best[most-1].shared) {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, shared, func(r ranked, want int) int {
			if r.shared >= want {
				return -1
			}
			return 1
		})
		best = slices.Insert(best, at, ranked{p, shared})
		if len(best) > most {
			best = best[:most]
		}
	}
	picked := make([]*model.Path, 0, len(best))
	for _, r := range best {
		picked = append(picked, r.path)
	}
	return picked
}

func sharedBeginning(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// Label is the label of the API that the walk is about.
func (f *Flow) Label() string {
	if f.Task.API != "" {
		return f.Task.API
	}
	return f.label()
}

// Command is the command line that makes the same API elsewhere, from the file
// that was written.
func (f *Flow) Command(file string) string {
	label := f.Label()
	parts := []string{"gatewright add api", label, "--from", file}
	for _, p := range f.paths() {
		if p.Source == NewFunction {
			return strings.Join(append(parts, "--create-functions", p.Function.Template), " ")
		}
	}
	return strings.Join(parts, " ")
}
