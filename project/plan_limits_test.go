package project_test

import (
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/plan"
	"gatewright/project/read"
	"gatewright/test/depth"
)

func TestAFileThatCouldNotBeReadAgainIsNotWritten(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	fsys := disk.Memory()
	p := native(t, fsys, &model.Backend{}, nil)
	var deep any = "x"
	for range 3000 {
		deep = map[string]any{"a": deep}
	}
	next := mustEdit(t, p.Backend, func(b *model.Backend) error {
		b.Outputs = []*model.Output{{Name: "deep", Values: model.Outputs{"custom": deep}}}
		return nil
	})
	_, err := plan.Of(p, next)
	if !errors.Is(err, read.ErrTooLarge) || !strings.Contains(err.Error(), "a file of a project may have at most 16777216") {
		t.Errorf("planning a file over the limit: %.300v", err)
	}
}

func TestAValueThatIsNoJSONIsRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	p := native(t, fsys, &model.Backend{}, nil)
	next := mustEdit(t, p.Backend, func(b *model.Backend) error {
		b.Functions = []*model.Function{{Name: "f", Runtime: model.NodeJS, Environment: []model.Variable{{Name: "A", Value: "1"}, {Name: "A", Value: "2"}}}}
		return nil
	})
	_, err := plan.Of(p, next)
	if err == nil || !strings.HasPrefix(err.Error(), "backend/function/f/function.json: cannot be written as JSON: ") || !strings.Contains(err.Error(), `duplicate object member name "A"`) {
		t.Errorf("planning a name that is there twice: %v", err)
	}
}

func TestRemovingAnAPIOfAnOlderFormatRemovesItsFile(t *testing.T) {
	t.Parallel()
	for _, layout := range []project.Layout{project.Native, project.Amplify} {
		for _, newer := range []bool{false, true} {
			fsys := disk.Memory()
			folder := layout.String() + "/api/old/"
			put(t, fsys, layout.String()+"/api/other/cli-inputs.json", `{"version": 1, "paths": {}}`)
			put(t, fsys, folder+"api-params.json", `{"paths": [{"name": "/a", "lambdaFunction": "f", "privacy": {"open": true}}]}`)
			if newer {
				put(t, fsys, folder+"cli-inputs.json", `{"version": 1, "paths": {}}`)
			}
			edited(t, load(t, fsys, layout), func(b *model.Backend) error { return edit.Remove(b, ref(model.KindAPI, "old"), false) })
			for name := range tree(t, fsys) {
				if strings.HasPrefix(name, folder) {
					t.Errorf("%s is still there", name)
				}
			}
			if load(t, fsys, layout).Backend.API("old") != nil {
				t.Errorf("the API is still there in %s", layout)
			}
		}
	}
}

func TestALineForTheRootAloneDoesNotIgnoreFoldersBelow(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for have, want := range map[string][]string{
		"/node_modules\n":    {"/client_config.json", "/.gatewright/", "node_modules/", "__pycache__/"},
		"**/node_modules/\n": {"/client_config.json", "/.gatewright/", "__pycache__/"},
		"node_modules\n__pycache__/  \nclient_config.json\n.gatewright\n": nil,
	} {
		fsys := disk.Memory()
		put(t, fsys, ".gitignore", have)
		native(t, fsys, &model.Backend{}, nil)
		got := get(t, fsys, ".gitignore")
		if added := strings.Fields(strings.TrimPrefix(got, have)); !slices.Equal(added, want) {
			t.Errorf("to %q came %q, want %q", have, added, want)
		}
		files[have] = got
	}
	depth.Needs(t, "git")
	for _, got := range files {
		dir := t.TempDir()
		must(t, exec.Command("git", "-C", dir, "init", "-q").Run())
		put(t, afero.NewBasePathFs(afero.NewOsFs(), dir), ".gitignore", got)
		for _, name := range []string{"client_config.json", ".gatewright/lock", "backend/function/f/src/node_modules/x.js", "node_modules/x.js", "a/__pycache__/x"} {
			if err := exec.Command("git", "-C", dir, "check-ignore", "-q", name).Run(); err != nil {
				t.Errorf("with %q git does not ignore %s", got, name)
			}
		}
	}
}

func TestAUserPoolWithoutFieldsSurvivesALoad(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	p := native(t, fsys, &model.Backend{}, nil)
	edited(t, p, func(b *model.Backend) error {
		must(t, edit.AddGroup(b, "Admins"))
		return edit.SetAuth(b, &model.Auth{})
	})
	p = load(t, fsys, project.Native)
	if auth := p.Backend.Auth; auth == nil || !auth.GuestsEnabled() {
		t.Errorf("the user pool is %+v", auth)
	}
	edited(t, p, func(b *model.Backend) error { return edit.SetAuth(b, nil) })
	if auth := load(t, fsys, project.Native).Backend.Auth; auth != nil {
		t.Errorf("the user pool that was removed is %+v", auth)
	}
}

func TestADiffQuotesAPathThatALineCannotShow(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	native(t, fsys, served(t, "f"), nil)
	put(t, fsys, "backend/function/f/src/a\u009b\u202e\"b.js", "mine")
	p := load(t, fsys, project.Native)
	plan, err := plan.Of(p, mustEdit(t, p.Backend, func(b *model.Backend) error { return edit.Remove(b, ref(model.KindFunction, "f"), true) }))
	must(t, err)
	if want := `--- "a/backend/function/f/src/a\302\233\342\200\256\"b.js"`; !strings.Contains(plan.Diff(), want) {
		t.Errorf("the diff is %q", plan.Diff())
	}
	if notes := strings.Join(plan.Notes, "\n"); strings.ContainsAny(notes, "\u009b\u202e") || !strings.Contains(notes, `a\u009b\u202e`) {
		t.Errorf("notes are %q", notes)
	}
}

// What a new file would have besides is not added to one that is there.
func TestAnEditAddsToAFileWhatChangesAlone(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	f := &model.Function{Name: "books", Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler", Timeout: 10}
	p := native(t, fsys, &model.Backend{Functions: []*model.Function{f}}, nil)
	const name = "backend/function/books/function.json"
	put(t, fsys, name, `{"version": 1, "handler": "index.handler", "mine": [1,  2], "runtime": "nodejs", "timeout": 10}`)
	p = load(t, fsys, p.Layout)
	edited(t, p, func(b *model.Backend) error {
		changed := *b.Function("books")
		changed.Timeout = 20
		return edit.UpdateFunction(b, &changed)
	})
	if got, want := get(t, fsys, name), `{"version": 1, "handler": "index.handler", "mine": [1,  2], "runtime": "nodejs", "timeout": 20}`; got != want {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
}
