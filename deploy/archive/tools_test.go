package archive

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/test/depth"
)

func TestPackagesOfNodeAreInstalled(t *testing.T) {
	needs(t, "node", "npm")
	const list = `{"dependencies":{"is-odd":"^3.0.0"},"devDependencies":{"left-pad":"1.3.0"}}`
	for _, locked := range []bool{false, true} {
		texts := map[string]string{"index.js": "1", "package.json": list, "node_modules/is-odd/other.js": "of another system"}
		if locked {
			texts["package-lock.json"] = lockOf(t, list)
		}
		shared := builder(t)
		first := build(t, shared, nodeSource(write(t, texts)))
		found := files(t, first)
		for _, name := range []string{"index.js", "package.json", "node_modules/is-odd/index.js", "node_modules/is-number/package.json"} {
			if _, ok := found[name]; !ok {
				t.Errorf("locked %v: %s is missing in %q", locked, name, namesOf(found))
			}
		}
		for name := range found {
			if strings.Contains(name, "/.") || strings.Contains(name, "left-pad") || strings.HasSuffix(name, "other.js") {
				t.Errorf("locked %v: it has %s", locked, name)
			}
		}
		// The source changes, the packages do not: the cache has them.
		texts["index.js"] = "2"
		var told []string
		if _, err := shared.Build(t.Context(), nodeSource(write(t, texts)), func(p Progress) { told = append(told, p.Text) }); err != nil || len(told) != 1 {
			t.Errorf("locked %v: it says %q %v", locked, told, err)
		}
		texts["index.js"] = "1"
		folder := write(t, texts)
		second := build(t, builder(t), nodeSource(folder))
		if first.SHA256 != second.SHA256 {
			t.Errorf("locked %v: two installations differ", locked)
		}
		entries, err := os.ReadDir(folder)
		must(t, err)
		// Each of the files is at the top, or in a folder of its own there.
		if len(entries) != len(texts) {
			t.Errorf("locked %v: the source has %d entries, wanted %d", locked, len(entries), len(texts))
		}
	}
}

