package definition

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/edit"
)

// Setting is a field and its new value; nil removes the field.
type Setting struct {
	Field Field
	Value any
}

// Edit sets fields of a section: in the definition, or if env names an environment, in its override. The error is a
// *model.Problem with the field, also if an object would lose a required field.
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
	if err := RefuseIncomplete(kind, before, values, func(f Field) string { return phrase.Quote(f.String()) },
		func(string) string { return "remove all of its fields" }); err != nil {
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

// RefuseIncomplete refuses values in which an object lacks required fields that it did not lack before. named says
// what to give, and instead what helps, too, for the object.
func RefuseIncomplete(
	kind model.Kind, before, after map[string]any, named func(Field) string, instead func(object string) string,
) error {
	fields, object := Fields(kind), ""
	had := lacking(fields, before)
	var names []string
	for _, f := range lacking(fields, after) {
		if !slices.ContainsFunc(had, func(h Field) bool { return h.String() == f.String() }) {
			names, object = append(names, named(f)), cmp.Or(object, f.Place[0])
		}
	}
	if names == nil {
		return nil
	}
	return &model.Problem{
		Of: model.Ref{Kind: kind}, Field: object,
		Text: phrase.Quote(object) + " is incomplete: its fields are required together",
		Fix:  "give " + strings.Join(names, ", ") + " too, or " + instead(object),
	}
}
