package schemas

import (
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"gatewright/test/depth"
)

// naive returns a published schema as one would write it for a correct validator: with
// additionalProperties instead of propertyNames, type boolean, and a schema for the values
// of a map.
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

// oracle returns the second validator, on the naive form of a schema.
func oracle(t testing.TB, schema string) *jsonschema.Schema {
	t.Helper()
	text, err := Source(schema)
	if err != nil {
		t.Fatal(err)
	}
	return compileOracle(t, naive(decode(t, text)))
}

// publicVersions are the public versions of the client configuration file, each with our
// schema and the file of the public one. Version 1 is the copy in the Amplify
// documentation, because the file in the repository has the version "1.1".
var publicVersions = []struct{ version, schema, file string }{
	{"1", "client-config-amplify", "docs-amplify-outputs-schema-v1.json"},
	{"1.1", "client-config-amplify-1.1", "schema_v1.1.json"},
	{"1.2", "client-config-amplify-1.2", "schema_v1.2.json"},
	{"1.3", "client-config-amplify-1.3", "schema_v1.3.json"},
	{"1.4", "client-config-amplify-1.4", "schema_v1.4.json"},
	{"1.5", "client-config-amplify-1.5", "schema_v1.5.json"},
}

// publicOracle is the second validator on a public schema. Without its file the test is
// skipped.
func publicOracle(t testing.TB, file string) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("../../shared/outputs-schemas/" + file)
	if err != nil {
		t.Skipf("not compared with the public schema: %v", err)
	}
	return compileOracle(t, decode(t, text))
}

func TestPublishedSchemasAreValidForAnyValidator(t *testing.T) {
	t.Parallel()
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

func TestTheRowsGetTheVerdictOfEachPublicVersion(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	for i, v := range publicVersions {
		public := publicOracle(t, v.file)
		for j, row := range clientFields {
			if (i+j)%depth.Rounds(4, 1, 1) != 0 {
				continue
			}
			for _, value := range slices.Concat(row.accepts, row.refuses) {
				doc := with(t, rich(t, v.schema), publicPointer(row.field), publicWords.Replace(value))
				accepted := public.Validate(decode(t, doc)) == nil
				if found := problems(t, v.schema, doc); accepted != (len(found) == 0) {
					t.Errorf("version %s, %s at %s: the public schema accepts it: %t, we found %+v", v.version, value, row.field, accepted, found)
				}
			}
		}
	}
}

// The oracle must refuse these mutations, or the differential test proves nothing.
func TestTheOracleRefusesWhatTheEngineAloneWouldAccept(t *testing.T) {
	t.Parallel()
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