// lockOf returns a lock that npm makes.
func lockOf(t *testing.T, list string) string {
	t.Helper()
	folder := write(t, map[string]string{"package.json": list})
	_, err := run(t, folder, "npm", "install", "--package-lock-only", "--no-audit", "--no-fund")
	if err != nil {
		t.Skipf("npm makes no lock here: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "package-lock.json"))
	must(t, err)
	return string(text)
}

func TestALockThatDoesNotFitIsRefused(t *testing.T) {
	needs(t, "node", "npm")
	folder := write(t, map[string]string{
		"index.js": "", "package.json": `{"dependencies":{"is-odd":"3.0.1"}}`, "package-lock.json": lockOf(t, `{"dependencies":{"is-number":"7.0.0"}}`),
	})
	_, err := builder(t).Build(t.Context(), nodeSource(folder), nil)
	if err == nil || !strings.Contains(err.Error(), "function items: npm ci failed") || strings.Contains(err.Error(), "\n") {
		t.Errorf("the error is %v", err)
	}
}

func TestPackagesInFoldersAreStored(t *testing.T) {
	needs(t, "node", "npm")
	folder := write(t, map[string]string{"index.js": "", "package.json": `{"dependencies":{"shared":"file:../shared"}}`})
	shared := filepath.Join(filepath.Dir(folder), "shared")
	must(t, os.Mkdir(shared, 0o755))
	must(t, os.WriteFile(filepath.Join(shared, "package.json"), []byte(`{"name":"shared","version":"1.0.0"}`), 0o600))
	must(t, os.WriteFile(filepath.Join(shared, "index.js"), []byte("1"), 0o600))
	b := builder(t)
	first := build(t, b, nodeSource(folder))
	if found := files(t, first); found["node_modules/shared/index.js"] != "1" {
		t.Errorf("it has %q", namesOf(found))
	}
	must(t, os.WriteFile(filepath.Join(shared, "index.js"), []byte("2"), 0o600))
	if found := files(t, build(t, b, nodeSource(folder))); found["node_modules/shared/index.js"] != "2" {
		t.Error("a changed package is not stored")
	}
}

func TestPackagesOfALayerAreInstalled(t *testing.T) {
	needs(t, "node", "npm")
	folder := write(t, map[string]string{"nodejs/package.json": `{"dependencies":{"is-number":"7.0.0"}}`, "nodejs/node_modules/is-number/mine.js": ""})
	found := files(t, build(t, builder(t), Source{Name: "shared", Folder: folder, Layer: true}))
	_, installed := found["nodejs/node_modules/is-number/index.js"]
	if _, own := found["nodejs/node_modules/is-number/mine.js"]; own || !installed {
		t.Errorf("it has %q", namesOf(found))
	}
}

func TestOwnPackagesAreTakenWithoutAList(t *testing.T) {
	folder := write(t, map[string]string{"index.js": "", "node_modules/left/index.js": "1", "node_modules/.bin/left": ""})
	if got := namesOf(files(t, build(t, builder(t), nodeSource(folder)))); !slices.Equal(got, []string{"index.js", "node_modules/left/index.js"}) {
		t.Errorf("it has %q", got)
	}
	must(t, os.MkdirAll(filepath.Join(folder, "node_modules", ".pnpm", "right@1"), 0o755))
	if _, err := builder(t).Build(t.Context(), nodeSource(folder), nil); err == nil || !strings.Contains(err.Error(), "links into .pnpm") {
		t.Errorf("the error is %v", err)
	}
}

func TestPackagesOfPythonAreInstalled(t *testing.T) {
	depth.WithoutRace(t)
	needs(t, "python3")
	// The second package has a program and a part in machine code.
	texts := map[string]string{"index.py": "import six", "requirements.txt": "six==1.16.0\ncharset-normalizer==3.4.0\n", "charset_normalizer/cd.py": "mine"}
	first, second := build(t, builder(t), python(write(t, texts))), build(t, builder(t), python(write(t, texts)))
	found := files(t, first)
	if first.SHA256 != second.SHA256 {
		other := files(t, second)
		for name := range found {
			if found[name] != other[name] {
				t.Errorf("two installations differ in %s", name)
			}
		}
	}
	for _, name := range []string{"index.py", "six.py", "six-1.16.0.dist-info/RECORD", "charset_normalizer/md.cpython-313-x86_64-linux-gnu.so"} {
		if _, ok := found[name]; !ok {
			t.Errorf("%s is missing in %q", name, namesOf(found))
		}
	}
	if found["charset_normalizer/cd.py"] != "mine" || strings.Contains(found["charset_normalizer-3.4.0.dist-info/RECORD"], "bin/") {
		t.Error("a package comes before the source, or lists what it lost")
	}
	for name := range found {
		if strings.HasSuffix(name, ".pyc") || strings.HasPrefix(name, "bin/") || strings.HasSuffix(name, "direct_url.json") {
			t.Errorf("it has %s", name)
		}
	}
	_, err := builder(t).Build(t.Context(), python(write(t, map[string]string{"index.py": "", "requirements.txt": "six==99\n"})), nil)
	if err == nil || !strings.Contains(err.Error(), "pip install failed: ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("the error is %v", err)
	}
}

func python(folder string) Source {
	return Source{Name: "items", Folder: folder, Runtime: model.Python}
}

func TestAProgramOfGoIsBuiltForLambda(t *testing.T) {
	needs(t, "go")
	texts := map[string]string{
		"go.mod": "module example.com/f\n\ngo 1.21\n", "main.go": "package main\n\nimport (\n\t_ \"embed\"\n\t_ \"net\"\n)\n\n//go:embed data/a.txt\nvar a string\n\nfunc main() { println(a) }\n",
		"data/a.txt": "1", "testdata/x": "", "main_test.go": "package main\n", "bootstrap": "of another build",
	}
	source := func() Source { return Source{Name: "items", Folder: write(t, texts), Runtime: model.Go} }
	first, second := build(t, builder(t), source()), build(t, builder(t), source())
	if first.SHA256 != second.SHA256 {
		t.Error("two builds differ")
	}
	found := files(t, first)
	if got := namesOf(found); !slices.Equal(got, []string{"bootstrap", "data/a.txt"}) {
		t.Errorf("it has %q", got)
	}
	if mode := modeOf(t, first, "bootstrap"); mode != 0o755 {
		t.Errorf("the program has the mode %v", mode)
	}
	program, err := elf.NewFile(bytes.NewReader([]byte(found["bootstrap"])))
	must(t, err)
	libraries, err := program.ImportedLibraries()
	if err != nil || len(libraries) > 0 || program.Machine != elf.EM_X86_64 || program.Section(".interp") != nil {
		t.Errorf("it is for %v, with %q %v", program.Machine, libraries, err)
	}
	texts["main.go"] = "package main\n\nfunc main() { missing() }\n"
	_, err = builder(t).Build(t.Context(), source(), nil)
	if err == nil || !strings.Contains(err.Error(), "function items: go build failed: main.go:3:15: undefined: missing") {
		t.Errorf("the error is %v", err)
	}
}

func TestWhatGoNeedsOutsideCounts(t *testing.T) {
	needs(t, "go")
	folder := write(t, map[string]string{
		"go.mod":  "module example.com/f\n\ngo 1.21\n\nrequire example.com/x v0.0.0\n\nreplace example.com/x => ../x\n",
		"main.go": "package main\n\nimport \"example.com/x\"\n\nfunc main() { println(x.X) }\n",
	})
	x := filepath.Join(filepath.Dir(folder), "x")
	must(t, os.Mkdir(x, 0o755))
	must(t, os.WriteFile(filepath.Join(x, "go.mod"), []byte("module example.com/x\n\ngo 1.21\n"), 0o600))
	b, s := builder(t), Source{Name: "items", Folder: folder, Runtime: model.Go}
	var sums []string
	for _, text := range []string{"first", "other"} {
		must(t, os.WriteFile(filepath.Join(x, "x.go"), []byte("package x\n\nvar X = \""+text+"\"\n"), 0o600))
		sums = append(sums, build(t, b, s).SHA256)
	}
	if sums[0] == sums[1] {
		t.Error("a changed package in a folder beside the source is not seen")
	}
}

func TestTheEndOfTheContextEndsAnInstallation(t *testing.T) {
	needs(t, "node", "npm")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	b := builder(t)
	s := nodeSource(write(t, map[string]string{"index.js": "", "package.json": `{"dependencies":{"is-odd":"3.0.1"}}`}))
	_, err := b.Build(ctx, s, func(p Progress) {
		if strings.HasPrefix(p.Text, "installing packages") {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("the error is %v", err)
	}
	for _, kind := range []string{"packages", "archives"} {
		if entries, _ := os.ReadDir(filepath.Join(b.cache, kind)); len(entries) > 0 {
			t.Errorf("%s has %v", kind, entries)
		}
	}
	if _, ok := files(t, build(t, b, s))["node_modules/is-odd/index.js"]; !ok {
		t.Error("the next build lacks the packages")
	}
}

func TestAMissingToolOrNetworkIsSaid(t *testing.T) {
	needs(t, "node", "npm")
	s := nodeSource(write(t, map[string]string{"index.js": "", "package.json": `{"dependencies":{"is-odd":"3.0.1"}}`}))
	t.Run("network", func(t *testing.T) {
		t.Setenv("npm_config_registry", "http://127.0.0.1:9/")
		t.Setenv("npm_config_cache", t.TempDir())
		_, err := builder(t).Build(t.Context(), s, nil)
		if err == nil || !strings.Contains(err.Error(), "no package registry is reachable") {
			t.Errorf("the error is %v", err)
		}
	})
	t.Setenv("PATH", t.TempDir())
	for runtime, want := range map[model.Runtime]string{model.NodeJS: "install Node.js with npm", model.Python: "install Python 3 with pip", model.Go: "install Go"} {
		s := Source{Name: "items", Folder: write(t, map[string]string{"package.json": `{"dependencies":{"is-odd":"3.0.1"}}`, "requirements.txt": "six"}), Runtime: runtime}
		if _, err := builder(t).Build(t.Context(), s, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v", runtime, err)
		}
	}
}
