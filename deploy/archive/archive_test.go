package archive

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/model"
	"gatewright/sandbox/prepare"
	"gatewright/test/depth"
	"gatewright/test/registry"
	"gatewright/test/symlink"
)

// builder returns a Builder with a cache of its own, in which it finds nothing.
func builder(t *testing.T) *Builder {
	t.Helper()
	return New(filepath.Join(t.TempDir(), "cache"))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestMain has the tests install from a registry on loopback.
func TestMain(m *testing.M) { os.Exit(registry.Main(m)) }

// needsPip skips a test if there is no Python with pip.
func needsPip(t *testing.T) {
	t.Helper()
	depth.Needs(t, "python3")
	if err := exec.Command("python3", "-m", "pip", "--version").Run(); err != nil {
		depth.Lacks(t, "pip", err)
	}
}

// write writes the files of a source into a new folder named src, and returns it.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "src")
	must(t, os.Mkdir(folder, 0o755))
	for name, text := range files {
		file := filepath.Join(folder, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, []byte(text), 0o644))
	}
	return folder
}

func nodeSource(folder string) Source {
	return Source{Name: "items", Folder: folder, Runtime: model.NodeJS}
}

// pack makes an archive.
func pack(t *testing.T, b *Builder, s Source) Archive {
	t.Helper()
	made, err := b.Build(t.Context(), s, nil)
	must(t, err)
	return made
}

// files reads an archive, and checks what is true of all: order, times, modes, no folders.
func files(t *testing.T, a Archive) map[string]string {
	t.Helper()
	r, err := zip.OpenReader(a.File)
	must(t, err)
	defer func() { must(t, r.Close()) }()
	info, err := os.Stat(a.File)
	must(t, err)
	if info.Size() != a.Size || !strings.HasSuffix(a.File, a.SHA256+".zip") {
		t.Errorf("%+v has %d bytes", a, info.Size())
	}
	found := make(map[string]string)
	var names []string
	for _, file := range r.File {
		if !file.Modified.Equal(time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)) || file.ModifiedDate != 1<<5|1 || file.ModifiedTime != 0 {
			t.Errorf("%s has the time %v", file.Name, file.Modified)
		}
		if mode := file.Mode(); mode != 0o644 && mode != 0o755 {
			t.Errorf("%s has the mode %v", file.Name, mode)
		}
		content, err := file.Open()
		must(t, err)
		text, err := io.ReadAll(content)
		must(t, err)
		found[file.Name] = string(text)
		names = append(names, file.Name)
	}
	if !slices.IsSorted(names) {
		t.Errorf("the names are not sorted: %q", names)
	}
	return found
}

