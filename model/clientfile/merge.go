package clientfile

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// source is where values of a merge come from: an output, or the definitions and the
// deployment (generated, whose Ref is zero).
type source struct {
	Of     model.Ref
	origin string
}

var generated = source{origin: Generated}

// SourceOf says that values come from an output.
func SourceOf(o *model.Output) source {
	return source{Of: model.Ref{Kind: model.KindOutput, Name: o.Name}, origin: "output " + phrase.Quote(o.Name)}
}

// merger joins values and remembers where each leaf came from. It owns values and changes them in place.
type merger struct {
	Values  map[string]any
	origins map[string]string
	// Conflicts are about values that differ from those already there, which are kept.
	Conflicts []*model.Problem
}

// add joins values from one source.
func (m *merger) add(from source, values map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		m.join(m.Values, name, values[name], "/"+model.PointerSegment(name), from, name == "custom")
	}
}

// join merges one member into an object. Arrays are joined as sets, or appended if free is set.
func (m *merger) join(into map[string]any, name string, add any, pointer string, from source, free bool) {
	have, exists := into[name]
	if !exists {
		into[name] = model.Copied(add)
		m.mark(add, pointer, from.origin)
		return
	}
	switch add := add.(type) {
	case map[string]any:
		if old, ok := have.(map[string]any); ok {
			if len(add) > 0 {
				delete(m.origins, pointer)
			}
			free = free || pointer == introspectionPointer
			for _, member := range slices.Sorted(maps.Keys(add)) {
				m.join(old, member, add[member], pointer+"/"+model.PointerSegment(member), from, free)
			}
			return
		}
	case []any:
		if old, ok := have.([]any); ok {
			into[name] = joinArrays(old, add, free)
			m.origins[pointer] += ", " + from.origin
			return
		}
	}
	switch {
	case model.SameValue(have, add):
	case pointer == APIKeyPointer && add == model.APIKeyPlaceholder:
	case pointer == APIKeyPointer && have == model.APIKeyPlaceholder:
		into[name] = model.Copied(add)
		m.origins[pointer] = from.origin
	default:
		m.Conflicts = append(m.Conflicts, m.conflict(have, add, pointer, from))
	}
}

// fill adds values that are missing. Values that are there stay, except APIKeyPlaceholder.
func (m *merger) fill(from source, values map[string]any) { m.fillIn(m.Values, values, "", from) }

func (m *merger) fillIn(into, add map[string]any, above string, from source) {
	for name, value := range add {
		pointer := above + "/" + model.PointerSegment(name)
		have, exists := into[name]
		if !exists || pointer == APIKeyPointer && have == model.APIKeyPlaceholder {
			into[name] = model.Copied(value)
			m.mark(value, pointer, from.origin)
			continue
		}
		old, both := have.(map[string]any)
		members, isObject := value.(map[string]any)
		// Two descriptions of a data API are not mixed.
		if !both || !isObject || len(members) == 0 || pointer == introspectionPointer {
			continue
		}
		delete(m.origins, pointer)
		m.fillIn(old, members, pointer, from)
	}
}

// mark records where each leaf of a value came from. An empty object is a leaf.
func (m *merger) mark(value any, pointer, origin string) {
	members, ok := value.(map[string]any)
	if !ok || len(members) == 0 {
		m.origins[pointer] = origin
		return
	}
	for name, member := range members {
		m.mark(member, pointer+"/"+model.PointerSegment(name), origin)
	}
}

// joinArrays appends items to a list that the merger owns.
func joinArrays(have, add []any, free bool) []any {
	seen := make(map[string]bool)
	if !free {
		for _, item := range have {
			seen[model.Canonical(item)] = true
		}
	}
	for _, item := range add {
		if !free {
			key := model.Canonical(item)
			if seen[key] {
				continue
			}
			seen[key] = true
		}
		have = append(have, model.Copied(item))
	}
	return have
}

func (m *merger) conflict(have, add any, pointer string, from source) *model.Problem {
	return &model.Problem{
		Of: from.Of, Field: "output", Pointer: pointer,
		Text: fmt.Sprintf("%s is %s (%s) and %s (%s)", phrase.Quote(pointer), Brief(pointer, have), m.originOf(have, pointer),
			Brief(pointer, add), from.origin),
		Fix: "give it once, or the same value", Cause: model.ErrExists,
	}
}

// originOf returns where the first leaf of a value came from.
func (m *merger) originOf(value any, pointer string) string {
	members, ok := value.(map[string]any)
	if !ok || len(members) == 0 {
		return m.origins[pointer]
	}
	first := slices.Min(slices.Collect(maps.Keys(members)))
	return m.originOf(members[first], pointer+"/"+model.PointerSegment(first))
}

// Brief returns the value at a pointer as JSON without its secrets, short enough for a sentence.
func Brief(pointer string, value any) string {
	value = model.WithoutSecrets(pointer, value)
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return kindOf(value)
	}
	text := strings.TrimSuffix(b.String(), "\n")
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return phrase.Quote(text)
	}
	if runes := []rune(text); len(runes) > phrase.Longest {
		return string(runes[:phrase.Longest]) + "..."
	}
	return text
}
