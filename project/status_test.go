package project_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/model/diff"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/plan"
	"gatewright/project/read"
	"gatewright/project/status"
)

// statusLines returns a status as lines: resource, operation, reasons, changed files.
func statusLines(s status.Status) string {
	var b strings.Builder
	for _, r := range s.Resources {
		if r.Operation == diff.NoChange {
			continue
		}
		fmt.Fprintf(&b, "%s: %s: %s", r.Of, r.Operation, strings.Join(r.Reasons, "; "))
		for _, c := range r.Files {
			fmt.Fprintf(&b, " [%s %s]", plan.Kind(c), c.Path)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func statusOf(t testing.TB, p *project.Project, env string) status.Status {
	t.Helper()
	s, err := status.Of(p, env)
	must(t, err)
	return s
}

func TestEverythingOfAnEnvironmentThatWasNeverDeployedIsToBeCreated(t *testing.T) {
	t.Parallel()
	onEveryFS(t, func(t *testing.T, fsys afero.Fs) {
		s := statusOf(t, shop(t, fsys), "dev")
		if s.Deployed != nil || !s.Changed() || len(s.Resources) != 3 {
			t.Errorf("the status is %+v", s)
		}
		for _, r := range s.Resources {
			if r.Operation != diff.ToCreate {
				t.Errorf("%s: %s", r.Of, r.Operation)
			}
		}
	})
}

func TestAfterAPushNothingIsToBeDone(t *testing.T) {
	t.Parallel()
	onEveryFS(t, func(t *testing.T, fsys afero.Fs) {
		p := shop(t, fsys)
		deploy(t, p, "dev", "http://127.0.0.1:1/a/dev")
		put(t, fsys, "backend/function/items/node_modules/left/pad.js", "x")
		if s := statusOf(t, p, "dev"); s.Changed() || s.Deployed == nil || len(s.Resources) != 3 {
			t.Errorf("the status is %+v", s)
		}
		if s := statusOf(t, p, "prod"); !s.Changed() {
			t.Error("the other environment is taken for deployed")
		}
	})
}

func TestAStatusSaysWhatChangedAndInWhichFile(t *testing.T) {
	t.Parallel()
	const apiFile, source = "backend/api/shop/cli-inputs.json", "backend/function/items/src/index.js"
	for _, tt := range []struct {
		what   string
		change func(t *testing.T, fsys afero.Fs)
		want   []string
	}{
		{"access", func(t *testing.T, fsys afero.Fs) {
			put(t, fsys, apiFile, strings.Replace(shopFile, `"setting": "open"`, `"setting": "private", "auth": ["read"]`, 1))
		}, []string{"API shop: Update: ", "/items: guests lose", "[update " + apiFile + "]", "auth: Create: "}},
		{"a changed source", func(t *testing.T, fsys afero.Fs) { put(t, fsys, source, "changed") }, []string{"function items: Update: src/index.js changed [update " + source + "]"}},
		{"a new source", func(t *testing.T, fsys afero.Fs) { put(t, fsys, "backend/function/items/src/lib/a.js", "new") }, []string{"function items: Update: src/lib/a.js is new [create backend/function/items/src/lib/a.js]"}},
		{"a source that is gone", func(t *testing.T, fsys afero.Fs) { must(t, fsys.Remove(source)) }, []string{"function items: Update: src/index.js is gone [delete " + source + "]"}},
		{"a new API", func(t *testing.T, fsys afero.Fs) { put(t, fsys, "backend/api/other/cli-inputs.json", shopFile) }, []string{"API other: Create: ", "[create backend/api/other/cli-inputs.json]"}},
		{"an API that is gone", func(t *testing.T, fsys afero.Fs) { must(t, fsys.Remove(apiFile)) }, []string{"API shop: Delete: ", "[delete " + apiFile + "]"}},
		{"an API that the environment has no more", func(t *testing.T, fsys afero.Fs) {
			edited(t, load(t, fsys, project.Native), func(b *model.Backend) error {
				e := *b.Environment("dev")
				e.APIs = []string{}
				return edit.UpdateEnvironment(b, &e)
			})
		}, []string{"API shop: Delete: ", "[update backend/environments/dev.json]"}},
		{"the port", func(t *testing.T, fsys afero.Fs) {
			edited(t, load(t, fsys, project.Native), func(b *model.Backend) error {
				next := b.Project
				next.SandboxPort = 4999
				return edit.SetProject(b, next)
			})
		}, []string{"environment dev: Update: sandbox port 4280 -> 4999 [update backend/project.json]"}},
		{"the branch", func(t *testing.T, fsys afero.Fs) {
			edited(t, load(t, fsys, project.Native), func(b *model.Backend) error {
				return edit.UpdateEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local, Branch: "main"})
			})
		}, []string{"environment dev: Update: branch dev -> main [update backend/environments/dev.json]"}},
		{"a parameter of the environment", func(t *testing.T, fsys afero.Fs) {
			edited(t, load(t, fsys, project.Native), func(b *model.Backend) error {
				return edit.UpdateEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local, Parameters: []model.Variable{{Name: "Size", Value: "1"}}})
			})
		}, []string{"environment dev: Update: parameter Size is new [update backend/environments/dev.json]"}},
		{"a variable of the environment", func(t *testing.T, fsys afero.Fs) {
			edited(t, load(t, fsys, project.Native), func(b *model.Backend) error {
				e := *b.Environment("dev")
				e.Variables = []model.FunctionVariables{{Function: "items", Values: []model.Variable{{Name: "LOG", Value: "debug"}}}}
				return edit.UpdateEnvironment(b, &e)
			})
		}, []string{"function items: Update: ", "LOG", "[update backend/environments/dev.json]"}},
		{"spaces in a file", func(t *testing.T, fsys afero.Fs) {
			put(t, fsys, apiFile, strings.ReplaceAll(shopFile, ":", " :"))
		}, nil},
	} {
		t.Run(tt.what, func(t *testing.T) {
			onEveryFS(t, func(t *testing.T, fsys afero.Fs) {
				deploy(t, shop(t, fsys), "dev", "http://127.0.0.1:1/a/dev")
				tt.change(t, fsys)
				s := statusOf(t, load(t, fsys, project.Native), "dev")
				got := statusLines(s)
				if s.Changed() != (len(tt.want) > 0) || strings.Count(got, "\n") > 1+strings.Count(strings.Join(tt.want, ""), "auth") {
					t.Errorf("the status is\n%s", got)
				}
				for _, part := range tt.want {
					if !strings.Contains(got, part) {
						t.Errorf("the status lacks %q:\n%s", part, got)
					}
				}
			})
		})
	}
}

