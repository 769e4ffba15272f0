package logs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gatewright/sandbox/logs"
)

// openStore opens a store in a new folder.
func openStore(t testing.TB, small logs.Small) (*logs.Store, string) {
	t.Helper()
	folder := t.TempDir()
	return reopenStore(t, folder, small), folder
}

func reopenStore(t testing.TB, folder string, small logs.Small) *logs.Store {
	t.Helper()
	s, err := logs.OpenSmall(folder, small)
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// line is line n of function items in dev, a second after line n-1.
func line(n int) logs.Line {
	return logs.Line{
		Time: time.Unix(1700000000+int64(n), 123456789).UTC(), Environment: "dev", Function: "items",
		Request: fmt.Sprintf("request-%d", n/3), Level: logs.Info, Text: fmt.Sprintf("line %d", n),
	}
}

func texts(lines []logs.Line) []string {
	all := []string{}
	for _, l := range lines {
		all = append(all, l.Text)
	}
	return all
}

// lineTexts are the texts of line(from) to line(to-1).
func lineTexts(from, to int) []string {
	all := []string{}
	for n := from; n < to; n++ {
		all = append(all, line(n).Text)
	}
	return all
}

func read(t *testing.T, folder string, q logs.Query) []logs.Line {
	t.Helper()
	lines, err := logs.ReadFolder(folder, q)
	must(t, err)
	return lines
}

// onDisk are the contents of all files in a folder, by name.
func onDisk(t testing.TB, folder string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	must(t, filepath.WalkDir(folder, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		relative, _ := filepath.Rel(folder, name)
		files[filepath.ToSlash(relative)] = string(text)
		return err
	}))
	return files
}
