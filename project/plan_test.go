package project_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/journal"
	"gatewright/project/plan"
	"gatewright/project/validate"
	"gatewright/test/depth"
)

func TestAnEmptyFolderBecomesAProjectThatIsValid(t *testing.T) {
	t.Parallel()
	onEveryFS(t, func(t *testing.T, fsys afero.Fs) {
		put(t, fsys, ".gitignore", "dist\r\n*.log")
		p := native(t, fsys, &model.Backend{Environments: []*model.Environment{{Name: "dev", Provider: model.Local}}}, nil)
		if got := lines(validate.Project(p)); got != "" {
			t.Errorf("problems are\n%s", got)
		}
		edited(t, p, func(b *model.Backend) error {
			must(t, edit.AddGroup(b, "Admins"))
			must(t, edit.AddTable(b, &model.Table{Name: "items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}))
			must(t, edit.AddFunction(b, &model.Function{Name: "items", Runtime: model.NodeJS, Template: model.CRUD, Table: "items", Handler: "index.handler"}))
			must(t, edit.AddFunction(b, &model.Function{Name: "hello", Runtime: model.Python, Template: model.Plain, Handler: "index.handler"}))
			must(t, edit.AddOutput(b, model.Outputs{"custom": map[string]any{"answer": 42}}))
			return edit.AddAPI(b, &access.API{Label: "shop", Paths: []*access.Path{
				{Name: "/items", Function: "items", Access: access.Access{Setting: access.Protected}.With(access.Principal{Kind: access.Guest}, access.ActionSet(access.Read)).With(access.Principal{Kind: access.Authenticated}, access.EveryAction)},
				{Name: "/hello", Function: "hello", Access: access.Access{Setting: access.Open}},
			}})
		})
		p = load(t, fsys, project.Native)
		if got := lines(notOpen(validate.Project(p))); got != "" {
			t.Errorf("problems are\n%s", got)
		}
		files := tree(t, fsys)
		for name, part := range map[string]string{
			"backend/api/shop/cli-inputs.json":         `"guest": [`,
			"backend/function/items/function.json":     `"template": "crud"`,
			"backend/function/items/src/event.json":    `/items`,
			"backend/function/hello/src/index.py":      `def handler`,
			"backend/table/items/table.json":           `"partitionKey"`,
			"backend/auth.json":                        `"Admins"`,
			"backend/outputs/custom.json":              `"answer": 42`,
			"backend/environments/dev.json":            `"provider": "local"`,
			"client_config.json":                       `"answer": 42`,
			".gitignore":                               "dist\r\n*.log\r\n/client_config.json\r\n/.gatewright/\r\n",
			"backend/project.json":                     `"$schema": "urn:gatewright:2024-02:project"`,
			"backend/function/items/src/package.json":  `"@aws-sdk/`,
			".gatewright/.gitignore":                   "*",
			"backend/function/hello/function.json":     `"runtime": "python"`,
			"backend/api/shop/../shop/cli-inputs.json": `"version": 1`,
		} {
			if content, ok := files[filepath.ToSlash(filepath.Clean(name))]; !ok || !strings.Contains(content, part) {
				t.Errorf("%s has no %q: %q", name, part, content)
			}
		}
		plan, err := plan.Of(p, p.Backend)
		must(t, err)
		if !plan.Empty() {
			t.Errorf("a project that was just written plans\n%s", plan.Diff())
		}
	})
}

// layouts are ways in which a file with the same meaning may be written.
var layouts = map[string]func(string) string{
	"as committed":    func(s string) string { return s },
	"final newline":   func(s string) string { return s + "\n" },
	"tabs":            func(s string) string { return indentWith(s, "\t") },
	"four spaces":     func(s string) string { return indentWith(s, "    ") },
	"crlf":            func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
	"byte order mark": func(s string) string { return "\ufeff" + s },
	"unknown keys": func(s string) string {
		return strings.Replace(s, `"version": 1,`, `"x": {"y": [1, 2.50]}, "version": 1,`, 1)
	},
	"blank lines":      func(s string) string { return strings.ReplaceAll(s, "},\n", "},\n\n") },
	"trailing spaces":  func(s string) string { return strings.ReplaceAll(s, ",\n", ", \n") },
	"escaped in a key": func(s string) string { return strings.Replace(s, `"/search": {`, `"\/search": {`, 1) },
}

func indentWith(s, unit string) string {
	rows := strings.Split(s, "\n")
	for i, row := range rows {
		depth := (len(row) - len(strings.TrimLeft(row, " "))) / 2
		rows[i] = strings.Repeat(unit, depth) + strings.TrimLeft(row, " ")
	}
	return strings.Join(rows, "\n")
}

func TestAnEditOfARealFileTouchesItsOwnLinesOnly(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	data, err := os.ReadFile(filepath.Join(realFiles, "cli-inputs", "Vibe-House-LLC__memeSRC__publicapi.json"))
	if err != nil {
		t.Skip("the folder of real files is not here: " + realFiles)
	}
	admins := access.Principal{Kind: access.Group, Group: "admins"}
	edits := map[string]struct {
		edit func(*model.Backend) error
		// own are the paths whose lines may change; most is how many lines may be added
		// and removed together.
		own  []string
		most int
	}{
		"one action less": {func(b *model.Backend) error {
			p := *b.API("pub").Path("/user/get")
			p.Access = p.Access.With(admins, access.ActionSet(access.Create, access.Read, access.Update))
			return edit.UpdatePath(b, "pub", "/user/get", &p)
		}, []string{"/user/get"}, 3},
		"opened": {func(b *model.Backend) error {
			p := *b.API("pub").Path("/vote")
			p.Access = access.Access{Setting: access.Open}
			return edit.UpdatePath(b, "pub", "/vote", &p)
		}, []string{"/vote"}, 40},
		"renamed": {func(b *model.Backend) error {
			return edit.Rename(b, model.Ref{Kind: model.KindPath, API: "pub", Name: "/search"}, "/find")
		}, []string{"/search", "/find"}, 4},
		"inserted": {func(b *model.Backend) error {
			return edit.AddPath(b, "pub", &access.Path{Name: "/new/{id}", Function: "memesrcUUID", Access: access.Access{Setting: access.Open}})
		}, []string{"/new/{id}"}, 9},
		"deleted": {func(b *model.Backend) error { return edit.RemovePath(b, "pub", "/random") }, []string{"/random"}, 8},
		"another function": {func(b *model.Backend) error {
			p := *b.API("pub").Path("/uuid")
			p.Function = "memesrcRandom"
			return edit.UpdatePath(b, "pub", "/uuid", &p)
		}, []string{"/uuid"}, 2},
	}
	for layout, as := range layouts {
		text := as(string(data))
		for name, tt := range edits {
			t.Run(layout+"/"+name, func(t *testing.T) {
				fsys := disk.Memory()
				api, _, err := plan.ReadAPI("pub", "pub", []byte(text))
				must(t, err)
				b := &model.Backend{}
				functionsOf(t, b, api)
				p := native(t, fsys, b, map[string]string{"pub": text})
				before := tree(t, fsys)
				planned := edited(t, p, tt.edit)
				if len(planned.Changes) != 1 {
					t.Fatalf("%d files change: %s", len(planned.Changes), planned.Diff())
				}
				changed := changedLines(planned.Diff())
				if changed == 0 || changed > tt.most {
					t.Errorf("%d lines change:\n%s", changed, planned.Diff())
				}
				after := tree(t, fsys)
				const file = "backend/api/pub/cli-inputs.json"
				delete(before, file)
				delete(after, file)
				if !maps.Equal(before, after) {
					t.Error("another file changed")
				}
				want, err := p.Backend.Edit(tt.edit)
				must(t, err)
				now := load(t, fsys, project.Native)
				sameAPI(t, now.Backend.API("pub"), want.API("pub"))
				undo, err := plan.Of(now, mustEdit(t, now.Backend, func(b *model.Backend) error {
					api := *p.Backend.API("pub")
					for i, a := range b.APIs {
						if a.Label == "pub" {
							b.APIs = slices.Clone(b.APIs)
							b.APIs[i] = &api
						}
					}
					return nil
				}))
				must(t, err)
				must(t, undo.Commit())
				sameAPI(t, load(t, fsys, project.Native).Backend.API("pub"), p.Backend.API("pub"))
			})
		}
	}
}

// TestAPlanWaitsForAnotherWriter has one like a sandbox that writes the client configuration file.
func TestAPlanWaitsForAnotherWriter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fsys := disk.Memory()
		p := native(t, fsys, &model.Backend{}, nil)
		lock, err := journal.Hold(fsys, "lock")
		must(t, err)
		time.AfterFunc(time.Second, func() { must(t, lock.Release()) })
		start := time.Now()
		planned, err := plan.Of(p, mustEdit(t, p.Backend, func(b *model.Backend) error { return edit.AddGroup(b, "Admins") }))
		must(t, errors.Join(err, planned.CommitWhenFree()))
		if waited := time.Since(start); waited < time.Second {
			t.Errorf("it is written after %v", waited)
		}
		if again := load(t, fsys, project.Native); len(again.Backend.Groups) != 1 {
			t.Errorf("the groups are %v", again.Backend.Groups)
		}
	})
}