func TestTheDiffOfAStatusGoesFromWhatIsDeployed(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	p := shop(t, fsys)
	deploy(t, p, "dev", "http://127.0.0.1:1/a/dev")
	put(t, fsys, "backend/function/items/src/index.js", "mine\n")
	put(t, fsys, "backend/function/items/src/big.bin", strings.Repeat("x", read.MaxFile+1))
	for _, r := range statusOf(t, p, "dev").Resources {
		if r.Of.Kind != model.KindFunction {
			continue
		}
		diff := r.Diff()
		if !strings.Contains(diff, "+mine\n") || !strings.Contains(diff, "-") || !strings.Contains(diff, "Binary files /dev/null and b/backend/function/items/src/big.bin differ") {
			t.Errorf("the diff is\n%.600s", diff)
		}
	}
}

func TestAnEnvironmentThatDoesNotExistHasNoStatus(t *testing.T) {
	t.Parallel()
	p := shop(t, disk.Memory())
	if _, err := status.Of(p, "qa"); !errors.Is(err, model.ErrUnknown) {
		t.Errorf("the status is %v", err)
	}
}

// Status takes no lock.
func TestAStatusDuringPushesIsThatOfOneOfThem(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	open := func() *project.Project {
		fsys, err := disk.Open(dir)
		must(t, err)
		t.Cleanup(func() { _ = fsys.Close() })
		return load(t, fsys, project.Native)
	}
	fsys, err := disk.Open(dir)
	must(t, err)
	t.Cleanup(func() { _ = fsys.Close() })
	deploy(t, shop(t, fsys), "dev", "http://127.0.0.1:1/a/dev")

	pushes := make(chan error, 1)
	pushing, looking := open(), open()
	go func() {
		for range 15 {
			if err := pushing.Deploy(recordOf("dev", "http://127.0.0.1:1/a/dev")); err != nil {
				pushes <- err
				return
			}
		}
		pushes <- nil
	}()
	for looks := 0; ; looks++ {
		select {
		case err := <-pushes:
			if err != nil || looks == 0 {
				t.Errorf("after %d looks the pushes ended: %v", looks, err)
			}
			return
		default:
		}
		if s, err := status.Of(looking, "dev"); err != nil || s.Changed() {
			t.Fatalf("look %d: %v, %s", looks, err, statusLines(s))
		}
	}
}
