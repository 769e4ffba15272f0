package archive

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/test/depth"
	"gatewright/test/registry"
)

func TestPackagesOfNodeAreInstalled(t *testing.T) {
	t.Parallel()
	depth.Needs(t, "node", "npm")
	for name, locked := range map[string]bool{"locked": true, "without a lock": false} {
		t.Run(name, func(t *testing.T) {
			if !locked {
				depth.Gate(t)
			}
			t.Parallel()
			texts := map[string]string{
				"index.js": "1", "package.json": `{"dependencies":{"right":"^3.0.0"},"devDependencies":{"beside":"1.0.0"}}`,
				"node_modules/right/other.js": "of another system",
			}
			want := "node_modules/left/package.json: 1.2.0"
			if locked {
				// It has an older left than right would get today.
				texts["package-lock.json"], want = lock(t, `"dependencies":{"right":"^3.0.0"},"devDependencies":{"beside":"1.0.0"}`), "node_modules/left/package.json: 1.0.0"
			}
			shared := builder(t)
			first := pack(t, shared, nodeSource(write(t, texts)))
			found := files(t, first)
			var got []string
			for _, file := range namesOf(found) {
				if strings.HasSuffix(file, "left/package.json") {
					_, version, _ := strings.Cut(found[file], `"version": "`)
					file += ": " + version[:5]
				}
				got = append(got, file)
			}
			all := []string{
				"index.js", "node_modules/left/index.js", want, "node_modules/right/README.md", "node_modules/right/bin/right.js",
				"node_modules/right/index.js", "node_modules/right/package.json", "package-lock.json", "package.json",
			}
			if !locked {
				all = slices.DeleteFunc(all, func(file string) bool { return file == "package-lock.json" })
			}
			if !slices.Equal(got, all) {
				t.Errorf("it has %q, want %q", got, all)
			}
			// The source changes, the packages do not: the cache has them.
			texts["index.js"] = "2"
			var told []string
			if _, err := shared.Build(t.Context(), nodeSource(write(t, texts)), func(p Progress) { told = append(told, p.Text) }); err != nil || len(told) != 1 {
				t.Errorf("it says %q %v", told, err)
			}
			if depth.Rounds(0, 1, 1) == 0 && !locked {
				return
			}
			texts["index.js"] = "1"
			folder := write(t, texts)
			if second := pack(t, builder(t), nodeSource(folder)); first.SHA256 != second.SHA256 {
				t.Error("two installations differ")
			}
			entries, err := os.ReadDir(folder)
			must(t, err)
			// Each of the files is at the top, or in a folder of its own there.
			if len(entries) != len(texts) {
				t.Errorf("the source has %d entries, wanted %d", len(entries), len(texts))
			}
		})
	}
}

// lock returns npm's lock of a package with dependencies, for what right 3.0.0 needs.
func lock(t *testing.T, dependencies string) string {
	t.Helper()
	text := `{"lockfileVersion":3,"requires":true,"packages":{"":{` + dependencies + `}`
	for _, p := range registry.Shelf() {
		name, more := "", ""
		switch p.File() {
		case "left-1.0.0.tgz":
			name = "left"
		case "right-3.0.0.tgz":
			name, more = "right", `,"dependencies":{"left":"^1.0.0"}`
		case "beside-1.0.0.tgz":
			name, more = "beside", `,"dev":true`
		default:
			continue
		}
		version := strings.TrimSuffix(strings.TrimPrefix(p.File(), name+"-"), ".tgz")
		text += fmt.Sprintf(`,"node_modules/%[1]s":{"version":%[2]q,"resolved":"%[3]s/%[1]s/-/%[4]s","integrity":%[5]q%[6]s}`,
			name, version, registry.Shared(t).URL, p.File(), p.Integrity(), more)
	}
	return text + "}}"
}

