package clientfile

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
	"gatewright/model"
)

// FieldCheck checks values against ClientFile.
type FieldCheck struct {
	Of       model.Ref
	Ask      extent
	Problems []*model.Problem
	// Missing is the required fields that a merged file lacks.
	Missing []missingField
}

// extent says which required fields must be present.
type extent uint8

const (
	// given requires nothing: one output may give any part of the file.
	given extent = iota
	// defined requires the fields of the objects in a section, but not those of the section
	// itself: some are known only after a push.
	defined
	// Whole requires everything, as for a merged file, and lists missing fields apart from problems.
	Whole
)

// missingField is the name of a field that the object at a JSON pointer lacks.
type missingField struct{ Object, Name string }

// Section returns the section of the file and the name of the field in it.
func (m missingField) Section() (section, field string) {
	section, inner, nested := strings.Cut(strings.TrimPrefix(m.Object, "/"), "/")
	if nested {
		return section, inner + "/" + m.Name
	}
	return section, m.Name
}

func (c *FieldCheck) say(pointer, fix, text string, args ...any) {
	c.Problems = append(c.Problems,
		&model.Problem{
			Of: c.Of, Pointer: pointer, Field: strings.TrimPrefix(pointer, "/"), Text: fmt.Sprintf(text, args...),
			Fix: fix,
		})
}

// value checks the value of a field at a pointer.
func (c *FieldCheck) value(f model.Field, value any, pointer string) {
	where := strings.TrimPrefix(pointer, "/")
	switch f.Type {
	case model.ObjectField, model.MapField:
		members, ok := value.(map[string]any)
		if !ok {
			c.say(pointer, "give an object", "%s is %s", phrase.Quote(where), kindOf(value))
			return
		}
		c.Members(f, members, pointer)
	case model.FreeField:
		if _, ok := value.(map[string]any); !ok {
			c.say(pointer, "give an object", "%s is %s", phrase.Quote(where), kindOf(value))
		}
	case model.ArrayField:
		items, ok := value.([]any)
		if !ok {
			c.say(pointer, "give an array of strings", "%s is %s", phrase.Quote(where), kindOf(value))
			return
		}
		c.items(f, items, pointer)
	case model.BooleanField:
		if _, ok := value.(bool); !ok {
			c.say(pointer, "give true or false", "%s is %s", phrase.Quote(where), kindOf(value))
		}
	case model.IntegerField:
		n, ok := integer(value)
		if !ok || n < f.Min || n > f.Max {
			c.say(pointer, fmt.Sprintf("give a whole number from %d to %d", f.Min, f.Max), "%s is %s",
				phrase.Quote(where), shown(value))
		}
	default:
		c.text(f, value, pointer)
	}
}

func (c *FieldCheck) text(f model.Field, value any, pointer string) {
	where := strings.TrimPrefix(pointer, "/")
	s, ok := value.(string)
	switch {
	case !ok:
		c.say(pointer, "give a string", "%s is %s", phrase.Quote(where), kindOf(value))
	case f.Enum != nil && !slices.Contains(f.Enum, s):
		c.say(pointer, "use one of "+strings.Join(f.Enum, ", "), "%s is %s", phrase.Quote(where), phrase.Quote(s))
	case f.Lifetime != nil:
		if !f.Lasts(s) {
			c.say(pointer, "give "+f.Takes()+", as a number with s, m, h or d", "%s is %s", phrase.Quote(where), phrase.Quote(s))
		}
	case f.Max > 0:
		lacking := slices.DeleteFunc(slices.Clone(f.Holds), func(word string) bool { return strings.Contains(s, word) })
		if n := utf8.RuneCountInString(s); n < f.Min || n > f.Max {
			c.say(pointer, "give "+f.Takes(), "%s has %s", phrase.Quote(where), phrase.Count(n, "character"))
		} else if len(lacking) > 0 {
			c.say(pointer, "give "+f.Takes(), "%s lacks %s", phrase.Quote(where), strings.Join(lacking, " and "))
		}
	}
}

// Members checks the members of an object.
func (c *FieldCheck) Members(f model.Field, members map[string]any, pointer string) {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		at := pointer + "/" + model.PointerSegment(name)
		if f.Type == model.MapField {
			c.value(model.Field{Type: model.ObjectField, Fields: f.Fields}, members[name], at)
			continue
		}
		field, known := f.Field(name)
		if !known {
			have := make([]string, len(f.Fields))
			for i, g := range f.Fields {
				have[i] = g.Name
			}
			fix := "leave it out, or put it under custom"
			if c.Ask == defined {
				fix = "leave it out"
			}
			if near := spelling.Nearest(name, have); near != "" {
				fix = "did you mean " + phrase.Quote(near) + "?"
			}
			c.say(at, fix, "unknown field %s", phrase.Quote(strings.TrimPrefix(at, "/")))
			continue
		}
		c.value(field, members[name], at)
	}
	if f.Type != model.ObjectField || c.Ask == given || c.Ask == defined && pointer == "" {
		return
	}
	for _, field := range f.Fields {
		if _, ok := members[field.Name]; !field.Required || ok {
			continue
		}
		if c.Ask == Whole {
			c.Missing = append(c.Missing, missingField{pointer, field.Name})
			continue
		}
		c.say(pointer, "give it", "%s is missing", phrase.Quote(strings.TrimPrefix(pointer+"/"+field.Name, "/")))
	}
}

func (c *FieldCheck) items(f model.Field, items []any, pointer string) {
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
	case len(items) >= f.MinItems || c.Ask == given:
	case c.Ask == Whole:
		object, name := pointer[:strings.LastIndexByte(pointer, '/')], f.Name
		c.Missing = append(c.Missing, missingField{object, name})
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
	if err != nil || f != float64(int(f)) || f < -1e15 || f > 1e15 {
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

// CheckDefinition checks the fields that a definition sets against its section of ClientFile.
func CheckDefinition(kind model.Kind, definition any) []*model.Problem {
	return checkSection(model.Ref{Kind: kind}, kind, definition)
}

// CheckPart checks the fields of a definition that an environment overrides.
func CheckPart(of model.Ref, kind model.Kind, part any) []*model.Problem {
	problems := checkSection(of, kind, part)
	for _, p := range problems {
		p.Pointer = "/" + string(kind) + p.Pointer
	}
	return problems
}

func checkSection(of model.Ref, kind model.Kind, definition any) []*model.Problem {
	values, err := model.OutputsOf(definition)
	if err != nil {
		return []*model.Problem{{Of: of, Text: err.Error(), Fix: "give JSON values"}}
	}
	c := FieldCheck{Of: of, Ask: defined}
	c.Members(model.Section(kind), values, "")
	if kind == model.KindAuth && c.Problems == nil {
		c.userPool(values)
	}
	if key, ok := values["api_key"]; ok && key != model.APIKeyPlaceholder {
		c.say("/api_key", "write "+model.APIKeyPlaceholder+" and keep the key out of the project's files", "holds a key")
	}
	return append(c.Problems, model.CheckRegionsOf(of, "", values)...)
}
