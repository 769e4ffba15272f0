package course

import (
	"encoding/json"
	"fmt"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// The names that the tasks give.
const (
	projectName = "bookshop"
	shop        = "shop"
	listPath    = "/books"
	bookPath    = "/books/{isbn}"
	editors     = "Editors"
	stock       = "stock"
	development = "dev"
	quality     = "qa"
)

// findings are sentences about what is missing or wrong in the result of a task.
type findings []string

// addIf adds a sentence if the condition holds.
func (l *findings) addIf(condition bool, format string, args ...any) {
	if condition {
		*l = append(*l, fmt.Sprintf(format, args...))
	}
}

// findPath returns a path that a lesson needs; nil if there is none. missing says what it
// lacks: the API, the path, or its function.
func findPath(b *model.Backend, label, name string) (path *access.Path, missing findings) {
	api := b.API(label)
	if api == nil {
		missing.addIf(true, "There is no API %s%s.", label, nameOthers(b.Names(model.KindAPI), " yet", ", but there is "))
		return nil, missing
	}
	if path = api.Path(name); path == nil {
		var names []string
		for _, p := range api.Paths {
			names = append(names, p.Name)
		}
		missing.addIf(true, "The API %s has no path %s%s.", label, name, nameOthers(names, " yet", ", but there is "))
		return nil, missing
	}
	missing.addIf(b.Function(path.Function) == nil, "The path %s goes to the function %s, which does not exist.", name,
		phrase.Quote(path.Function))
	return path, missing
}

// nameOthers returns the end of a sentence about a missing name: the names that exist
// instead, after the prefix, or none if there are no names.
func nameOthers(names []string, none, prefix string) string {
	if len(names) == 0 {
		return none
	}
	return prefix + phrase.QuoteList(names)
}

// quoteValue returns a value of a JSON file as a message shows it.
func quoteValue(value any) string {
	if text, ok := value.(string); ok {
		return phrase.Quote(text)
	}
	text, _ := json.Marshal(value)
	return phrase.Quote(string(text))
}

// summarizeRoutes returns a summary of requests to the API shop: the function that serves
// each, and through which resource.
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
				line = request + ": " + phrase.Quote(route.Path.Function) + ", by " + phrase.Quote(route.Resource)
			}
			for _, p := range route.Params {
				line += ", " + phrase.Quote(p.Name) + " is " + phrase.Quote(p.Value)
			}
			lines = append(lines, line)
		}
		return lines
	}
}
