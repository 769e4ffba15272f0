package project_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/afero"
	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/journal"
	"gatewright/project/read"
	"gatewright/project/status"
)

// definitionOf are the files of a definition, by their names below its folder: all but the
// sources of functions.
func definitionOf(t testing.TB, fsys afero.Fs) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	for name, text := range tree(t, fsys) {
		inside, ours := strings.CutPrefix(name, "backend/")
		if ours && (!strings.HasPrefix(inside, "function/") || strings.HasSuffix(inside, "/function.json")) {
			files[inside] = []byte(text)
		}
	}
	return files
}

// elsewhere is the record of a deployment that another machine made.
func elsewhere(t testing.TB, p *project.Project, address string) project.Record {
	t.Helper()
	record := recordOf("dev", address)
	sources, err := p.Sources()
	must(t, err)
	record.Sources = sources
	return record
}

func TestADeploymentThatWasMadeElsewhereIsKept(t *testing.T) {
	t.Parallel()
	onEveryFS(t, func(t *testing.T, fsys afero.Fs) {
		p := shop(t, fsys)
		must(t, p.Keep(elsewhere(t, p, "http://127.0.0.1:1/a/dev"), definitionOf(t, fsys)))
		edited(t, p, func(b *model.Backend) error { return edit.Remove(b, ref(model.KindAPI, "shop"), true) })
		d, err := load(t, fsys, project.Native).Deployed("dev")
		must(t, err)
		if d.APIs[0].URL != "http://127.0.0.1:1/a/dev" || d.Project.Backend.API("shop") == nil || len(d.Sources["items"]) == 0 {
			t.Errorf("kept is %+v", d.Record)
		}
		of, err := project.DeploymentOf(elsewhere(t, p, "x"), definitionOf(t, fsys))
		must(t, err)
		if of.Project.Backend.API("shop") != nil || of.Project.Backend.Function("items") == nil {
			t.Error("the deployment is not what the files say")
		}
	})
}

// TestNoNameFromElsewhereLeadsOut: nothing is written then, here or outside.
func TestNoNameFromElsewhereLeadsOut(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"../x", "a/../../x", "/etc/x", "a//b", "./a", "a/.", "..", ".", "", `a\b`, `..\x`, "C:x", "C:/x", "a:stream", "a/",
	} {
		onEveryFS(t, func(t *testing.T, fsys afero.Fs) {
			p := shop(t, fsys)
			before := tree(t, fsys)
			files := definitionOf(t, fsys)
			files[name] = []byte("x")
			var problem *read.Problem
			if err := p.Keep(elsewhere(t, p, "x"), files); !errors.As(err, &problem) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q: %v", name, err)
			}
			if after := tree(t, fsys); !maps.Equal(before, after) {
				t.Errorf("%q leaves %q", name, slices.Sorted(maps.Keys(after)))
			}
			if entries, _ := afero.ReadDir(fsys, ".gatewright/deployed/dev"); len(entries) > 0 {
				t.Errorf("%q leaves %d things", name, len(entries))
			}
			if _, err := project.DeploymentOf(elsewhere(t, p, "x"), files); err == nil {
				t.Errorf("%q is taken as a deployment", name)
			}
		})
	}
	p := shop(t, disk.Memory())
	record := elsewhere(t, p, "x")
	record.Environment = "../../x"
	if err := p.Keep(record, nil); err == nil {
		t.Error("an environment that leads out is kept")
	}
}

func TestADefinitionThatCannotBeReadIsNotKept(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	p := shop(t, fsys)
	must(t, p.Keep(elsewhere(t, p, "http://127.0.0.1:1/old/dev"), definitionOf(t, fsys)))
	before := tree(t, fsys)
	files := definitionOf(t, fsys)
	files["api/shop/cli-inputs.json"] = []byte("{")
	if err := p.Keep(elsewhere(t, p, "http://127.0.0.1:2/new/dev"), files); err == nil {
		t.Error("it is kept")
	}
	if _, err := project.DeploymentOf(elsewhere(t, p, "x"), files); err == nil || !strings.Contains(err.Error(), "as deployed cannot be read") {
		t.Errorf("as a deployment: %v", err)
	}
	if !maps.Equal(before, tree(t, fsys)) {
		t.Error("the earlier deployment is another one")
	}
}

// TestAnInterruptedKeepLeavesTheOldOrTheNewDeployment cuts it off at each call that changes
// something.
func TestAnInterruptedKeepLeavesTheOldOrTheNewDeployment(t *testing.T) {
	t.Parallel()
	outcomes := make(map[string]int)
	for n := 0; ; n++ {
		fsys := disk.Memory()
		p := shop(t, fsys)
		must(t, p.Keep(elsewhere(t, p, "http://127.0.0.1:1/old/dev"), definitionOf(t, fsys)))
		edited(t, p, func(b *model.Backend) error { return edit.AddGroup(b, "Admins") })
		files := definitionOf(t, fsys)
		cut := load(t, &breaks{Fs: fsys, left: n}, project.Native)
		err := cut.Keep(elsewhere(t, cut, "http://127.0.0.1:2/new/dev"), files)
		p = load(t, fsys, project.Native)
		d, readErr := p.Deployed("dev")
		if readErr != nil {
			t.Fatalf("cut off at call %d: %v", n, readErr)
		}
		groups := len(d.Project.Backend.Groups)
		switch {
		case strings.Contains(d.APIs[0].URL, "old") && groups == 0:
			outcomes["old"]++
		case strings.Contains(d.APIs[0].URL, "new") && groups == 1:
			outcomes["new"]++
		default:
			t.Fatalf("cut off at call %d: record of %s with %d groups", n, d.APIs[0].URL, groups)
		}
		must(t, p.Keep(elsewhere(t, p, "http://127.0.0.1:3/next/dev"), files))
		if entries, err := afero.ReadDir(fsys, ".gatewright/deployed/dev"); err != nil || len(entries) != 2 {
			t.Fatalf("cut off at call %d: the next one leaves %d entries, %v", n, len(entries), err)
		}
		if err == nil {
			break
		}
	}
	if outcomes["old"] == 0 || outcomes["new"] == 0 {
		t.Errorf("outcomes %v: the cuts did not reach both sides", outcomes)
	}
}