func TestALockThatDoesNotFitIsRefused(t *testing.T) {
	t.Parallel()
	depth.Needs(t, "node", "npm")
	folder := write(t, map[string]string{
		"index.js": "", "package.json": `{"dependencies":{"right":"3.0.0","left":"2.0.0"}}`, "package-lock.json": lock(t, `"dependencies":{"right":"3.0.0"}`),
	})
	_, err := builder(t).Build(t.Context(), nodeSource(folder), nil)
	if err == nil || !strings.Contains(err.Error(), "function items: npm ci failed") || strings.Contains(err.Error(), "\n") {
		t.Errorf("the error is %v", err)
	}
}

func TestPackagesInFoldersAreStored(t *testing.T) {
	t.Parallel()
	depth.Needs(t, "node", "npm")
	folder := write(t, map[string]string{"index.js": "", "package.json": `{"dependencies":{"shared":"file:../shared"}}`})
	shared := filepath.Join(filepath.Dir(folder), "shared")
	must(t, os.Mkdir(shared, 0o755))
	must(t, os.WriteFile(filepath.Join(shared, "package.json"), []byte(`{"name":"shared","version":"1.0.0"}`), 0o600))
	must(t, os.WriteFile(filepath.Join(shared, "index.js"), []byte("1"), 0o600))
	b := builder(t)
	first := pack(t, b, nodeSource(folder))
	if found := files(t, first); found["node_modules/shared/index.js"] != "1" {
		t.Errorf("it has %q", namesOf(found))
	}
	must(t, os.WriteFile(filepath.Join(shared, "index.js"), []byte("2"), 0o600))
	if found := files(t, pack(t, b, nodeSource(folder))); found["node_modules/shared/index.js"] != "2" {
		t.Error("a changed package is not stored")
	}
}

func TestPackagesOfALayerAreInstalled(t *testing.T) {
	t.Parallel()
	depth.Needs(t, "node", "npm")
	folder := write(t, map[string]string{"nodejs/package.json": `{"dependencies":{"left":"1.0.0"}}`, "nodejs/node_modules/left/mine.js": ""})
	found := files(t, pack(t, builder(t), Source{Name: "shared", Folder: folder, Layer: true}))
	_, installed := found["nodejs/node_modules/left/index.js"]
	if _, own := found["nodejs/node_modules/left/mine.js"]; own || !installed {
		t.Errorf("it has %q", namesOf(found))
	}
}

func TestOwnPackagesAreTakenWithoutAList(t *testing.T) {
	t.Parallel()
	folder := write(t, map[string]string{"index.js": "", "node_modules/left/index.js": "1", "node_modules/.bin/left": ""})
	if got := namesOf(files(t, pack(t, builder(t), nodeSource(folder)))); !slices.Equal(got, []string{"index.js", "node_modules/left/index.js"}) {
		t.Errorf("it has %q", got)
	}
	must(t, os.MkdirAll(filepath.Join(folder, "node_modules", ".pnpm", "right@1"), 0o755))
	if _, err := builder(t).Build(t.Context(), nodeSource(folder), nil); err == nil || !strings.Contains(err.Error(), "links into .pnpm") {
		t.Errorf("the error is %v", err)
	}
}

