package registry_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatewright/tools/release/npm"
	"gatewright/tools/release/npm/registry"
)

// serve serves a release with a scope, and returns the address.
func serve(t *testing.T) (address string, packages *registry.Registry) {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	if err := os.WriteFile(program, []byte("a program"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := npm.Write(dir, npm.Release{
		Version: "1.2.3", Scope: "@example", License: "MIT License", Epoch: time.Unix(1_700_000_000, 0),
		Programs: map[string]string{"linux/amd64": program},
	})
	if err != nil {
		t.Fatal(err)
	}
	packages, err = registry.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(packages)
	t.Cleanup(server.Close)
	return server.URL, packages
}

// get returns the status of an answer, and the answer if it is JSON.
func get(t *testing.T, address string) (status int, answer map[string]any) {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if strings.HasPrefix(response.Header.Get("Content-Type"), "application/json") {
		if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
			t.Fatal(err)
		}
	}
	return response.StatusCode, answer
}

func TestADescriptionLeadsToThePackage(t *testing.T) {
	address, packages := serve(t)
	for _, path := range []string{"/@example%2fgatewright", "/@example/gatewright"} {
		status, answer := get(t, address+path)
		if status != http.StatusOK {
			t.Fatalf("%s: the status is %d", path, status)
		}
		version := answer["versions"].(map[string]any)["1.2.3"].(map[string]any)
		dist := version["dist"].(map[string]any)
		if status, _ := get(t, dist["tarball"].(string)); status != http.StatusOK || !strings.HasPrefix(dist["integrity"].(string), "sha512-") {
			t.Errorf("%s: the package is described by %v, and getting it has the status %d", path, dist, status)
		}
		if answer["dist-tags"].(map[string]any)["latest"] != "1.2.3" || answer["time"].(map[string]any)["1.2.3"] != "2023-11-14T22:13:20Z" {
			t.Errorf("%s: the answer is %v", path, answer)
		}
	}
	if got := packages.Delivered(); len(got) != 1 || got[0] != "example-gatewright-1.2.3.tgz" {
		t.Errorf("delivered were %v", got)
	}
}

func TestOnlyPackagesAreServed(t *testing.T) {
	address, _ := serve(t)
	for _, path := range []string{"/", "/express", "/program", "/@example%2fgatewright/-/program", "/@example%2fgatewright/-/..%2fprogram", "/%2e%2e/-/program"} {
		if status, _ := get(t, address+path); status != http.StatusNotFound {
			t.Errorf("%s: the status is %d", path, status)
		}
	}
}

func TestAFolderWithoutPackagesIsRefused(t *testing.T) {
	if _, err := registry.New(t.TempDir()); err == nil || !strings.Contains(err.Error(), "no npm packages") {
		t.Errorf("the error is %v", err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "broken.tgz"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := registry.New(dir); err == nil || !strings.Contains(err.Error(), "broken.tgz") {
		t.Errorf("the error is %v", err)
	}
}
