package definition

import "gatewright/model"

// Source is where the value of a field comes from.
type Source uint8

// The sources, in the order of precedence: the override of an environment, the
// definition, the outputs of a deployment, an output, a default.
const (
	Unset Source = iota
	ByEnvironment
	ByDefinition
	ByDeployment
	ByOutput
	ByDefault
)

// Traced is a field with its value in one environment, and the source of the value.
type Traced struct {
	Kind model.Kind
	Field
	// Value is nil if From is Unset.
	Value any
	From  Source
	// SourceName names the environment or the output that Value comes from.
	SourceName string
	// Defined is the value in the definition, which an environment may override.
	Defined any
}

// Trace lists the fields of a section with their values in one environment. deployed
// are the outputs of its last deployment. Both may be nil.
func Trace(b *model.Backend, kind model.Kind, env *model.Environment, deployed model.Outputs) ([]Traced, error) {
	defined, err := Of(b, kind, "")
	if err != nil {
		return nil, err
	}
	var override map[string]any
	if env != nil {
		if override, err = Of(&model.Backend{Environments: []*model.Environment{env}}, kind, env.Name); err != nil {
			return nil, err
		}
	}
	known, err := Values(deployed)
	if err != nil {
		return nil, err
	}
	var all []Traced
	for _, f := range Fields(kind) {
		t := Traced{Kind: kind, Field: f, Defined: model.ValueAt(defined, f.Place)}
		inFile := append([]string{string(kind)}, f.Place...)
		switch value := model.ValueAt(override, f.Place); {
		case value != nil:
			t.Value, t.From, t.SourceName = value, ByEnvironment, env.Name
		case t.Defined != nil:
			t.Value, t.From = t.Defined, ByDefinition
		case model.ValueAt(known, inFile) != nil:
			t.Value, t.From = model.ValueAt(known, inFile), ByDeployment
		default:
			t.findElsewhere(b, inFile, defined)
		}
		all = append(all, t)
	}
	return all, nil
}

// findElsewhere looks for the value of a field among the outputs and the defaults.
func (t *Traced) findElsewhere(b *model.Backend, inFile []string, defined map[string]any) {
	for _, o := range b.Outputs {
		if value := model.ValueAt(o.Values, inFile); value != nil {
			t.Value, t.From, t.SourceName = value, ByOutput, o.Name
			return
		}
	}
	// The Amplify CLI may have other defaults.
	if value := defaultValue(t.Kind, t.Field, defined); value != nil && b.Defines(t.Kind) {
		t.Value, t.From = value, ByDefault
	}
}

// defaultValue returns the value of a field that nothing sets: guests are let in, the password policy has five fields
// with values, no second factor is asked for, and a data API with keys has the placeholder of a key.
func defaultValue(kind model.Kind, f Field, defined map[string]any) any {
	policy := model.PasswordPolicy{}.Whole()
	switch name := f.String(); {
	case kind == model.KindData && name == "api_key":
		types, _ := defined["authorization_types"].([]any)
		for _, one := range append(types, defined["default_authorization_type"]) {
			if one == model.APIKeyAuthorization {
				return model.APIKeyPlaceholder
			}
		}
	case kind != model.KindAuth:
	case name == "unauthenticated_identities_enabled":
		return true
	case name == "mfa_configuration":
		return model.MFAConfigurations[0]
	case len(f.Place) == 2 && f.Place[0] == "password_policy":
		whole, err := Values(policy)
		if err != nil {
			return nil
		}
		return whole[f.Name]
	}
	return nil
}
