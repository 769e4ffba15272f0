package project_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/read"
	"gatewright/project/validate"
)

const knownVersions = "1, 1.1, 1.2, 1.3, 1.4, 1.5"

func TestAClientFileIsCheckedByTheSchemaOfItsVersion(t *testing.T) {
	t.Parallel()
	const buckets = `"storage": {"aws_region": "r", "bucket_name": "b", "buckets": []}`
	for version, valid := range map[string]bool{"1": false, "1.1": true, "1.2": true, "1.3": true, "1.4": true, "1.5": true} {
		for _, name := range []string{"amplify_outputs.json", "client_config.json", "x.json"} {
			got := lines(validate.File(name, []byte(`{"version": "`+version+`", `+buckets+`}`)))
			if valid && got != "" || !valid && !strings.Contains(got, `unknown field "buckets"`) {
				t.Errorf("%s, version %s: problems are %q", name, version, got)
			}
		}
	}
}

func TestAVersionThatIsNotKnownIsTheOnlyProblemOfAFile(t *testing.T) {
	t.Parallel()
	const wrong = `, "storage": {"aws_region": 1, "bucket": "b"}}`
	for _, tt := range []struct{ text, problem string }{
		{`{"version": "2"` + wrong, "1:2: is version 2 of the client configuration file, which does not exist in the dialect amplify"},
		{`{"version": "1.6"` + wrong, "1:2: is version 1.6 of the client configuration file, which does not exist in the dialect amplify"},
		{`{"version": "1.4 "` + wrong, `1:2: is version "1.4 " of the client configuration file, which does not exist in the dialect amplify`},
		{`{"version": ""` + wrong, `1:2: is version "" of the client configuration file, which does not exist in the dialect amplify`},
		{`{"version": 1` + wrong, "1:2: expected a version in quotes, found the number 1"},
		{`{"version": 1.4` + wrong, "1:2: expected a version in quotes, found the number 1.4"},
		{`{"version": null` + wrong, "1:2: expected a version in quotes, found null"},
		{`{"$schema": ""` + wrong, "1:1: has no version"},
	} {
		for _, name := range []string{"amplify_outputs.json", "x.json"} {
			want := "error: " + name + ":" + tt.problem + " (at /version); write one of these strings: " + knownVersions + "\n"
			if got := lines(validate.File(name, []byte(tt.text))); got != want {
				t.Errorf("%s %s:\n got %s\nwant %s", name, tt.text, got, want)
			}
		}
	}
}

