package definition

import (
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/edit"
)

// Setting is a field and its new value; nil removes the field.
type Setting struct {
	Field Field
	Value any
}

// Edit sets fields of a section: in the definition, or if env names an environment, in
// its override. The error is a *model.Problem with the field, also if an object would
// lose a required field.
func Edit(b *model.Backend, kind model.Kind, env string, settings ...Setting) error {
	before, err := Of(b, kind, env)
	if err != nil {
		return err
	}
	values, err := model.OutputsOf(before)
	if err != nil {
		return err
	}
	for _, s := range settings {
		if s.Value == nil {
			model.TakeAt(values, s.Field.Place)
			continue
		}
		if err := Put(kind, values, s.Field, s.Value); err != nil {
			return err
		}
	}
	if err := refuseIncomplete(kind, before, values); err != nil {
		return err
	}
	if env != "" {
		if err := b.Known(model.Ref{Kind: model.KindEnvironment, Name: env}); err != nil {
			return err
		}
		next, err := Override(*b.Environment(env), kind, values)
		if err != nil {
			return err
		}
		return edit.UpdateEnvironment(b, next)
	}
	if len(before) == 0 && len(values) == 0 {
		return nil
	}
	return Define(b, kind, values)
}

// refuseIncomplete refuses values in which an object newly lacks required fields.
func refuseIncomplete(kind model.Kind, before, after map[string]any) error {
	missing := NewlyLacking(kind, before, after)
	if len(missing) == 0 {
		return nil
	}
	names := make([]string, len(missing))
	for i, f := range missing {
		names[i] = f.String()
	}
	return Incomplete(kind, missing, "give "+phrase.QuoteList(names)+" too, or remove all of its fields")
}

// NewlyLacking returns the required fields that an object of the section lacks after a change
// and did not lack before.
func NewlyLacking(kind model.Kind, before, after map[string]any) []Field {
	fields := Fields(kind)
	had := lacking(fields, before)
	return slices.DeleteFunc(lacking(fields, after), func(f Field) bool {
		return slices.ContainsFunc(had, func(h Field) bool { return h.String() == f.String() })
	})
}

// Incomplete is the problem of an object that lacks required fields.
func Incomplete(kind model.Kind, missing []Field, fix string) *model.Problem {
	object := missing[0].Place[0]
	return &model.Problem{
		Of: model.Ref{Kind: kind}, Field: object,
		Text: phrase.Quote(object) + " is incomplete: its fields are required together",
		Fix:  fix,
	}
}
