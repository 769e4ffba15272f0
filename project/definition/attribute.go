package definition

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
)

// attributeForm says how custom attributes are written.
const attributeForm = "NAME=TYPE, with :MIN..MAX and :fixed where they are wanted, such as plan=string:1..20:fixed; " +
	"TYPE is string, number, dateTime or boolean"

// parseAttributes reads custom attributes, with commas between them. One without a type is nil, to be removed.
func parseAttributes(text string) (any, error) {
	all := make(map[string]any)
	for item := range strings.SplitSeq(text, ",") {
		name, rest, ok := strings.Cut(strings.TrimSpace(item), "=")
		if _, twice := all[name]; !ok || name == "" || twice {
			return nil, fmt.Errorf("give each attribute once, as %s; not %s", attributeForm, phrase.Quote(item))
		}
		if all[name] = nil; rest == "" {
			continue
		}
		parts := strings.Split(rest, ":")
		attribute := map[string]any{"type": parts[0]}
		for _, part := range parts[1:] {
			least, most, bounds := strings.Cut(part, "..")
			if part == "fixed" {
				attribute["mutable"] = false
				continue
			}
			for name, bound := range map[string]string{"min": least, "max": most} {
				if n, err := strconv.Atoi(bound); err == nil {
					attribute[name] = json.Number(strconv.Itoa(n))
				} else if bound != "" || !bounds {
					return nil, fmt.Errorf("give %s; not %s", attributeForm, phrase.Quote(item))
				}
			}
		}
		all[name] = attribute
	}
	return all, nil
}

// attributesText writes custom attributes as parseAttributes reads them.
func attributesText(all map[string]any) string {
	var items []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		attribute, _ := all[name].(map[string]any)
		text := fmt.Sprintf("%s=%v", name, attribute["type"])
		least, most := attribute["min"], attribute["max"]
		if least != nil || most != nil {
			text += ":" + jsonOf(least) + ".." + jsonOf(most)
		}
		if attribute["mutable"] == false {
			text += ":fixed"
		}
		items = append(items, text)
	}
	return strings.Join(items, ", ")
}
