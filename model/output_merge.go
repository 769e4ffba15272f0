package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Generated is the origin of values that no output gave.
const Generated = "generated"

// The pointers of the field that may be APIKeyPlaceholder, and of the free field in a
// section.
const (
	apiKeyPointer        = "/data/api_key"
	introspectionPointer = "/data/model_introspection"
)

// ClientFileContent is a client configuration file before it is written, in the neutral
// dialect. The caller owns its values.
type ClientFileContent struct {
	Values Outputs
	// Origins is the origin of each leaf by its JSON pointer: Generated or "output NAME",
	// several separated by commas.
	Origins map[string]string
	// Waiting are the sections that are left out because required fields are missing, with
	// those fields, nested ones as "maps/items". A push may give the fields of a section
	// that has a definition; Check reports fields that only another output can give.
	Waiting map[string][]string
}

// ClientFile merges the definitions, the fields that the environment overrides (env may be
// nil), the values of a deployment (deployed may be nil) and all outputs. A deployment only
// adds what the definitions do not set, since it may be older than they are. In outputs
// equal values are no conflict; arrays of the known sections are joined as sets, those
// under `custom` are appended; a value that differs is a *Problem of the output that gives
// it. A section that lacks a required field is left out (Waiting).
func (b *Backend) ClientFile(env *Environment, deployed Outputs) (ClientFileContent, error) {
	m, err := b.merge(env, deployed)
	if err != nil {
		return ClientFileContent{}, err
	}
	if len(m.conflicts) > 0 {
		return ClientFileContent{}, m.conflicts[0]
	}
	c := fieldCheck{ask: whole}
	c.members(ClientFile, m.values, "")
	content := ClientFileContent{Values: m.values, Origins: m.origins, Waiting: make(map[string][]string)}
	for _, missing := range c.missing {
		section, field := missing.section()
		content.Waiting[section] = append(content.Waiting[section], field)
	}
	waits := func(pointer string) bool {
		section, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
		return content.Waiting[section] != nil
	}
	for _, p := range c.problems {
		if !waits(p.Pointer) {
			p.Of = b.outputAt(p.Pointer)
			return ClientFileContent{}, p
		}
	}
	maps.DeleteFunc(content.Values, func(name string, _ any) bool { return waits("/" + PointerSegment(name)) })
	maps.DeleteFunc(content.Origins, func(pointer, _ string) bool { return waits(pointer) })
	return content, nil
}

// merge joins the definitions, a deployment and the outputs, even if fields are missing.
func (b *Backend) merge(env *Environment, deployed Outputs) (*merger, error) {
	m := &merger{values: make(map[string]any), origins: make(map[string]string)}
	for _, section := range b.definitions(env) {
		values, err := OutputsOf(section.values)
		if err != nil {
			return nil, fmt.Errorf("writing %s: %w", section.kind, err)
		}
		m.add(generated, map[string]any{string(section.kind): map[string]any(values)})
	}
	known, err := OutputsOf(deployed)
	if err != nil {
		return nil, fmt.Errorf("reading the values of the deployment: %w", err)
	}
	m.fill(generated, known)
	for _, o := range b.Outputs {
		m.add(sourceOf(o), o.Values)
	}
	m.values["version"] = ClientFileVersion
	m.wantKey()
	return m, nil
}

// wantKey adds APIKeyPlaceholder if the data API uses a key.
func (m *merger) wantKey() {
	data, _ := m.values["data"].(map[string]any)
	types, _ := data["authorization_types"].([]any)
	if data["default_authorization_type"] == APIKeyAuthorization || slices.Contains(types, any(APIKeyAuthorization)) {
		m.add(generated, map[string]any{"data": map[string]any{"api_key": APIKeyPlaceholder}})
	}
}

// definition is a section of the client configuration file that a definition gives.
type definition struct {
	kind   Kind
	values any
}

// definitions lists the sections that definitions give, with the fields that an environment
// overrides.
func (b *Backend) definitions(env *Environment) []definition {
	data, storage := b.Data, b.Storage
	if env != nil {
		data, storage = overridden(data, env.Data), overridden(storage, env.Storage)
	}
	var sections []definition
	if b.Auth != nil {
		sections = append(sections, definition{KindAuth, b.Auth.withDefaults()})
	}
	if data != nil {
		sections = append(sections, definition{KindData, data})
	}
	if storage != nil {
		sections = append(sections, definition{KindStorage, storage})
	}
	return sections
}

// outputAt returns the first output that gives the value at a pointer of the file, or
// something above it.
func (b *Backend) outputAt(pointer string) Ref {
	for _, o := range b.Outputs {
		var at any = map[string]any(o.Values)
		found := true
		for _, name := range PlaceOf(pointer) {
			members, ok := at.(map[string]any)
			if !ok {
				break
			}
			if at, found = members[name]; !found {
				break
			}
		}
		if found {
			return sourceOf(o).of
		}
	}
	return Ref{}
}
