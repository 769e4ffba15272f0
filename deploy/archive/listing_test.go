package archive

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/model"
	"gatewright/sandbox/artifact"
	"gatewright/sandbox/prepare"
	"gatewright/test/depth"
	"gatewright/test/symlink"
)

// TestWhatPackageManagersKeepForThemselvesIsLeftOut has each such file where it is left out, and
// where it is like any other.
func TestWhatPackageManagersKeepForThemselvesIsLeftOut(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		".npmrc": "", ".yarnrc": "", "lib/.yarnrc.yml": "", ".env": "", ".git/config": "", "lib/node_modules/left/index.js": "",
		"node_modules/left/index.js": "", "node_modules/left/.npmrc": "", "node_modules/left/node_modules/right/index.js": "",
		"node_modules/left/.cache/a": "", "node_modules/@shop/scoped/index.js": "",
	}
	for _, name := range []string{
		".bin", ".cache", ".package-lock.json", ".yarn-integrity", ".yarn-state.yml", ".modules.yaml", ".pnpm-workspace-state.json",
		".pnpm-workspace-state-v1.json",
	} {
		texts["node_modules/"+name+"/x"], texts["node_modules/left/node_modules/"+name] = "", ""
	}
	for _, name := range []string{".pnpm", ".store", ".bun"} {
		texts["node_modules/"+name+"/lock.yaml"] = ""
	}
	want := []string{
		".env", "node_modules/@shop/scoped/index.js", "node_modules/left/.cache/a", "node_modules/left/.npmrc", "node_modules/left/index.js",
		"node_modules/left/node_modules/right/index.js",
	}
	if got := namesOf(files(t, pack(t, builder(t), nodeSource(write(t, texts))))); !slices.Equal(got, want) {
		t.Errorf("it has %q,\nwant %q", got, want)
	}
	// A file may have the name of the folder. In other runtimes, the folder is nothing special, but
	// its packages do not run there.
	if got := namesOf(files(t, pack(t, builder(t), nodeSource(write(t, map[string]string{"node_modules": "", "index.js": ""}))))); !slices.Equal(got, []string{"index.js", "node_modules"}) {
		t.Errorf("beside a file node_modules it has %q", got)
	}
	if got := namesOf(files(t, pack(t, builder(t), python(write(t, map[string]string{"node_modules/left/index.js": "", "index.py": ""}))))); !slices.Equal(got, []string{"index.py"}) {
		t.Errorf("in Python it has %q", got)
	}
}

func TestALinkMayLeadAnywhereInTheProject(t *testing.T) {
	t.Parallel()
	folder := write(t, map[string]string{"index.js": ""})
	project := filepath.Dir(folder)
	must(t, os.MkdirAll(filepath.Join(project, "shared", "deep"), 0o700))
	must(t, os.WriteFile(filepath.Join(project, "shared", "deep", "a.js"), []byte("a"), 0o600))
	symlink.Make(t, "../shared", filepath.Join(folder, "shared"))
	s := nodeSource(folder)
	s.Project = project
	if found := files(t, pack(t, builder(t), s)); found["shared/deep/a.js"] != "a" || len(found) != 2 {
		t.Errorf("it has %q", found)
	}
	s.Project = ""
	if _, err := builder(t).Build(t.Context(), s, nil); err == nil || !strings.Contains(err.Error(), "the link shared leads out of the project") {
		t.Errorf("the error is %v", err)
	}
	s.Project = filepath.Join(project, "missing")
	if _, err := builder(t).Build(t.Context(), s, nil); err == nil || !strings.Contains(err.Error(), "function items: its folder ") {
		t.Errorf("the error is %v", err)
	}
}

func TestTheLargestFolderIsNamedByItsUpperTwo(t *testing.T) {
	t.Parallel()
	for want, sizes := range map[string]map[string]int64{
		"":                                     {},
		"; the largest is a with 2.0 MB":       {"a": 2 << 20, "b/c": 1 << 20, "b/d": 1 << 20},
		"; the largest is b/c with 3.0 MB":     {"a": 2 << 20, "b/c/d": 1 << 20, "b/c/e/f": 2 << 20},
		"; the largest is data/a with 0.5 MB":  {"data/a": 1 << 19, "data/b": 1 << 19},
		`; the largest is "a b" with 1.0 MB`:   {"a b": 1 << 20},
		"; the largest is data/x with 10.0 MB": {"data/x/1": 5 << 20, "data/x/2": 5 << 20, "data/y": 9 << 20},
	} {
		l := &artifact.Listing{Files: make(map[string]artifact.File)}
		for name, size := range sizes {
			l.Files[name] = artifact.File{Size: size}
		}
		if got := largest(l); got != want {
			t.Errorf("%v: it says %q, want %q", sizes, got, want)
		}
	}
}

func TestASourceIsCheckedWithoutAnArchive(t *testing.T) {
	t.Parallel()
	must(t, nodeSource(write(t, map[string]string{"index.js": ""})).Check())
	for folder, want := range map[string]string{
		write(t, nil): "has no files", filepath.Join(t.TempDir(), "missing"): "cannot be read: ",
	} {
		if err := nodeSource(folder).Check(); err == nil || !strings.HasPrefix(err.Error(), "function items: its folder ") || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v", err)
		}
	}
	s := nodeSource(t.TempDir())
	s.Runtime = "ruby"
	if _, err := builder(t).Build(t.Context(), s, nil); err == nil || !strings.Contains(err.Error(), "its runtime ruby is not known; use Node.js, Python or Go") {
		t.Errorf("the error is %v", err)
	}
}