func namesOf(found map[string]string) []string {
	names := make([]string, 0, len(found))
	for name := range found {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func modeOf(t *testing.T, a Archive, name string) os.FileMode {
	t.Helper()
	r, err := zip.OpenReader(a.File)
	must(t, err)
	defer func() { must(t, r.Close()) }()
	for _, file := range r.File {
		if file.Name == name {
			return file.Mode()
		}
	}
	t.Fatalf("%s is not in the archive", name)
	return 0
}

func TestAnArchiveHasTheFilesOfTheSource(t *testing.T) {
	t.Parallel()
	folder := write(t, map[string]string{
		"index.js": "1", "lib/b.js": "2", "lib/a/c.json": "{}", "run.sh": "#!/bin/sh\n", "ä ö.txt": "3",
		"node_modules/left/index.js": "", "package.json": "{}", ".git/HEAD": "", "lib/__pycache__/x.pyc": "", ".npmrc": "token", "empty": "",
	})
	must(t, os.Mkdir(filepath.Join(folder, "none"), 0o755))
	must(t, os.Chmod(filepath.Join(folder, "run.sh"), 0o700))
	made := pack(t, builder(t), nodeSource(folder))
	want := []string{"empty", "index.js", "lib/a/c.json", "lib/b.js", "package.json", "run.sh", "ä ö.txt"}
	found := files(t, made)
	if got := namesOf(found); !slices.Equal(got, want) || found["lib/b.js"] != "2" {
		t.Errorf("it has %q", found)
	}
	if run, index := modeOf(t, made, "run.sh"), modeOf(t, made, "index.js"); run != 0o755 || index != 0o644 {
		t.Errorf("the modes are %v and %v", run, index)
	}
}

func TestTheSameSourceHasTheSameBytes(t *testing.T) {
	t.Parallel()
	texts := map[string]string{"index.js": "exports.handler = async () => 1\n", "lib/a.js": strings.Repeat("text ", 5000)}
	first, second := write(t, texts), write(t, texts)
	long := time.Now().Add(-1000 * time.Hour)
	for name := range texts {
		must(t, os.Chmod(filepath.Join(second, name), 0o600))
		must(t, os.Chtimes(filepath.Join(second, name), long, long))
	}
	a, b := pack(t, builder(t), nodeSource(first)), pack(t, builder(t), nodeSource(second))
	one, err := os.ReadFile(a.File)
	must(t, err)
	two, err := os.ReadFile(b.File)
	must(t, err)
	if string(one) != string(two) || a.SHA256 != b.SHA256 {
		t.Errorf("they are %+v and %+v", a, b)
	}
	must(t, os.WriteFile(filepath.Join(second, "lib/a.js"), []byte("other"), 0o600))
	if c := pack(t, builder(t), nodeSource(second)); c.SHA256 == a.SHA256 {
		t.Error("another source has the same archive")
	}
}

func TestAnUnchangedSourceIsNotArchivedAgain(t *testing.T) {
	t.Parallel()
	b, folder := builder(t), write(t, map[string]string{"index.js": "1"})
	made := pack(t, b, nodeSource(folder))
	before, err := os.Stat(made.File)
	must(t, err)
	if again := pack(t, b, nodeSource(folder)); again != made {
		t.Errorf("it is %+v, then %+v", made, again)
	}
	after, err := os.Stat(made.File)
	must(t, err)
	if !os.SameFile(before, after) {
		t.Error("the file was written again")
	}
	must(t, os.WriteFile(made.File, []byte("damaged"), 0o600))
	if again := pack(t, b, nodeSource(folder)); again != made || len(files(t, again)) != 1 {
		t.Errorf("a damaged archive is used: %+v", again)
	}
	must(t, os.Chmod(filepath.Join(folder, "index.js"), 0o755))
	if again := pack(t, b, nodeSource(folder)); runtime.GOOS != "windows" && again == made {
		t.Error("a file became executable, and the archive is the same")
	}
	entries, err := os.ReadDir(b.folder())
	must(t, err)
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), prepare.Unfinished) {
			t.Errorf("%s is left over", entry.Name())
		}
	}
}

func TestArchivesThatNobodyUsesAreRemoved(t *testing.T) {
	t.Parallel()
	b, folder := builder(t), write(t, map[string]string{"index.js": "1"})
	old := pack(t, b, nodeSource(folder))
	killed := filepath.Join(b.folder(), prepare.Unfinished+"1")
	must(t, os.Mkdir(killed, 0o700))
	for _, name := range []string{old.File, killed} {
		must(t, os.Chtimes(name, time.Now(), time.Now().Add(-61*24*time.Hour)))
	}
	must(t, os.WriteFile(filepath.Join(folder, "index.js"), []byte("2"), 0o600))
	kept := pack(t, New(b.cache), nodeSource(folder))
	exists := func(name string) bool { _, err := os.Stat(name); return err == nil }
	if exists(old.File) || exists(killed) || !exists(kept.File) {
		t.Error("what nobody used is still there")
	}
}

func TestLinksAreFollowedWithinTheSource(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, link, to, problem string }{
		{"to a file", "b.js", "lib/a.js", ""},
		{"to a folder", "other", "lib", ""},
		{"out", "lib/out.js", "../../outside.js", `the link lib/out.js leads out of the project`},
		{"absolute, out", "out", os.TempDir(), `the link out leads out of the project`},
		{"broken", "gone.js", "nowhere.js", `the link gone.js leads nowhere`},
		{"to itself", "loop", "loop", `the link loop leads nowhere`},
		{"to the folder that it is in", "lib/up", "..", `the link lib/up leads to a folder that it is in`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			folder := write(t, map[string]string{"index.js": "", "lib/a.js": "a"})
			must(t, os.WriteFile(filepath.Join(filepath.Dir(folder), "outside.js"), nil, 0o600))
			symlink.Make(t, test.to, filepath.Join(folder, test.link))
			made, err := builder(t).Build(t.Context(), nodeSource(folder), nil)
			if test.problem != "" {
				if err == nil || !strings.Contains(err.Error(), "function items: "+test.problem) {
					t.Errorf("the error is %v", err)
				}
				return
			}
			must(t, err)
			found := files(t, made)
			if found["b.js"]+found["other/a.js"] != "a" {
				t.Errorf("it has %q", found)
			}
		})
	}
}

