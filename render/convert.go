package render

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// Conversion is a client configuration file converted to version 1.
type Conversion struct {
	// Values are a copy in the neutral dialect, which ClientFile writes in any dialect.
	Values model.Outputs
	// Lost is what version 1 cannot have. A loss comes before the losses that follow from it.
	Lost []Loss
}

// Loss is a place of a file that a conversion leaves out.
type Loss struct {
	// Pointer is its JSON pointer in the dialect of the file that was read.
	Pointer string
	// Text is the printable reason, to be written after the pointer and a colon.
	Text string
	// Unknown says that version 1 has no such field or word; a later version may have it.
	// Otherwise the value breaks the rules of all versions, or it lacks something.
	Unknown bool
}

// Convert converts the values of a client configuration file in the dialect from, of any version that the dialect
// has, to version 1, to be written in the dialect to. A field, a word or a value that version 1 does not have is left
// out and listed in Lost, except an empty field of a later version. An object that loses a required field is left out
// too. `custom` and `model_introspection` are kept as they are; `$schema` is left out, since each dialect writes its
// own. The result is always valid by the schema of version 1.
func Convert(values model.Outputs, from, to model.Dialect) Conversion {
	c := conversion{from: from, to: to}
	read := plain(values)
	c.version(read)
	kept, _ := c.object(model.ClientFile, read, spot{})
	kept["version"] = model.ClientFileVersion
	return Conversion{Values: kept, Lost: c.lost}
}

// conversion converts a file by model.ClientFile, which has the fields of version 1.
type conversion struct {
	from, to model.Dialect
	lost     []Loss
}

// spot is a place of the file: as a JSON pointer in the neutral dialect (place) and in the file's dialect (pointer).
type spot struct{ place, pointer string }

func (s spot) member(neutral, name string) spot {
	return spot{s.place + "/" + model.PointerSegment(neutral), s.pointer + "/" + model.PointerSegment(name)}
}

func (s spot) item(i int) string { return s.pointer + "/" + strconv.Itoa(i) }

func (c *conversion) lose(pointer, text string, args ...any) {
	c.lost = append(c.lost, Loss{Pointer: pointer, Text: fmt.Sprintf(text, args...)})
}

// miss reports a field or a word that version 1 does not have.
func (c *conversion) miss(pointer, text string, args ...any) {
	c.lose(pointer, text, args...)
	c.lost[len(c.lost)-1].Unknown = true
}

// notKnown returns the reason for something that no version has.
func (c *conversion) notKnown() string {
	return fmt.Sprintf("not known to version %s of the %s dialect", model.ClientFileVersion, c.to)
}

// neutral translates a word of the file to the neutral dialect; false for a word that only another dialect has.
func (c *conversion) neutral(word, place string, value bool) (string, bool) {
	neutral := translateWord(place, word, value, c.from, model.Neutral)
	return neutral, translateWord(place, neutral, value, model.Neutral, c.from) == word
}

// value returns the part of a field's value that version 1 can have; false if there is none.
func (c *conversion) value(f model.Field, value any, at spot) (any, bool) {
	switch f.Type {
	case model.ObjectField, model.MapField, model.FreeField:
		members, ok := value.(map[string]any)
		switch {
		case !ok:
			c.lose(at.pointer, "is not an object")
			return nil, false
		case f.Type == model.FreeField:
			return members, true
		case f.Type == model.MapField:
			return c.entries(f, members, at), true
		}
		return c.object(f, members, at)
	case model.ArrayField:
		items, ok := value.([]any)
		if !ok {
			c.lose(at.pointer, "is not an array")
			return nil, false
		}
		return c.items(f, items, at)
	case model.IntegerField:
		if n, ok := wholeNumber(value); !ok || n < f.Min || n > f.Max {
			c.lose(at.pointer, "is not a whole number from %d to %d", f.Min, f.Max)
			return nil, false
		}
		return value, true
	case model.BooleanField:
		_, ok := value.(bool)
		if !ok {
			c.lose(at.pointer, "is not true or false")
		}
		return value, ok
	}
	return c.text(f, value, at, at.pointer)
}

// object keeps the members that version 1 has. It is false if a required one is missing.
func (c *conversion) object(f model.Field, members map[string]any, at spot) (map[string]any, bool) {
	kept := make(map[string]any, len(members))
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if at.pointer == "" && (name == "$schema" || name == "version") {
			continue
		}
		neutral, ok := c.neutral(name, at.place, false)
		field, known := f.Field(neutral)
		member := at.member(neutral, name)
		if !ok || !known {
			c.field(members[name], member)
			continue
		}
		if value, ok := c.value(field, members[name], member); ok {
			kept[neutral] = value
		}
	}
	var missing []string
	for _, field := range f.Fields {
		if _, ok := kept[field.Name]; field.Required && !ok && at.pointer != "" {
			missing = append(missing, translateKey(at.place, field.Name, model.Neutral, c.from))
		}
	}
	if missing == nil {
		return kept, true
	}
	c.lose(at.pointer, "lacks %s, which version %s requires", strings.Join(missing, ", "), model.ClientFileVersion)
	return nil, false
}

// entries keeps the valid values of a map, under any names.
func (c *conversion) entries(f model.Field, members map[string]any, at spot) map[string]any {
	kept := make(map[string]any, len(members))
	for _, name := range slices.Sorted(maps.Keys(members)) {
		entry := model.Field{Name: name, Type: model.ObjectField, Fields: f.Fields}
		if value, ok := c.value(entry, members[name], at.member(name, name)); ok {
			kept[name] = value
		}
	}
	return kept
}

// items keeps the items of an array that version 1 has. It is false if too few are left.
func (c *conversion) items(f model.Field, items []any, at spot) ([]any, bool) {
	kept := make([]any, 0, len(items))
	seen := make(map[any]bool, len(items))
	for i, item := range items {
		value, ok := c.text(f, item, at, at.item(i))
		switch {
		case !ok:
		case f.Unique && seen[value]:
			c.lose(at.item(i), "repeats %s", phrase.Quote(value))
		default:
			seen[value] = true
			kept = append(kept, value)
		}
	}
	if len(kept) < f.MinItems {
		c.lose(at.pointer, "has no valid item, and version %s requires one", model.ClientFileVersion)
		return nil, false
	}
	return kept, true
}

// text translates a string to the neutral dialect. It is false if the field has an Enum without that word.
func (c *conversion) text(f model.Field, value any, at spot, pointer string) (string, bool) {
	word, ok := value.(string)
	if !ok {
		c.lose(pointer, "is not a string")
		return "", false
	}
	neutral, ok := c.neutral(word, at.place, true)
	if f.Enum == nil || ok && slices.Contains(f.Enum, neutral) {
		return neutral, true
	}
	if version := c.wordSince(at.place, word); version != "" {
		c.miss(pointer, "%s exists only from version %s on", phrase.Quote(word), version)
	} else {
		c.miss(pointer, "%s is %s", phrase.Quote(word), c.notKnown())
	}
	return "", false
}
