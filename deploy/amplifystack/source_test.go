package amplifystack

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/model/clientfile"
	"gatewright/render"
	"gatewright/schemas"
)

// deployed is a source of stacks by name.
type deployed map[string]deployedStack

type deployedStack struct {
	stack    Stack
	template string
	nested   map[string]string
}

func (d deployed) Stack(_ context.Context, name string) (Stack, error) {
	s, ok := d[name]
	if !ok {
		return Stack{}, ErrNoStack
	}
	return s.stack, nil
}

func (d deployed) Template(_ context.Context, name string) ([]byte, error) {
	return []byte(d[name].template), nil
}

func (d deployed) Nested(_ context.Context, name string) (map[string]string, error) {
	return d[name].nested, nil
}

const region = "eu-central-1"

// one is a source of one complete stack called "shop".
func one(template string, outputs map[string]string) deployed {
	return deployed{"shop": {template: template, stack: Stack{Name: "shop", Status: "UPDATE_COMPLETE", Region: region, Outputs: outputs}}}
}

// mustRead reads the stack "shop", and checks that the result is a valid file in both
// dialects.
func mustRead(t *testing.T, from Source) Result {
	t.Helper()
	result, err := Read(t.Context(), from, "shop")
	if err != nil {
		t.Fatal(err)
	}
	mustBeValid(t, result.Values)
	return result
}

func mustBeValid(t interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}, values model.Outputs,
) {
	t.Helper()
	if len(values) < 2 {
		t.Fatalf("the file is empty: %v", values)
	}
	for dialect, schema := range map[model.Dialect]string{model.Neutral: "client-config", model.Amplify: "client-config-amplify"} {
		file := render.ClientFile(clientfile.Content{Values: values}, dialect, render.Whole)
		problems, err := schemas.Validate(schema, file)
		if err != nil {
			t.Fatal(err)
		}
		if len(problems) > 0 {
			t.Fatalf("in the dialect %s: %v\n%s", dialect, problems[0], file)
		}
	}
}

// wantValues compares values with JSON.
func wantValues(t *testing.T, got model.Outputs, want string) {
	t.Helper()
	wanted, err := model.ParseOutputs([]byte(want))
	if err != nil {
		t.Fatal(err)
	}
	own, err := model.OutputsOf(got)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wanted, own); diff != "" {
		t.Error(diff)
	}
}

// asJSON marshals a value.
func asJSON(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
