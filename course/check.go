package course

import (
	"encoding/json"
	"fmt"
	"strings"

	"gatewright/model"
)

// The names that the tasks give.
const (
	projectName = "bookshop"
	shop        = "shop"
	list        = "/books"
	book        = "/books/{isbn}"
	editors     = "Editors"
	stock       = "stock"
	development = "dev"
	quality     = "qa"
)

// lacks are sentences, each about something that a task still lacks.
type lacks []string

// when adds a sentence where something is so.
func (l *lacks) when(so bool, format string, args ...any) {
	if so {
		*l = append(*l, fmt.Sprintf(format, args...))
	}
}

// pathOf is a path that a lesson needs with a function that is there, or what is
// missing of it.
func pathOf(b *model.Backend, label, name string) (path *model.Path, missing lacks) {
	api := b.API(label)
	if api == nil {
		missing.when(true, "There is no API %s%s.", label, instead(b.Names(model.KindAPI), " yet", ", but there is "))
		return nil, missing
	}
	if path = api.Path(name); path == nil {
		var names []string
		for _, p := range api.Paths {
			names = append(names, p.Name)
		}
		missing.when(true, "The API %s has no path %s%s.", label, name, instead(names, " yet", ", but there is "))
		return nil, missing
	}
	missing.when(b.Function(path.Function) == nil, "The path %s goes to the function %s, which is not there.", name, model.Quote(path.Function))
	return path, missing
}

// instead ends a sentence with what is there instead, after but, or with none.
func instead(names []string, none, but string) string {
	if len(names) == 0 {
		return none
	}
	return but + model.QuoteList(names)
}

// shown is a value of a JSON file, for people.
func shown(value any) string {
	if text, ok := value.(string); ok {
		return model.Quote(text)
	}
	text, _ := json.Marshal(value)
	return model.Quote(string(text))
}

// served says which function serves requests to the API shop, and through which
// resource.
func served(requests ...string) func(*model.Backend) []string {
	return func(b *model.Backend) (lines []string) {
		router := b.Router(shop)
		if router == nil {
			return nil
		}
		for _, request := range requests {
			method, url, _ := strings.Cut(request, " ")
			route, found := router.Match(method, url)
			line := request + ": no path serves it"
			if found {
				line = request + ": " + model.Quote(route.Path.Function) + ", by " + model.Quote(route.Resource)
			}
			for _, p := range route.Params {
				line += ", " + model.Quote(p.Name) + " is " + model.Quote(p.Value)
			}
			lines = append(lines, line)
		}
		return lines
	}
}
