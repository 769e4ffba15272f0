package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"gatewright/model"
	"gatewright/render"
)

// neutralWords gives values in the specification's words, in which a project
// keeps them. Words of the other dialect are translated; words of both are an
// error.
func neutralWords(values model.Outputs) (model.Outputs, error) {
	neutral, amplify := render.DialectWords(values)
	switch {
	case amplify == "":
		return values, nil
	case neutral != "":
		return nil, twoDialects(neutral, amplify)
	}
	return render.Translate(values, model.Amplify, model.Neutral), nil
}

// twoDialects is the error of values with words of both dialects; the pointers
// are those of the first of each.
func twoDialects(neutral, amplify string) error {
	return fmt.Errorf("the values have words of two dialects: %s is amplify, %s is neutral; write all in one", model.Quote(amplify), model.Quote(neutral))
}

// neutralSection is neutralWords for the values of one section.
func neutralSection(kind model.Kind, values map[string]any) (map[string]any, error) {
	translated, err := neutralWords(model.Outputs{string(kind): values})
	if err != nil {
		return nil, err
	}
	section, _ := translated[string(kind)].(map[string]any)
	return section, nil
}

// definedValues are the fields that a definition says; none where it is nil.
func definedValues(definition any) (map[string]any, error) {
	values, err := model.OutputsOf(definition)
	if err != nil {
		return nil, fmt.Errorf("reading the definition: %w", err)
	}
	if values == nil {
		return map[string]any{}, nil
	}
	return values, nil
}

// into makes a definition of the values of a section.
func into[T any](kind model.Kind, values map[string]any) (*T, error) {
	if err := checkSection(kind, values); err != nil {
		return nil, err
	}
	text, err := json.Marshal(values)
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", kind, err)
	}
	definition := new(T)
	if err := json.Unmarshal(text, definition); err != nil {
		return nil, fmt.Errorf("reading %s: %w", kind, err)
	}
	return definition, nil
}

// checkSection refuses fields and types that the section does not have, in the
// model's words: an addOutput call is checked for just that.
func checkSection(kind model.Kind, values map[string]any) error {
	err := (&model.Backend{}).AddNamedOutput(string(kind), model.Outputs{string(kind): values})
	var problem *model.Problem
	if !errors.As(err, &problem) {
		return err
	}
	own := *problem
	own.Of = model.Ref{Kind: kind}
	own.Pointer = strings.TrimPrefix(problem.Pointer, "/"+string(kind))
	own.Text = strings.Replace(problem.Text, string(kind)+"/", "", 1)
	if strings.HasSuffix(own.Fix, "under custom") {
		own.Fix = "leave it out"
	}
	return &own
}

// lacking are the fields that an object of the section lacks although it has
// others, each as it is named; fields of the section itself may come later.
func lacking(fields []*sectionField, values map[string]any) []*sectionField {
	var missing []*sectionField
	for _, f := range fields {
		if !f.together {
			continue
		}
		if object, ok := valueAt(values, f.place[:len(f.place)-1]).(map[string]any); ok && object[f.Name] == nil {
			missing = append(missing, f)
		}
	}
	return missing
}

// refuseLacking refuses an object that comes to lack fields.
func refuseLacking(kind model.Kind, before, after []*sectionField) error {
	had := make(map[string]bool)
	for _, f := range before {
		had[f.name()] = true
	}
	var flags []string
	for _, f := range after {
		if !had[f.name()] {
			flags = append(flags, "--"+f.flag())
		}
	}
	if flags == nil {
		return nil
	}
	object := after[0].place[0]
	return &model.Problem{
		Of: model.Ref{Kind: kind}, Field: object, Text: model.Quote(object) + " lacks a part: its fields go together",
		Fix: "give " + strings.Join(flags, ", ") + " too, or --unset " + object,
	}
}

// overridden is what an environment says otherwise about a section, with fields
// set in it as FIELD=VALUE; an empty value takes the field away, and nil is left
// where nothing is.
func overridden[T any](kind model.Kind, have *T, settings []string) (*T, error) {
	if len(settings) == 0 {
		return have, nil
	}
	fields := sectionFields(kind)
	values, err := definedValues(have)
	if err != nil {
		return nil, err
	}
	for _, text := range settings {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, misuse("--%s takes FIELD=VALUE, not %s", kind, model.Quote(text))
		}
		f := fieldCalled(fields, name)
		switch {
		case f == nil:
			return nil, unknownField(string(kind), kind, fields, name)
		case value == "":
			takeAt(values, f.place)
			continue
		case !f.leaf():
			return nil, misuse("--%s: %s is an object; give it with: gatewright update %s --env ENV --%s FILE", kind, f.name(), kind, f.flag())
		}
		given, err := f.parse(value)
		if err != nil {
			return nil, misuse("--%s: %s is %s; %s", kind, f.name(), model.Quote(value), err)
		}
		if err := putField(kind, values, f, given); err != nil {
			return nil, err
		}
	}
	if len(values) == 0 {
		return nil, nil
	}
	return into[T](kind, values)
}

// putField sets a field of a section; words of the other dialect are translated.
func putField(kind model.Kind, values map[string]any, f *sectionField, value any) error {
	alone := make(map[string]any)
	if err := putAt(alone, f.place, value); err != nil {
		return err
	}
	alone, err := neutralSection(kind, alone)
	if err != nil {
		return fmt.Errorf("%s: %w", f.name(), err)
	}
	return putAt(values, f.place, valueAt(alone, f.place))
}
