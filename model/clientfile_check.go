package model

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
)

// fieldCheck checks values against ClientFile.
type fieldCheck struct {
	of       Ref
	ask      extent
	problems []*Problem
	// missing is the required fields that a merged file lacks.
	missing []missingField
}

// extent says which required fields must be present.
type extent uint8

const (
	// given requires nothing: one output may give any part of the file.
	given extent = iota
	// defined requires the fields of the objects in a section, but not those of the section
	// itself: some are known only after a push.
	defined
	// whole requires everything, as for a merged file, and lists missing fields apart from
	// problems.
	whole
)

// missingField is the name of a field that the object at a JSON pointer lacks.
type missingField struct{ object, name string }

// section returns the section of the file and the name of the field in it.
func (m missingField) section() (section, field string) {
	section, inner, nested := strings.Cut(strings.TrimPrefix(m.object, "/"), "/")
	if nested {
		return section, inner + "/" + m.name
	}
	return section, m.name
}

func (c *fieldCheck) say(pointer, fix, text string, args ...any) {
	c.problems = append(c.problems,
		&Problem{
			Of: c.of, Pointer: pointer, Field: strings.TrimPrefix(pointer, "/"), Text: fmt.Sprintf(text, args...),
			Fix: fix,
		})
}

// value checks the value of a field at a pointer.
func (c *fieldCheck) value(f Field, value any, pointer string) {
	where := strings.TrimPrefix(pointer, "/")
	switch f.Type {
	case ObjectField, MapField:
		members, ok := value.(map[string]any)
		if !ok {
			c.say(pointer, "give an object", "%s is %s", phrase.Quote(where), kindOf(value))
			return
		}
		c.members(f, members, pointer)
	case FreeField:
		if _, ok := value.(map[string]any); !ok {
			c.say(pointer, "give an object", "%s is %s", phrase.Quote(where), kindOf(value))
		}
	case ArrayField:
		items, ok := value.([]any)
		if !ok {
			c.say(pointer, "give an array of strings", "%s is %s", phrase.Quote(where), kindOf(value))
			return
		}
		c.items(f, items, pointer)
	case BooleanField:
		if _, ok := value.(bool); !ok {
			c.say(pointer, "give true or false", "%s is %s", phrase.Quote(where), kindOf(value))
		}
	case IntegerField:
		n, ok := integer(value)
		if !ok || n < f.Min || n > f.Max {
			c.say(pointer, fmt.Sprintf("give a whole number from %d to %d", f.Min, f.Max), "%s is %s",
				phrase.Quote(where), shown(value))
		}
	default:
		c.text(f, value, pointer)
	}
}

func (c *fieldCheck) text(f Field, value any, pointer string) {
	where := strings.TrimPrefix(pointer, "/")
	s, ok := value.(string)
	switch {
	case !ok:
		c.say(pointer, "give a string", "%s is %s", phrase.Quote(where), kindOf(value))
	case f.Enum != nil && !slices.Contains(f.Enum, s):
		c.say(pointer, "use one of "+strings.Join(f.Enum, ", "), "%s is %s", phrase.Quote(where), phrase.Quote(s))
	}
}

func (c *fieldCheck) members(f Field, members map[string]any, pointer string) {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		at := pointer + "/" + PointerSegment(name)
		if f.Type == MapField {
			c.value(Field{Type: ObjectField, Fields: f.Fields}, members[name], at)
			continue
		}
		field, known := f.Field(name)
		if !known {
			have := make([]string, len(f.Fields))
			for i, g := range f.Fields {
				have[i] = g.Name
			}
			fix := "leave it out, or put it under custom"
			if near := spelling.Nearest(name, have); near != "" {
				fix = "did you mean " + phrase.Quote(near) + "?"
			}
			c.say(at, fix, "unknown field %s", phrase.Quote(strings.TrimPrefix(at, "/")))
			continue
		}
		c.value(field, members[name], at)
	}
	if f.Type != ObjectField || c.ask == given || c.ask == defined && pointer == "" {
		return
	}
	for _, field := range f.Fields {
		if _, ok := members[field.Name]; !field.Required || ok {
			continue
		}
		if c.ask == whole {
			c.missing = append(c.missing, missingField{pointer, field.Name})
			continue
		}
		c.say(pointer, "give it", "%s is missing", phrase.Quote(strings.TrimPrefix(pointer+"/"+field.Name, "/")))
	}
}

func (c *fieldCheck) items(f Field, items []any, pointer string) {
	seen := make(map[string]bool, len(items))
	for i, item := range items {
		at := pointer + "/" + strconv.Itoa(i)
		c.text(f, item, at)
		if s, ok := item.(string); ok {
			if f.Unique && seen[s] {
				c.say(at, "leave it out", "%s repeats %s", phrase.Quote(strings.TrimPrefix(pointer, "/")), phrase.Quote(s))
			}
			seen[s] = true
		}
	}
	switch {
	case len(items) >= f.MinItems || c.ask == given:
	case c.ask == whole:
		object, name := pointer[:strings.LastIndexByte(pointer, '/')], f.Name
		c.missing = append(c.missing, missingField{object, name})
	default:
		c.say(pointer, fmt.Sprintf("give at least %d", f.MinItems), "%s is empty",
			phrase.Quote(strings.TrimPrefix(pointer, "/")))
	}
}

// integer reads a whole number. 8.0 is one, as in JSON Schema.
func integer(value any) (int, bool) {
	number, ok := value.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := number.Float64()
	if err != nil || f != float64(int(f)) || f < -1e9 || f > 1e9 {
		return 0, false
	}
	return int(f), true
}

// kindOf names the JSON type of a value.
func kindOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case json.Number:
		return "a number"
	case []any:
		return "an array"
	}
	return "an object"
}

// shown returns a value in a sentence.
func shown(value any) string {
	switch v := value.(type) {
	case json.Number:
		return phrase.Quote(v.String())
	case string:
		return "the string " + phrase.Quote(v)
	}
	return kindOf(value)
}

// checkDefinition checks the fields that a definition sets against its section of ClientFile.
func checkDefinition(kind Kind, definition any) []*Problem {
	return checkSection(Ref{Kind: kind}, kind, definition)
}

// checkPart checks the fields of a definition that an environment overrides.
func checkPart(of Ref, kind Kind, part any) []*Problem {
	problems := checkSection(of, kind, part)
	for _, p := range problems {
		p.Pointer = "/" + string(kind) + p.Pointer
	}
	return problems
}

func checkSection(of Ref, kind Kind, definition any) []*Problem {
	values, err := OutputsOf(definition)
	if err != nil {
		return []*Problem{{Of: of, Text: err.Error(), Fix: "give JSON values"}}
	}
	section, _ := ClientFile.Field(string(kind))
	c := fieldCheck{of: of, ask: defined}
	c.members(section, values, "")
	if key, ok := values["api_key"]; ok && key != APIKeyPlaceholder {
		c.say("/api_key", "write "+APIKeyPlaceholder+" and keep the key out of the project's files", "holds a key")
	}
	return append(c.problems, CheckRegionsOf(of, "", values)...)
}
