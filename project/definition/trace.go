package definition

import "gatewright/model"

// Source is where the value of a field comes from.
type Source uint8

// The sources, the one that wins first: what an environment says otherwise, the
// definition, what a deployment knows, an addOutput call, what goes without saying.
const (
	Unsaid Source = iota
	ByEnvironment
	ByDefinition
	ByDeployment
	ByOutput
	ByDefault
)

// Traced is a field with its value in one environment, and where that comes from.
type Traced struct {
	Kind model.Kind
	Field
	// Value is nil where nobody says one.
	Value any
	From  Source
	// By is the name of the environment or the output that says it.
	By string
	// Defined is what the definition says, where the environment says otherwise.
	Defined any
}

// Trace lists the fields of a section as one environment has them. env may be nil,
// and so may deployed, which is what its last deployment gave.
func Trace(b *model.Backend, kind model.Kind, env *model.Environment, deployed model.Outputs) ([]Traced, error) {
	defined, err := Of(b, kind, "")
	if err != nil {
		return nil, err
	}
	var over map[string]any
	if env != nil {
		if over, err = Of(&model.Backend{Environments: []*model.Environment{env}}, kind, env.Name); err != nil {
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
		switch value := model.ValueAt(over, f.Place); {
		case value != nil:
			t.Value, t.From, t.By = value, ByEnvironment, env.Name
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

// findElsewhere looks for the value of a field that neither the definitions nor the
// deployment say.
func (t *Traced) findElsewhere(b *model.Backend, inFile []string, defined map[string]any) {
	for _, o := range b.Outputs {
		if value := model.ValueAt(o.Values, inFile); value != nil {
			t.Value, t.From, t.By = value, ByOutput, o.Name
			return
		}
	}
	// What another tool keeps is not known here, and so is nothing usual of it.
	if value := defaultValue(t.Kind, t.Field, defined); value != nil && !b.AmplifyCLI {
		t.Value, t.From = value, ByDefault
	}
}

// defaultValue is what goes without saying: guests have an identity, a password policy
// has five fields, no second factor is asked for, and where a data API takes a key
// there is a place for it.
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
