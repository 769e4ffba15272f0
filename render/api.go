package render

import (
	"gatewright/model/access"
)

// API renders an API's cli-inputs.json, with the keys in the order in which the Amplify CLI writes them.
func API(api *access.API, form Form) []byte {
	w := newWriter(form)
	w.fileOf("cli-inputs", api.Version())
	w.fields(api)
	w.paths(api.Paths, func(*access.Path) bool { return true })
	return w.bytes()
}

// Settings renders the settings.json of an API.
func Settings(api *access.API, form Form) []byte {
	w := newWriter(form)
	w.file("settings")
	if !api.CORS.IsDefault() {
		w.key("cors")
		w.pointed(&api.CORS)
	}
	return w.bytes()
}

// APIPart renders the part of a cli-inputs.json with the fields of an API and some of its paths. named says which of
// the paths repeat their name in their entry, as the Amplify CLI writes them.
func APIPart(api *access.API, paths []*access.Path, named func(*access.Path) bool) []byte {
	w := newWriter(Part)
	w.fileOf("cli-inputs", api.Version())
	w.fields(api)
	w.paths(paths, named)
	return w.bytes()
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
			w.key("auth")
			w.actions(g.Actions)
		case access.Guest:
			w.key("guest")
			w.actions(g.Actions)
		case access.Group:
			grouped = true
		}
	}
	if grouped {
		w.beginAt("groups")
		for _, g := range rules.Grants {
			if g.To.Kind == access.Group {
				w.key(g.To.Group)
				w.actions(g.Actions)
			}
		}
		w.end()
	}
	w.end()
}
