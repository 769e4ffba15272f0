package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/tools/release/archive"
)

var (
	packedAt    = time.Date(2026, 11, 26, 3, 19, 1, 0, time.UTC)
	packedFiles = []archive.File{
		{Name: "man/man1/gatewright.1", Body: []byte("page")},
		{Name: "gatewright", Body: []byte("program"), Executable: true},
		{Name: "LICENSE", Body: []byte("licence")},
	}
	packedNames = []string{"it/", "it/LICENSE", "it/gatewright", "it/man/", "it/man/man1/", "it/man/man1/gatewright.1"}
)

// bodyOf is what a file of an archive has; a folder has nothing.
func bodyOf(name string) string {
	for _, f := range packedFiles {
		if "it/"+f.Name == name {
			return string(f.Body)
		}
	}
	return ""
}

func TestATarFileHasOneFolderSortedNamesAndNoOwner(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := archive.TarGz(&b, "it", packedFiles, packedAt.In(time.FixedZone("elsewhere", 3600))); err != nil {
		t.Fatal(err)
	}
	unpacked, err := gzip.NewReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	if !unpacked.ModTime.IsZero() || unpacked.Name != "" {
		t.Errorf("the packed file has the time %v and the name %q", unpacked.ModTime, unpacked.Name)
	}
	var got []string
	for r := tar.NewReader(unpacked); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, h.Name)
		if h.Uid != 0 || h.Gid != 0 || h.Uname != "" || !h.ModTime.Equal(packedAt) {
			t.Errorf("%s: owner %d:%d %q, time %v", h.Name, h.Uid, h.Gid, h.Uname, h.ModTime)
		}
		if body, err := io.ReadAll(r); err != nil || string(body) != bodyOf(h.Name) {
			t.Errorf("%s has %q %v", h.Name, body, err)
		}
		want := int64(0o644)
		if h.Typeflag == tar.TypeDir || h.Name == "it/gatewright" {
			want = 0o755
		}
		if h.Mode != want {
			t.Errorf("%s: mode %o, want %o", h.Name, h.Mode, want)
		}
	}
	if !slices.Equal(got, packedNames) {
		t.Errorf("packedNames %q, want %q", got, packedNames)
	}
}

func TestAZipFileHasOneFolderAndTheProgramCanRun(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := archive.Zip(&b, "it", packedFiles, packedAt); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range r.File {
		got = append(got, f.Name)
		if !f.Modified.Equal(packedAt) {
			t.Errorf("%s: time %v", f.Name, f.Modified)
		}
		want := os.FileMode(0o644)
		if f.Name == "it/gatewright" {
			want = 0o755
		}
		if !strings.HasSuffix(f.Name, "/") && f.Mode() != want {
			t.Errorf("%s: mode %v, want %v", f.Name, f.Mode(), want)
		}
		content, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(content); err != nil || string(body) != bodyOf(f.Name) {
			t.Errorf("%s has %q %v", f.Name, body, err)
		}
		if f.Name == "it/man/" && !f.Mode().IsDir() {
			t.Errorf("%s is no folder: %v", f.Name, f.Mode())
		}
	}
	if !slices.Equal(got, packedNames) {
		t.Errorf("packedNames %q, want %q", got, packedNames)
	}
}

func TestTheSameFilesInAnyOrderAreTheSameBytes(t *testing.T) {
	t.Parallel()
	turned := slices.Clone(packedFiles)
	slices.Reverse(turned)
	for name, pack := range map[string]func(io.Writer, string, []archive.File, time.Time) error{"tar": archive.TarGz, "zip": archive.Zip} {
		var a, b bytes.Buffer
		if err := errors.Join(pack(&a, "it", packedFiles, packedAt), pack(&b, "it", turned, packedAt.Local())); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s differs", name)
		}
	}
}
