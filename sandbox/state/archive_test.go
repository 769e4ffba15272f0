package state

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/sandbox/pages"
	"gatewright/sandbox/table"
)

// writeData writes files into the data folder of a state folder.
func writeData(t *testing.T, state string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		place := filepath.Join(state, DataFolder, filepath.FromSlash(name))
		check(t, os.MkdirAll(filepath.Dir(place), 0o700))
		check(t, os.WriteFile(place, []byte(text), 0o600))
	}
}

// readData lists the files in the data folder of a state folder.
func readData(t *testing.T, state string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(filepath.Join(state, DataFolder), func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		inside, _ := filepath.Rel(filepath.Join(state, DataFolder), name)
		b.WriteString(filepath.ToSlash(inside) + "=" + string(text) + " ")
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return b.String()
}

// exported is the archive of a state folder.
func exported(t *testing.T, state string) []byte {
	t.Helper()
	var b bytes.Buffer
	check(t, Export(state, &b))
	return b.Bytes()
}

func TestImportRestoresAnExport(t *testing.T) {
	t.Parallel()
	from, to := t.TempDir(), t.TempDir()
	writeData(t, from, map[string]string{"logs/dev/items.log": "lines\n", "tables/items": "rows"})
	for _, name := range []string{filepath.Join(WorkFolder, "bootstrap"), RunFile} {
		check(t, os.MkdirAll(filepath.Dir(filepath.Join(from, name)), 0o700))
		check(t, os.WriteFile(filepath.Join(from, name), []byte("not exported"), 0o600))
	}
	archive := exported(t, from)
	writeData(t, to, map[string]string{"logs/dev/old.log": "older"})
	check(t, Import(to, bytes.NewReader(archive), ImportLimits{}))
	if got, want := readData(t, to), "logs/dev/items.log=lines\n tables/items=rows "; got != want {
		t.Errorf("imported is %q", got)
	}
	if _, err := os.Stat(filepath.Join(to, WorkFolder)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("files that can be built again were exported: %v", err)
	}
	check(t, Reset(to))
	if got := readData(t, to); got != "" {
		t.Errorf("after a reset there is %q", got)
	}
	check(t, Import(to, bytes.NewReader(exported(t, to)), ImportLimits{}))
	if got := readData(t, to); got != "" {
		t.Errorf("an empty export gives %q", got)
	}
}

// archiveOf is an archive with arbitrary entries.
func archiveOf(t *testing.T, headers ...tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	packed := gzip.NewWriter(&b)
	archive := tar.NewWriter(packed)
	for _, h := range headers {
		text := ""
		if h.Name == manifestFile {
			text = `{"version": 1}`
		}
		h.Size, h.Mode = int64(len(text)), 0o600
		check(t, archive.WriteHeader(&h))
		_, err := archive.Write([]byte(text))
		check(t, err)
	}
	check(t, archive.Close())
	check(t, packed.Close())
	return b.Bytes()
}

func TestADamagedArchiveChangesNothing(t *testing.T) {
	t.Parallel()
	begin := tar.Header{Name: manifestFile}
	good := archiveOf(t, begin, tar.Header{Name: "logs/a"})
	later := bytes.NewBuffer(nil)
	packed := gzip.NewWriter(later)
	archive := tar.NewWriter(packed)
	check(t, archive.WriteHeader(&tar.Header{Name: manifestFile, Size: 13, Mode: 0o600}))
	_, err := archive.Write([]byte(`{"version":2}`))
	check(t, err)
	check(t, archive.Close())
	check(t, packed.Close())
	for what, data := range map[string][]byte{
		"not an archive":   []byte("hello"),
		"nothing":          nil,
		"a later version":  later.Bytes(),
		"no manifest":      archiveOf(t, tar.Header{Name: "logs/a"}),
		"a name outside":   archiveOf(t, begin, tar.Header{Name: "../out"}),
		"a hidden way out": archiveOf(t, begin, tar.Header{Name: "logs/../../out"}),
		"a backslash":      archiveOf(t, begin, tar.Header{Name: `logs\..\out`}),
		"a line break":     archiveOf(t, begin, tar.Header{Name: "logs/a\nb"}),
		"an escape":        archiveOf(t, begin, tar.Header{Name: "logs/a\x1b[2J"}),
		"a control of C1":  archiveOf(t, begin, tar.Header{Name: "logs/a\u009b2J"}),
		"text backwards":   archiveOf(t, begin, tar.Header{Name: "logs/\u202egol"}),
		"a stream":         archiveOf(t, begin, tar.Header{Name: "logs/a:b"}),
		"an absolute name": archiveOf(t, begin, tar.Header{Name: "/out"}),
		"a link":           archiveOf(t, begin, tar.Header{Name: "logs", Typeflag: tar.TypeSymlink, Linkname: "/"}),
		"a file twice":     archiveOf(t, begin, tar.Header{Name: "a"}, tar.Header{Name: "a"}),
		"cut at the end":   good[:len(good)-12],
		"cut at the start": good[:30],
	} {
		t.Run(what, func(t *testing.T) {
			around := t.TempDir()
			state := filepath.Join(around, "state")
			writeData(t, state, map[string]string{"logs/x": "x"})
			err := Import(state, bytes.NewReader(data), ImportLimits{})
			if err == nil || strings.Contains(err.Error(), "\n") {
				t.Fatalf("importing gives %v", err)
			}
			if got := readData(t, state); got != "logs/x=x " {
				t.Errorf("afterwards there is %q", got)
			}
			if _, err := os.Stat(filepath.Join(around, "out")); !errors.Is(err, fs.ErrNotExist) {
				t.Error("a file was written outside of the state folder")
			}
			if _, err := os.Stat(filepath.Join(state, nextData)); !errors.Is(err, fs.ErrNotExist) {
				t.Error("a part of the archive is left")
			}
		})
	}
}

// TestAnArchiveWithoutTablesDoesNotReplaceThem is about archives that somebody packed by hand.
func TestAnArchiveWithoutTablesDoesNotReplaceThem(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	for _, name := range []string{TableFile, UserFile} {
		writeData(t, state, map[string]string{name: "all that there is"})
	}
	before := readData(t, state)
	for lacking, archive := range map[string][]byte{
		"tables.db": archiveOf(t, tar.Header{Name: manifestFile}, tar.Header{Name: UserFile}),
		"all":       archiveOf(t, tar.Header{Name: manifestFile}),
	} {
		err := Import(state, bytes.NewReader(archive), ImportLimits{})
		if err == nil || !strings.Contains(err.Error(), "the archive has no tables.db") {
			t.Errorf("without %s: %v", lacking, err)
		}
		if got := readData(t, state); got != before {
			t.Errorf("without %s: there is %q", lacking, got)
		}
	}
	// An export says that there were no users.
	from := t.TempDir()
	writeData(t, from, map[string]string{"logs/a": "line"})
	check(t, Import(state, bytes.NewReader(exported(t, from)), ImportLimits{}))
	// A sandbox that has none loses none.
	check(t, Import(t.TempDir(), bytes.NewReader(archiveOf(t, tar.Header{Name: manifestFile})), ImportLimits{}))
}

// repacked is an archive with its files the other way round, and without one of them.
func repacked(t *testing.T, archive []byte, without string) []byte {
	t.Helper()
	unpacked, err := gzip.NewReader(bytes.NewReader(archive))
	check(t, err)
	type packedFile struct {
		header *tar.Header
		text   []byte
	}
	var files []packedFile
	for from := tar.NewReader(unpacked); ; {
		header, err := from.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		check(t, err)
		text, err := io.ReadAll(from)
		check(t, err)
		files = append(files, packedFile{header, text})
	}
	var b bytes.Buffer
	packed := gzip.NewWriter(&b)
	to := tar.NewWriter(packed)
	for _, f := range slices.Backward(files) {
		if f.header.Name == without {
			continue
		}
		check(t, to.WriteHeader(f.header))
		_, err := to.Write(f.text)
		check(t, err)
	}
	check(t, to.Close())
	check(t, packed.Close())
	return b.Bytes()
}

func TestAnArchiveHasItsFilesInAnyOrderAndWhole(t *testing.T) {
	t.Parallel()
	from, to := t.TempDir(), t.TempDir()
	data, err := MakeData(from)
	check(t, err)
	tables, err := table.Open(filepath.Join(data, TableFile), table.Options{})
	check(t, err)
	check(t, tables.Close())
	archive := exported(t, from)
	check(t, Import(to, bytes.NewReader(repacked(t, archive, "")), ImportLimits{}))
	before := readData(t, to)
	if before != readData(t, from) {
		t.Error("the other way round it is something else")
	}
	for without, want := range map[string]string{
		TableFile + pages.Suffix: "importing the sandbox's state: the archive has tables.db without tables.db.sums, so it is not known whether all of it is there; nothing is imported; import another export",
		TableFile:                "the archive has no tables.db",
		manifestFile:             "this is not an export of a sandbox, or it is damaged",
	} {
		if err := Import(to, bytes.NewReader(repacked(t, archive, without)), ImportLimits{}); err == nil || !strings.Contains(err.Error(), want) || readData(t, to) != before {
			t.Errorf("without %s: %v", without, err)
		}
	}
}

func TestAKilledImportLeavesOldOrNewData(t *testing.T) {
	t.Parallel()
	old, next := map[string]string{"a": "old"}, map[string]string{"a": "new"}
	put := func(t *testing.T, state, folder string, files map[string]string) {
		t.Helper()
		writeData(t, state, files)
		check(t, os.Rename(filepath.Join(state, DataFolder), filepath.Join(state, folder)))
	}
	for what, tt := range map[string]struct {
		left func(t *testing.T, state string)
		want string
	}{
		"while unpacking":     {func(t *testing.T, state string) { put(t, state, nextData, next); writeData(t, state, old) }, "a=old "},
		"between the renames": {func(t *testing.T, state string) { put(t, state, nextData, next); put(t, state, lastData, old) }, "a=old "},
		"before tidying":      {func(t *testing.T, state string) { put(t, state, lastData, old); writeData(t, state, next) }, "a=new "},
	} {
		t.Run(what, func(t *testing.T) {
			state := t.TempDir()
			tt.left(t, state)
			owned(t, state)
			if got := readData(t, state); got != tt.want {
				t.Errorf("there is %q, want %q", got, tt.want)
			}
			for _, folder := range []string{nextData, lastData} {
				if _, err := os.Stat(filepath.Join(state, folder)); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s is left", folder)
				}
			}
		})
	}
}

func TestTheStateOfARunningSandboxIsNotTouched(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	writeData(t, state, map[string]string{"a": "x"})
	archive := exported(t, state)
	owned(t, state)
	for what, do := range map[string]func() error{
		"reset":  func() error { return Reset(state) },
		"export": func() error { return Export(state, new(bytes.Buffer)) },
		"import": func() error { return Import(state, bytes.NewReader(archive), ImportLimits{}) },
	} {
		var running *RunningError
		if err := do(); !errors.As(err, &running) {
			t.Errorf("%s gives %v", what, err)
		}
	}
	if got := readData(t, state); got != "a=x " {
		t.Errorf("there is %q", got)
	}
}
