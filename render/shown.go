package render

import (
	"fmt"
	"strings"

	"gatewright/model"
	"gatewright/render/client"
)

// longestShown is how many characters of a value a line shows.
const longestShown = 80

// shown returns the value at a place as printable JSON without secrets.
func shown(pointer string, value any) string {
	safe := model.WithoutSecrets(pointer, value)
	if safe == model.Redacted {
		return model.Redacted
	}
	return client.Escaped(valueText(safe), "")
}

// Text returns the value at a JSON pointer for a report, without secrets: a string as it is,
// anything else as JSON in one line. It is not made printable.
func Text(pointer string, value any) string {
	safe := model.WithoutSecrets(pointer, value)
	if text, ok := safe.(string); ok {
		return text
	}
	return valueText(safe)
}

// valueText returns a value as JSON in one line, members sorted.
func valueText(value any) string {
	w := newWriter(Part)
	w.value(value, nil)
	if w.failed != nil {
		return fmt.Sprint(value)
	}
	return strings.TrimRight(w.out.String(), "\n")
}

// cut shortens a text to longestShown.
func cut(text string) string {
	if runes := []rune(text); len(runes) > longestShown {
		return string(runes[:longestShown]) + "..."
	}
	return text
}
