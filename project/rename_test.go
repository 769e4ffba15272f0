package project_test

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/plan"
	"gatewright/project/read"
	"gatewright/project/validate"
	"gatewright/test/symlink"
)

func ref(kind model.Kind, name string) model.Ref { return model.Ref{Kind: kind, Name: name} }

// served makes a backend with an API whose paths these functions serve.
func served(t testing.TB, functions ...string) *model.Backend {
	t.Helper()
	b := &model.Backend{}
	api := &access.API{Label: "shop"}
	for _, name := range functions {
		must(t, edit.AddFunction(b, &model.Function{Name: name, Runtime: model.NodeJS, Template: model.Plain}))
		path := openPath("/" + name)
		path.Function = name
		api.Paths = append(api.Paths, path)
	}
	must(t, edit.AddAPI(b, api))
	return b
}

// renamed plans renames, one after the other.
func renamed(t testing.TB, p *project.Project, renames ...plan.Renamed) *plan.Plan {
	t.Helper()
	next, err := p.Backend.Edit(func(b *model.Backend) error {
		for _, r := range renames {
			if err := edit.Rename(b, r.From, r.To); err != nil {
				return err
			}
		}
		return nil
	})
	must(t, err)
	plan, err := plan.Of(p, next, renames...)
	must(t, err)
	return plan
}

func TestARenameMovesTheFilesOfAThingByteForByte(t *testing.T) {
	t.Parallel()
	for what, tt := range map[string]struct {
		from            model.Ref
		to, was, folder string
	}{
		"function":    {ref(model.KindFunction, "f"), "g", "backend/function/f/", "backend/function/g/"},
		"api":         {ref(model.KindAPI, "shop"), "store", "backend/api/shop/", "backend/api/store/"},
		"table":       {ref(model.KindTable, "items"), "things", "backend/table/items/", "backend/table/things/"},
		"environment": {ref(model.KindEnvironment, "dev"), "test", "backend/environments/dev.json", "backend/environments/test.json"},
		"output":      {ref(model.KindOutput, "custom"), "mine", "backend/outputs/custom.json", "backend/outputs/mine.json"},
	} {
		t.Run(what, func(t *testing.T) {
			onEveryFS(t, func(t *testing.T, fsys afero.Fs) {
				b := served(t, "f")
				must(t, edit.AddTable(b, &model.Table{Name: "items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}))
				must(t, edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local}))
				must(t, edit.AddOutput(b, model.Outputs{"custom": map[string]any{"answer": 42}}))
				native(t, fsys, b, nil)
				if strings.HasSuffix(tt.was, "/") {
					put(t, fsys, tt.was+"src/mine.js", "mine\r\n")
					put(t, fsys, tt.was+"src/package.json", "{\"name\": \"mine\"}")
					put(t, fsys, tt.was+"notes/read me.md", "\x00\xff")
					put(t, fsys, tt.was+"src/node_modules/x.js", "theirs")
				}
				definition := strings.TrimPrefix(tree(t, fsys)["backend/"+map[string]string{
					"function": "function/f/function.json", "api": "api/shop/cli-inputs.json", "table": "table/items/table.json",
					"environment": "environments/dev.json", "output": "outputs/custom.json",
				}[what]], "{")
				for name := range tree(t, fsys) {
					if what != "output" && strings.HasPrefix(name, tt.was) && strings.HasSuffix(get(t, fsys, name), definition) {
						put(t, fsys, name, "{ \"note\" : [1.50],"+definition)
					}
				}
				before := tree(t, fsys)
				p := load(t, fsys, project.Native)
				must(t, renamed(t, p, plan.Renamed{From: tt.from, To: tt.to}).Commit())
				after := tree(t, fsys)
				for name, content := range before {
					to := name
					if rest, ours := strings.CutPrefix(name, tt.was); ours && !strings.Contains(name, "node_modules") {
						to = tt.folder + rest
						if _, there := after[name]; there {
							t.Errorf("%s is still there", name)
						}
						if after[to] != content {
							t.Errorf("%s became %s: %q, want %q", name, to, after[to], content)
						}
					} else if _, there := after[to]; !there {
						t.Errorf("%s is gone", name)
					}
				}
				if len(after) != len(before) {
					t.Errorf("there are\n%v\nand were\n%v", slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before)))
				}
				now := load(t, fsys, project.Native)
				if plan, err := plan.Of(now, now.Backend); err != nil || !plan.Empty() {
					t.Errorf("what was renamed plans %v %s", err, plan.Diff())
				}
				for _, problem := range notOpen(validate.Project(now)) {
					if !strings.Contains(problem.Error(), "note") {
						t.Error(problem)
					}
				}
			})
		})
	}
}

