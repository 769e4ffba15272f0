// Package clientfile says what the client configuration file of a backend has: definitions, values of a
// deployment and outputs, merged, and which of them a file cannot have.
package clientfile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gatewright/model"
)

// Generated is the origin of values that no output gave.
const Generated = "generated"

// The pointers of the field that may be APIKeyPlaceholder, and of the free field in a section.
const (
	APIKeyPointer        = "/data/api_key"
	introspectionPointer = "/data/model_introspection"
)

// Content is a client configuration file before it is written, in the neutral dialect. The caller owns its values.
type Content struct {
	Values model.Outputs
	// Origins is the origin of each leaf by its JSON pointer: Generated or "output NAME",
	// several separated by commas.
	Origins map[string]string
	// Waiting are the sections that are left out because required fields are missing, with
	// those fields, nested ones as "maps/items". A push may give the fields of a section
	// that has a definition; Check reports fields that only another output can give.
	Waiting map[string][]string
}

// Of merges the definitions, the fields that the environment overrides (env may be nil), the values of a deployment
// (deployed may be nil) and all outputs. A deployment only adds what the definitions do not set, since it may be
// older than they are. In outputs equal values are no conflict; arrays of the known sections are joined as sets,
// those under `custom` are appended; a value that differs is a *Problem of the output that gives it. A section that
// lacks a required field is left out (Waiting).
func Of(b *model.Backend, env *model.Environment, deployed model.Outputs) (Content, error) {
	m, err := Merge(b, env, deployed)
	if err != nil {
		return Content{}, err
	}
	if len(m.Conflicts) > 0 {
		return Content{}, m.Conflicts[0]
	}
	c := FieldCheck{Ask: Whole}
	c.Members(model.ClientFile, m.Values, "")
	content := Content{Values: m.Values, Origins: m.origins, Waiting: make(map[string][]string)}
	for _, missing := range c.Missing {
		section, field := missing.Section()
		content.Waiting[section] = append(content.Waiting[section], field)
	}
	waits := func(pointer string) bool {
		section, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
		return content.Waiting[section] != nil
	}
	for _, p := range c.Problems {
		if !waits(p.Pointer) {
			p.Of = OutputAt(b, p.Pointer)
			return Content{}, p
		}
	}
	maps.DeleteFunc(content.Values, func(name string, _ any) bool { return waits("/" + model.PointerSegment(name)) })
	maps.DeleteFunc(content.Origins, func(pointer, _ string) bool { return waits(pointer) })
	return content, nil
}

// Merge joins the definitions, a deployment and the outputs, even if fields are missing.
func Merge(b *model.Backend, env *model.Environment, deployed model.Outputs) (*merger, error) {
	m := &merger{Values: make(map[string]any), origins: make(map[string]string)}
	for _, section := range Definitions(b, env) {
		values, err := model.OutputsOf(section.values)
		if err != nil {
			return nil, fmt.Errorf("writing %s: %w", section.Kind, err)
		}
		m.add(generated, map[string]any{string(section.Kind): map[string]any(values)})
	}
	known, err := model.OutputsOf(deployed)
	if err != nil {
		return nil, fmt.Errorf("reading the values of the deployment: %w", err)
	}
	m.fill(generated, known)
	for _, o := range b.Outputs {
		m.add(SourceOf(o), o.Values)
	}
	m.Values["version"] = model.ClientFileVersion
	m.wantKey()
	return m, nil
}

// wantKey adds APIKeyPlaceholder if the data API uses a key.
func (m *merger) wantKey() {
	data, _ := m.Values["data"].(map[string]any)
	types, _ := data["authorization_types"].([]any)
	if data["default_authorization_type"] == model.APIKeyAuthorization ||
		slices.Contains(types, any(model.APIKeyAuthorization)) {
		m.add(generated, map[string]any{"data": map[string]any{"api_key": model.APIKeyPlaceholder}})
	}
}

// definition is a section of the client configuration file that a definition gives.
type definition struct {
	Kind   model.Kind
	values any
}

// Definitions lists the sections that definitions give, with the fields that an environment overrides.
func Definitions(b *model.Backend, env *model.Environment) []definition {
	data, storage := b.Data, b.Storage
	if env != nil {
		data, storage = model.Overridden(data, env.Data), model.Overridden(storage, env.Storage)
	}
	var sections []definition
	if b.Auth != nil {
		sections = append(sections, definition{model.KindAuth, b.Auth.WithDefaults().ForClients()})
	}
	if data != nil {
		sections = append(sections, definition{model.KindData, data})
	}
	if storage != nil {
		sections = append(sections, definition{model.KindStorage, storage})
	}
	return sections
}

// OutputAt returns the first output that gives the value at a pointer of the file, or something above it.
func OutputAt(b *model.Backend, pointer string) model.Ref {
	for _, o := range b.Outputs {
		var at any = map[string]any(o.Values)
		found := true
		for _, name := range model.PlaceOf(pointer) {
			members, ok := at.(map[string]any)
			if !ok {
				break
			}
			if at, found = members[name]; !found {
				break
			}
		}
		if found {
			return SourceOf(o).Of
		}
	}
	return model.Ref{}
}
