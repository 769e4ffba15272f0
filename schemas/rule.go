package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// assertions are the keywords about one value without its members.
type assertions struct {
	Type      string   `json:"type,omitempty"`
	Const     any      `json:"const,omitempty"`
	Enum      []any    `json:"enum,omitempty"`
	Minimum   *int     `json:"minimum,omitempty"`
	Maximum   *int     `json:"maximum,omitempty"`
	MinLength *int     `json:"minLength,omitempty"`
	MaxLength *int     `json:"maxLength,omitempty"`
	Pattern   string   `json:"pattern,omitempty"`
	MinItems  *int     `json:"minItems,omitempty"`
	MaxItems  *int     `json:"maxItems,omitempty"`
	Required  []string `json:"required,omitempty"`
	AnyOf     []choice `json:"anyOf,omitempty"`
}

// choice is one of several sets of fields. An object has all fields of at least one set.
type choice struct {
	Required []string `json:"required"`
}

// annotations are the keywords for people and editors. If there is a pattern, the description
// is a phrase for the values that match it, and the examples match it. A value that is
// writeOnly may be a secret: no message repeats it.
type annotations struct {
	Schema               string `json:"$schema"`
	ID                   string `json:"$id"`
	Title                string `json:"title"`
	Description          string `json:"description"`
	Default              any    `json:"default"`
	Examples             []any  `json:"examples"`
	WriteOnly            bool   `json:"writeOnly"`
	AdditionalProperties *bool  `json:"additionalProperties"`
}

// rule is one schema or subschema. Its fields are all keywords of the subset.
type rule struct {
	assertions
	annotations
	Ref               string           `json:"$ref"`
	Defs              map[string]*rule `json:"$defs"`
	Properties        map[string]*rule `json:"properties"`
	PropertyNames     *rule            `json:"propertyNames"`
	PatternProperties map[string]*rule `json:"patternProperties"`
	Items             *rule            `json:"items"`
	UniqueItems       bool             `json:"uniqueItems"`

	linked  bool
	pattern *regexp.Regexp
	engine  *engine
}

// parseRule reads the text of a schema and compiles it. A keyword outside the subset is an
// error.
func parseRule(text []byte) (*rule, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var root rule
	if err := decoder.Decode(&root); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	linked, err := link(&root, root.Defs)
	if err != nil {
		return nil, err
	}
	return linked, linked.compile()
}

// link returns r, or the rule that r refers to, with every reference below it replaced by its
// target.
func link(r *rule, defs map[string]*rule) (*rule, error) {
	if r == nil {
		return nil, nil
	}
	if r.Ref != "" {
		target := defs[strings.TrimPrefix(r.Ref, "#/$defs/")]
		if target == nil {
			return nil, fmt.Errorf("schema refers to %q, which it does not define", r.Ref)
		}
		r = target
	}
	if r.linked {
		return r, nil
	}
	r.linked = true
	var err error
	if r.Pattern != "" {
		if r.pattern, err = regexp.Compile(r.Pattern); err != nil {
			return nil, fmt.Errorf("read pattern of schema: %w", err)
		}
	}
	for _, children := range []map[string]*rule{r.Properties, r.PatternProperties} {
		for key, child := range children {
			if children[key], err = link(child, defs); err != nil {
				return nil, err
			}
		}
	}
	if r.PropertyNames, err = link(r.PropertyNames, defs); err != nil {
		return nil, err
	}
	r.Items, err = link(r.Items, defs)
	return r, err
}

// compile gives an engine to r and to every rule below it for the entries of a map or of an
// array, which are judged one by one.
func (r *rule) compile() error {
	if r.engine != nil {
		return nil
	}
	text, err := json.Marshal(newEngineSchema(r))
	if err != nil {
		return fmt.Errorf("write schema for the engine: %w", err)
	}
	if r.engine, err = newEngine(text); err != nil {
		return err
	}
	return r.compileEntries()
}

func (r *rule) compileEntries() error {
	for _, child := range r.Properties {
		if err := child.compileEntries(); err != nil {
			return err
		}
	}
	for _, entry := range []*rule{r.values(), r.Items} {
		if entry == nil {
			continue
		}
		if err := entry.compile(); err != nil {
			return err
		}
	}
	return nil
}

// values returns the rule for the values of a map, nil when r is no map.
func (r *rule) values() *rule { return r.PatternProperties[""] }

// closed reports whether an object may have only the fields that r names.
func (r *rule) closed() bool {
	return r.PropertyNames != nil && r.PropertyNames.Enum != nil
}

// engineSchema is the part of a rule that the engine gets: no entries of maps and arrays, no
// annotations, no references.
type engineSchema struct {
	assertions
	Properties    map[string]engineSchema `json:"properties,omitempty"`
	PropertyNames *assertions             `json:"propertyNames,omitempty"`
}

func newEngineSchema(r *rule) engineSchema {
	p := engineSchema{assertions: r.assertions}
	if r.Properties != nil {
		p.Properties = make(map[string]engineSchema, len(r.Properties))
		for name, child := range r.Properties {
			p.Properties[name] = newEngineSchema(child)
		}
	}
	switch {
	case r.closed():
		p.PropertyNames = &assertions{Pattern: oneOfPattern(r.PropertyNames.choices())}
	case r.PropertyNames != nil:
		p.PropertyNames = &r.PropertyNames.assertions
	}
	return p
}

// oneOfPattern matches the words given and nothing else. It replaces an enum, whose words the
// engine decodes again for each name that it checks: that took half of the time of a
// validation.
func oneOfPattern(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = regexp.QuoteMeta(word)
	}
	return "^(" + strings.Join(quoted, "|") + ")$"
}