func TestARenameOfAThingThatAlsoChangedChangesItsOwnLinesOnly(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	native(t, fsys, served(t, "f"), nil)
	text := strings.Replace(get(t, fsys, "backend/function/f/function.json"), "{", "{\n  \"note\": 1.50,", 1)
	put(t, fsys, "backend/function/f/function.json", text)
	must(t, fsys.Chmod("backend/function/f/function.json", 0o600))
	p := load(t, fsys, project.Native)
	next := mustEdit(t, p.Backend, func(b *model.Backend) error {
		must(t, edit.Rename(b, ref(model.KindFunction, "f"), "g"))
		f := *b.Function("g")
		f.Runtime = model.Python
		return edit.UpdateFunction(b, &f)
	})
	plan, err := plan.Of(p, next, plan.Renamed{From: ref(model.KindFunction, "f"), To: "g"})
	must(t, err)
	must(t, plan.Commit())
	if got, want := get(t, fsys, "backend/function/g/function.json"), strings.Replace(text, "nodejs", "python", 1); got != want {
		t.Errorf("the definition is\n%s\nwant\n%s", got, want)
	}
	if info, err := fsys.Stat("backend/function/g/function.json"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("a file that only its owner may read is, moved and changed, %v, %v", info.Mode(), err)
	}
	if got := get(t, fsys, "backend/api/shop/cli-inputs.json"); !strings.Contains(got, `"lambdaFunction": "g"`) {
		t.Errorf("the API is\n%s", got)
	}
}

func TestThingsSwapTheirNamesAndTakeThoseOfRemovedOnes(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	native(t, fsys, served(t, "f", "g", "h"), nil)
	for _, name := range []string{"f", "g", "h"} {
		put(t, fsys, "backend/function/"+name+"/src/mine.js", "of "+name)
	}
	p := load(t, fsys, project.Native)
	f := func(from, to string) plan.Renamed {
		return plan.Renamed{From: ref(model.KindFunction, from), To: to}
	}
	must(t, renamed(t, p, f("f", "x"), f("g", "f"), f("x", "g")).Commit())
	if get(t, fsys, "backend/function/f/src/mine.js") != "of g" || get(t, fsys, "backend/function/g/src/mine.js") != "of f" {
		t.Error("the sources were not swapped")
	}
	p = load(t, fsys, project.Native)
	next := mustEdit(t, p.Backend, func(b *model.Backend) error {
		must(t, edit.Remove(b, ref(model.KindFunction, "g"), true))
		must(t, edit.Rename(b, ref(model.KindFunction, "h"), "g"))
		return edit.AddFunction(b, &model.Function{Name: "h", Runtime: model.NodeJS, Template: model.Plain})
	})
	plan, err := plan.Of(p, next, f("h", "g"))
	must(t, err)
	must(t, plan.Commit())
	if got := get(t, fsys, "backend/function/g/src/mine.js"); got != "of h" {
		t.Errorf("what took the name has the source %q", got)
	}
	if _, there := tree(t, fsys)["backend/function/h/src/mine.js"]; there {
		t.Error("a new function got an old one's source")
	}
	if !strings.Contains(get(t, fsys, "backend/function/h/src/index.js"), "handler") {
		t.Error("the new function has no source")
	}
	if got := lines(validate.Project(load(t, fsys, project.Native))); strings.Contains(got, "error") {
		t.Error(got)
	}
}

func TestWithoutARenameAPlanNotesTheFilesThatPeopleWrote(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	native(t, fsys, served(t, "f"), nil)
	for _, want := range []string{
		"backend/function/f/src/mine.js was written by hand and is deleted with function f",
		"backend/function/f/src/mine.js and 1 more were written by hand and are deleted with function f",
	} {
		put(t, fsys, "backend/function/f/src/mine.js", "mine")
		p := load(t, fsys, project.Native)
		plan, err := plan.Of(p, mustEdit(t, p.Backend, func(b *model.Backend) error { return edit.Rename(b, ref(model.KindFunction, "f"), "g") }))
		must(t, err)
		if !slices.Equal(plan.Notes, []string{want}) {
			t.Errorf("notes are %q", plan.Notes)
		}
		put(t, fsys, "backend/function/f/src/other.js", "mine too")
	}
}

