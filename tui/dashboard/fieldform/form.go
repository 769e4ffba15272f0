// Package fieldform has forms for the fields of definitions: it shows the values of fields as text,
// and puts what was typed into the definition, as the flags of commands do.
package fieldform

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gatewright/flow/merge"
	"gatewright/flow/resource"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/field"
	"gatewright/tui/dialog"
)

// Line is a line of a form. Field is the name of the field that it is about; "" for none. It may be
// one of another thing, or one that the form cannot set alone: then it is where errors are shown.
type Line struct {
	Field string
	dialog.Question
	// None is the value that stands for none.
	None string
}

// Form is the lines of a form.
type Form []Line

// Index is the line of a field; -1 for none.
func (f Form) Index(name string) int {
	return slices.IndexFunc(f, func(l Line) bool { return l.Field == name })
}

// Values are the values of the lines for a thing that has all of their fields.
func (f Form) Values(of field.Object) []string {
	values := make([]string, len(f))
	for i, line := range f {
		values[i] = cmp.Or(strings.Join(resource.Lines(field.Of(of, line.Field).Value), "\n"), line.None)
	}
	return values
}

// Questions are what the form asks about a thing, beginning with values. A line without options has
// the words of its field.
func (f Form) Questions(of field.Object, values []string) []dialog.Question {
	questions := make([]dialog.Question, len(f))
	for i, line := range f {
		q := line.Question
		q.Value = values[i]
		row := field.Of(of, line.Field)
		q.List = q.Fixed == "" && resource.EntriesOf(row.Value) != nil
		if q.Options = slices.Concat(q.Options, row.Words); line.None != "" && q.Fixed == "" &&
			!slices.Contains(q.Options, line.None) {
			q.Options = append(q.Options, line.None)
		}
		questions[i] = q
	}
	return questions
}

// Begin is what the lines begin with for a thing, and what the files had then: of a line that was
// typed before, that, and what they had before it; both may be nil.
func (f Form) Begin(of field.Object, before, typed []string) (was, shown []string) {
	was = f.Values(of)
	shown = slices.Clone(was)
	for i := range typed {
		if typed[i] != before[i] {
			was[i], shown[i] = before[i], typed[i]
		}
	}
	return was, shown
}

// Merged lays what somebody else changed in a thing under the values of the lines. before are those that the
// files had; given tells which values differ then from those of the files, which have is read of.
func (f Form) Merged(m *merge.Merge, of model.Ref, before []string, have field.Object, values []string) (
	merged []string, given func(at int) bool,
) {
	now := f.Values(have)
	merged = slices.Clone(values)
	for i, line := range f {
		what := "the " + line.Name + " of " + of.String()
		switch {
		case line.Fixed != "":
			merged[i] = now[i]
		case resource.EntriesOf(field.Of(have, line.Field).Value) == nil:
			merged[i] = merge.Text(m, what, before[i], now[i], values[i])
		default:
			lines := func(text string) []string { return strings.FieldsFunc(text, func(r rune) bool { return r == '\n' }) }
			merged[i] = strings.Join(merge.List(m, what, lines(before[i]), lines(now[i]), lines(values[i]), nameIn), "\n")
		}
	}
	return merged, func(at int) bool { return merged[at] != now[at] }
}

// nameIn is what tells an entry of a list from others. An ARN is one, and a statement.
func nameIn(entry string) string {
	if text := strings.TrimSpace(entry); strings.HasPrefix(text, "arn:") || strings.HasPrefix(text, "{") ||
		strings.Contains(text, " on ") {
		return entry
	}
	name, _, _ := strings.Cut(entry, "=")
	if strings.Contains(name, "://") {
		return entry
	}
	name, _, _ = strings.Cut(name, ":")
	return strings.TrimSpace(name)
}

// Set puts the values of lines into a thing: of those that are given.
func (f Form) Set(of field.Object, values []string, given func(at int) bool) error {
	for i, line := range f {
		if row := field.Of(of, line.Field); row.Value != nil && given(i) {
			if err := line.set(row.Value, values[i]); err != nil {
				return At(line.Field, err)
			}
		}
	}
	return nil
}

func (l Line) set(value any, text string) (err error) {
	switch v := value.(type) {
	case *string:
		if *v = strings.TrimSpace(text); text == l.None {
			*v = ""
		}
		return nil
	case *bool:
		*v = text == resource.Yes
		return nil
	case *int:
		*v, err = number(strings.TrimSpace(text), l.Name)
		return err
	}
	return setEntries(value, text, l.Field == "secrets")
}

// setEntries replaces a list by the lines of a text.
func setEntries(value any, text string, secret bool) error {
	list := resource.EntriesOf(value)
	for _, name := range list.Names() {
		list.Remove(name)
	}
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if _, variables := value.(*[]model.Variable); variables {
			// Their values keep their spaces.
			line = strings.TrimLeft(strings.TrimRight(line, "\n"), " ")
		} else {
			line = trimmed
		}
		if trimmed == "" {
			continue
		}
		err := list.Add(line)
		if secret && err == nil {
			err = resource.CheckSecret(line)
		}
		if twice := (*resource.TwiceError)(nil); errors.As(err, &twice) {
			return err
		}
		if err != nil {
			return fmt.Errorf("the line %w", err)
		}
	}
	return nil
}

// number reads a whole number; "" is 0, the default.
func number(text, what string) (int, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("the %s %s is not a number: give a whole number", what, phrase.Quote(text))
	case n == 0:
		return 0, fmt.Errorf("leave the %s empty for the default", what)
	}
	return n, nil
}

// atField is an error about a field.
type atField struct {
	field string
	error
}

// Unwrap is the error without the field.
func (e atField) Unwrap() error { return e.error }

// At returns an error that LineOf finds at a field.
func At(field string, err error) error { return atField{field, err} }

// LineOf is the line that an error is about: by its field, or by the place in the definition; else
// the line other.
func (f Form) LineOf(err error, other int) int {
	var (
		known   atField
		problem *model.Problem
		place   string
	)
	if errors.As(err, &known) {
		place = "/" + known.field
	} else if errors.As(err, &problem) {
		place = cmp.Or(problem.Pointer, "/"+problem.Field)
	}
	for i, line := range f {
		if line.Field != "" && strings.HasPrefix(place, "/"+line.Field) {
			return i
		}
	}
	return other
}
