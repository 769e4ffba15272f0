package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/test/depth"
	"gatewright/tools/release/build"
)

// committed makes a repository with one commit, and returns a function that runs git in it.
func committed(t *testing.T) (folder string, run func(args ...string)) {
	t.Helper()
	depth.Needs(t, "git")
	folder = t.TempDir()
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_SYSTEM": os.DevNull,
		"GIT_AUTHOR_NAME": "A B", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "C", "GIT_COMMITTER_EMAIL": "c@example.com",
		"GIT_AUTHOR_DATE": "2025-01-01T00:00:00+0000", "GIT_COMMITTER_DATE": "2026-11-26T05:19:00+0200",
	} {
		t.Setenv(name, value)
	}
	run = func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", append([]string{"-C", folder}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	run("init", "-q")
	if err := os.WriteFile(filepath.Join(folder, "a"), []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	run("add", "a")
	run("commit", "-q", "-m", "one")
	return folder, run
}

func TestAReleaseHasTheTimeOfItsCommitInUTC(t *testing.T) {
	folder, _ := committed(t)
	s, err := build.ReadStamp(t.Context(), folder, "1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Date.Format("2006-01-02T15:04:05Z07:00"); got != "2026-11-26T03:19:00Z" {
		t.Errorf("date %s", got)
	}
	if s.Version != "1.2.3" || len(s.Commit) != 40 || s.Author != "A B <a@example.com>" || s.Changed {
		t.Errorf("stamp %+v", s)
	}
}

func TestOnlyASnapshotMayDifferFromItsCommit(t *testing.T) {
	folder, _ := committed(t)
	if err := os.WriteFile(filepath.Join(folder, "b"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := build.ReadStamp(t.Context(), folder, "1.2.3"); err == nil || !strings.Contains(err.Error(), "?? b") {
		t.Errorf("error %v", err)
	}
	s, err := build.ReadStamp(t.Context(), folder, "")
	if err != nil {
		t.Fatal(err)
	}
	if want := "0.0.0-snapshot.20261126031900.g" + s.Commit[:7] + ".changed"; s.Version != want {
		t.Errorf("version %s, want %s", s.Version, want)
	}
}

func TestASnapshotIsLaterThanTheLastRelease(t *testing.T) {
	folder, run := committed(t)
	for _, tag := range []string{"v0.9.0", "v0.10.1", "v0.11.0-rc.1", "vegetable"} {
		run("tag", tag)
	}
	s, err := build.ReadStamp(t.Context(), folder, "")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(s.Version, "0.10.2-snapshot.") || strings.HasSuffix(s.Version, ".changed") {
		t.Errorf("version %s", s.Version)
	}
}

func TestAVersionIsSemantic(t *testing.T) {
	folder, _ := committed(t)
	for _, version := range []string{"v1.2.3", "1.2", "01.2.3", "1.2.3-01", "1.2.3+linux", "1.2.3 -X", "latest"} {
		if _, err := build.ReadStamp(t.Context(), folder, version); err == nil || !strings.Contains(err.Error(), "semantic version") {
			t.Errorf("%s: error %v", version, err)
		}
	}
	for _, version := range []string{"0.1.0", "1.2.3-rc.1"} {
		if _, err := build.ReadStamp(t.Context(), folder, version); err != nil {
			t.Errorf("%s: %v", version, err)
		}
	}
}

func TestTheEnvironmentOfTheUserDoesNotCount(t *testing.T) {
	t.Parallel()
	got := build.Environment([]string{"PATH=/bin", "GOFLAGS=-race", "GOOS=plan9", "CGO_ENABLED=1", "GOAMD64=v3"}, build.Target{OS: "windows", Arch: "arm64"})
	for _, want := range []string{"PATH=/bin", "GOOS=windows", "GOARCH=arm64", "CGO_ENABLED=0", "GOAMD64=v1"} {
		if !slices.Contains(got, want) {
			t.Errorf("no %s in %q", want, got)
		}
	}
	for _, gone := range []string{"GOFLAGS=-race", "GOOS=plan9", "CGO_ENABLED=1", "GOAMD64=v3"} {
		if slices.Contains(got, gone) {
			t.Errorf("%s is still there", gone)
		}
	}
}

func TestTargetsAreChosenByName(t *testing.T) {
	t.Parallel()
	all, err := build.ParseTargets("")
	if err != nil || len(all) != 6 {
		t.Errorf("all: %v, %v", all, err)
	}
	some, err := build.ParseTargets("windows/arm64,linux/amd64,windows/arm64")
	if err != nil || !slices.Equal(some, []build.Target{{OS: "windows", Arch: "arm64"}, {OS: "linux", Arch: "amd64"}}) {
		t.Errorf("some: %v, %v", some, err)
	}
	if _, err := build.ParseTargets("linux"); err == nil {
		t.Error("linux alone was accepted")
	}
}

func TestTheModulesOfAProgramAreReadFromIt(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	modules, err := build.Modules(program)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(modules, func(m build.Module) bool { return m.Path == "github.com/Masterminds/semver/v3" })
	if at < 0 || modules[at].Version == "" {
		t.Errorf("modules %v", modules)
	}
}
