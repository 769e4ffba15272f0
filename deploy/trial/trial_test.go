package trial_test

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"gatewright/deploy/deploytest"
	"gatewright/deploy/trial"
	"gatewright/project"
	"gatewright/project/disk"
)

// shop is a project of which guests may read /books, whose function refuses to delete.
var shop = map[string]string{
	"backend/project.json": `{"version": 1, "name": "shop", "applicationId": "d2abc"}`,
	"backend/auth.json":    `{"version": 1, "groups": ["Admins"]}`,
	"backend/api/shop/cli-inputs.json": `{"version": 1, "paths": {"/books": {"lambdaFunction": "books", "permissions": {
		"setting": "protected", "guest": ["read"], "auth": ["read"], "groups": {"Admins": ["read", "delete"]}}},
		"/news": {"lambdaFunction": "books", "permissions": {"setting": "open"}}}}`,
	"backend/function/books/function.json": `{"version": 1, "runtime": "nodejs"}`,
	"backend/function/books/src/index.js":  `exports.handler = async (event) => ({ statusCode: event.httpMethod === "DELETE" ? 403 : 200, body: "books" });`,
	"backend/environments/prod.json":       `{"version": 1, "provider": "aws", "apis": []}`,
}

func load(t *testing.T, files map[string]string) *project.Project {
	t.Helper()
	fsys := disk.Memory()
	for name, text := range files {
		if err := fsys.MkdirAll(path.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := afero.WriteFile(fsys, name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := project.Load(fsys, project.Native)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// temporary sets the folder for temporary files, and has the test fail if something is left in it.
func temporary(t *testing.T) {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, folder)
	}
	t.Cleanup(func() {
		left, _ := filepath.Glob(filepath.Join(folder, "gatewright-review-*"))
		if len(left) > 0 {
			t.Errorf("left behind: %q", left)
		}
	})
}

func TestARequestIsAnsweredAsItsCallerMay(t *testing.T) {
	deploytest.NeedNode(t)
	temporary(t)
	requests := []trial.Request{
		{API: "shop", Method: "GET", Raw: "/books", As: "guest"},
		{API: "shop", Method: "POST", Raw: "/books", As: "authenticated"},
		{API: "shop", Method: "GET", Raw: "/books"},
		{API: "shop", Method: "GET", Raw: "/news"},
		{API: "shop", Method: "DELETE", Raw: "/books", As: "group:Admins"},
		{API: "shop", Method: "GET", Raw: "/books", As: "group:Editors"},
		{API: "office", Method: "GET", Raw: "/books", As: "guest"},
		{API: "shop", Method: "GET", Raw: "books", As: "guest"},
	}
	answers, err := trial.Answers(t.Context(), load(t, shop), trial.Options{}, requests)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range answers {
		text := "answered"
		if a.Refused {
			text = "refused"
		}
		if a.Err != nil {
			text = a.Err.Error()
		}
		got = append(got, fmt.Sprint(text, " ", a.Status, " ", a.Why))
	}
	want := []string{
		"answered 200 ",
		"refused 403 POST /review/books 403: path /books is protected: guests may read; signed-in users may read; members of Admins may read, delete; " +
			"it was called by a signed-in caller in no group: signed-in users may not create under /books; let signed-in users create under /books",
		"refused 403 GET /review/books 403: the path is restricted and the request is not signed; sign it, or run the sandbox without --require-signatures",
		"answered 200 ", "answered 403 ", "refused 0 such a caller gets no credentials", "refused 0 it has no API office", "the path books does not begin with /; give one such as /books 0 ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the answers are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestAProjectThatCannotBeServedSaysWhy(t *testing.T) {
	temporary(t)
	files := map[string]string{}
	for name, text := range shop {
		files[name] = text
	}
	delete(files, "backend/function/books/function.json")
	_, err := trial.Answers(t.Context(), load(t, files), trial.Options{}, nil)
	if err == nil || !strings.Contains(err.Error(), "books") || strings.Contains(err.Error(), os.TempDir()) {
		t.Errorf("the error is %v", err)
	}
}

func TestNothingIsLeftWhenItIsInterrupted(t *testing.T) {
	temporary(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := trial.Answers(ctx, load(t, shop), trial.Options{}, []trial.Request{{API: "shop", Method: "GET", Raw: "/books"}}); err == nil {
		t.Error("the requests were answered")
	}
}

func TestAnEnvironmentIsServedWithWhatItHas(t *testing.T) {
	temporary(t)
	answers, err := trial.Answers(t.Context(), load(t, shop), trial.Options{Environment: "prod"}, []trial.Request{{API: "shop", Method: "GET", Raw: "/books"}})
	if want := []trial.Answer{{Refused: true, Why: "it has no API shop"}}; err != nil || !slices.Equal(answers, want) {
		t.Errorf("the answers are %+v, %v, want %+v", answers, err, want)
	}
}
