package npm_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatewright/tools/release/npm"
)

// place is where a release has packages for: the systems and processors by the words of Go and of npm.
type place struct{ target, os, cpu, program string }

var places = []place{
	{"linux_amd64", "linux", "x64", "bin/gatewright"},
	{"linux_arm64", "linux", "arm64", "bin/gatewright"},
	{"darwin_amd64", "darwin", "x64", "bin/gatewright"},
	{"darwin_arm64", "darwin", "arm64", "bin/gatewright"},
	{"windows_amd64", "win32", "x64", "bin/gatewright.exe"},
	{"windows_arm64", "win32", "arm64", "bin/gatewright.exe"},
}

// release returns a release, and a small text as the program of each place.
func release() (npm.Release, map[string]string) {
	programs := make(map[string]string)
	for _, p := range places {
		programs[p.target] = "the program for " + p.target
	}
	return npm.Release{Version: "1.2.3"}, programs
}

// written packs a release as .goreleaser.yaml does, and returns the packages: by the words of Go for
// their places, and as main.
func written(t testing.TB, r npm.Release, programs map[string]string) map[string][]byte {
	t.Helper()
	dir := t.TempDir()
	if err := npm.Write(dir, r); err != nil {
		t.Fatal(err)
	}
	packages := make(map[string][]byte)
	for _, p := range append(places, place{target: "main"}) {
		files := map[string]string{
			"LICENSE": read(t, "../../../LICENSE"), "README.md": read(t, dir, p.target, "README.md"),
			"package.json": read(t, dir, p.target, "package.json"), "THIRD_PARTY_LICENSES": "licences of libraries",
		}
		if p.target == "main" {
			files["bin/gatewright.js"] = read(t, "launcher", "gatewright.js")
		} else {
			files[p.program] = programs[p.target]
		}
		packages[p.target] = tarball(t, files)
	}
	return packages
}

func read(t testing.TB, name ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(name...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// tarball packs the files of a package; what is in bin is executable. Some package managers do not
// install what is younger than a few days.
func tarball(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	archive := tar.NewWriter(zipped)
	for name, content := range files {
		header := &tar.Header{
			Name: "package/" + name, Size: int64(len(content)), Mode: 0o644, ModTime: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC),
		}
		if strings.HasPrefix(name, "bin/") {
			header.Mode = 0o755
		}
		if err := archive.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(archive, content); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(archive.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// entry is a file in a package.
type entry struct {
	header  *tar.Header
	content []byte
}

// unpack returns the files of a package by their names below package/.
func unpack(t testing.TB, packed []byte) map[string]entry {
	t.Helper()
	plain, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	entries := make(map[string]entry)
	for files := tar.NewReader(plain); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return entries
		}
		if err != nil {
			t.Fatal(err)
		}
		name, ok := strings.CutPrefix(header.Name, "package/")
		if !ok {
			t.Fatalf("%s is not below package/", header.Name)
		}
		content, err := io.ReadAll(files)
		if err != nil {
			t.Fatal(err)
		}
		entries[name] = entry{header, content}
	}
}

// manifest returns the package.json of a package.
func manifest(t testing.TB, entries map[string]entry) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(entries["package.json"].content, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTheSameReleaseGivesTheSameBytes(t *testing.T) {
	t.Parallel()
	r, _ := release()
	first, second := t.TempDir(), t.TempDir()
	if err := errors.Join(npm.Write(first, r), npm.Write(second, r)); err != nil {
		t.Fatal(err)
	}
	for _, p := range append(places, place{target: "main"}) {
		for _, name := range []string{"package.json", "README.md"} {
			if read(t, first, p.target, name) != read(t, second, p.target, name) {
				t.Errorf("%s of %s differs", name, p.target)
			}
		}
	}
}

func TestEachPlatformHasAPackageThatFitsIt(t *testing.T) {
	t.Parallel()
	for _, scope := range []string{"", "@example", "example"} {
		r, programs := release()
		r.Scope = scope
		packed := written(t, r, programs)
		prefix := "gatewright"
		if scope != "" {
			prefix = "@example/gatewright"
		}
		wanted := make(map[string]any)
		for _, p := range places {
			entries := unpack(t, packed[p.target])
			m := manifest(t, entries)
			wanted[fmt.Sprint(m["name"])] = "1.2.3"
			if m["name"] != prefix+"-"+p.os+"-"+p.cpu || m["version"] != "1.2.3" || m["license"] != "Apache-2.0" || m["preferUnplugged"] != true ||
				fmt.Sprint(m["os"], m["cpu"]) != fmt.Sprintf("[%s] [%s]", p.os, p.cpu) {
				t.Errorf("%s: package.json is %v", p.target, m)
			}
			if m["bin"] != nil || m["scripts"] != nil || m["dependencies"] != nil {
				t.Errorf("%s: package.json has a command, scripts or dependencies: %v", p.target, m)
			}
			if len(entries["README.md"].content) == 0 {
				t.Errorf("%s: the README is empty", p.target)
			}
		}
		entries := unpack(t, packed["main"])
		m := manifest(t, entries)
		if m["name"] != prefix || fmt.Sprint(m["optionalDependencies"]) != fmt.Sprint(wanted) || fmt.Sprint(m["bin"]) != "map[gatewright:bin/gatewright.js]" || m["scripts"] != nil {
			t.Errorf("package.json of the main package is %v", m)
		}
		if access := fmt.Sprint(m["publishConfig"]); (access == "map[access:public]") != (scope != "") {
			t.Errorf("scope %q: publishConfig is %s", scope, access)
		}
		if len(entries["README.md"].content) == 0 {
			t.Errorf("scope %q: the README is empty", scope)
		}
	}
}

func TestWrongReleasesAreRefused(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]npm.Release{
		"semantic version":    {Version: "1.2"},
		`version "v1.2.3"`:    {Version: "v1.2.3"},
		"npm drops":           {Version: "1.2.3+abc"},
		`version ""`:          {},
		`npm scope "@"`:       {Version: "1.2.3", Scope: "@"},
		`npm scope "Example"`: {Version: "1.2.3", Scope: "Example"},
		`npm scope "../a"`:    {Version: "1.2.3", Scope: "../a"},
		`npm scope "a/b"`:     {Version: "1.2.3", Scope: "a/b"},
		`npm scope "@@a"`:     {Version: "1.2.3", Scope: "@@a"},
	} {
		if err := npm.Write(t.TempDir(), r); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("the error is %v, want one line with %q", err, want)
		}
	}
}
