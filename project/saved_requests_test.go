package project_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/read"
	"gatewright/project/validate"
)

func TestASavedRequestThatDoesNotExistIsAnsweredWithThoseThatDo(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	p, err := project.Load(fsys, project.Native)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india"}
	for count, want := range map[int]string{
		0: "save one in the console: gatewright call", 2: "name one of alpha, bravo",
		8: "name one of alpha, bravo, charlie, delta, echo, foxtrot and 2 more",
		9: "name one of the files in backend/requests, without .json",
	} {
		if err := fsys.RemoveAll(project.Native.RequestsFolder()); err != nil {
			t.Fatal(err)
		}
		for _, name := range names[:count] {
			if err := afero.WriteFile(fsys, project.Native.RequestFile(name), []byte("{}"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if _, problem := p.ReadRequest("zzzzzz"); problem == nil || problem.Error() != "backend/requests/zzzzzz.json: does not exist; "+want {
			t.Errorf("of %d it says %v", count, problem)
		}
		if count == 0 {
			continue
		}
		if _, problem := p.ReadRequest("alphb.json"); problem == nil || problem.Fix != "did you mean alpha?" {
			t.Errorf("of %d it says %v", count, problem)
		}
	}
}

// The problems of saved requests are among those of validate, in both layouts, and stop
// nothing else.
func TestSavedRequestsAreValidated(t *testing.T) {
	t.Parallel()
	const inputs = `{"version": 1, "paths": {"/books": {"name": "/books", "lambdaFunction": "books", "permissions": {"setting": "private", "auth": ["read"]}}}}`
	for _, layout := range []project.Layout{project.Native, project.Amplify} {
		fsys := disk.Memory()
		put := func(name, text string) {
			if err := afero.WriteFile(fsys, name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		put(layout.APIFile("shop"), inputs)
		put(layout.RequestFile("good"), `{"version": 1, "api": "shop", "path": "/books", "method": "GET"}`)
		put(layout.RequestFile("gone"), `{"version": 1, "api": "shop", "path": "/gone", "method": "GET"}`)
		put(layout.RequestFile("other"), `{"version": 1, "api": "old", "path": "/books", "method": "GET"}`)
		put(layout.RequestFile("secret"), `{"version": 1, "api": "shop", "path": "/books", "method": "GET", "headers": ["Authorization: x"]}`)
		put(layout.RequestFile("later"), `{"version": 2, "api": "shop", "path": "/books", "method": "GET"}`)
		put(layout.RequestFile("broken"), `{"version": 1,`)
		put(layout.RequestFile("a b"), `{"version": 1, "api": "shop", "path": "/books", "method": "GET"}`)
		p, err := project.Load(fsys, layout)
		if err != nil {
			t.Fatal(err)
		}
		all := validate.Project(p)
		for name, want := range map[string]string{
			"gone": "names the path /gone, which the API shop does not have", "other": "names the API old, which does not exist", "secret": "the header Authorization may hold a secret",
			"later": "version", "broken": "", "a b": "has a name that is not allowed for a saved request",
		} {
			if !slices.ContainsFunc(all, func(p *read.Problem) bool {
				return p.File == layout.RequestFile(name) && strings.Contains(p.Error(), want)
			}) {
				t.Errorf("%s: nothing is said of %s:\n%v", layout, name, all)
			}
		}
		of := func(problems []*read.Problem) (count int) {
			for _, p := range problems {
				if strings.HasPrefix(p.File, layout.RequestsFolder()) {
					count++
				}
			}
			return count
		}
		if of(validate.Backend(p)) != 0 || of(p.Problems) != 0 {
			t.Errorf("%s: saved requests stop a push:\n%v", layout, validate.Backend(p))
		}
		if slices.ContainsFunc(all, func(p *read.Problem) bool { return p.File == layout.RequestFile("good") }) {
			t.Errorf("%s: a good one has a problem:\n%v", layout, all)
		}
		read, problems := p.SavedRequests()
		if len(read) != 4 || len(problems) != 3 {
			t.Errorf("%s: %d are read, %d cannot be: %v", layout, len(read), len(problems), problems)
		}
	}
}
