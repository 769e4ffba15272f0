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
	listPath        = "/books"
	bookPath        = "/books/{isbn}"
	editors     = "Editors"
	stock       = "stock"
	development = "dev"
	quality     = "qa"
)

// findings are sentences, each about something that a task still findings.
type findings []string

// addIf adds a sentence where something is so.
func (l *findings) addIf(so bool, format string, args ...any) {
	if so {
		*l = append(*l, fmt.Sprintf(format, args...))
	}
}

// findPath is a path that a lesson needs with a function that is there, or what is
// missing of it.
func findPath(b *model.Backend, label, name string) (path *model.Path, missing findings) {
	api := b.API(label)
	if api == nil {
		missing.addIf(true, "There is no API %s%s.", label, orNamed(b.Names(model.KindAPI), " yet", ", but there is "))
		return nil, missing
	}
	if path = api.Path(name); path == nil {
		var names []string
		for _, p := range api.Paths {
			names = append(names, p.Name)
		}
		missing.addIf(true, "The API %s has no path %s%s.", label, name, orNamed(names, " yet", ", but there is "))
		return nil, missing
	}
	missing.addIf(b.Function(path.Function) == nil, "The path %s goes to the function %s, which is not there.", name, model.Quote(path.Function))
	return path, missing
}

// orNamed ends a sentence with what is there orNamed, after but, or with none.
func orNamed(names []string, none, but string) string {
	if len(names) == 0 {
		return none
	}
	return but + model.QuoteList(names)
}

// quoteValue is a value of a JSON file, for people.
func quoteValue(value any) string {
	if text, ok := value.(string); ok {
		return model.Quote(text)
	}
	text, _ := json.Marshal(value)
	return model.Quote(string(text))
}

// summarizeRoutes says which function serves requests to the API shop, and through which
// resource.
func summarizeRoutes(requests ...string) func(*model.Backend) []string {
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
