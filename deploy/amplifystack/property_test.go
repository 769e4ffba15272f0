package amplifystack

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/internal/cfn"
	"gatewright/model"
)

// drawn are values that outputs may have, besides those of the backend.
var drawn = []string{
	"", "x", "true", "false", "8", "99", "0", "[]", `["SMS"]`, `["email","email"]`, `["sub","\u001b"]`, "{}", `{"a":`, "null", "[[]]",
	"us-east-1", region, region + "_x", "a,b,,a", ",", "GOOGLE", `["GOOGLE","FACEBOOK"]`, "API_KEY", "AWS_LAMBDA", "\x1b[2J", "<API_KEY>",
	`{"version":"1.5","auth":{"mfa_methods":["SMS",1]}}`, `{"data":{"url":null},"storage":{"buckets":[{}]}}`, `{"custom":[]}`,
	`{"notifications":{"aws_region":"r","amazon_pinpoint_app_id":"a","channels":["FCM"]}}`, `{"geo":{"aws_region":"r","maps":{"items":{"a":{"name":"b"}},"default":"a"}}}`,
	`{"cloud_region":1,"auth":{"cloud_region":"r"}}`, `{"__proto__":{},"$schema":1}`, `{"default":"z","items":["z","z"]}`,
}

func TestTheResultIsAlwaysAValidFileOrAnError(t *testing.T) {
	t.Parallel()
	valid := 0
	rapid.Check(t, func(t *rapid.T) {
		entries := make(map[string]any)
		outputs := make(map[string]string)
		for _, key := range slices.Sorted(maps.Keys(backend)) {
			if !strings.HasPrefix(key, prefix) || !rapid.Bool().Draw(t, key) {
				continue
			}
			names := slices.Sorted(maps.Keys(backend[key]))
			for _, name := range names {
				outputs[name] = backend[key][name]
				if rapid.IntRange(0, 9).Draw(t, name+" changes") == 0 {
					outputs[name] = rapid.OneOf(rapid.SampledFrom(drawn), rapid.String()).Draw(t, name)
				}
			}
			entries[key] = map[string]any{"version": "1", "stackOutputs": names}
		}
		template, err := json.Marshal(map[string]any{"Metadata": entries, "Resources": map[string]any{}})
		if err != nil {
			t.Fatal(err)
		}
		if isValid(t, one(string(template), outputs)) {
			valid++
		}
	})
	if valid == 0 {
		t.Error("no result was valid")
	}
}

func TestTheResultOfTheFirstGenerationIsAlwaysAValidFileOrAnError(t *testing.T) {
	t.Parallel()
	valid := 0
	rapid.Check(t, func(t *rapid.T) {
		from := firstGeneration()
		nested := from["shop"].nested
		for _, id := range slices.Sorted(maps.Keys(nested)) {
			outputs := from[nested[id]].stack.Outputs
			for _, name := range slices.Sorted(maps.Keys(outputs)) {
				if rapid.IntRange(0, 9).Draw(t, id+" "+name+" changes") == 0 {
					outputs[name] = rapid.OneOf(rapid.SampledFrom(drawn), rapid.String()).Draw(t, name)
				}
			}
			if rapid.IntRange(0, 4).Draw(t, id+" is gone") == 0 {
				delete(nested, id)
			}
		}
		if isValid(t, from) {
			valid++
		}
	})
	if valid == 0 {
		t.Error("no result was valid")
	}
}

// isValid checks that the stack "shop" gives a valid file, or else an error with a cause,
// and that what it says is printable and has no key.
func isValid(t *rapid.T, from deployed) bool {
	result, err := Read(context.Background(), from, "shop")
	lines := result.Notes
	if err != nil {
		var problem *model.Problem
		if !errors.As(err, &problem) || problem.Cause == nil || problem.Fix == "" {
			t.Fatalf("the error is %#v", err)
		}
		lines = []string{err.Error()}
	} else {
		mustBeValid(t, result.Values)
	}
	for _, line := range lines {
		if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r == 0x7f }) || strings.Contains(line, backend[dataKey]["awsAppsyncApiKey"]) {
			t.Fatalf("it says %q", line)
		}
	}
	return err == nil
}

func FuzzMetadataGivesEntriesOrAnError(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "a: b", `{"Metadata":{"AWS::Amplify::Auth":{"version":"1","stackOutputs":["a"]}}}`,
		`{"Metadata":{"AWS::Amplify::Auth":{"version":2,"stackOutputs":{}}}}`, `{"Metadata":{"AWS::Amplify::":[]}}`,
		"Metadata:\n  AWS::Amplify::Storage:\n    version: 1\n    stackOutputs: [!Ref a]\n", "Metadata: []\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		template, err := cfn.Parse("the template", text)
		if err != nil {
			return
		}
		entries, err := metadataOf("shop", template)
		if err != nil {
			mustBeOneLine(t, err)
			return
		}
		for _, e := range entries {
			if !strings.HasPrefix(e.key, prefix) || len(e.outputs) > mostNames || slices.Contains(e.outputs, "") {
				t.Errorf("an entry is %+v", e)
			}
		}
	})
}
