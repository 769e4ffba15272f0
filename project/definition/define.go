package definition

import (
	"encoding/json"
	"fmt"

	"gatewright/model"
	"gatewright/model/clientfile"
	"gatewright/model/edit"
)

// Of returns the values of a section's fields: in the definition, or if env names an
// environment, in its override. The map is empty if there is no definition.
func Of(b *model.Backend, kind model.Kind, env string) (map[string]any, error) {
	var definition any
	e := b.Environment(env)
	switch {
	case kind == model.KindAuth && env == "":
		definition = b.Auth
	case kind == model.KindData && env == "":
		definition = b.Data
	case kind == model.KindStorage && env == "":
		definition = b.Storage
	case e == nil:
	case kind == model.KindData:
		definition = e.Data
	case kind == model.KindStorage:
		definition = e.Storage
	}
	return Values(definition)
}

// Values returns the values of a definition's fields; an empty map for nil.
func Values(definition any) (map[string]any, error) {
	values, err := model.OutputsOf(definition)
	if err != nil {
		return nil, fmt.Errorf("reading the definition: %w", err)
	}
	if values == nil {
		return map[string]any{}, nil
	}
	return values, nil
}

// Define makes values the definition of a section; nil removes the definition. The
// error is a *model.Problem with the field.
func Define(b *model.Backend, kind model.Kind, values map[string]any) error {
	switch kind {
	case model.KindAuth:
		return define(kind, values, func(a *model.Auth) error { return edit.SetAuth(b, a) })
	case model.KindData:
		return define(kind, values, func(d *model.Data) error { return edit.SetData(b, d) })
	}
	return define(kind, values, func(s *model.Storage) error { return edit.SetStorage(b, s) })
}

func define[T any](kind model.Kind, values map[string]any, set func(*T) error) error {
	if values == nil {
		return set(nil)
	}
	definition, err := into[T](kind, values)
	if err != nil {
		return err
	}
	return set(definition)
}

// Override returns the environment with values as its override of a section; without values it has none. Only data
// and storage can be overridden. The error is a *model.Problem with the field. Override does not check the values
// against the rest of the backend, which UpdateEnvironment does.
func Override(env model.Environment, kind model.Kind, values map[string]any) (*model.Environment, error) {
	var err error
	switch {
	case len(values) == 0 && kind == model.KindData:
		env.Data = nil
	case len(values) == 0:
		env.Storage = nil
	case kind == model.KindData:
		env.Data, err = into[model.Data](kind, values)
	default:
		env.Storage, err = into[model.Storage](kind, values)
	}
	return &env, err
}

// into makes a definition from the values of a section.
func into[T any](kind model.Kind, values map[string]any) (*T, error) {
	if err := check(kind, values); err != nil {
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

// check refuses fields and types that the section does not have.
func check(kind model.Kind, values map[string]any) error {
	if problems := clientfile.CheckDefinition(kind, values); len(problems) > 0 {
		return problems[0]
	}
	return nil
}

// Put sets a field in the values of a section. It translates fields and words of the amplify dialect.
func Put(kind model.Kind, values map[string]any, f Field, value any) error {
	alone := make(map[string]any)
	if err := model.PutAt(alone, f.Place, value); err != nil {
		return err
	}
	alone, err := NeutralSection(kind, alone)
	if err != nil {
		return fmt.Errorf("%s: %w", f, err)
	}
	return model.PutAt(values, f.Place, model.ValueAt(alone, f.Place))
}

// lacking returns the required fields of the section's objects that an existing object
// lacks. Required fields of the section itself do not count: they may come later.
func lacking(fields []Field, values map[string]any) []Field {
	var missing []Field
	for _, f := range fields {
		if !f.Together {
			continue
		}
		if object, ok := model.ValueAt(values, f.Place[:len(f.Place)-1]).(map[string]any); ok && object[f.Name] == nil {
			missing = append(missing, f)
		}
	}
	return missing
}