func TestAFileOfAnotherFormatIsRecognized(t *testing.T) {
	t.Parallel()
	const fix = " (at /version); generate a client configuration file, or give this one another name\n"
	for text, want := range map[string]string{
		`{"aws_project_region": "r"}`:               "1:1: has no version: aws_project_region belongs to the older configuration file of the Amplify CLI" + fix,
		`{"Auth": {"Cognito": {}}}`:                 "1:1: has no version: Auth belongs to the object that client code passes to Amplify.configure" + fix,
		`{"API": {"Events": {}}, "auth": {}}`:       "1:1: has no version: API belongs to the object that client code passes to Amplify.configure" + fix,
		`{"version": "1", "API": {"GraphQL": {}}}`:  `1:18: unknown field "API" (at /API); move a REST API into custom.API, where client code finds it, and a data API into data` + "\n",
		`{"version": 1, "aws_project_region": "r"}`: "1:2: expected a version in quotes, found the number 1 (at /version); write one of these strings: " + knownVersions + "\n",
	} {
		if got := lines(validate.File(amplifyFile, []byte(text))); got != "error: "+amplifyFile+":"+want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

func TestTheNeutralDialectHasVersion1Only(t *testing.T) {
	t.Parallel()
	const (
		neutral = `, "storage": {"cloud_region": "r", "bucket_name": "b"}}`
		only    = ` (at /version); write "1", the only version in the dialect neutral` + "\n"
		later   = ` (at /version); write "1": only the dialect amplify has later versions` + "\n"
	)
	for text, want := range map[string]string{
		`{"version": "1"` + neutral:   "",
		`{"version": "1.4"` + neutral: "error: client_config.json:1:2: is version 1.4 of the client configuration file, which does not exist in the dialect neutral" + later,
		`{"version": "1.4"}`:          "error: client_config.json:1:2: is version 1.4 of the client configuration file, which does not exist in the dialect neutral" + later,
		`{"version": "2"` + neutral:   "error: client_config.json:1:2: is version 2 of the client configuration file, which does not exist in the dialect neutral" + only,
		`{"version": 1` + neutral:     "error: client_config.json:1:2: expected a version in quotes, found the number 1" + only,
		`{"$schema": "x"` + neutral:   "error: client_config.json:1:1: has no version" + only,
	} {
		if got := lines(validate.File("client_config.json", []byte(text))); got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestADialectIsKnownBySchemaElseWordsElseNameElseVersion(t *testing.T) {
	t.Parallel()
	const (
		amplify = `"storage": {"aws_region": "r", "bucket_name": "b"}}`
		neutral = `"storage": {"cloud_region": "r", "bucket_name": "b"}}`
		none    = `"custom": {"a": 1}}`
	)
	for _, tt := range []struct{ name, text, want string }{
		{"x.json", `{"version": "1", ` + amplify, ""},
		{"x.json", `{"version": "1", ` + neutral, ""},
		{"x.json", `{"version": "1", ` + none, ""},
		{"x.json", `{"version": "1.5", ` + none, ""},
		{"x.json", `{"version": "1.5", "notifications": {"amazon_connect": {"aws_region": "r", "endpoint": "e"}}}`, ""},
		{"amplify_outputs.json", `{"version": "1.5", ` + none, ""},
		{"client_config.json", `{"version": "1.5", ` + none, "not exist in the dialect neutral"},
		{"client_config.json", `{"version": "1.5", ` + amplify, ""},
		{"amplify_outputs.json", `{"version": "1", ` + neutral, ""},
		{"x.json", `{"version": "1.4", "storage": {"aws_region": "r", "cloud_region": "r", "bucket_name": "b"}}`, "has fields of two dialects: /storage/aws_region is amplify, /storage/cloud_region is neutral"},
		{"x.json", `{"$schema": "https://amplify.aws/2024-02/outputs-schema.json", "version": "1.3", ` + amplify, ""},
		{"x.json", `{"$schema": "http://amplify.aws/2024-02/outputs-schema.json#", "version": "1.3", ` + amplify, ""},
		{"x.json", `{"$schema": "https://amplify.aws/2024-02/outputs-schema.json", "version": "1.3", ` + neutral, `unknown field "cloud_region"`},
		{"client_config.json", `{"$schema": "../schemas/schema_v1.3.json", "version": "1.3", ` + none, ""},
		{"client_config.json", `{"$schema": "https://example.org/schema_v1.json", "version": "1", ` + amplify, ""},
		{"x.json", `{"$schema": "urn:gatewright:2024-02:client-config", "version": "1", ` + neutral, ""},
		{"x.json", `{"$schema": "urn:gatewright:2024-02:client-config#", "version": "1", ` + amplify, `unknown field "aws_region"`},
		{"x.json", `{"$schema": "urn:gatewright:2024-02:client-config", "version": "1.1", ` + neutral, "not exist in the dialect neutral"},
		{"x.json", `{"$schema": "urn:gatewright:2024-02:client-config-amplify", "version": "1", ` + amplify, ""},
		{"x.json", `{"$schema": "urn:gatewright:2024-02:client-config-amplify-1.2", "version": "1.2", ` + amplify, ""},
		{"x.json", `{"$schema": "client-config-amplify-1.2.schema.json", "version": "1.2", ` + amplify, ""},
		{"x.json", `{"$schema": "urn:gatewright:2024-02:client-config-amplify-1.2", "version": "1.3", ` + amplify, "names the schema client-config-amplify-1.2, but is checked with client-config-amplify-1.3, because it is version 1.3 in the dialect amplify (at /$schema)"},
		{"x.json", `{"$schema": "a word", "version": "1.2", ` + amplify, ""},
	} {
		got := lines(validate.File(tt.name, []byte(tt.text)))
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s %s:\n got %s\nwant %s", tt.name, tt.text, got, tt.want)
		}
	}
}

func TestAKeyThatNamesAGroupIsRefusedBeforeVersion14(t *testing.T) {
	t.Parallel()
	text := func(version, rule string) []byte {
		return []byte(`{"version": "` + version + `", "storage": {"aws_region": "r", "bucket_name": "b", "buckets": [{"name": "n", "bucket_name": "b", "aws_region": "r", "paths": {"a/*": ` + rule + `}}]}}`)
	}
	for _, version := range []string{"1.2", "1.3"} {
		for _, key := range []string{"groupsAdmins", "entityidentity"} {
			got := lines(validate.File("x.json", text(version, `{"`+key+`": ["read"]}`)))
			want := `unknown field "` + key + `" (at /storage/buckets/0/paths/a~1*/` + key + "); write version 1.4 or later: earlier public schemas do not allow"
			if !strings.Contains(got, want) || strings.Count(got, "\n") != 1 {
				t.Errorf("version %s: problems are %s", version, got)
			}
		}
		for _, key := range []string{"Guest", "group"} {
			if got := lines(validate.File("x.json", text(version, `{"`+key+`": ["read"]}`))); !strings.Contains(got, "did you mean") {
				t.Errorf("version %s: problems of a misspelt key are %s", version, got)
			}
		}
	}
	for _, version := range []string{"1.4", "1.5"} {
		if got := lines(validate.File("x.json", text(version, `{"groupsAdmins": ["read"]}`))); got != "" {
			t.Errorf("version %s: problems are %s", version, got)
		}
	}
}

func TestTheClientFileOfAProjectIsCheckedByItsVersionInTheProjectsDialect(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		dialect     model.Dialect
		text, level string
		want        string
	}{
		{model.Amplify, `{"version": "1.5", "notifications": {"amazon_connect": {"aws_region": "r", "endpoint": "e"}}}`, "", ""},
		{model.Amplify, `{"version": "1", "storage": {"aws_region": "r", "bucket_name": "b", "buckets": []}}`, "error", `unknown field "buckets"`},
		{model.Amplify, `{"version": "1.6"}`, "error", knownVersions},
		{model.Amplify, `{}`, "error", "has no version (at /version)"},
		{model.Amplify, `[]`, "error", "expected an object, found an array"},
		{model.Neutral, `{"version": "1.4"}`, "error", `(at /version); write "1"`},
		{model.Neutral, `{"version": 1}`, "error", `(at /version); write "1"`},
		{model.Neutral, `{"version": "1"}`, "", ""},
	} {
		fsys := disk.Memory()
		p := inDialect(t, native(t, fsys, &model.Backend{}, nil), fsys, tt.dialect)
		name := map[model.Dialect]string{model.Neutral: neutralFile, model.Amplify: amplifyFile}[tt.dialect]
		put(t, fsys, name, tt.text)
		got := lines(validate.Project(p))
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) || tt.want != "" && !strings.HasPrefix(got, tt.level+": "+name+":") || strings.Count(got, "\n") > 1 {
			t.Errorf("%s %s: problems are %q", tt.dialect, tt.text, got)
		}
	}
}

// inDialect gives the project a dialect.
func inDialect(t *testing.T, p *project.Project, fsys afero.Fs, dialect model.Dialect) *project.Project {
	t.Helper()
	edited(t, p, func(b *model.Backend) error {
		project := b.Project
		project.Dialect = dialect
		return edit.SetProject(b, project)
	})
	return load(t, fsys, project.Native)
}

func TestRealClientFilesExceptOneAreValid(t *testing.T) {
	t.Parallel()
	counts := make(map[string]int)
	for _, name := range realAPIs(t, "outputs") {
		data, err := os.ReadFile(name)
		must(t, err)
		problems := validate.File(filepath.Base(name), data)
		// It names an identity provider that no version knows.
		refused := filepath.Base(name) == "aws-amplify__amplify-js.json"
		if (read.FirstError(problems) != nil) != refused {
			t.Errorf("%s: %s", name, lines(problems))
		}
		for _, p := range problems {
			t.Log(p.Level.String() + ": " + p.Error())
			counts[p.Level.String()+" at "+p.Pointer]++
			if p.Line == 0 || p.Column == 0 || p.Fix == "" {
				t.Errorf("no place or no fix: %+v", p)
			}
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%3d %s", counts[kind], kind)
	}
}
