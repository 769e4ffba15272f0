// Package registry is an npm registry of the packages in a folder, to try them before they
// are published. It only reads: nothing can be published to it.
package registry

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Registry answers the requests of package managers.
type Registry struct {
	// packages has the descriptions of the versions of each package, by name and version.
	packages map[string]map[string]map[string]any
	// latest has the version of each package that was read last.
	latest map[string]string
	// times has the time of each name and version. Some package managers do not install what is
	// younger than a few days.
	times map[string]time.Time
	// tarballs has the packed packages by the names of their files.
	tarballs map[string][]byte

	mu        sync.Mutex
	delivered []string
}

// New returns a registry of the packages (*.tgz) in a folder.
func New(dir string) (*Registry, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: there are no npm packages (*.tgz)", dir)
	}
	r := &Registry{
		packages: make(map[string]map[string]map[string]any),
		latest:   make(map[string]string),
		times:    make(map[string]time.Time),
		tarballs: make(map[string][]byte),
	}
	for _, name := range names {
		if err := r.add(name); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return r, nil
}

// add adds a package.
func (r *Registry) add(name string) error {
	packed, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	manifest, packedAt, err := manifestOf(packed)
	if err != nil {
		return err
	}
	called, _ := manifest["name"].(string)
	version, _ := manifest["version"].(string)
	if called == "" || version == "" {
		return errors.New("package.json has no name or no version")
	}
	file := filepath.Base(name)
	long, short := sha512.Sum512(packed), sha1.Sum(packed)
	manifest["_id"] = called + "@" + version
	manifest["dist"] = map[string]any{
		"tarball":   called + "/-/" + file,
		"integrity": "sha512-" + base64.StdEncoding.EncodeToString(long[:]),
		"shasum":    hex.EncodeToString(short[:]),
	}
	if r.packages[called] == nil {
		r.packages[called] = make(map[string]map[string]any)
	}
	r.packages[called][version], r.latest[called], r.tarballs[file] = manifest, version, packed
	r.times[called+"@"+version] = packedAt
	return nil
}

// manifestOf returns the package.json of a packed package, and its time.
func manifestOf(packed []byte) (map[string]any, time.Time, error) {
	plain, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, time.Time{}, err
	}
	for files := tar.NewReader(plain); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil, time.Time{}, errors.New("there is no package.json")
		}
		if err != nil {
			return nil, time.Time{}, err
		}
		if header.Name == "package/package.json" {
			var manifest map[string]any
			err := json.NewDecoder(files).Decode(&manifest)
			return manifest, header.ModTime, err
		}
	}
}

// Delivered returns the names of the files that were delivered, sorted, each once.
func (r *Registry) Delivered() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Compact(slices.Sorted(slices.Values(r.delivered)))
}

// Forget makes Delivered begin anew.
func (r *Registry) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.delivered = nil
}

// ServeHTTP answers with the description of a package, or with a packed package.
func (r *Registry) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	wanted, err := url.PathUnescape(strings.TrimPrefix(request.URL.EscapedPath(), "/"))
	if err != nil || request.Method != http.MethodGet && request.Method != http.MethodHead {
		http.NotFound(w, request)
		return
	}
	if _, file, ok := strings.Cut(wanted, "/-/"); ok {
		r.deliver(w, request, file)
		return
	}
	versions, ok := r.packages[wanted]
	if !ok {
		http.NotFound(w, request)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(r.describe(wanted, versions, "http://"+request.Host+"/"))
}

// describe returns the description of a package, with the places of its files under an address.
func (r *Registry) describe(name string, versions map[string]map[string]any, address string) map[string]any {
	described, times := make(map[string]any), make(map[string]time.Time)
	for version, manifest := range versions {
		here, dist := make(map[string]any), make(map[string]any)
		for k, v := range manifest {
			here[k] = v
		}
		for k, v := range manifest["dist"].(map[string]any) {
			dist[k] = v
		}
		dist["tarball"] = address + dist["tarball"].(string)
		here["dist"] = dist
		described[version], times[version] = here, r.times[name+"@"+version]
	}
	return map[string]any{
		"_id": name, "name": name, "versions": described, "time": times,
		"dist-tags": map[string]string{"latest": r.latest[name]},
	}
}

func (r *Registry) deliver(w http.ResponseWriter, request *http.Request, file string) {
	packed, ok := r.tarballs[file]
	if !ok {
		http.NotFound(w, request)
		return
	}
	r.mu.Lock()
	r.delivered = append(r.delivered, file)
	r.mu.Unlock()
	w.Header().Set("Content-Type", "application/octet-stream")
	_, _ = w.Write(packed)
}