func TestARenamedEnvironmentStaysTheChosenOne(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	b := &model.Backend{}
	must(t, edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local}))
	must(t, edit.AddEnvironment(b, &model.Environment{Name: "prod", Provider: model.Local}))
	native(t, fsys, b, nil)
	put(t, fsys, ".gatewright/environment", "prod\n")
	p := load(t, fsys, project.Native)
	must(t, renamed(t, p, plan.Renamed{From: ref(model.KindEnvironment, "prod"), To: "live"}).Commit())
	if e := load(t, fsys, project.Native).CurrentEnvironment(); e == nil || e.Name != "live" {
		t.Errorf("the chosen environment is %+v", e)
	}
}

func TestInAnAmplifyProjectARenameKeepsTheEntryAndTheFolderOfAnAPI(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	copyIn(t, fsys, "../testdata/amplify")
	put(t, fsys, "amplify/backend/api/shop/override.ts", "mine")
	p := load(t, fsys, project.Amplify)
	plan := renamed(t, p, plan.Renamed{From: ref(model.KindAPI, "shop"), To: "store"})
	was := get(t, fsys, "amplify/backend/backend-config.json")
	must(t, plan.Commit())
	if got, want := get(t, fsys, "amplify/backend/backend-config.json"), strings.Replace(was, `"shop": {`, `"store": {`, 1); got != want {
		t.Errorf("backend-config.json is\n%s\nwant\n%s", got, want)
	}
	if got := get(t, fsys, "amplify/backend/api/store/override.ts"); got != "mine" {
		t.Errorf("override.ts is %q", got)
	}
}

func TestFilesThatCannotBeMovedStayAndAreNoted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fsys, err := disk.Open(dir)
	must(t, err)
	t.Cleanup(func() { _ = fsys.Close() })
	native(t, fsys, served(t, "f", "g"), nil)
	at := func(name string) string { return filepath.Join(dir, "backend/function/f", name) }
	must(t, os.WriteFile(at("big.bin"), make([]byte, read.MaxFile+1), 0o644))
	must(t, os.WriteFile(at("run.sh"), []byte("#!/bin/sh\n"), 0o755))
	must(t, os.Chmod(at("run.sh"), 0o755))
	symlink.Make(t, "nowhere", at("dangling"))
	symlink.Make(t, "src", at("link"))
	p := load(t, fsys, project.Native)
	want := []string{
		"backend/function/f/big.bin stays: it has 16777217 bytes, and gatewright moves or deletes at most 16777216",
		"backend/function/f/dangling stays: it is a link",
		"backend/function/f/link stays: it is a link",
	}
	planned := renamed(t, p, plan.Renamed{From: ref(model.KindFunction, "f"), To: "moved"})
	if !slices.Equal(planned.Notes, want) {
		t.Errorf("notes of the rename are %q", planned.Notes)
	}
	removed, err := plan.Of(p, mustEdit(t, p.Backend, func(b *model.Backend) error { return edit.Remove(b, ref(model.KindFunction, "f"), true) }))
	must(t, err)
	if !slices.Equal(removed.Notes, append(want, "backend/function/f/run.sh was written by hand and is deleted with function f")) {
		t.Errorf("notes of the removal are %q", removed.Notes)
	}
	must(t, planned.Commit())
	info, err := os.Stat(filepath.Join(dir, "backend/function/moved/run.sh"))
	must(t, err)
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o755 {
		t.Errorf("the script that moved has the mode %v", info.Mode())
	}
	if _, err := os.Lstat(at("dangling")); err != nil {
		t.Errorf("what cannot be moved is gone: %v", err)
	}
}

func TestADefinitionThatIsALinkIsNotMoved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fsys, err := disk.Open(dir)
	must(t, err)
	t.Cleanup(func() { _ = fsys.Close() })
	native(t, fsys, served(t, "f"), nil)
	at := filepath.Join(dir, "backend/function/f/function.json")
	must(t, os.Rename(at, filepath.Join(dir, "backend/f.json")))
	symlink.Make(t, "../../f.json", at)
	p := load(t, fsys, project.Native)
	next := mustEdit(t, p.Backend, func(b *model.Backend) error { return edit.Rename(b, ref(model.KindFunction, "f"), "g") })
	_, err = plan.Of(p, next, plan.Renamed{From: ref(model.KindFunction, "f"), To: "g"})
	if err == nil || err.Error() != "backend/function/f/function.json: is a link, which is not moved; replace it with the file itself" {
		t.Errorf("moving a link: %v", err)
	}
}