func TestTooManyBytesAreRefused(t *testing.T) {
	t.Parallel()
	b := builder(t)
	b.most = 100
	folder := write(t, map[string]string{"index.js": strings.Repeat("a", 40), "data/big.bin": strings.Repeat("a", 60)})
	pack(t, b, nodeSource(folder))
	must(t, os.WriteFile(filepath.Join(folder, "more"), []byte("1"), 0o600))
	_, err := b.Build(t.Context(), nodeSource(folder), nil)
	if _, ok := errors.AsType[*model.Problem](err); !ok || !strings.Contains(err.Error(), "101 bytes") || !strings.Contains(err.Error(), "at most 100 ") || !strings.Contains(err.Error(), "data/big.bin") {
		t.Errorf("the error is %v", err)
	}
}

func TestASourceMustHaveFiles(t *testing.T) {
	t.Parallel()
	for folder, want := range map[string]string{
		write(t, nil): "has no files", filepath.Join(t.TempDir(), "missing"): "cannot be read",
	} {
		for _, runtime := range model.Languages {
			if runtime == model.Go && want == "has no files" {
				continue
			}
			if _, err := builder(t).Build(t.Context(), Source{Name: "f", Folder: folder, Runtime: runtime}, nil); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error is %v", runtime, err)
			}
		}
	}
}

func TestManyAreMadeSideBySide(t *testing.T) {
	t.Parallel()
	var sources []Source
	for n := range 20 {
		s := nodeSource(write(t, map[string]string{"index.js": strings.Repeat("x", n)}))
		s.Name = "f" + string(rune('a'+n))
		sources = append(sources, s)
	}
	telling, done := false, 0
	b := builder(t)
	archives, err := b.BuildAll(t.Context(), sources, func(p Progress) {
		if telling {
			t.Error("two are told at once")
		}
		telling = true
		if p.Done {
			done++
		}
		telling = false
	})
	must(t, err)
	for n, a := range archives {
		if got := files(t, a)["index.js"]; len(got) != n {
			t.Errorf("archive %d has %q", n, got)
		}
	}
	if done != len(sources) {
		t.Errorf("%d are told to be done", done)
	}
	must(t, os.RemoveAll(sources[7].Folder))
	if _, err := b.BuildAll(t.Context(), sources, nil); err == nil || !strings.Contains(err.Error(), "function fh:") {
		t.Errorf("the error is %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.BuildAll(ctx, sources, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestALayerIsArchivedAsItIs(t *testing.T) {
	t.Parallel()
	folder := write(t, map[string]string{
		"nodejs/node_modules/left/index.js": "", "nodejs/node_modules/left/node_modules/right/index.js": "", "nodejs/node_modules/.package-lock.json": "{}",
		"python/left.py": "", "python/__pycache__/left.pyc": "", "bin/tool": "", "shared/data.json": "",
	})
	made := pack(t, builder(t), Source{Name: "shared", Folder: folder, Layer: true})
	want := []string{"bin/tool", "nodejs/node_modules/left/index.js", "nodejs/node_modules/left/node_modules/right/index.js", "python/left.py", "shared/data.json"}
	if got := namesOf(files(t, made)); !slices.Equal(got, want) {
		t.Errorf("it has %q", got)
	}
	_, err := builder(t).Build(t.Context(), Source{Name: "shared", Folder: write(t, nil), Layer: true}, nil)
	if err == nil || !strings.HasPrefix(err.Error(), "layer shared: ") {
		t.Errorf("the error is %v", err)
	}
}

// run runs a program in a folder and returns its output.
func run(t *testing.T, folder, program string, arguments ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, arguments...)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	return string(out), err
}
