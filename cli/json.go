package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"

	"gatewright/project"
)

// Reports as JSON have names in camelCase. A list or an object of names is always
// there, empty where there is nothing to say: programs go through it unasked.

func printJSON(out io.Writer, value any) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(value)
	if err == nil {
		_, err = io.WriteString(out, escaped(b.String()))
	}
	if err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	return nil
}

// escaped is JSON without characters that are not to be seen: they stand in
// strings only, where an escape means the same.
func escaped(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '\n' || !unseen(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, "\\u%04x", unit)
		}
	}
	return b.String()
}

// listed is a list as JSON has it: never null.
func listed[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

// reported is a problem as JSON.
type reported struct {
	Level string `json:"level"`
	*project.Problem
}

func report(problems []*project.Problem) []reported {
	list := []reported{}
	for _, p := range problems {
		list = append(list, reported{p.Level.String(), p})
	}
	return list
}
