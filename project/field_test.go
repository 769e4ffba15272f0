package project_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/plan"
	"gatewright/project/validate"
)

func TestALabelOfAnAPIThatIsNotRESTIsRefused(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	copyIn(t, fsys, "../testdata/amplify")
	put(t, fsys, "amplify/backend/backend-config.json", `{"api": {"older": {"service": "AppSync"}}, "function": {"items": {"service": "Lambda"}}}`)
	p := load(t, fsys, project.Amplify)
	for _, label := range []string{"older", "Older", "graph", "GRAPH"} {
		_, err := plan.Of(p, mustEdit(t, p.Backend, func(b *model.Backend) error {
			return edit.AddAPI(b, &access.API{Label: label, Paths: []*access.Path{{Name: "/x", Function: "items", Access: access.Access{Setting: access.Open}}}})
		}))
		if !errors.Is(err, model.ErrExists) || !strings.Contains(err.Error(), "choose another label") {
			t.Errorf("adding %s: %v", label, err)
		}
	}
}

func TestAFunctionForTheReservedPathServesEverything(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	p := native(t, fsys, &model.Backend{}, nil)
	edited(t, p, func(b *model.Backend) error {
		must(t, edit.AddFunction(b, &model.Function{Name: "admin", Runtime: model.NodeJS, Template: model.Express}))
		return edit.AddAPI(b, &access.API{Label: "admin", Paths: []*access.Path{{Name: access.ProxyPath, Function: "admin", Access: access.Access{Setting: access.Open}}}})
	})
	if source := get(t, fsys, "backend/function/admin/src/app.js"); !strings.Contains(source, `"/*below"`) || strings.Contains(source, "/admin") {
		t.Errorf("the source is\n%s", source)
	}
}

func TestAProjectFileOfAnotherProgramIsNoProject(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "backend"), 0o755))
	must(t, os.MkdirAll(filepath.Join(dir, "amplify", "backend"), 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "backend", "project.json"), []byte(`{"name": "backend", "sourceRoot": "backend/src", "targets": {}}`), 0o644))
	if _, layout, err := project.Find(dir); err != nil || layout != project.Amplify {
		t.Errorf("found %v %v", layout, err)
	}
	must(t, os.RemoveAll(filepath.Join(dir, "amplify")))
	if _, _, err := project.Find(dir); !errors.Is(err, project.ErrNoProject) {
		t.Errorf("found %v", err)
	}
}

// TestABrokenProjectFileIsToldOf has what a full disk, an editor or a merge leaves of the file by which a
// project is found. Where a project of the Amplify CLI lies beside it, it is of another tool.
func TestABrokenProjectFileIsToldOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                     "backend/project.json:1:1: the file is empty",
		"{\n  \"$sche":                         "backend/project.json:2:9: the file ends in the middle of a value",
		"<<<<<<< ours\n{}":                     "backend/project.json:1:1: ",
		"\xff\xfe{\x00":                        "backend/project.json:1:1: bytes that are not UTF-8",
		"[]":                                   "backend/project.json:1:1: expected an object",
		"{}":                                   "",
		"{\"applicationId\": \"a\", \"name\":": "backend/project.json:1:31: the file ends in the middle",
	} {
		dir := t.TempDir()
		must(t, os.MkdirAll(filepath.Join(dir, "backend", "function"), 0o755))
		must(t, os.WriteFile(filepath.Join(dir, "backend", "project.json"), []byte(text), 0o644))
		p, err := project.Open(filepath.Join(dir, "backend", "function"))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if said := lines(p.Problems); want != "" && !strings.HasPrefix(said, "error: "+want) || strings.Count(said, "\n") > 1 {
			t.Errorf("%q: it says %s", text, said)
		}
		must(t, p.Close())
		must(t, os.MkdirAll(filepath.Join(dir, "amplify", "backend"), 0o755))
		ours := strings.Contains(text, "applicationId")
		if _, layout, err := project.Find(dir); err != nil || (layout == project.Native) != ours {
			t.Errorf("%q beside a project of the Amplify CLI: %v %v", text, layout, err)
		}
	}
}

