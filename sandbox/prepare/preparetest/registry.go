package preparetest

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
	"slices"
	"strings"
	"sync"
	"testing"

	"gatewright/test/depth"
)

// Registry is a package registry on this machine, for npm or for what stands for it.
type Registry struct {
	*httptest.Server
	// packages are versions by name.
	packages map[string][]string

	mu   sync.Mutex
	seen []string
}

// NewRegistry starts a registry with versions of packages by their names.
func NewRegistry(t testing.TB, packages map[string][]string) *Registry {
	t.Helper()
	depth.Needs(t, "npm")
	r := &Registry{packages: packages}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

// Npmrc returns a .npmrc with the registry.
func (r *Registry) Npmrc() string { return "registry=" + r.URL + "\n" }

// Tarballs returns how many packages were downloaded.
func (r *Registry) Tarballs() int {
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

func (r *Registry) ServeHTTP(w http.ResponseWriter, request *http.Request) {
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
		described[version] = map[string]any{
			"name": name, "version": version, "hasInstallScript": true,
			"dist": map[string]string{
				"tarball":   r.URL + "/" + name + "/" + version + ".tgz",
				"integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:]),
			},
		}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{
		"name":      name,
		"dist-tags": map[string]string{"latest": versions[len(versions)-1]}, "versions": described,
	})
}

// tarball returns a package that exports its version. That of the name broken has a script that
// fails, and that of the name tells one that writes its variables. No other registry has
// the same bytes: npm's cache finds them by their hash.
func (r *Registry) tarball(name, version string) []byte {
	script := "exit 0"
	if name == "broken" {
		script = "exit 3"
	}
	if name == "tells" {
		script = "env > $npm_config_tells"
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
