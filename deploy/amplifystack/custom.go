package amplifystack

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// customOutput has everything that a backend gave to addOutput, as one JSON object.
const customOutput = "customOutputs"

// custom adds the values of addOutput. As the Amplify tools do it, they add to what the other
// outputs give, and take the place of a value that is false or empty; unlike there, equal
// values are no conflict and lists are joined without repeating.
// https://github.com/aws-amplify/amplify-backend/blob/main/packages/platform-core/src/object_accumulator.ts
func (p part) custom() error {
	if p.values[customOutput] == "" {
		return nil
	}
	value, err := p.json(customOutput)
	if err != nil {
		return err
	}
	added, ok := value.(map[string]any)
	if !ok {
		return p.r.malformed(customOutput, "it is not an object")
	}
	if version, given := added["version"]; given {
		text, _ := version.(string)
		if text != "1" && !strings.HasPrefix(text, "1.") {
			return p.r.fault(ErrVersion,
				fmt.Sprintf("has the output %s in version %s, which this gatewright does not know", customOutput, shown(version)),
				"update gatewright, or give --from FILE with the file of the Amplify tools")
		}
	}
	delete(added, "version")
	delete(added, "$schema")
	return p.r.join(p.r.values, added, "")
}

// join adds members to an object, below a JSON pointer.
func (r *reader) join(into, add map[string]any, pointer string) error {
	for _, name := range slices.Sorted(maps.Keys(add)) {
		at := pointer + "/" + model.PointerSegment(name)
		have, exists := into[name]
		if !exists {
			into[name] = add[name]
			continue
		}
		old, isObject := have.(map[string]any)
		members, given := add[name].(map[string]any)
		list, isList := have.([]any)
		items, givenList := add[name].([]any)
		switch {
		case isObject && given:
			if err := r.join(old, members, at); err != nil {
				return err
			}
		case isList && givenList:
			into[name] = union(list, items)
		case model.SameValue(have, add[name]):
		case have == false || have == "" || have == nil:
			into[name] = add[name]
		default:
			return r.fault(ErrConflict, "has two values for "+phrase.Quote(at)+": its own, and one from addOutput",
				"remove it from addOutput and deploy again")
		}
	}
	return nil
}

// union appends the items that a list lacks.
func union(list, add []any) []any {
	next := append([]any{}, list...)
	seen := make(map[string]bool, len(list))
	for _, item := range list {
		seen[model.Canonical(item)] = true
	}
	for _, item := range add {
		if key := model.Canonical(item); !seen[key] {
			seen[key] = true
			next = append(next, item)
		}
	}
	return next
}

// shown returns a JSON value for a message.
func shown(value any) string { return phrase.Quote(model.Canonical(value)) }
