package schemas

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// vocabulary is the material of mutations: every key and every word of the schemas and the
// start documents, and values of all kinds.
type vocabulary struct {
	keys   []string
	values []any
}

func newVocabulary(t testing.TB) vocabulary {
	t.Helper()
	keys := map[string]bool{"": true, "further": true, "__proto__": true}
	words := map[string]bool{
		"": true, "true": true, "false": true, "1": true, "8": true, "t": true, "null": true, "a b": true, "<API_KEY>": true,
		"rate(5 minutes)": true, "123456789012": true, strings.Repeat("a", 65): true, strings.Repeat("a", 256): true,
	}
	var collect func(value any)
	collect = func(value any) {
		switch value := value.(type) {
		case string:
			words[value] = true
		case []any:
			for _, entry := range value {
				collect(entry)
			}
		case map[string]any:
			for key, child := range value {
				keys[key] = true
				collect(child)
			}
		}
	}
	for _, name := range Names() {
		collect(rich(t, name))
		root, err := compiledRule(name)
		if err != nil {
			t.Fatal(err)
		}
		eachRule(root, make(map[*rule]bool), func(r *rule) {
			for _, word := range r.Enum {
				collect(word)
			}
		})
	}
	v := vocabulary{keys: slices.Sorted(maps.Keys(keys))}
	for _, word := range slices.Sorted(maps.Keys(words)) {
		v.values = append(v.values, word)
	}
	for _, number := range []string{
		"-1", "0", "1", "1.0", "1.5", "5", "6", "8.0", "99", "100", "127", "128", "900", "901", "10240", "10241", "65535", "65536",
		"9007199254740993", "1e2", "1e-2", "10e-1", "1e300", "-0", "0.1e1", "6.0000000000000000000000001",
		"1e400", "-1e400", "9007199254740993.5", "-9223372036854775809", "1125899906842624.25",
	} {
		v.values = append(v.values, json.Number(number))
	}
	simple := []any{true, false, nil}
	v.values = append(v.values, slices.Repeat(simple, 5)...)
	v.values = append(v.values, []any{}, []any{"a"}, []any{"a", "a"}, []any{nil}, map[string]any{}, map[string]any{"a": "b"})
	return v
}

// mutator changes documents at random, the same for the same seed.
type mutator struct {
	*rand.Rand
	vocabulary
}

// prune returns a document with all required fields and a quarter of the others:
// a change then falls on each field more often, and judging it takes less time.
func (m mutator) prune(doc map[string]any, required []string) any {
	pruned := make(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(doc)) {
		if slices.Contains(required, key) || m.IntN(4) == 0 {
			pruned[key] = doc[key]
		}
	}
	return pruned
}

// mutate returns a changed copy of a document.
func (m mutator) mutate(doc any) any {
	doc = copyOf(doc)
	for range 1 + m.IntN(2) {
		doc = m.change(doc)
	}
	return doc
}

func (m mutator) change(doc any) any {
	var objects []map[string]any
	var arrays []*[]any
	var find func(value any) any
	find = func(value any) any {
		switch value := value.(type) {
		case map[string]any:
			objects = append(objects, value)
			for _, key := range slices.Sorted(maps.Keys(value)) {
				value[key] = find(value[key])
			}
		case []any:
			boxed := &value
			arrays = append(arrays, boxed)
			for i := range value {
				value[i] = find(value[i])
			}
			return boxed
		}
		return value
	}
	doc = find(doc)
	switch {
	case len(objects) == 0 || m.IntN(60) == 0:
		doc = pick(m, m.values)
	case len(arrays) > 0 && m.IntN(3) == 0:
		m.changeArray(pick(m, arrays))
	default:
		m.changeObject(pick(m, objects), objects)
	}
	return copyOf(doc)
}

func (m mutator) changeArray(array *[]any) {
	entries := *array
	switch at := m.IntN(len(entries) + 1); {
	case at == len(entries), m.IntN(4) == 0:
		entries = append(entries, pick(m, m.values))
	case m.IntN(3) == 0:
		entries = append(entries, entries[at])
	case m.IntN(3) == 0:
		entries = slices.Delete(slices.Clone(entries), at, at+1)
	case m.IntN(6) == 0:
		entries = []any{}
	default:
		entries[at] = m.near(entries[at])
	}
	*array = entries
}

func (m mutator) changeObject(object map[string]any, all []map[string]any) {
	keys := slices.Sorted(maps.Keys(object))
	if len(keys) == 0 || m.IntN(6) == 0 {
		object[pick(m, m.keys)] = pick(m, m.values)
		return
	}
	key := pick(m, keys)
	value := object[key]
	switch m.IntN(7) {
	case 0:
		delete(object, key)
	case 1:
		delete(object, key)
		object[pick(m, m.keys)] = value
	case 2:
		delete(object, key)
		object[m.misspelt(key)] = value
	case 3:
		delete(object, key)
		pick(m, all)[key] = copyOf(value)
	case 4:
		pick(m, all)[key] = copyOf(value)
	default:
		object[key] = m.near(value)
	}
}

// near returns another value, often of the same kind.
func (m mutator) near(value any) any {
	for range 8 {
		other := pick(m, m.values)
		_, wasNumber := value.(json.Number)
		_, isNumber := other.(json.Number)
		_, wasText := value.(string)
		_, isText := other.(string)
		_, wasBool := value.(bool)
		_, isBool := other.(bool)
		if wasNumber && isNumber || wasText && isText || wasBool && isBool {
			return other
		}
	}
	return pick(m, m.values)
}

func (m mutator) misspelt(key string) string {
	if key == "" {
		return "a"
	}
	at := m.IntN(len(key))
	return key[:at] + strings.ToUpper(key[at:at+1]) + key[min(at+1+m.IntN(2), len(key)):]
}

func pick[T any](m mutator, from []T) T { return from[m.IntN(len(from))] }

// copyOf copies a document, with arrays in or out of the boxes of change.
func copyOf(value any) any {
	switch value := value.(type) {
	case *[]any:
		return copyOf(*value)
	case []any:
		entries := make([]any, len(value))
		for i, entry := range value {
			entries[i] = copyOf(entry)
		}
		return entries
	case map[string]any:
		fields := make(map[string]any, len(value))
		for key, child := range value {
			fields[key] = copyOf(child)
		}
		return fields
	default:
		return value
	}
}
