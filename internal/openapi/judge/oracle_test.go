package judge_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"gatewright/internal/openapi"
	"gatewright/internal/openapi/judge"
	"gatewright/internal/openapi/judge/judgetest"
)

func jsonOf(t rapid.TB, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// another reads a text for the other judge.
func another(t rapid.TB, text []byte) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestAnotherJudgeOfJSONSchemaAgrees(t *testing.T) {
	t.Parallel()
	holding, all := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		schema := judgetest.Schema(rt)
		text := jsonOf(rt, schema)
		compiler := jsonschema.NewCompiler()
		compiler.DefaultDraft(jsonschema.Draft2020)
		if err := compiler.AddResource("schema.json", another(rt, text)); err != nil {
			rt.Fatal(err)
		}
		other, err := compiler.Compile("schema.json")
		if err != nil {
			rt.Skip(err)
		}
		schema["openapi"] = "3.1.0"
		d, err := openapi.Read("api.json", jsonOf(rt, schema))
		if err != nil {
			rt.Fatal(err)
		}
		rules := judge.New(d)
		ours := rules.Schema(d.Root)
		for range 10 {
			value := jsonOf(rt, judgetest.Value(rt))
			run := judge.NewRun(judge.Request)
			faults := run.Judge(ours, valueOf(t, string(value)))
			holds := other.Validate(another(rt, value)) == nil
			if !run.Whole() || holds != (len(faults) == 0) {
				rt.Fatalf("schema %s\nvalue %s\nthe other judge says that it holds: %t; ours says: %s", text, value, holds, said(faults))
			}
			if all++; holds {
				holding++
			}
		}
	})
	if holding*20 < all {
		t.Errorf("only %d of %d values held: draw others", holding, all)
	}
	t.Logf("%d of %d values held", holding, all)
}
