package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Generated is the origin of values that no addOutput call gave.
const Generated = "generated"

// apiKeyPointer is the one place whose value may be a placeholder,
// introspectionPointer the one in a section whose form is free.
const (
	apiKeyPointer        = "/data/api_key"
	introspectionPointer = "/data/model_introspection"
)

// ClientFileContent is a client configuration file before it is written: in
// neutral words, sections by name. Its values are the caller's own.
type ClientFileContent struct {
	Values Outputs
	// Origins says for each JSON pointer of a leaf where it came from: Generated
	// or "output NAME".
	Origins map[string]string
	// Waiting are the sections that are begun and left out, since they lack
	// something: section to missing fields, nested ones as "maps/items". Where a
	// definition stands behind a section a push may give them; Check says as
	// errors those that only another addOutput call can give.
	Waiting map[string][]string
}

// ClientFile merges what the definitions say, what the environment overrides
// (env may be nil), what a deployment knows (deployed may be nil) and what every
// addOutput call gave. A deployment fills in what the definitions do not say: it
// may be older than they are, and they win, whole arrays too. For addOutput equal
// values are no conflict; arrays of the known sections join as sets, those under
// `custom` are appended; a value that differs is a *Problem of the output that
// gives it. A section that lacks what it requires is left out and waits (design,
// "The client configuration file").
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
	maps.DeleteFunc(content.Values, func(name string, _ any) bool { return waits("/" + PointerToken(name)) })
	maps.DeleteFunc(content.Origins, func(pointer, _ string) bool { return waits(pointer) })
	return content, nil
}

// merge joins everything that has a say, whole or not.
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
		return nil, fmt.Errorf("reading what is deployed: %w", err)
	}
	m.fill(generated, known)
	for _, o := range b.Outputs {
		m.add(sourceOf(o), o.Values)
	}
	m.values["version"] = ClientFileVersion
	m.wantKey()
	return m, nil
}

// wantKey puts the placeholder where the data API takes a key that nobody knows.
func (m *merger) wantKey() {
	data, _ := m.values["data"].(map[string]any)
	types, _ := data["authorization_types"].([]any)
	if data["default_authorization_type"] == APIKeyAuthorization || slices.Contains(types, any(APIKeyAuthorization)) {
		m.add(generated, map[string]any{"data": map[string]any{"api_key": APIKeyPlaceholder}})
	}
}

// definition is a section that a definition stands behind.
type definition struct {
	kind   Kind
	values any
}

// definitions lists the sections that definitions give in an environment, with
// what it overrides.
func (b *Backend) definitions(env *Environment) []definition {
	data, storage := b.Data, b.Storage
	if env != nil {
		data, storage = data.overridden(env.Data), storage.overridden(env.Storage)
	}
	var sections []definition
	if b.Auth != nil {
		sections = append(sections, definition{KindAuth, b.Auth.settled()})
	}
	if data != nil {
		sections = append(sections, definition{KindData, data})
	}
	if storage != nil {
		sections = append(sections, definition{KindStorage, storage})
	}
	return sections
}

// outputAt is the first output that gives the value at a pointer of the file, or something above it.
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