func TestOnlyWhatIsOldIsRemovedFromTheCache(t *testing.T) {
	t.Parallel()
	b := builder(t)
	used := pack(t, b, nodeSource(write(t, map[string]string{"index.js": "used"})))
	ages := map[string]time.Duration{
		"young.zip": 59 * 24 * time.Hour, "old.zip": 61 * 24 * time.Hour, prepare.Unfinished + "young": 23 * time.Hour, prepare.Unfinished + "old": 25 * time.Hour,
	}
	for name, age := range ages {
		place := filepath.Join(b.folder(), name)
		if strings.HasPrefix(name, prepare.Unfinished) {
			must(t, os.Mkdir(place, 0o700))
		} else {
			must(t, os.WriteFile(place, nil, 0o600))
		}
		must(t, os.Chtimes(place, time.Now(), time.Now().Add(-age)))
	}
	must(t, os.Chtimes(used.File, time.Now(), time.Now().Add(-61*24*time.Hour)))
	// Being found is being used, and the next archive removes what is old.
	again := New(b.cache)
	if found := pack(t, again, nodeSource(write(t, map[string]string{"index.js": "used"}))); found != used {
		t.Errorf("it is %+v, then %+v", used, found)
	}
	made := pack(t, again, nodeSource(write(t, map[string]string{"index.js": "new"})))
	entries, err := os.ReadDir(b.folder())
	must(t, err)
	var got []string
	for _, entry := range entries {
		got = append(got, entry.Name())
	}
	want := []string{filepath.Base(used.File), filepath.Base(made.File), "young.zip", prepare.Unfinished + "young"}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the cache has %q, want %q", got, want)
	}
}

func TestTheProgressOfAnArchiveIsTold(t *testing.T) {
	t.Parallel()
	b, folder := builder(t), write(t, map[string]string{"index.js": "1"})
	var told []Progress
	for range 2 {
		_, err := b.Build(t.Context(), nodeSource(folder), func(p Progress) { told = append(told, p) })
		must(t, err)
	}
	want := []Progress{{"items", "its archive is ready (0.0 MB)", true}, {"items", "its archive is the same as before (0.0 MB)", true}}
	if !slices.Equal(told, want) {
		t.Errorf("told is %+v", told)
	}
}

// TestAnEditMeanwhileIsNoArchive edits the source while its packages are installed.
func TestAnEditMeanwhileIsNoArchive(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	depth.Needs(t, "node", "npm")
	b, folder := builder(t), write(t, map[string]string{"index.js": "1", "package.json": `{"dependencies":{"left":"1.0.0"}}`})
	_, err := b.Build(t.Context(), nodeSource(folder), func(p Progress) {
		if strings.HasPrefix(p.Text, "installing packages") {
			must(t, os.WriteFile(filepath.Join(folder, "index.js"), []byte("2"), 0o600))
		}
	})
	if err == nil || err.Error() != "function items: its source changed while its archive was made; try again" {
		t.Errorf("the error is %v", err)
	}
	if entries, err := os.ReadDir(b.folder()); err != nil || len(entries) != 0 {
		t.Errorf("the cache has %v %v", entries, err)
	}
}

func TestTheArchiveOfTypeScriptLeadsToItsSources(t *testing.T) {
	t.Parallel()
	found := files(t, pack(t, builder(t), nodeSource(write(t, map[string]string{"index.ts": "export const handler = async () => 1\n", "lib/a.mts": "", "lib/b.cts": "", "lib/c.tsx": "", "a.js": ""}))))
	if got := namesOf(found); !slices.Equal(got, []string{"a.js", "index.cjs", "index.cjs.map"}) {
		t.Errorf("it has %q", got)
	}
	if !strings.HasSuffix(found["index.cjs"], "\n//# sourceMappingURL=index.cjs.map\n") || !strings.Contains(found["index.cjs.map"], `"index.ts"`) {
		t.Errorf("the program is\n%s\nits map\n%s", found["index.cjs"], found["index.cjs.map"])
	}
	s := nodeSource(write(t, map[string]string{"src/book.ts": "export const handler = async () => 1\n"}))
	s.Handler = "src/book.handler"
	if found = files(t, pack(t, builder(t), s)); !strings.HasSuffix(found["src/book.cjs"], "\n//# sourceMappingURL=book.cjs.map\n") || found["src/book.cjs.map"] == "" {
		t.Errorf("in a folder it has %q, the program is\n%s", namesOf(found), found["src/book.cjs"])
	}
	// Layers and other runtimes have no program of it.
	for _, s := range []Source{
		{Name: "shared", Layer: true, Folder: write(t, map[string]string{"index.ts": "1"})},
		{Name: "f", Runtime: model.Python, Folder: write(t, map[string]string{"index.ts": "1", "index.py": ""})},
	} {
		if found := files(t, pack(t, builder(t), s)); found["index.ts"] != "1" {
			t.Errorf("%s has %q", s.Name, namesOf(found))
		}
	}
}
