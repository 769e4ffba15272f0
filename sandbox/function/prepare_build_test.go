package function

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/logs"
	"gatewright/test/depth"
)

// preparing is a preparer with a function in dev, and its events.
type preparing struct {
	*preparer
	spec Spec
	logs *logs.Store

	mu     sync.Mutex
	events []Event
}

func newPreparing(t testing.TB, runtime model.Runtime, files map[string]string) *preparing {
	t.Helper()
	store, err := logs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	p := &preparing{spec: Spec{Environment: "dev", Name: "items", Runtime: runtime, Folder: t.TempDir()}, logs: store}
	p.preparer = newPreparer(t.TempDir(), "", func(e Event) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.events = append(p.events, e)
	}, store)
	p.write(t, files)
	return p
}

// write writes files of the source.
func (p *preparing) write(t testing.TB, files map[string]string) {
	t.Helper()
	writeFiles(t, filepath.Join(p.spec.Folder, "src"), files)
}

func writeFiles(t testing.TB, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func (p *preparing) ready(t testing.TB) prepared {
	t.Helper()
	ready, err := p.prepare(t.Context(), p.spec)
	if err != nil {
		t.Fatal(err)
	}
	return ready
}

// refused checks that preparing fails with a one-line error that has all of the words.
func (p *preparing) refused(t testing.TB, kind ErrorKind, words ...string) {
	t.Helper()
	_, err := p.prepare(t.Context(), p.spec)
	e, ok := err.(*Error)
	if !ok || e.Kind != kind || e.Fix == "" || e.Environment != "dev" || e.Function != "items" || strings.ContainsAny(e.Error(), "\n\x1b") {
		t.Fatalf("the error is %#v, want one of the kind %q", err, kind)
	}
	for _, word := range words {
		if !strings.Contains(e.Error(), word) {
			t.Errorf("the error %q lacks %q", e, word)
		}
	}
}

// eventTexts returns and removes the texts of the events of a kind.
func (p *preparing) eventTexts(kind string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var texts []string
	p.events = slices.DeleteFunc(p.events, func(e Event) bool {
		if e.Kind == kind {
			texts = append(texts, e.Text)
		}
		return e.Kind == kind
	})
	return texts
}

func (p *preparing) logged() string {
	var all strings.Builder
	for _, l := range p.logs.Read(logs.Query{Environment: "dev", Function: "items"}) {
		fmt.Fprintf(&all, "%s %s\n", l.Level, l.Text)
	}
	return all.String()
}

// packages returns the versions of packages that are installed for the function or a layer.
func (r prepared) packages(t testing.TB, names ...string) string {
	t.Helper()
	var versions []string
	for _, name := range names {
		for _, pair := range r.Lookup.Installed {
			if version, ok := findPackage(pair[1], name); ok {
				versions = append(versions, version)
			}
		}
	}
	return strings.Join(versions, " ")
}

// run runs a program in the prepared folder and returns its output.
func (r prepared) run(t testing.TB, command ...string) string {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Env = r.Dir, append(os.Environ(), r.Env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v: %s", command, err, out)
	}
	return strings.TrimSpace(string(out))
}

// without leaves only the named programs in PATH.
func without(t testing.TB, kept ...string) {
	t.Helper()
	if runtime.GOOS == "windows" && len(kept) > 0 {
		t.Skip("not tested: a program of Windows needs the files beside it, and npm lies beside node")
	}
	folder := t.TempDir()
	for _, name := range kept {
		if err := os.Symlink(needsProgram(t, name), filepath.Join(folder, name)); err != nil {
			t.Skipf("not tested: %v", err)
		}
	}
	t.Setenv("PATH", folder)
}

// registry is a package registry on this machine, for npm or for what stands for it.
type registry struct {
	*httptest.Server
	// packages are versions by name.
	packages map[string][]string

	mu   sync.Mutex
	seen []string
}

func newRegistry(t testing.TB, packages map[string][]string) *registry {
	t.Helper()
	depth.Needs(t, "npm")
	r := &registry{packages: packages}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

// npmrc returns a .npmrc with the registry.
func (r *registry) npmrc() string { return "registry=" + r.URL + "\n" }

// tarballs returns how many packages were downloaded.
func (r *registry) tarballs() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, path := range r.seen {
		if strings.HasSuffix(path, ".tgz") {
			n++
		}
	}
	return n
}

func (r *registry) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.mu.Lock()
	r.seen = append(r.seen, request.URL.Path)
	r.mu.Unlock()
	name, file, _ := strings.Cut(strings.TrimPrefix(request.URL.Path, "/"), "/")
	if strings.HasPrefix(name, "@") {
		within, rest, _ := strings.Cut(file, "/")
		name, file = name+"/"+within, rest
	}
	versions, ok := r.packages[name]
	if !ok {
		http.Error(w, `{"error":"not found"}`, http.StatusNotFound)
		return
	}
	if version, isFile := strings.CutSuffix(file, ".tgz"); isFile {
		if !slices.Contains(versions, version) {
			http.Error(w, `{"error":"not found"}`, http.StatusNotFound)
			return
		}
		_, _ = w.Write(r.tarball(name, version))
		return
	}
	described := make(map[string]any)
	for _, version := range versions {
		sum := sha512.Sum512(r.tarball(name, version))
		described[version] = map[string]any{"name": name, "version": version, "hasInstallScript": true, "dist": map[string]string{
			"tarball": r.URL + "/" + name + "/" + version + ".tgz", "integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:]),
		}}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"name": name, "dist-tags": map[string]string{"latest": versions[len(versions)-1]}, "versions": described})
}

// tarball returns a package that exports its version. That of the name broken has a script that
// fails. No other registry has the same bytes: npm's cache finds them by their hash.
func (r *registry) tarball(name, version string) []byte {
	script := "exit 0"
	if name == "broken" {
		script = "exit 3"
	}
	var data bytes.Buffer
	zipped := gzip.NewWriter(&data)
	archive := tar.NewWriter(zipped)
	for _, file := range [][2]string{
		{"package/package.json", fmt.Sprintf(`{"name":%q,"version":%q,"scripts":{"install":%q}}`, name, version, script)},
		{"package/index.js", fmt.Sprintf("module.exports = %q // of %s\n", version, r.URL)},
	} {
		_ = archive.WriteHeader(&tar.Header{Name: file[0], Mode: 0o644, Size: int64(len(file[1]))})
		_, _ = archive.Write([]byte(file[1]))
	}
	_ = archive.Close()
	_ = zipped.Close()
	return data.Bytes()
}
