package schemas

import (
	"os"
	"reflect"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// naive turns a published schema into what one would write for a validator that
// can be trusted: additionalProperties instead of propertyNames, type boolean,
// a schema for the values of a map.
func naive(schema any) any {
	switch schema := schema.(type) {
	case []any:
		for i, child := range schema {
			schema[i] = naive(child)
		}
	case map[string]any:
		if names, is := schema["propertyNames"].(map[string]any); is && names["enum"] != nil {
			delete(schema, "propertyNames")
			schema["additionalProperties"] = false
		}
		if values, is := schema["patternProperties"].(map[string]any); is {
			delete(schema, "patternProperties")
			schema["additionalProperties"] = values[""]
		}
		if reflect.DeepEqual(schema["enum"], []any{true, false}) {
			delete(schema, "enum")
			schema["type"] = "boolean"
		}
		for keyword, child := range schema {
			schema[keyword] = naive(child)
		}
	}
	return schema
}

func compileOracle(t testing.TB, schema any) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("urn:oracle", schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("urn:oracle")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// oracle is the second validator, on the naive form of a schema.
func oracle(t testing.TB, schema string) *jsonschema.Schema {
	t.Helper()
	text, err := Source(schema)
	if err != nil {
		t.Fatal(err)
	}
	return compileOracle(t, naive(decode(t, text)))
}

// publicOracle is the second validator on the public schema of version 1, nil
// where that file is not there.
func publicOracle(t testing.TB) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("../../shared/outputs-schemas/docs-amplify-outputs-schema-v1.json")
	if err != nil {
		t.Logf("not compared with the public schema: %v", err)
		return nil
	}
	return compileOracle(t, decode(t, text))
}

func TestPublishedSchemasAreValidForAnyValidator(t *testing.T) {
	for _, name := range Names() {
		text, err := Source(name)
		if err != nil {
			t.Fatal(err)
		}
		published := compileOracle(t, decode(t, text))
		if err := published.Validate(rich(t, name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOurWordsForThePublicSchemaAreItsVerdicts(t *testing.T) {
	public := publicOracle(t)
	if public == nil {
		t.Skip("the public schema is not there")
	}
	say := dialects()["client-config-amplify"]
	for _, row := range clientFields {
		for _, value := range append(row.accepts, row.refuses...) {
			doc := with(t, rich(t, "client-config-amplify"), say(row.field), say(value))
			accepted := public.Validate(decode(t, doc)) == nil
			if accepted != (len(problems(t, "client-config-amplify", doc)) == 0) {
				t.Errorf("%s at %s: the public schema accepts it: %t", value, row.field, accepted)
			}
		}
	}
}

// The oracle must be able to tell apart what the test below relies on.
func TestTheOracleRefusesWhatTheEngineAloneWouldAccept(t *testing.T) {
	tests := []struct{ schema, at, value string }{
		{"auth", "/password_policy/require_numbers", `"true"`},
		{"auth", "/min_length", `8`},
		{"auth", "/username_attributes", `["email", "email"]`},
		{"client-config", "/geo/style", `"a"`},
	}
	for _, test := range tests {
		doc := with(t, rich(t, test.schema), test.at, test.value)
		if oracle(t, test.schema).Validate(decode(t, doc)) == nil {
			t.Errorf("the oracle accepts %s at %s of %s", test.value, test.at, test.schema)
		}
		if len(problems(t, test.schema, doc)) == 0 {
			t.Errorf("%s accepts %s at %s", test.schema, test.value, test.at)
		}
	}
}