func TestOneKeepAtATime(t *testing.T) {
	t.Parallel()
	fsys, err := disk.Open(t.TempDir())
	must(t, err)
	t.Cleanup(func() { _ = fsys.Close() })
	p := shop(t, fsys)
	lock, err := journal.Hold(fsys, "deployed/dev/lock")
	must(t, err)
	if err := p.Keep(elsewhere(t, p, "x"), definitionOf(t, fsys)); !errors.Is(err, project.ErrDeploying) {
		t.Errorf("beside a push: %v", err)
	}
	must(t, lock.Release())
	must(t, p.Keep(elsewhere(t, p, "x"), definitionOf(t, fsys)))
}

// reasonsAgainst are what a status says about the resources, with reasons.
func reasonsAgainst(t testing.TB, p *project.Project, d *project.Deployment) []string {
	t.Helper()
	s, err := status.Against(p, p.Backend.Environment("dev"), d)
	must(t, err)
	var all []string
	for _, r := range s.Resources {
		all = append(all, fmt.Sprintf("%s %v: %q", r.Of, r.Operation, r.Reasons))
	}
	return all
}

// TestAStatusSaysTheSameAboutADeploymentFromElsewhere: of the same project, changed in the same
// way, a copy with all files and one with hashes have the same reasons.
func TestAStatusSaysTheSameAboutADeploymentFromElsewhere(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		fsys := disk.Memory()
		shop(t, fsys)
		names := []string{"src/index.js", "src/lib/a.js", "src/lib/a b.js", "src/ü.js", "README", "src/node_modules/x/index.js", "src/.git/config", "function.txt"}
		write := func() {
			for range rapid.IntRange(0, 6).Draw(rt, "files") {
				name := "backend/function/items/" + rapid.SampledFrom(names).Draw(rt, "name")
				if rapid.IntRange(0, 3).Draw(rt, "gone") == 0 {
					_ = fsys.Remove(name)
					continue
				}
				put(t, fsys, name, rapid.SampledFrom([]string{"", "1", "2", "1\n"}).Draw(rt, "text"))
			}
		}
		write()
		p := load(t, fsys, project.Native)
		record, files := elsewhere(t, p, "x"), definitionOf(t, fsys)
		deploy(t, p, "dev", "x")
		switch rapid.IntRange(0, 3).Draw(rt, "definition") {
		case 0:
			edited(t, p, func(b *model.Backend) error {
				return edit.AddFunction(b, &model.Function{Name: "added", Runtime: model.NodeJS, Template: model.Plain})
			})
		case 1:
			edited(t, p, func(b *model.Backend) error { return edit.Rename(b, ref(model.KindFunction, "items"), "goods") })
		}
		write()
		p = load(t, fsys, project.Native)
		whole, err := p.Deployed("dev")
		must(t, err)
		hashed, err := project.DeploymentOf(record, files)
		must(t, err)
		want, got := reasonsAgainst(t, p, whole), reasonsAgainst(t, p, hashed)
		if !slices.Equal(got, want) {
			rt.Errorf("a deployment from elsewhere gives\n%s\na local one\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		must(t, p.Keep(record, files))
		kept, err := p.Deployed("dev")
		must(t, err)
		if got := reasonsAgainst(t, p, kept); !slices.Equal(got, want) {
			rt.Errorf("one that is kept gives\n%s\na local one\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

func TestOfManyFilesThereIsOneHash(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	p := shop(t, fsys)
	for i := range 320 {
		put(t, fsys, fmt.Sprintf("backend/function/items/src/lib/%d.js", i), "x")
	}
	record, files := elsewhere(t, p, "x"), definitionOf(t, fsys)
	if n := len(record.Sources["items"]); n != 1 {
		t.Fatalf("%d hashes", n)
	}
	then, err := project.DeploymentOf(record, files)
	must(t, err)
	same := reasonsAgainst(t, p, then)
	if strings.Contains(strings.Join(same, ""), "src") {
		t.Errorf("nothing has changed, and the status says %q", same)
	}
	put(t, fsys, "backend/function/items/src/lib/7.js", "y")
	if got := strings.Join(reasonsAgainst(t, p, then), "\n"); !strings.Contains(got, `["src changed"]`) {
		t.Errorf("one file has changed, and the status says %s", got)
	}
	must(t, fsys.RemoveAll("backend/function/items/src/lib"))
	if got := strings.Join(reasonsAgainst(t, p, then), "\n"); !strings.Contains(got, `["src changed"]`) {
		t.Errorf("most files are gone, and the status says %s", got)
	}
}
