package render

import (
	"gatewright/model/access"
)

// API renders an API's cli-inputs.json, with the keys in the order in which the Amplify CLI
// writes them.
func API(api *access.API, form Form) []byte {
	w := newWriter(form)
	w.file("cli-inputs")
	w.binaryMediaTypes(api.BinaryMediaTypes)
	w.paths(api.Paths, func(*access.Path) bool { return true })
	return w.bytes()
}

// APIPart renders the part of a cli-inputs.json with these binary media types and paths.
// named says which of the paths repeat their name in their entry, as the Amplify CLI writes
// them.
func APIPart(binaryMediaTypes []string, paths []*access.Path, named func(*access.Path) bool) []byte {
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

func (w *writer) paths(paths []*access.Path, named func(*access.Path) bool) {
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

func (w *writer) access(rules access.Access) {
	w.beginAt("permissions")
	w.text("setting", string(rules.Setting))
	grouped := false
	for _, g := range rules.Grants {
		switch g.To.Kind {
		case access.Authenticated:
			w.actions("auth", g.Actions)
		case access.Guest:
			w.actions("guest", g.Actions)
		case access.Group:
			grouped = true
		}
	}
	if grouped {
		w.beginAt("groups")
		for _, g := range rules.Grants {
			if g.To.Kind == access.Group {
				w.actions(g.To.Group, g.Actions)
			}
		}
		w.end()
	}
	w.end()
}