func TestValidateFileRecognizesTheKindOfAFile(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"cli-inputs.json", `{"version": 1, "paths": []}`, "error: cli-inputs.json:1:16: expected an object, found an array (at /paths); write an object: {...}\n"},
		{"amplify/backend/storage/s/cli-inputs.json", `{"resourceName": "s"}`, "note: amplify/backend/storage/s/cli-inputs.json:1:1: belongs to the category storage, not to a REST API, and is not checked\n"},
		{"amplify/backend/api/g/cli-inputs.json", `{"version": 1, "serviceConfiguration": {}}`, "note: amplify/backend/api/g/cli-inputs.json:1:1: is not a REST API and is not checked\n"},
		{"x.json", `{"version": 1, "paths": {"/a": {"lambdaFunction": "f", "permissions": {"setting": "private", "groups": {"mods": ["read"], "admins": ["create"]}}}}}`, ""},
		{"x.json", `{"version": 1, "paths": {"/a/": {"lambdaFunction": "f", "permissions": {"setting": "open"}}}}`, "warning: x.json:1:26: /a/ ends with / (at /paths/~1a~1); write /a\n" +
			"warning: x.json:1:57: /a/ is open to everybody in the world (at /paths/~1a~1/permissions); restrict the path, or leave it if that is meant\n"},
		{"x.json", `{"version": "1"}`, ""},
		{"cli-inputs.json", `{"version": 1, "paths": {"/a": {"name": "/b", "lambdaFunction": "f", "permissions": {"setting": "private", "auth": ["read"]}}}}`, "warning: cli-inputs.json:1:33: /b is ignored: the key says /a (at /paths/~1a/name); write /a\n"},
	} {
		if got := lines(validate.File(tt.name, []byte(tt.text))); got != tt.want {
			t.Errorf("%s %s:\n got %s\nwant %s", tt.name, tt.text, got, tt.want)
		}
	}
	if got := lines(validate.File("package.json", []byte(`{"name": "x", "version": "1.0.0"}`))); !strings.Contains(got, "is of an unknown kind") {
		t.Errorf("a package.json: %s", got)
	}
}

func TestUnusedMembersOfAnImportedFileAreNoted(t *testing.T) {
	t.Parallel()
	_, problems, err := plan.ReadAPI("x.json", "shop", []byte(`{"version": 1, "paths": {"/a": {"cors": true, "lambdaFunction": "f", "permissions": {"setting": "open"}}}}`))
	must(t, err)
	if got := lines(problems); got != "note: x.json:1:33: is ignored and not imported (at /paths/~1a/cors)\n" {
		t.Errorf("problems are %s", got)
	}
}

func TestAnOlderFileIsReadAsTheAmplifyCLIReadsIt(t *testing.T) {
	t.Parallel()
	api, problems, err := plan.ReadAPI("api-params.json", "old", []byte(`{"paths": [
{"name": "/a", "lambdaFunction": "f", "privacy": {"open": true}},
{"name": "/b", "lambdaFunction": "f"},
{"name": "/c", "lambdaFunction": "f", "privacy": {"private": true, "auth": null, "userPoolGroups": null}},
{"name": "/a", "lambdaFunction": "g", "privacy": {"private": true, "auth": "r"}}]}`))
	must(t, err)
	want := "warning: api-params.json:3:1: has no privacy, so nobody may call it (at /paths/1); write \"privacy\": {\"open\": true}, or restrict it\nwarning: api-params.json:5:2: the path /a is listed twice, and the last entry counts (at /paths/3/name); remove one of them\n"
	if got := lines(problems); got != want {
		t.Errorf("problems are\n%s", got)
	}
	a := api.Path("/a")
	if len(api.Paths) != 3 || a.Function != "g" || a.Access.Setting != access.Private || api.Path("/b").Access.Setting != access.Protected || len(api.Path("/c").Access.Grants) != 0 {
		t.Errorf("the API is %+v %+v", api.Paths, a)
	}
	if _, _, err := plan.ReadAPI("api-params.json", "old", []byte(`{"paths": [{"name": "/a", "privacy": {"open": true}}]}`)); err == nil || !strings.Contains(err.Error(), "has no handler function") {
		t.Errorf("a path without a function: %v", err)
	}
}
