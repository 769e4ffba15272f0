package prepare

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/prepare/preparetest"
)

// preparing is a preparer with a function in dev, and its events.
type preparing struct {
	*Preparer
	spec function.Spec
	logs *logs.Store

	mu     sync.Mutex
	events []function.Event
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
	p := &preparing{spec: function.Spec{Environment: "dev", Name: "items", Runtime: runtime, Folder: t.TempDir()}, logs: store}
	p.Preparer = NewPreparer(t.TempDir(), "", func(e function.Event) {
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
	preparetest.WriteFiles(t, filepath.Join(p.spec.Folder, "src"), files)
}

func (p *preparing) ready(t testing.TB) Prepared {
	t.Helper()
	ready, err := p.Prepare(t.Context(), p.spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return ready
}

// refused checks that preparing fails with a one-line error that has all of the words.
func (p *preparing) refused(t testing.TB, kind function.ErrorKind, words ...string) {
	t.Helper()
	_, err := p.Prepare(t.Context(), p.spec, nil)
	e, ok := err.(*function.Error)
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
	p.events = slices.DeleteFunc(p.events, func(e function.Event) bool {
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

// findPackage returns the version of a package that is installed in a folder.
func findPackage(folder, name string) (version string, ok bool) {
	text, err := os.ReadFile(filepath.Join(folder, "node_modules", filepath.FromSlash(name), "package.json"))
	var m manifest
	ok = err == nil && json.Unmarshal(text, &m) == nil
	return m.Version, ok
}

// packages returns the versions of packages that are installed for the function or a layer.
func (r Prepared) packages(t testing.TB, names ...string) string {
	t.Helper()
	var versions []string
	for _, name := range names {
		folders := []string{}
		if r.Lookup.Modules != "" {
			folders = append(folders, filepath.Dir(r.Lookup.Modules))
		}
		if r.Opt != "" {
			folders = append(folders, filepath.Join(r.Opt, "nodejs"))
		}
		for _, folder := range folders {
			if version, ok := findPackage(folder, name); ok {
				versions = append(versions, version)
			}
		}
	}
	return strings.Join(versions, " ")
}

// run runs a program in the prepared folder and returns its output.
func (r Prepared) run(t testing.TB, command ...string) string {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Env = r.Dir, append(os.Environ(), r.Env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v: %s", command, err, out)
	}
	return strings.TrimSpace(string(out))
}
