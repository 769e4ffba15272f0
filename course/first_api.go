package course

import (
	"strings"

	"gatewright/flow"
	"gatewright/model"
)

func firstAPI() Lesson {
	return Lesson{
		ID: "first-api",
		Begin: func(b *model.Backend) flow.Task {
			api := b.API(shop)
			switch {
			case api == nil:
				return flow.Task{}
			case api.Path(list) != nil:
				return flow.Task{API: shop, Path: list}
			case len(api.Paths) == 1:
				return flow.Task{API: shop, Path: api.Paths[0].Name}
			}
			return flow.Task{API: shop}
		},
		Check: func(b *model.Backend, f Facts) []string {
			if !f.Project {
				return []string{"There is no project yet. The wizard writes it at its last page, the review, with w."}
			}
			path, missing := pathOf(b, shop, list)
			if path == nil {
				return missing
			}
			if path.Access.Setting != model.Open {
				missing = append(missing, list+" is restricted ("+path.Access.String()+"). In this lesson it is open to everybody.")
			}
			return missing
		},
		Look:    func(b *model.Backend) []string { return served(b, "GET /books", "POST /books", "GET /books/978") },
		Command: "gatewright init --name bookshop && gatewright add api shop --path /books --function books --new-function plain --open",
		solve:   walked(flow.Task{}, flow.Answers{Service: flow.REST, Label: shop, Paths: []flow.PathAnswer{open(list, "books")}}),
	}
}

// pathOf is a path that a lesson needs with a function that is there, or what is
// missing of it.
func pathOf(b *model.Backend, label, name string) (*model.Path, []string) {
	api := b.API(label)
	if api == nil {
		return nil, []string{"There is no API " + label + has(apiNames(b)) + "."}
	}
	path := api.Path(name)
	if path == nil {
		return nil, []string{"The API " + label + " has no path " + name + has(pathNames(api)) + "."}
	}
	if b.Function(path.Function) == nil {
		return path, []string{"The path " + name + " goes to the function " + model.Quote(path.Function) + ", which is not there."}
	}
	return path, nil
}

// has says what is there instead.
func has(names []string) string {
	if len(names) == 0 {
		return " yet"
	}
	return ", but there is " + strings.Join(names, ", ")
}

func apiNames(b *model.Backend) []string {
	var names []string
	for _, api := range b.APIs {
		names = append(names, model.Quote(api.Label))
	}
	return names
}

func pathNames(api *model.API) []string {
	var names []string
	for _, p := range api.Paths {
		names = append(names, model.Quote(p.Name))
	}
	return names
}

// served says which function serves requests to the API shop, and through which
// resource.
func served(b *model.Backend, requests ...string) []string {
	router := b.Router(shop)
	if router == nil {
		return nil
	}
	lines := make([]string, 0, len(requests))
	for _, request := range requests {
		method, raw, _ := strings.Cut(request, " ")
		route, found := router.Match(method, raw)
		if !found {
			lines = append(lines, request+": no path serves it")
			continue
		}
		line := request + ": " + model.Quote(route.Path.Function) + ", by " + model.Quote(route.Resource)
		for _, p := range route.Params {
			line += ", " + model.Quote(p.Name) + " is " + model.Quote(p.Value)
		}
		lines = append(lines, line)
	}
	return lines
}
