// Package registry is a registry of packages on loopback. It speaks the protocols of npm, which
// yarn and pnpm speak too, and of the Python Package Index. It only reads: nothing can be
// published to it.
//
// Tests that install something call [Start], and give the environment that it has to the program or
// the client. Then no client leaves this machine: the registry is its proxy too, refuses what goes
// elsewhere, and fails the test.
package registry

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"deps.dev/util/semver"
)

// released is the time of packages that have none of their own. Some package managers do not
// install what is younger than a few days.
var released = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

// Registry answers the requests of package managers.
type Registry struct {
	// node and python have the versions of each package, the lowest first, by its name.
	node, python map[string][]Package
	// files has the packed packages by their paths.
	files map[string]Package

	mu                              sync.Mutex
	delivered, requested, elsewhere []string
}

// New returns a registry of packages.
func New(packages ...Package) (*Registry, error) {
	r := &Registry{node: make(map[string][]Package), python: make(map[string][]Package), files: make(map[string]Package)}
	for _, p := range packages {
		if p.err != nil {
			return nil, fmt.Errorf("%s %s: %w", p.name, p.version, p.err)
		}
		if r.files[p.path()].packed != nil {
			return nil, fmt.Errorf("%s is there twice", p.path())
		}
		r.files[p.path()] = p
		index := r.node
		if p.python {
			index = r.python
		}
		index[p.index()] = append(index[p.index()], p)
	}
	for _, index := range []map[string][]Package{r.node, r.python} {
		for _, versions := range index {
			slices.SortStableFunc(versions, func(a, b Package) int { return compare(a.version, b.version) })
		}
	}
	return r, nil
}

// Folder returns the npm packages (*.tgz) in a folder.
func Folder(dir string) ([]Package, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: there are no npm packages (*.tgz)", dir)
	}
	var all []Package
	for _, name := range names {
		packed, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		p := packedNode(filepath.Base(name), packed)
		if p.err != nil {
			return nil, fmt.Errorf("%s: %w", name, p.err)
		}
		all = append(all, p)
	}
	return all, nil
}

// compare compares versions by the rules of semantic versioning; others come as their text does.
func compare(a, b string) int {
	x, err := semver.NPM.Parse(a)
	y, other := semver.NPM.Parse(b)
	if err != nil || other != nil {
		return strings.Compare(a, b)
	}
	return x.Compare(y)
}

// Delivered returns the names of the files of packages that were delivered, in that order.
func (r *Registry) Delivered() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.delivered)
}

// Requested returns the methods and paths of all requests, such as "GET /left".
func (r *Registry) Requested() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.requested)
}

// Elsewhere returns the requests with which clients tried to reach other servers.
func (r *Registry) Elsewhere() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.elsewhere)
}

// Forget makes Delivered, Requested and Elsewhere begin anew.
func (r *Registry) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.delivered, r.requested, r.elsewhere = nil, nil, nil
}

// ServeHTTP answers with the description of a package, with a packed package, or with 404. A
// request for another server, as a proxy gets it, is refused.
func (r *Registry) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	line := request.Method + " " + request.RequestURI
	proxied := request.Method == http.MethodConnect || request.URL.IsAbs()
	r.mu.Lock()
	if proxied {
		r.elsewhere = append(r.elsewhere, line)
	} else {
		r.requested = append(r.requested, line)
	}
	r.mu.Unlock()
	switch path := strings.TrimPrefix(request.URL.Path, "/"); {
	case proxied:
		http.Error(w, "this registry leads nowhere else", http.StatusForbidden)
	case request.Method != http.MethodGet && request.Method != http.MethodHead:
		missing(w)
	case path == "simple" || strings.HasPrefix(path, "simple/"):
		r.servePython(w, request, strings.TrimPrefix(strings.TrimPrefix(path, "simple"), "/"))
	case r.files[strings.TrimSuffix(path, metadataSuffix)].packed != nil:
		r.deliver(w, request, path)
	default:
		r.serveNode(w, request, path)
	}
}

// metadataSuffix is what the address of a wheel's metadata has more than the wheel's
// (https://peps.python.org/pep-0658/).
const metadataSuffix = ".metadata"

// deliver answers with a packed package, or with the metadata of a wheel.
func (r *Registry) deliver(w http.ResponseWriter, request *http.Request, path string) {
	if p, isFile := r.files[path]; isFile {
		if request.Method == http.MethodGet {
			r.mu.Lock()
			r.delivered = append(r.delivered, p.file)
			r.mu.Unlock()
		}
		answer(w, request, "application/octet-stream", p.packed)
		return
	}
	p := r.files[strings.TrimSuffix(path, metadataSuffix)]
	if p.metadata == nil {
		missing(w)
		return
	}
	answer(w, request, "application/octet-stream", p.metadata)
}

// missing answers as npm's registry does.
func missing(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write([]byte(`{"error":"Not found"}`))
}

// answer answers with a body, or without it if the client has it already.
func answer(w http.ResponseWriter, request *http.Request, kind string, body []byte) {
	tag := `"` + sum256(body)[:32] + `"`
	w.Header().Set("ETag", tag)
	w.Header().Set("Vary", "Accept")
	if request.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	if request.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
}
