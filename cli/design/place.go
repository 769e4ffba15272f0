package design

import (
	"slices"
	"strings"

	"gatewright/cli/command"
	"gatewright/model"
)

// parsePlace reads the way to a value: a JSON pointer where it begins with /,
// else names with dots between them.
func parsePlace(text string) ([]string, error) {
	if strings.HasPrefix(text, "/") {
		return model.PlaceOf(text), nil
	}
	place := strings.Split(text, ".")
	if slices.Contains(place, "") {
		return nil, command.Misuse("%s is not a path into the file; write one such as storage.bucket_name, or a JSON pointer such as /custom/a.b", model.Quote(text))
	}
	return place, nil
}

// pointerTo is the JSON pointer of a place.
func pointerTo(place []string) string {
	var b strings.Builder
	for _, token := range place {
		b.WriteString("/" + model.PointerToken(token))
	}
	return b.String()
}
