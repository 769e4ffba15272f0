package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/tools/release/build"
	"gatewright/tools/release/checksum"
	"gatewright/tools/release/licence"
)

func lay(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestAReleaseIsAVersionOrASnapshot(t *testing.T) {
	for _, o := range []options{{}, {version: "1.2.3", snapshot: true}} {
		if err := run(t.Context(), o, nil); !errors.Is(err, errUsage) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if err := run(t.Context(), options{snapshot: true}, []string{"linux/amd64"}); !errors.Is(err, errUsage) || !strings.Contains(err.Error(), "linux/amd64") {
		t.Errorf("an argument: %v", err)
	}
	for want, o := range map[string]options{
		"semantic version": {version: "v1"},
		"--only":           {snapshot: true, only: "linux"},
		"--base-url":       {snapshot: true, baseURL: "ftp://example.com"},
	} {
		if err := run(t.Context(), o, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", o, err, want)
		}
	}
}

func TestTheSumsAreThoseOfEveryFile(t *testing.T) {
	r := &release{dist: lay(t, "b", "a")}
	if err := r.writeSums(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(r.dist, checksum.File))
	if err != nil {
		t.Fatal(err)
	}
	want := "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb  a\n" +
		"3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d  b\n"
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAFolderWithOtherFilesIsNotReplaced(t *testing.T) {
	if err := isOurs(lay(t, "thesis.txt")); err == nil || !strings.Contains(err.Error(), "--out") {
		t.Errorf("error %v", err)
	}
	for _, dir := range []string{lay(t), lay(t, checksum.File, "gatewright.rb"), filepath.Join(t.TempDir(), "new", "dist")} {
		if err := isOurs(dir); err != nil {
			t.Error(err)
		}
	}
}

func TestAStepThatFailsLeavesTheEarlierRelease(t *testing.T) {
	out := lay(t, checksum.File)
	r := &release{folder: t.TempDir(), targets: build.Targets[:1]}
	if err := r.write(t.Context(), out); err == nil || !strings.HasPrefix(err.Error(), "programs: go build for darwin/amd64") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(filepath.Join(out, checksum.File)); err != nil {
		t.Error(err)
	}
	if left, err := filepath.Glob(out + ".new-*"); err != nil || left != nil {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestAnInterruptIsSaidAsOne(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := &release{dist: t.TempDir(), targets: build.Targets[:1], folder: "../.."}
	if err := r.step(ctx, "programs", r.writePrograms); err == nil || err.Error() != "interrupted; nothing was written" {
		t.Errorf("error %v", err)
	}
}

func TestArchivesHaveTheTextsThatGoAlong(t *testing.T) {
	program := filepath.Join(lay(t, "gatewright"), "gatewright")
	r := &release{
		dist: t.TempDir(), Stamp: build.Stamp{Version: "1.2.3"},
		targets: []build.Target{{OS: "linux", Arch: "arm64"}, {OS: "windows", Arch: "amd64"}},
		texts:   map[string][]byte{"LICENSE": []byte("x")},
	}
	r.programs = map[build.Target]string{r.targets[0]: program, r.targets[1]: program}
	if err := r.writeArchives(t.Context()); err != nil {
		t.Fatal(err)
	}
	files, _, err := contents(r.dist)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	if want := []string{"gatewright_1.2.3_linux_arm64.tar.gz", "gatewright_1.2.3_windows_amd64.zip"}; !slices.Equal(names, want) {
		t.Errorf("wrote %q, want %q", names, want)
	}
}

func TestThereIsAFormulaIfAllArchivesLieSomewhere(t *testing.T) {
	var names []string
	for _, target := range build.Targets {
		ending := ".tar.gz"
		if target.OS == "windows" {
			ending = ".zip"
		}
		names = append(names, "gatewright_1.2.3_"+target.OS+"_"+target.Arch+ending)
	}
	for want, r := range map[int]*release{
		6: {targets: build.Targets},
		8: {targets: build.Targets, options: options{baseURL: "https://example.com/d"}},
	} {
		r.dist, r.Stamp = lay(t, names...), build.Stamp{Version: "1.2.3"}
		if err := r.writeFormulas(t.Context()); err != nil {
			t.Fatal(err)
		}
		if files, _, err := contents(r.dist); err != nil || len(files) != want {
			t.Errorf("%d files, want %d: %v", len(files), want, err)
		}
	}
}

func TestAVersionHasASectionWithADateInTheChangelog(t *testing.T) {
	changelog := "# Changes\n\n## 1.3.0 (not yet released)\n\n## 1.2.30 (2026-12-01)\n\n## 1.2.3 (2026-11-26)\n"
	for version, want := range map[string]bool{"1.2.3": true, "1.2.30": true, "1.3.0": false, "1.2": false, "2.3": false} {
		if got := hasSection(changelog, version); got != want {
			t.Errorf("%s: %v, want %v", version, got, want)
		}
	}
}

func TestADifferenceBetweenTwoBuildsIsFound(t *testing.T) {
	first := map[string]string{"a": "1", "b": "2", "c": "3"}
	if got := differences(first, map[string]string{"a": "1", "b": "9", "d": "4"}); !slices.Equal(got, []string{"b", "c", "d"}) {
		t.Errorf("differences %q", got)
	}
	if got := differences(first, map[string]string{"a": "1", "b": "2", "c": "3"}); len(got) != 0 {
		t.Errorf("differences %q", got)
	}
}

func TestTheSecondBuildIsTheSameRelease(t *testing.T) {
	r := &release{options: options{snapshot: true, only: "linux/amd64", npmScope: "@a"}, modules: []licence.Module{}}
	if got := strings.Join(r.again(), " "); got != "run ./tools/release --only linux/amd64 --base-url  --npm-scope @a --snapshot" {
		t.Errorf("again: %s", got)
	}
	r.snapshot, r.Version = false, "1.2.3"
	if got := r.again(); !slices.Equal(got[len(got)-2:], []string{"--version", "1.2.3"}) {
		t.Errorf("again: %q", got)
	}
}