func TestPackagesOfPythonAreInstalled(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	depth.WithoutRace(t)
	needsPip(t)
	// The second package has a program and a part in machine code.
	texts := map[string]string{"index.py": "import left", "requirements.txt": "left==1.0\nmachine==2.0\n", "machine/part.py": "mine"}
	first := pack(t, builder(t), python(write(t, texts)))
	found := files(t, first)
	if depth.Rounds(0, 1, 1) == 1 {
		second := pack(t, builder(t), python(write(t, texts)))
		other := files(t, second)
		for name := range found {
			if found[name] != other[name] || first.SHA256 != second.SHA256 {
				t.Errorf("two installations differ, perhaps in %s", name)
			}
		}
	}
	want := []string{
		"index.py", "left-1.0.dist-info/INSTALLER", "left-1.0.dist-info/METADATA", "left-1.0.dist-info/RECORD", "left-1.0.dist-info/REQUESTED", "left-1.0.dist-info/WHEEL",
		"left.py", "machine-2.0.dist-info/INSTALLER", "machine-2.0.dist-info/METADATA", "machine-2.0.dist-info/RECORD", "machine-2.0.dist-info/REQUESTED",
		"machine-2.0.dist-info/WHEEL", "machine-2.0.dist-info/entry_points.txt", "machine/__init__.py", "machine/part.cpython-313-x86_64-linux-gnu.so",
		"machine/part.py", "requirements.txt",
	}
	if got := namesOf(found); !slices.Equal(got, want) {
		t.Errorf("it has %q,\nwant %q", got, want)
	}
	if record := found["machine-2.0.dist-info/RECORD"]; found["machine/part.py"] != "mine" || strings.Contains(record, "bin/") || strings.Contains(record, ".pyc") || strings.Count(record, "\n") != 9 {
		t.Errorf("a package comes before the source, or lists what it lost:\n%s", record)
	}
	_, err := builder(t).Build(t.Context(), python(write(t, map[string]string{"index.py": "", "requirements.txt": "left==99\n"})), nil)
	if err == nil || !strings.Contains(err.Error(), "pip install failed: ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("the error is %v", err)
	}
}

func python(folder string) Source {
	return Source{Name: "items", Folder: folder, Runtime: model.Python}
}

func TestAProgramOfGoIsBuiltForLambda(t *testing.T) {
	t.Parallel()
	depth.Needs(t, "go")
	texts := map[string]string{
		"go.mod": "module example.com/f\n\ngo 1.21\n", "main.go": "package main\n\nimport (\n\t_ \"embed\"\n\t_ \"net\"\n)\n\n//go:embed data/a.txt\nvar a string\n\nfunc main() { println(a) }\n",
		"data/a.txt": "1", "testdata/x": "", "main_test.go": "package main\n", "bootstrap": "of another build",
	}
	source := func() Source { return Source{Name: "items", Folder: write(t, texts), Runtime: model.Go} }
	first, second := pack(t, builder(t), source()), pack(t, builder(t), source())
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
	t.Parallel()
	depth.Needs(t, "go")
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
		sums = append(sums, pack(t, b, s).SHA256)
	}
	if sums[0] == sums[1] {
		t.Error("a changed package in a folder beside the source is not seen")
	}
}

func TestTheEndOfTheContextEndsAnInstallation(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	depth.Needs(t, "node", "npm")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	b := builder(t)
	s := nodeSource(write(t, map[string]string{"index.js": "", "package.json": `{"dependencies":{"right":"3.0.0"}}`}))
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
	if _, ok := files(t, pack(t, b, s))["node_modules/right/index.js"]; !ok {
		t.Error("the next build lacks the packages")
	}
}

func TestAMissingNetworkIsSaid(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	depth.Needs(t, "node", "npm")
	s := nodeSource(write(t, map[string]string{"index.js": "", ".npmrc": "@gone:registry=http://127.0.0.1:9/\n", "package.json": `{"dependencies":{"@gone/left":"3.0.0"}}`}))
	_, err := builder(t).Build(t.Context(), s, nil)
	if err == nil || !strings.Contains(err.Error(), "no package registry is reachable") {
		t.Errorf("the error is %v", err)
	}
}

func TestAMissingToolIsSaid(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for runtime, want := range map[model.Runtime]string{model.NodeJS: "install Node.js with npm", model.Python: "install Python 3 with pip", model.Go: "install Go"} {
		s := Source{Name: "items", Folder: write(t, map[string]string{"package.json": `{"dependencies":{"right":"3.0.0"}}`, "requirements.txt": "left"}), Runtime: runtime}
		if _, err := builder(t).Build(t.Context(), s, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v", runtime, err)
		}
	}
}