func mustEdit(t *testing.T, b *model.Backend, edit func(*model.Backend) error) *model.Backend {
	t.Helper()
	next, err := b.Edit(edit)
	must(t, err)
	return next
}

func changedLines(diff string) int {
	n := 0
	for line := range strings.Lines(diff) {
		if (line[0] == '+' || line[0] == '-') && !strings.HasPrefix(line, "+++") && !strings.HasPrefix(line, "---") {
			n++
		}
	}
	return n
}

// sameAPI compares two APIs, ignoring the order of their paths.
func sameAPI(t *testing.T, got, want *access.API) {
	t.Helper()
	if len(got.Paths) != len(want.Paths) {
		t.Errorf("%d paths, want %d", len(got.Paths), len(want.Paths))
	}
	for _, w := range want.Paths {
		g := got.Path(w.Name)
		if g == nil || g.Function != w.Function || g.Access.Setting != w.Access.Setting || len(access.Changes(g.Access, w.Access, access.Terms{})) > 0 {
			t.Errorf("%+v, want %+v", g, w)
		}
	}
}

func TestAPathThatIsAddedByUndoComesBackToItsPlace(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	b := &model.Backend{}
	must(t, edit.AddFunction(b, &model.Function{Name: "f", Runtime: model.NodeJS, Template: model.Plain}))
	paths := []*access.Path{openPath("/a"), openPath("/b"), openPath("/c")}
	must(t, edit.AddAPI(b, &access.API{Label: "shop", Paths: paths}))
	p := native(t, fsys, b, nil)
	const file = "backend/api/shop/cli-inputs.json"
	was := get(t, fsys, file)
	edited(t, p, func(b *model.Backend) error { return edit.RemovePath(b, "shop", "/b") })
	now := load(t, fsys, project.Native)
	edited(t, now, func(b *model.Backend) error {
		api := *now.Backend.API("shop")
		api.Paths = slices.Insert(slices.Clone(api.Paths), 1, openPath("/b"))
		b.APIs = []*access.API{&api}
		return nil
	})
	if got := get(t, fsys, file); got != was {
		t.Errorf("the file is\n%s\nand was\n%s", got, was)
	}
}

