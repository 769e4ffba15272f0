package linux

import (
	"compress/gzip"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/tools/release/build"
)

func pack(t *testing.T) Package {
	t.Helper()
	texts := map[string][]byte{}
	for _, name := range []string{
		"man/man1/gatewright.1", "man/man1/gatewright-add.1", "completions/_gatewright", "completions/gatewright.bash", "completions/gatewright.fish",
		"completions/gatewright.ps1", "LICENSE", "README.md", "CHANGELOG.md", "THIRD-PARTY-LICENSES.txt", "docs/files.md",
	} {
		texts[name] = []byte("text of " + name)
	}
	return Package{
		Stamp: build.Stamp{Version: "1.2.3-rc.1", Date: time.Date(2026, 11, 26, 3, 19, 0, 0, time.UTC), Author: "A B <a@example.com>"},
		Arch:  "amd64", Program: "/p/gatewright", Texts: texts,
	}
}

func targets(t *testing.T, p Package, format string) (map[string]string, string) {
	t.Helper()
	all, err := p.contents(format, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	sources, order := map[string]string{}, ""
	for _, c := range all {
		if c.Target < order {
			t.Errorf("%s is after %s", c.Target, order)
		}
		sources[c.Target], order = c.Source, c.Target
		if !c.FileInfo.MTime.Equal(p.Date) || c.FileInfo.Owner != "root" {
			t.Errorf("%s: %+v", c.Target, c.FileInfo)
		}
		if runs := c.Target == "/usr/bin/gatewright" || c.Type == "dir"; runs != (c.FileInfo.Mode == 0o755) {
			t.Errorf("%s: mode %o", c.Target, c.FileInfo.Mode)
		}
	}
	return sources, order
}

func TestEveryFormatHasItsFilesWhereTheDistributionLooks(t *testing.T) {
	t.Parallel()
	p := pack(t)
	shared := []string{
		"/usr/bin/gatewright", "/usr/share/man/man1/gatewright.1.gz", "/usr/share/man/man1/gatewright-add.1.gz",
		"/usr/share/bash-completion/completions/gatewright", "/usr/share/fish/vendor_completions.d/gatewright.fish",
		"/usr/share/doc/gatewright/THIRD-PARTY-LICENSES.txt", "/usr/share/doc/gatewright/docs/files.md",
	}
	for format, own := range map[string][]string{
		"deb": {"/usr/share/zsh/vendor-completions/_gatewright", "/usr/share/doc/gatewright/copyright", "/usr/share/doc/gatewright/changelog.Debian.gz", "/usr/share/doc/gatewright/changelog.gz"},
		"rpm": {"/usr/share/zsh/site-functions/_gatewright", "/usr/share/licenses/gatewright/LICENSE"},
		"apk": {"/usr/share/zsh/site-functions/_gatewright", "/usr/share/licenses/gatewright/LICENSE"},
	} {
		got, _ := targets(t, p, format)
		for _, want := range append(own, shared...) {
			if got[want] == "" {
				t.Errorf("%s has no %s", format, want)
			}
		}
		for target := range got {
			if strings.HasSuffix(target, ".ps1") || format == "deb" && strings.HasSuffix(target, "LICENSE") {
				t.Errorf("%s has %s", format, target)
			}
		}
	}
}

func TestRpmGetsTheFoldersThatItRemoves(t *testing.T) {
	t.Parallel()
	all, err := pack(t).contents("rpm", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, c := range all {
		if c.Type == "dir" {
			folders = append(folders, c.Target)
		}
	}
	if want := []string{"/usr/share/doc/gatewright", "/usr/share/doc/gatewright/docs", "/usr/share/licenses/gatewright"}; !slices.Equal(folders, want) {
		t.Errorf("folders %q, want %q", folders, want)
	}
}

func TestManPagesArePackedWithoutATime(t *testing.T) {
	t.Parallel()
	sources, _ := targets(t, pack(t), "deb")
	f, err := os.Open(sources["/usr/share/man/man1/gatewright-add.1.gz"])
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(r)
	if err != nil || string(body) != "text of man/man1/gatewright-add.1" || !r.ModTime.IsZero() {
		t.Errorf("%q, %v, %v", body, r.ModTime, err)
	}
}

func TestTheChangelogHasTheVersionAsDpkgComparesIt(t *testing.T) {
	t.Parallel()
	want := "gatewright (1.2.3~rc.1-1) unstable; urgency=medium\n\n  * changelog.gz says what is new.\n\n -- A B <a@example.com>  Thu, 26 Nov 2026 03:19:00 +0000\n"
	if got := pack(t).debianChangelog(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestVersionsAreWrittenAsApkComparesThem(t *testing.T) {
	t.Parallel()
	s := pack(t).Stamp
	for version, want := range map[string]string{
		"1.2.3": "1.2.3", "1.2.3-rc.1": "1.2.3_rc1", "1.2.3-beta": "1.2.3_beta",
		"0.0.0-snapshot.20261126031900.gabcdef0": "0.0.0_pre20261126031900",
	} {
		s.Version = version
		if got := alpineVersion(s); got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
}

func TestNoPackageTellsTheMachineThatBuiltIt(t *testing.T) {
	t.Parallel()
	rpm, ok := pack(t).config("rpm", nil)["rpm"].(map[string]any)
	if !ok || rpm["buildhost"] != "localhost" {
		t.Errorf("rpm settings %v", rpm)
	}
	if !strings.Contains(pack(t).copyright(), "2026 the authors of gatewright") {
		t.Error("the year of the copyright is not that of the commit")
	}
}

func TestEachFormatSaysWhatThePackageIs(t *testing.T) {
	t.Parallel()
	p := pack(t)
	p.Homepage = "https://example.com"
	common := map[string]any{
		"name": "gatewright", "arch": "amd64", "platform": "linux", "mtime": p.Date, "version": "1.2.3-rc.1", "version_schema": "semver", "release": "1",
		"section": "devel", "priority": "optional", "maintainer": "A B <a@example.com>", "homepage": "https://example.com", "license": "Apache-2.0",
		"description": description, "recommends": []string{"nodejs"}, "disable_globbing": true, "contents": []content(nil),
		"deb": map[string]any{"compression": "xz"},
		"rpm": map[string]any{
			"buildhost": "localhost", "group": "Development/Tools", "packager": "A B <a@example.com>", "compression": "xz", "summary": summary,
		},
	}
	for format, own := range map[string]map[string]any{
		"deb": {"license": ""}, "rpm": nil,
		"apk": {"version": "1.2.3_rc1", "version_schema": "none", "description": summary},
	} {
		want := maps.Clone(common)
		maps.Copy(want, own)
		if diff := cmp.Diff(want, p.config(format, nil)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", format, diff)
		}
	}
	if !strings.Contains(p.copyright(), "\nSource: https://example.com\nComment:") || strings.Contains(pack(t).copyright(), "Source:") {
		t.Errorf("the copyright is\n%s", p.copyright())
	}
}
