package project_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/plan"
	"gatewright/project/validate"
	"gatewright/test/symlink"
)

func TestSeveralErrorsAtOnePlaceAreAllReported(t *testing.T) {
	t.Parallel()
	got := lines(validate.File("cli-inputs.json", []byte(`{"version": 1, "paths": {"/b": {}}}`)))
	for _, part := range []string{`missing "lambdaFunction"`, `missing "permissions"`} {
		if strings.Count(got, part) != 1 {
			t.Errorf("%s is not reported once:\n%s", part, got)
		}
	}
	if strings.Contains(got, "has no permissions") {
		t.Errorf("one error is reported in two ways:\n%s", got)
	}
	got = lines(validate.File("project.json", []byte(`{}`)))
	for _, part := range []string{`"version"`, `"name"`, `"applicationId"`} {
		if !strings.Contains(got, "missing "+part) {
			t.Errorf("%s is not reported missing:\n%s", part, got)
		}
	}
}

func TestAnUnreadableFileIsNotCalledMissing(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	b := served(t, "f", "g")
	must(t, edit.AddGroup(b, "Admins"))
	native(t, fsys, b, nil)
	put(t, fsys, "backend/api/shop/cli-inputs.json", `{"version": 1, "paths": {
		"/f": {"lambdaFunction": "f", "permissions": {"setting": "private", "groups": {"Admins": ["read"]}}},
		"/x": {"lambdaFunction": "x", "permissions": {"setting": "private", "auth": ["read"]}}}}`)
	put(t, fsys, "backend/function/f/function.json", `{"version": 1,`)
	put(t, fsys, "backend/auth.json", `{"version": 1,`)
	got := lines(validate.Project(load(t, fsys, project.Native)))
	if strings.Contains(got, "function f,") || strings.Contains(got, "group Admins") || !strings.Contains(got, "names the function x, which does not exist") {
		t.Errorf("problems are\n%s", got)
	}
	if strings.Count(got, "\n") != 3 {
		t.Errorf("three files have one error each, and problems are\n%s", got)
	}
}

func TestLoadingGoesOnIfAFolderIsAFile(t *testing.T) {
	t.Parallel()
	onEveryFS(t, func(t *testing.T, fsys afero.Fs) {
		native(t, fsys, served(t, "f"), nil)
		put(t, fsys, "backend/environments", "")
		p := load(t, fsys, project.Native)
		if p.Backend.Function("f") == nil {
			t.Error("the function was not read")
		}
		if got, want := lines(p.Problems), "error: backend/environments: is a file where a folder should be; move it away\n"; got != want {
			t.Errorf("problems are\n%s", got)
		}
	})
}

func TestALinkThatCannotBeFollowedIsAProblem(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fsys, err := disk.Open(dir)
	must(t, err)
	t.Cleanup(func() { _ = fsys.Close() })
	native(t, fsys, served(t, "f"), nil)
	symlink.Make(t, t.TempDir(), filepath.Join(dir, "backend", "api", "out"))
	got := lines(load(t, fsys, project.Native).Problems)
	if !strings.HasPrefix(got, "error: backend/api/out: cannot be read: ") || strings.Count(got, "\n") != 1 {
		t.Errorf("problems are\n%s", got)
	}
}

func TestProblemsAreAtTheirPlaces(t *testing.T) {
	t.Parallel()
	old := `{"paths": [
	 {"name": "/a", "lambdaFunction": "f", "privacy": {"open": true}},
	 {"name": "/b", "lambdaFunction": "f", "privacy": {"private": true, "auth": []}}]}`
	got := lines(validate.File("api-params.json", []byte(old)))
	if !strings.Contains(got, "api-params.json:3:3: ") || !strings.Contains(got, "(at /paths/1)") || strings.Contains(got, "~1b") {
		t.Errorf("problems of an older file are\n%s", got)
	}
	fsys := disk.Memory()
	put(t, fsys, "amplify/backend/auth/userPoolGroups/user-pool-group-precedence.json", "[{\"groupName\": \"A\", \"precedence\": 1},\n {\"groupName\": 2}]")
	put(t, fsys, "amplify/backend/api/Shop/cli-inputs.json", `{"version": 1, "paths": {}}`)
	put(t, fsys, "amplify/backend/api/shop/api-params.json", `{"paths": []}`)
	got = lines(validate.Project(load(t, fsys, project.Amplify)))
	if !strings.Contains(got, "user-pool-group-precedence.json:2:3: expected a string, found a number (at /1/groupName); write a string") {
		t.Errorf("problems of the groups are\n%s", got)
	}
	if !strings.Contains(got, "warning: amplify/backend/api/shop/api-params.json:1:1: differs from Shop only in case") {
		t.Errorf("problems of an API of the older format are\n%s", got)
	}
}

