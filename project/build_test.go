package project_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
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
)

// realFiles is the folder of files that public projects committed. It is beside the
// checkout, not in it.
const realFiles = "../../shared/real"

// onEveryFS runs a test on a filesystem in memory and on a real folder.
func onEveryFS(t *testing.T, test func(t *testing.T, fsys afero.Fs)) {
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		test(t, disk.Memory())
	})
	t.Run("disk", func(t *testing.T) {
		t.Parallel()
		fsys, err := disk.Open(t.TempDir())
		must(t, err)
		t.Cleanup(func() { _ = fsys.Close() })
		test(t, fsys)
	})
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// put writes a file, making its folders.
func put(t testing.TB, fsys afero.Fs, name, content string) {
	t.Helper()
	must(t, fsys.MkdirAll(path.Dir(name), 0o755))
	must(t, afero.WriteFile(fsys, name, []byte(content), 0o644))
}

func get(t testing.TB, fsys afero.Fs, name string) string {
	t.Helper()
	data, err := afero.ReadFile(fsys, name)
	must(t, err)
	return string(data)
}

// tree returns every file below the root, by name.
func tree(t testing.TB, fsys afero.Fs) map[string]string {
	t.Helper()
	files := make(map[string]string)
	must(t, afero.Walk(fsys, ".", func(name string, info fs.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			files[filepath.ToSlash(name)] = get(t, fsys, name)
		}
		return err
	}))
	return files
}

// copyIn copies a folder of this machine into a filesystem.
func copyIn(t testing.TB, fsys afero.Fs, dir string) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		put(t, fsys, filepath.ToSlash(rel), string(data))
		return nil
	}))
}

// native makes a project with the functions, groups and API files given.
func native(t testing.TB, fsys afero.Fs, b *model.Backend, apis map[string]string) *project.Project {
	t.Helper()
	start := project.New(fsys, nil)
	next, err := start.Backend.Edit(func(n *model.Backend) error {
		*n = *b
		return edit.SetProject(n, model.Project{Name: "shop", ApplicationID: "app1", Dialect: model.Neutral})
	})
	must(t, err)
	plan, err := plan.Of(start, next)
	must(t, err)
	must(t, plan.Commit())
	for label, text := range apis {
		put(t, fsys, "backend/api/"+label+"/cli-inputs.json", text)
	}
	return load(t, fsys, project.Native)
}

func load(t testing.TB, fsys afero.Fs, layout project.Layout) *project.Project {
	t.Helper()
	p, err := project.Load(fsys, layout)
	must(t, err)
	return p
}

// edited plans and commits an edit.
func edited(t testing.TB, p *project.Project, edit func(*model.Backend) error) *plan.Plan {
	t.Helper()
	next, err := p.Backend.Edit(edit)
	must(t, err)
	plan, err := plan.Of(p, next)
	must(t, err)
	must(t, plan.Commit())
	return plan
}

// functionsOf makes the functions that an API file names.
func functionsOf(t testing.TB, b *model.Backend, api *access.API) {
	t.Helper()
	for _, name := range api.Functions() {
		if b.Function(name) == nil {
			must(t, edit.AddFunction(b, &model.Function{Name: name, Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}))
		}
	}
	for _, g := range api.Groups() {
		if !slices.Contains(b.Groups, g) {
			must(t, edit.AddGroup(b, g))
		}
	}
}

// notOpen leaves out the warnings that a path is open, as most paths of the tests are.
func notOpen(problems []*read.Problem) []*read.Problem {
	return slices.DeleteFunc(problems, func(p *read.Problem) bool { return p.Rule == access.RuleOpen })
}

func lines(problems []*read.Problem) string {
	var b strings.Builder
	for _, p := range problems {
		b.WriteString(p.Level.String() + ": " + p.Error() + "\n")
	}
	return b.String()
}

func realAPIs(t testing.TB, folder string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(realFiles, folder, "*.json"))
	must(t, err)
	if len(names) == 0 {
		t.Skip("the folder of real files is not here: " + filepath.Join(realFiles, folder))
	}
	return names
}
