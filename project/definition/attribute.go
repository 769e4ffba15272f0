package definition

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// attributeForm says how custom attributes are written.
const attributeForm = "NAME=TYPE, optionally with :MIN..MAX and :fixed, such as plan=string:1..20:fixed; TYPE is " +
	"string, number, dateTime or boolean"

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
		a := model.CustomAttribute{Type: parts[0]}
		for _, part := range parts[1:] {
			least, most, bounds := strings.Cut(part, "..")
			switch {
			case part == "fixed":
				a.Mutable = new(bool)
			case !bounds || !setBound(&a.Min, least) || !setBound(&a.Max, most):
				return nil, fmt.Errorf("give %s; not %s", attributeForm, phrase.Quote(item))
			}
		}
		values, err := model.OutputsOf(a)
		if err != nil {
			return nil, err
		}
		all[name] = map[string]any(values)
	}
	return all, nil
}

func setBound(bound **int, text string) bool {
	n, err := strconv.Atoi(text)
	if err == nil {
		*bound = &n
	}
	return err == nil || text == ""
}

// attributesText writes custom attributes as parseAttributes reads them.
func attributesText(values map[string]any) string {
	var all map[string]model.CustomAttribute
	_ = json.Unmarshal([]byte(jsonOf(values)), &all)
	var items []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		items = append(items, name+"="+all[name].String())
	}
	return strings.Join(items, ", ")
}