func TestValidateFileChecksTheRulesThatNeedNoOtherFile(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ text, want string }{
		"table.json": {
			`{"version": 1, "partitionKey": {"name": "id", "type": "string"}, "sortKey": {"name": "id", "type": "string"}}`,
			"table.json:1:",
		},
		"function.json":         {`{"version": 1, "runtime": "nodejs", "environment": {"A": "1"}, "secrets": ["A"]}`, `function.json:1:76: the name A is used twice (at /secrets/0)`},
		"auth.json":             {`{"version": 1, "groups": ["A", "a"]}`, `auth.json:1:1: group a: differs from A only in case`},
		"environments/dev.json": {`{"version": 1, "provider": "aws", "parameters": {"x": "1"}, "apis": ["shop"]}`, ""},
	} {
		got := lines(validate.File(name, []byte(tt.text)))
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) || strings.Contains(got, "does not exist") {
			t.Errorf("%s: problems are %q", name, got)
		}
	}
}

func TestValidateFileWarnsOfInvalidNames(t *testing.T) {
	t.Parallel()
	got := lines(validate.File("cli-inputs.json", []byte(`{"version": 1, "paths": {
		"/a": {"lambdaFunction": "my fn!", "permissions": {"setting": "open"}},
		"/b": {"lambdaFunction": "f", "permissions": {"setting": "private", "groups": {"a b": ["read"], "": ["read"], "Ädmins": ["read"]}}}}}`)))
	for _, want := range []string{
		`warning: cli-inputs.json:2:10: /a names something that cannot exist: "my fn!" is not a name for a function (at /paths/~1a/lambdaFunction)`,
		`/b names something that cannot exist: "a b" is not a name for a group`,
		`/b names something that cannot exist: "" is not a name for a group`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not reported:\n%s", want, got)
		}
	}
	if strings.Count(got, "names something that cannot exist") != 3 {
		t.Errorf("problems are\n%s", got)
	}
}

func TestUnknownMembersOfAnAPIAreNoted(t *testing.T) {
	t.Parallel()
	text := []byte(`{"version": 1, "cors": true, "paths": {"/a": {"lambdaFunction": "f", "permissions": {"setting": "private", "auth": ["read"]}}}}`)
	if got, want := lines(validate.File("cli-inputs.json", text)), "note: cli-inputs.json:1:16: is kept but ignored (at /cors)\n"; got != want {
		t.Errorf("problems are %s", got)
	}
	_, problems, err := plan.ReadAPI("x.json", "shop", text)
	must(t, err)
	if got, want := lines(problems), "note: x.json:1:16: is ignored and not imported (at /cors)\n"; got != want {
		t.Errorf("problems are %s", got)
	}
}

func TestKeysOfADefinitionAreCaseSensitive(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	native(t, fsys, &model.Backend{}, nil)
	put(t, fsys, "backend/storage.json", `{"version": 1, "bucket_name": "mine", "Bucket_Name": "theirs"}`)
	put(t, fsys, "backend/data.json", `{"version": 1, "url": 5}`)
	p := load(t, fsys, project.Native)
	if got := p.Backend.Storage.BucketName; got != "mine" {
		t.Errorf("the bucket is %s", got)
	}
	if got, want := lines(p.Problems), "error: backend/data.json:1:16: found a value of the wrong type (at /url); write what the schema says\n"; got != want {
		t.Errorf("problems are %s", got)
	}
}