func openPath(name string) *access.Path {
	return &access.Path{Name: name, Function: "f", Access: access.Access{Setting: access.Open}}
}

func TestAFileThatChangedSinceItWasReadIsNotWrittenOver(t *testing.T) {
	t.Parallel()
	onEveryFS(t, func(t *testing.T, fsys afero.Fs) {
		b := &model.Backend{}
		must(t, edit.AddFunction(b, &model.Function{Name: "f", Runtime: model.NodeJS, Template: model.Plain}))
		must(t, edit.AddAPI(b, &access.API{Label: "shop", Paths: []*access.Path{openPath("/a"), openPath("/b")}}))
		p := native(t, fsys, b, nil)
		planned, err := plan.Of(p, mustEdit(t, p.Backend, func(b *model.Backend) error { return edit.RemovePath(b, "shop", "/b") }))
		must(t, err)
		const file = "backend/api/shop/cli-inputs.json"
		put(t, fsys, file, get(t, fsys, file)+"\n")
		before := tree(t, fsys)
		err = planned.Commit()
		var stale *journal.StaleError
		if !errors.As(err, &stale) || !strings.Contains(err.Error(), file) {
			t.Fatalf("committing over an edit: %v", err)
		}
		if diff := plan.StaleDiff(err); !strings.Contains(diff, "+++ b/"+file) {
			t.Errorf("the diff of the edit is %q", diff)
		}
		if !maps.Equal(tree(t, fsys), before) {
			t.Error("something was written")
		}
	})
}

func TestRemovingAFunctionRemovesItsSourcesAndNotInstalledPackages(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	b := &model.Backend{}
	must(t, edit.AddFunction(b, &model.Function{Name: "f", Runtime: model.NodeJS, Template: model.Plain}))
	p := native(t, fsys, b, nil)
	put(t, fsys, "backend/function/f/src/mine.js", "1")
	put(t, fsys, "backend/function/f/src/node_modules/x/index.js", "2")
	plan := edited(t, p, func(b *model.Backend) error {
		return edit.Remove(b, model.Ref{Kind: model.KindFunction, Name: "f"}, false)
	})
	for name := range tree(t, fsys) {
		if strings.HasPrefix(name, "backend/function/f/") && !strings.Contains(name, "node_modules") {
			t.Errorf("%s is still there", name)
		}
	}
	want := []string{
		"backend/function/f/src/node_modules stays: it was installed there",
		"backend/function/f/src/mine.js was written by hand and is deleted with function f",
	}
	if !slices.Equal(plan.Notes, want) {
		t.Errorf("notes are %q", plan.Notes)
	}
}

func TestAnExistingSourceStays(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	p := native(t, fsys, &model.Backend{}, nil)
	put(t, fsys, "backend/function/f/src/index.js", "mine")
	plan := edited(t, p, func(b *model.Backend) error {
		return edit.AddFunction(b, &model.Function{Name: "f", Runtime: model.NodeJS, Template: model.Plain})
	})
	if got := get(t, fsys, "backend/function/f/src/index.js"); got != "mine" {
		t.Errorf("the source is %q", got)
	}
	if !slices.Contains(plan.Notes, "backend/function/f/src/index.js exists already and is left as it is") {
		t.Errorf("notes are %q", plan.Notes)
	}
}
