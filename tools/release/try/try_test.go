//go:build linux

package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"gatewright/tools/release/checksum"
)

// dist lays the files of a release, with their sums; every file holds "x".
func dist(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	var sums strings.Builder
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		sum, err := checksum.Of(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		sums.WriteString(sum + "  " + name + "\n")
	}
	if err := os.WriteFile(filepath.Join(dir, "checksums.txt"), []byte(sums.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func archive(version string) string {
	return release{version: version, arch: runtime.GOARCH}.file("tar.gz")
}

func TestAReleaseIsReadFromTheNamesOfItsFiles(t *testing.T) {
	t.Parallel()
	for npm, file := range map[string]string{"gatewright": "gatewright-1.2.3-rc.1.tgz", "@acme/gatewright": "acme-gatewright-1.2.3-rc.1.tgz"} {
		r, err := readRelease(dist(t, archive("1.2.3-rc.1"), file, strings.Replace(file, "gatewright-", "gatewright-linux-x64-", 1)))
		if err != nil {
			t.Fatal(err)
		}
		if r.version != "1.2.3-rc.1" || r.npm != npm || r.files != 3 {
			t.Errorf("release %+v, want the package %s", r, npm)
		}
	}
}

func TestAFileThatIsNotAsTheSumsSayIsFound(t *testing.T) {
	t.Parallel()
	changed := dist(t, archive("1.2.3"), "gatewright-1.2.3.tgz")
	if err := os.WriteFile(filepath.Join(changed, "gatewright-1.2.3.tgz"), []byte("y"), 0o600); err != nil {
		t.Fatal(err)
	}
	more := dist(t, archive("1.2.3"), "gatewright-1.2.3.tgz")
	if err := os.WriteFile(filepath.Join(more, "more"), []byte("y"), 0o600); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{changed: "gatewright-1.2.3.tgz is not the file", more: "3 others", dist(t, "a"): "0 files gatewright_VERSION"} {
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
