package access

import (
	"slices"
	"strconv"
	"strings"
)

// Example returns the ExamplePath of the API's paths.
func (a *API) Example() string {
	names := make([]string, len(a.Paths))
	for i, p := range a.Paths {
		names[i] = p.Name
	}
	return ExamplePath(names)
}

// ExamplePath returns the first of an API's paths with a value for each variable: a number that is no segment of
// another path, because that path might serve the request instead. It is "" if there is no path.
func ExamplePath(paths []string) string {
	if len(paths) == 0 {
		return ""
	}
	var taken []string
	for _, path := range paths {
		for _, s := range ReadSegments(path) {
			taken = append(taken, s.Text)
		}
	}
	value := 1
	for slices.Contains(taken, strconv.Itoa(value)) {
		value++
	}
	var example strings.Builder
	for _, s := range ReadSegments(paths[0]) {
		if s.Variable {
			s.Text = strconv.Itoa(value)
		}
		example.WriteString("/" + s.Text)
	}
	if example.Len() == 0 {
		return "/"
	}
	return example.String()
}
