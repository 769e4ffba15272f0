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
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/tools/release/npm"
)

// epoch is the time of the files of releases in tests.
var epoch = time.Date(2026, 11, 26, 3, 0, 1, 0, time.UTC)

// license is the text of the project's licence.
func license(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("../../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// release returns a release with a small file as the program of each of six platforms.
func release(t *testing.T) npm.Release {
	t.Helper()
	r := npm.Release{Version: "1.2.3", License: license(t), Epoch: epoch, Programs: make(map[string]string)}
	dir := t.TempDir()
	for _, target := range []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"} {
		r.Programs[target] = filepath.Join(dir, strings.ReplaceAll(target, "/", "-"))
		if err := os.WriteFile(r.Programs[target], []byte("the program for "+target), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// write writes a release, and returns the contents of its files.
func write(t *testing.T, r npm.Release) (names []string, packed map[string][]byte) {
	t.Helper()
	dir := t.TempDir()
	names, err := npm.Write(dir, r)
	if err != nil {
		t.Fatal(err)
	}
	packed = make(map[string][]byte)
	for _, name := range names {
		if packed[name], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return names, packed
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
	r := release(t)
	names, first := write(t, r)
	for _, path := range r.Programs {
		if err := os.Chtimes(path, epoch.Add(time.Hour), epoch.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	_, second := write(t, r)
	for _, name := range names {
		if !bytes.Equal(first[name], second[name]) {
			t.Errorf("%s differs", name)
		}
		for inside, e := range unpack(t, first[name]) {
			if !e.header.ModTime.Equal(epoch) || e.header.Uid != 0 || e.header.Uname != "" {
				t.Errorf("%s: %s has the time %v and the owner %d %q", name, inside, e.header.ModTime, e.header.Uid, e.header.Uname)
			}
		}
	}
	r.Epoch = epoch.Add(time.Second)
	if _, third := write(t, r); bytes.Equal(first[names[0]], third[names[0]]) {
		t.Error("the time is not in the packages")
	}
}

func TestTheMainPackageComesLast(t *testing.T) {
	t.Parallel()
	r := release(t)
	for scope, want := range map[string]string{"": "gatewright-1.2.3.tgz", "@example": "example-gatewright-1.2.3.tgz", "example": "example-gatewright-1.2.3.tgz"} {
		r.Scope = scope
		names, _ := write(t, r)
		if len(names) != 7 || names[6] != want {
			t.Errorf("scope %q: the files are %v, want %s last", scope, names, want)
		}
	}
}

func TestEachPlatformHasAPackageThatFitsIt(t *testing.T) {
	t.Parallel()
	for _, scope := range []string{"", "@example"} {
		r := release(t)
		r.Scope, r.Notices = scope, "licences of libraries"
		_, packed := write(t, r)
		prefix, file := "gatewright", "gatewright"
		if scope != "" {
			prefix, file = "@example/gatewright", "example-gatewright"
		}
		wanted := make(map[string]any)
		for _, p := range []struct{ target, os, cpu, program string }{
			{"linux/amd64", "linux", "x64", "bin/gatewright"},
			{"linux/arm64", "linux", "arm64", "bin/gatewright"},
			{"darwin/amd64", "darwin", "x64", "bin/gatewright"},
			{"darwin/arm64", "darwin", "arm64", "bin/gatewright"},
			{"windows/amd64", "win32", "x64", "bin/gatewright.exe"},
			{"windows/arm64", "win32", "arm64", "bin/gatewright.exe"},
		} {
			entries := unpack(t, packed[file+"-"+p.os+"-"+p.cpu+"-1.2.3.tgz"])
			m := manifest(t, entries)
			wanted[fmt.Sprint(m["name"])] = "1.2.3"
			if m["name"] != prefix+"-"+p.os+"-"+p.cpu || m["version"] != "1.2.3" || m["license"] != "Apache-2.0" || m["preferUnplugged"] != true ||
				fmt.Sprint(m["os"], m["cpu"]) != fmt.Sprintf("[%s] [%s]", p.os, p.cpu) {
				t.Errorf("%s: package.json is %v", p.target, m)
			}
			if m["bin"] != nil || m["scripts"] != nil || m["dependencies"] != nil {
				t.Errorf("%s: package.json has a command, scripts or dependencies: %v", p.target, m)
			}
			program := entries[p.program]
			if string(program.content) != "the program for "+p.target || program.header.Mode != 0o755 {
				t.Errorf("%s: the program is %q with mode %o", p.target, program.content, program.header.Mode)
			}
			if string(entries["LICENSE"].content) != r.License || entries["README.md"].content == nil || string(entries["THIRD_PARTY_LICENSES"].content) != r.Notices {
				t.Errorf("%s: LICENSE, README.md or THIRD_PARTY_LICENSES is wrong", p.target)
			}
		}
		entries := unpack(t, packed[file+"-1.2.3.tgz"])
		m := manifest(t, entries)
		if m["name"] != prefix || fmt.Sprint(m["optionalDependencies"]) != fmt.Sprint(wanted) || fmt.Sprint(m["bin"]) != "map[gatewright:bin/gatewright.js]" || m["scripts"] != nil {
			t.Errorf("package.json of the main package is %v", m)
		}
		if access := fmt.Sprint(m["publishConfig"]); (access == "map[access:public]") != (scope != "") {
			t.Errorf("scope %q: publishConfig is %s", scope, access)
		}
		if readme := string(entries["README.md"].content); !strings.Contains(readme, "npx "+prefix+" ") || !strings.Contains(readme, "npm i -g "+prefix+"`") {
			t.Errorf("scope %q: the README does not say how to start it:\n%s", scope, readme)
		}
		if entries["bin/gatewright.js"].header.Mode != 0o755 {
			t.Error("the launcher is not executable")
		}
	}
}

func TestOnlyWhatIsReleasedIsADependency(t *testing.T) {
	t.Parallel()
	r := release(t)
	r.Programs = map[string]string{"linux/arm64": r.Programs["linux/arm64"]}
	r.Readme = "a README of its own"
	names, packed := write(t, r)
	if want := []string{"gatewright-linux-arm64-1.2.3.tgz", "gatewright-1.2.3.tgz"}; !slices.Equal(names, want) {
		t.Fatalf("the files are %v, want %v", names, want)
	}
	entries := unpack(t, packed[names[1]])
	if got := fmt.Sprint(manifest(t, entries)["optionalDependencies"]); got != "map[gatewright-linux-arm64:1.2.3]" {
		t.Errorf("the optional dependencies are %s", got)
	}
	if string(entries["README.md"].content) != r.Readme {
		t.Errorf("the README is %q", entries["README.md"].content)
	}
}

func TestLicencesAreNamedAsNpmDoes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		license(t): "Apache-2.0", "MIT License\n\nCopyright": "MIT", "All rights reserved": "SEE LICENSE IN LICENSE",
	} {
		r := release(t)
		r.License = text
		names, packed := write(t, r)
		if got := manifest(t, unpack(t, packed[names[0]]))["license"]; got != want {
			t.Errorf("the licence is %v, want %s", got, want)
		}
	}
}

func TestWrongReleasesAreRefused(t *testing.T) {
	t.Parallel()
	for want, spoil := range map[string]func(*npm.Release){
		"semantic version":     func(r *npm.Release) { r.Version = "1.2" },
		`version "v1.2.3"`:     func(r *npm.Release) { r.Version = "v1.2.3" },
		"npm drops":            func(r *npm.Release) { r.Version = "1.2.3+abc" },
		`version ""`:           func(r *npm.Release) { r.Version = "" },
		`npm scope "@"`:        func(r *npm.Release) { r.Scope = "@" },
		`npm scope "Example"`:  func(r *npm.Release) { r.Scope = "Example" },
		`npm scope "../a"`:     func(r *npm.Release) { r.Scope = "../a" },
		`npm scope "a/b"`:      func(r *npm.Release) { r.Scope = "a/b" },
		`npm scope "@@a"`:      func(r *npm.Release) { r.Scope = "@@a" },
		`platform "plan9/386"`: func(r *npm.Release) { r.Programs["plan9/386"] = r.Programs["linux/amd64"] },
		"no program":           func(r *npm.Release) { r.Programs = nil },
		"linux/amd64":          func(r *npm.Release) { r.Programs["linux/amd64"] += ".missing" },
		"licence":              func(r *npm.Release) { r.License = " \n" },
		"after 1970":           func(r *npm.Release) { r.Epoch = time.Time{} },
	} {
		r := release(t)
		spoil(&r)
		if _, err := npm.Write(t.TempDir(), r); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("the error is %v, want one line with %q", err, want)
		}
	}
}
