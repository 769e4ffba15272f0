package definitions

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gatewright/flow/merge"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project/definition"
	"gatewright/tui/dialog"
	"gatewright/tui/outside"
)

// change is a change of a definition, or of its override in the environment env.
type change struct {
	kind     model.Kind
	env      string
	done     string
	fields   []definition.Field
	settings []definition.Setting
	// was are the values that the files had when the fields were asked for, shown how the lines show
	// them.
	was     []any
	shown   []string
	merging *merge.Merge
}

// make makes the change in a backend, and leaves what somebody else changed since.
func (c change) make(b *model.Backend) error {
	if c.merging == nil { // it asked for no values
		return definition.Edit(b, c.kind, c.env, c.settings...)
	}
	now, err := definition.Of(b, c.kind, c.env)
	if err != nil {
		return err
	}
	m, settings := c.merging.Again(), slices.Clone(c.settings)
	for i, s := range settings {
		place := s.Field.Place
		at := slices.IndexFunc(c.fields, func(f definition.Field) bool { return slices.Equal(f.Place, place) })
		settings[i].Value = merge.JSON(m, string(c.kind)+"."+s.Field.String(), c.was[at], model.ValueAt(now, place), s.Value)
	}
	if open := m.Err(); open != nil {
		return open
	}
	return definition.Edit(b, c.kind, c.env, settings...)
}

// set parses typed values for the fields; an empty one removes the value. at is the index of
// the wrong field.
func (c change) set(values []string) (set change, at int, err error) {
	set = c
	set.settings = nil
	for i, f := range c.fields {
		if len(c.shown) > 1 && values[i] == c.shown[i] {
			continue
		}
		setting, text := definition.Setting{Field: f}, strings.TrimSpace(values[i])
		if f.Type == model.BooleanField {
			text = map[string]string{prose.YesNo(true): "true", prose.YesNo(false): "false"}[text]
		}
		if text != "" && (text != notSet || f.Enum == nil) {
			if setting.Value, err = f.Parse(text); err != nil {
				return c, i, fmt.Errorf("%s: %w", f.Name, err)
			}
		}
		set.settings = append(set.settings, setting)
	}
	return set, 0, nil
}

// try checks whether a backend accepts values for the fields. at is the index of the wrong
// field.
func (c change) try(b *model.Backend, values []string) (at int, err error) {
	set, at, err := c.set(values)
	if err != nil {
		return at, err
	}
	_, err = b.Edit(set.make)
	err = outside.Later(err)
	var problem *model.Problem
	if !errors.As(err, &problem) {
		return at, err
	}
	if problem.Pointer == "" {
		// A part is missing: the first empty line is where it belongs.
		at = max(at, slices.Index(values, ""))
	}
	where := strings.Split(strings.TrimPrefix(problem.Pointer, "/"), "/")
	for i, f := range c.fields {
		if within(where, f.Place) {
			at = i
		}
	}
	return at, err
}

// within reports whether a place lies in an object, or is it.
func within(place, object []string) bool {
	return len(place) >= len(object) && slices.Equal(place[:len(object)], object)
}

// question is a field as a line of a form.
func question(kind model.Kind, f definition.Field, value any) dialog.Question {
	meaning := definition.Meaning(kind, f)
	q := dialog.Question{
		Name: f.Name, Value: f.Text(value),
		Hint: strings.Join(append([]string{meaning}, f.Takes()...), "; "),
	}
	switch {
	case f.Type == model.BooleanField, f.Enum != nil && f.Type == model.StringField:
		q.Options, q.Hint, q.Value = options(f), meaning, chosen(value)
	case f.Name == "api_key" && value != model.APIKeyPlaceholder:
		// A key in a file is not shown.
		q.Value = ""
	case f.Type == model.ArrayField:
		q.Suggestions = f.Enum
		q.Hint = strings.Join(append([]string{meaning, "with commas between them"}, f.Takes()...), "; ")
	}
	return q
}

// options are what may be chosen for a field.
func options(f definition.Field) []string {
	if f.Type == model.BooleanField {
		return []string{notSet, prose.YesNo(true), prose.YesNo(false)}
	}
	return append([]string{notSet}, f.Enum...)
}

// chosen is the option for a value.
func chosen(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case bool:
		return prose.YesNo(value)
	}
	return notSet
}

// items are options as a dialog lists them.
func items(words []string) []prose.Option {
	all := make([]prose.Option, len(words))
	for i, word := range words {
		all[i] = prose.Option{Key: word, Title: word}
	}
	return all
}
