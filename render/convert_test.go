package render_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/clientfile"
	"gatewright/render"
)

func TestAFileOfVersion1IsConvertedToTheOtherDialectAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := drawFile(t)
		there := render.Convert(values, model.Neutral, model.Amplify)
		text := render.ClientFile(clientfile.Content{Values: there.Values}, model.Amplify, render.Whole)
		mustBeValid(t, schemaIn(model.Amplify), text)
		read, err := model.ParseOutputs(text)
		if err != nil {
			t.Fatal(err)
		}
		back := render.Convert(read, model.Amplify, model.Neutral)
		if len(there.Lost) > 0 || len(back.Lost) > 0 {
			t.Fatalf("lost %v there and %v back", there.Lost, back.Lost)
		}
		if changes := render.Compare(values, back.Values); len(changes) > 0 {
			t.Fatalf("there and back: %v", changes)
		}
	})
}

func TestAConvertedFileIsAlwaysValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, to := rapid.SampledFrom(model.Dialects).Draw(t, "from"), rapid.SampledFrom(model.Dialects).Draw(t, "to")
		var damaged any = map[string]any(render.Translate(drawFile(t), model.Neutral, from))
		for range rapid.IntRange(0, 4).Draw(t, "damages") {
			damaged = drawDamage(t, damaged)
		}
		values, _ := damaged.(map[string]any)
		before := fmt.Sprint(values)
		got := render.Convert(values, from, to)
		mustBeValid(t, schemaIn(to), render.ClientFile(clientfile.Content{Values: got.Values}, to, render.Whole))
		if after := fmt.Sprint(values); after != before {
			t.Fatalf("what was read became %s, and was %s", after, before)
		}
		for _, c := range render.Compare(values, render.Translate(got.Values, model.Neutral, from)) {
			empty := fmt.Sprint(c.Old) == "[]" || fmt.Sprint(c.Old) == "map[]"
			if c.Pointer != "/version" && c.Pointer != "/$schema" && !empty && !slices.ContainsFunc(got.Lost, func(l render.Loss) bool { return about(l.Pointer, c.Pointer) }) {
				t.Fatalf("%s, which none of %v says", c, got.Lost)
			}
		}
		for _, l := range got.Lost {
			if l.Text == "" || strings.ContainsFunc(l.Text, func(r rune) bool { return r < ' ' }) {
				t.Fatalf("it says %q of %s", l.Text, l.Pointer)
			}
		}
	})
}

// about reports whether two places are equal, or one is within the other.
func about(a, b string) bool {
	return strings.HasPrefix(a+"/", b+"/") || strings.HasPrefix(b+"/", a+"/")
}

func TestAdditionsOfLaterVersionsAreListedAsLost(t *testing.T) {
	text, err := os.ReadFile("../schemas/testdata/client-config-amplify-1.5.json")
	if err != nil {
		t.Fatal(err)
	}
	want := []render.Loss{
		{Pointer: "/auth/groups", Text: "exists only from version 1.3 on", Unknown: true},
		{Pointer: "/auth/mfa_methods/3", Text: "EMAIL exists only from version 1.4 on", Unknown: true},
		{Pointer: "/auth/passwordless", Text: "exists only from version 1.4 on", Unknown: true},
		{Pointer: "/notifications/amazon_connect", Text: "exists only from version 1.5 on", Unknown: true},
		{Pointer: "/storage/buckets", Text: "exists only from version 1.1 on", Unknown: true},
		{Pointer: "/storage/buckets/0/paths", Text: "exists only from version 1.2 on", Unknown: true},
		{Pointer: "/storage/buckets/1/paths", Text: "exists only from version 1.2 on", Unknown: true},
	}
	read := parsed(t, string(text))
	for _, to := range model.Dialects {
		got := render.Convert(read, model.Amplify, to)
		if diff := cmp.Diff(want, got.Lost); diff != "" {
			t.Errorf("to %s: %s", to, diff)
		}
		mustBeValid(t, schemaIn(to), render.ClientFile(clientfile.Content{Values: got.Values}, to, render.Whole))
		// Everything else is kept.
		left := render.Dropped(read, render.Translate(got.Values, model.Neutral, model.Amplify))
		for _, line := range left {
			if !slices.ContainsFunc(want, func(l render.Loss) bool {
				return strings.HasPrefix(line, l.Pointer) || line == `/auth/mfa_methods: "EMAIL"`
			}) && line != "/$schema" {
				t.Errorf("to %s: %s is gone", to, line)
			}
		}
	}
}

