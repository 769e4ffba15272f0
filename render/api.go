package render

import "gatewright/model"

// API renders an API's cli-inputs.json, with the keys in the order in which the Amplify CLI
// writes them.
func API(api *model.API, form Form) []byte {
	w := newWriter(form)
	w.file("cli-inputs")
	w.binaryMediaTypes(api.BinaryMediaTypes)
	w.paths(api.Paths, func(*model.Path) bool { return true })
	return w.bytes()
}

// APIPart renders the part of a cli-inputs.json with these binary media types and paths.
// named says which of the paths repeat their name in their entry, as the Amplify CLI writes
// them.
func APIPart(binaryMediaTypes []string, paths []*model.Path, named func(*model.Path) bool) []byte {
	w := newWriter(Part)
	w.begin()
	w.binaryMediaTypes(binaryMediaTypes)
	w.paths(paths, named)
	return w.bytes()
}

func (w *writer) binaryMediaTypes(types []string) {
	if len(types) > 0 {
		w.texts("binaryMediaTypes", types)
	}
}

func (w *writer) paths(paths []*model.Path, named func(*model.Path) bool) {
	const bytesPerPath = 300
	w.out.Grow(len(paths) * bytesPerPath)
	w.beginAt("paths")
	for _, p := range paths {
		w.beginAt(p.Name)
		if named(p) {
			w.text("name", p.Name)
		}
		w.text("lambdaFunction", p.Function)
		w.access(p.Access)
		w.end()
	}
	w.end()
}

func (w *writer) access(access model.Access) {
	w.beginAt("permissions")
	w.text("setting", string(access.Setting))
	grouped := false
	for _, g := range access.Grants {
		switch g.To.Kind {
		case model.Authenticated:
			w.actions("auth", g.Actions)
		case model.Guest:
			w.actions("guest", g.Actions)
		case model.Group:
			grouped = true
		}
	}
	if grouped {
		w.beginAt("groups")
		for _, g := range access.Grants {
			if g.To.Kind == model.Group {
				w.actions(g.To.Group, g.Actions)
			}
		}
		w.end()
	}
	w.end()
}
