//go:build linux

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// dist lays the files of a release, with their sums; every file holds "x". Its package for npm has
// a name.
func dist(t *testing.T, npm string, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range names {
		write(name, "x")
	}
	write("package/package.json", `{"name": "`+npm+`"}`)
	for _, name := range names {
		if strings.HasSuffix(name, ".tgz") {
			shell(t, dir, "tar -czf "+name+" package")
		}
	}
	shell(t, dir, "rm -r package && sha256sum * >sums && mv sums checksums.txt")
	return dir
}

func shell(t *testing.T, dir, script string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", script, err, out)
	}
}

func archive(version string) string {
	return release{version: version, arch: runtime.GOARCH}.file("tar.gz")
}

func TestAReleaseIsReadFromTheNamesOfItsFiles(t *testing.T) {
	t.Parallel()
	for _, npm := range []string{"gatewright", "@acme/gatewright"} {
		dir := dist(t, npm, archive("1.2.3-rc1"), "gatewright-npm_1.2.3-rc1.tgz", "gatewright-npm_1.2.3-rc1_linux_amd64.tgz")
		r, err := readRelease(dir)
		if err != nil {
			t.Fatal(err)
		}
		if r.version != "1.2.3-rc1" || r.npm != npm || r.files != 3 {
			t.Errorf("release %+v, want the package %s", r, npm)
		}
	}
}

func TestAFileThatIsNotAsTheSumsSayIsFound(t *testing.T) {
	t.Parallel()
	changed := dist(t, "gatewright", archive("1.2.3"), "gatewright-npm_1.2.3.tgz")
	shell(t, changed, "echo y >gatewright-npm_1.2.3.tgz")
	more := dist(t, "gatewright", archive("1.2.3"), "gatewright-npm_1.2.3.tgz")
	shell(t, more, "echo y >more; echo y >gatewright.rb")
	for dir, want := range map[string]string{
		changed: "gatewright-npm_1.2.3.tgz: FAILED", more: "has no more", dist(t, "gatewright", "a"): "0 files gatewright_VERSION",
	} {
		if _, err := readRelease(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestAnErrorOfLintianFailsAndAWarningDoesNot(t *testing.T) {
	t.Parallel()
	said := "N: why\nW: gatewright: a\nO: gatewright: b [c]\nE: Can not write log\n"
	if got, err := judgeLintian(said); err != nil || got != "0 errors, 1 warnings, 1 overridden" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := judgeLintian(said + "E: gatewright: no-changelog x\n"); err == nil || err.Error() != "no-changelog x" {
		t.Errorf("error %v", err)
	}
}

func TestTheSessionIsJudgedByWhatItPrints(t *testing.T) {
	t.Parallel()
	good := "valid: 0 errors, 0 warnings, 0 notes\npushed environment dev as the stack x\n$ gatewright call GET /books --as guest\nHTTP/1.1 200 OK\n" +
		"$ gatewright call DELETE /books --as guest\nHTTP/1.1 403 Forbidden\nthe sandbox ended with 0\n"
	for _, a := range answers {
		if !a.MatchString(good) {
			t.Errorf("%s does not match a good session", a)
		}
		if bad := a.ReplaceAllString(good, ""); a.MatchString(bad) || a.MatchString(strings.NewReplacer("200", "500", "403", "200", "valid: 0", "valid: 1", "with 0", "with 1", "pushed", "refused").Replace(good)) {
			t.Errorf("%s matches a bad session", a)
		}
	}
}