func TestAConversionLosesAsLittleAsPossible(t *testing.T) {
	const auth = `"aws_region": "r", "user_pool_id": "p", "user_pool_client_id": "c"`
	const oauth = `"identity_providers": ["GOOGLE", "Auth0", "PROVIDER_A"], "domain": "d", "scopes": [], "redirect_sign_in_uri": ["a", "a"], "redirect_sign_out_uri": ["a"], "response_type": "code"`
	for _, tt := range []struct{ name, text, want string }{
		{"the schema", `{"$schema": "x", "version": "1"}`, ""},
		{"nothing of a later version", `{"version": "1.4", "auth": {` + auth + `, "groups": [], "passwordless": {}}}`, ""},
		{"nothing in what is unknown", `{"version": "1.4", "auth": {` + auth + `, "grups": []}}`, "/auth/grups: is not known to version 1 of the neutral dialect"},
		{"an unknown section", `{"version": "1", "extra": {"a": 1}}`, "/extra: is not known to version 1 of the neutral dialect"},
		{"items of arrays", `{"version": "1", "auth": {` + auth + `, "oauth": {` + oauth + `}}}`, `/auth/oauth/identity_providers/1: Auth0 is not known to version 1 of the neutral dialect
/auth/oauth/identity_providers/2: PROVIDER_A is not known to version 1 of the neutral dialect
/auth/oauth/redirect_sign_in_uri/1: repeats a`},
		{"a word of a field that is not required", `{"version": "1", "auth": {` + auth + `, "mfa_configuration": "OFF"}}`, "/auth/mfa_configuration: OFF is not known to version 1 of the neutral dialect"},
		{"the last item that is required", `{"version": "1", "auth": {` + auth + `, "username_attributes": ["nickname"]}}`, `/auth/username_attributes/0: nickname is not known to version 1 of the neutral dialect
/auth/username_attributes: has no valid item, and version 1 requires one`},
		{"a field that an optional object requires", `{"version": "1", "auth": {` + auth + `, "oauth": {` + strings.Replace(oauth, `"code"`, `"id"`, 1) + `}}}`, `/auth/oauth/identity_providers/1: Auth0 is not known to version 1 of the neutral dialect
/auth/oauth/identity_providers/2: PROVIDER_A is not known to version 1 of the neutral dialect
/auth/oauth/redirect_sign_in_uri/1: repeats a
/auth/oauth/response_type: id is not known to version 1 of the neutral dialect
/auth/oauth: lacks response_type, which version 1 requires`},
		{"a section that lacks what is required", `{"version": "1.5", "notifications": {"amazon_connect": {"aws_region": "r", "endpoint": "e"}}}`, `/notifications/amazon_connect: exists only from version 1.5 on
/notifications: lacks aws_region, amazon_pinpoint_app_id, channels, which version 1 requires`},
		{"a word of the other dialect", `{"version": "1", "storage": {"aws_region": "r", "cloud_region": "r", "bucket_name": "b"}}`, "/storage/cloud_region: is not known to version 1 of the neutral dialect"},
		{"a number", `{"version": "1", "auth": {` + auth + `, "password_policy": {"min_length": 5}}}`, "/auth/password_policy/min_length: is not a whole number from 6 to 99"},
		{"a whole number written otherwise", `{"version": "1", "auth": {` + auth + `, "password_policy": {"min_length": 80e-1}}}`, ""},
		{"types", `{"version": "1", "auth": [], "storage": {"aws_region": 1, "bucket_name": "b"}, "custom": null, "geo": {"aws_region": "r", "maps": {"items": {"m": 1, "n": {"style": true}}, "default": "m"}}}`, `/auth: is not an object
/custom: is not an object
/geo/maps/items/m: is not an object
/geo/maps/items/n/style: is not a string
/storage/aws_region: is not a string
/storage: lacks aws_region, which version 1 requires`},
		{"other types", `{"version": "1", "auth": {` + auth + `, "username_attributes": "email", "unauthenticated_identities_enabled": "yes", "password_policy": {"min_length": 100}}, "data": {"aws_region": "r", "url": "u", "default_authorization_type": "API_KEY", "authorization_types": [1]}}`, `/auth/password_policy/min_length: is not a whole number from 6 to 99
/auth/unauthenticated_identities_enabled: is not true or false
/auth/username_attributes: is not an array
/data/authorization_types/0: is not a string`},
		{"a version that nobody knows", `{"version": "1.6"}`, `/version: "1.6" is not a version of the amplify dialect`},
		{"what a terminal would obey", `{"version": "1", "\u001b[2J": 1, "auth": {` + auth + `, "mfa_configuration": "\u001b[2J"}}`, "/\x1b[2J: is not known to version 1 of the neutral dialect\n" + `/auth/mfa_configuration: "\x1b[2J" is not known to version 1 of the neutral dialect`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var lines []string
			for _, l := range render.Convert(parsed(t, tt.text), model.Amplify, model.Neutral).Lost {
				lines = append(lines, l.Pointer+": "+l.Text)
			}
			if diff := cmp.Diff(tt.want, strings.Join(lines, "\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestOnlyTheAmplifyDialectHasLaterVersions has in a neutral file what a later version of the other dialect added.
func TestOnlyTheAmplifyDialectHasLaterVersions(t *testing.T) {
	read := parsed(t, `{"version": "1.4", "auth": {"cloud_region": "r", "user_pool_id": "p", "user_pool_client_id": "c", "groups": [], "mfa_methods": ["EMAIL", "SMS"]}}`)
	want := []render.Loss{
		{Pointer: "/version", Text: `"1.4" is not a version of the neutral dialect`},
		{Pointer: "/auth/groups", Text: "is not known to version 1 of the amplify dialect", Unknown: true},
		{Pointer: "/auth/mfa_methods/0", Text: "EMAIL is not known to version 1 of the amplify dialect", Unknown: true},
	}
	if diff := cmp.Diff(want, render.Convert(read, model.Neutral, model.Amplify).Lost); diff != "" {
		t.Error(diff)
	}
}

func TestFreeFieldsAreKeptAsTheyAre(t *testing.T) {
	const free = `{"aws_region": "r", "providers": ["GOOGLE", "GOOGLE"], "$schema": "x", "n": 1.50}`
	read := parsed(t, `{"version": "1.4", "custom": `+free+`, "data": {"aws_region": "r", "url": "u", "model_introspection": `+free+`, "default_authorization_type": "AWS_IAM", "authorization_types": []}}`)
	got := render.Convert(read, model.Amplify, model.Neutral)
	if len(got.Lost) > 0 {
		t.Errorf("lost %v", got.Lost)
	}
	for _, where := range []any{got.Values["custom"], got.Values["data"].(map[string]any)["model_introspection"]} {
		if diff := cmp.Diff(map[string]any(parsed(t, free)), where); diff != "" {
			t.Error(diff)
		}
	}
	if got.Values["data"].(map[string]any)["default_authorization_type"] != "CLOUD_IAM" {
		t.Errorf("the words around are %v", got.Values)
	}
	// Changing the result does not change the input.
	got.Values["custom"].(map[string]any)["aws_region"] = "other"
	if read["custom"].(map[string]any)["aws_region"] != "r" {
		t.Error("what was read is shared")
	}
}

func TestRealFilesLoseOnlyWhatVersion1DoesNotHave(t *testing.T) {
	for name, text := range realFiles(t) {
		read := parsed(t, string(text))
		got := render.Convert(read, model.Amplify, model.Neutral)
		mustBeValid(t, schemaIn(model.Neutral), render.ClientFile(clientfile.Content{Values: got.Values}, model.Neutral, render.Whole))
		for _, l := range got.Lost {
			t.Logf("%s: %s: %s", name, l.Pointer, l.Text)
			// One of the files has an identity provider that no version has.
			if !strings.Contains(l.Text, "exists only from version 1.") && !strings.Contains(l.Text, "Auth0") {
				t.Errorf("%s: %s: %s", name, l.Pointer, l.Text)
			}
		}
	}
}
