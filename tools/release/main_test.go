package main

import (
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestTheChangelogHasTheVersionAsDpkgComparesIt(t *testing.T) {
	t.Parallel()
	want := "gatewright (1.2.3~rc1-1) unstable; urgency=medium\n\n  * changelog.gz says what is new.\n\n -- A B " +
		"<a@example.com>  Thu, 26 Nov 2026 03:19:00 +0000\n"
	if got := debianChangelog("1.2.3-rc1", "A B <a@example.com>",
		time.Date(2026, 11, 26, 3, 19, 0, 0, time.UTC)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestManPagesArePackedWithoutATime(t *testing.T) {
	out := t.TempDir()
	page := filepath.Join(out, "man", "man1", "gatewright-add.1")
	if err := errors.Join(os.MkdirAll(filepath.Dir(page), 0o700),
		os.WriteFile(page, []byte("a page"), 0o600)); err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..")
	if err := packTexts(out, "a changelog"); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(out, "packed", "man1", "gatewright-add.1.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(r)
	if err != nil || string(body) != "a page" || !r.ModTime.IsZero() || r.Name != "" {
		t.Errorf("%q, %v, %q, %v", body, r.ModTime, r.Name, err)
	}
}
