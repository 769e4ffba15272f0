package frametest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// kept are the archives of a new folder with a file.
func kept(t *testing.T, name, text string) (a *archives, file string) {
	t.Helper()
	a = &archives{folder: t.TempDir(), open: make(map[string]*archive)}
	file = filepath.Join(a.folder, name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return a, file
}

func holds(t *testing.T, file, want string) {
	t.Helper()
	got, err := os.ReadFile(file)
	if diff := cmp.Diff(want, string(got)); err != nil || diff != "" {
		t.Errorf("%v: %s", err, diff)
	}
}

func TestANameNamesAnArchiveAndASection(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"wizard_access_80x24_dark": "wizard_access, 80x24_dark, <nil>",
		"page-60x15-light":         "page, 60x15-light, <nil>",
		"status/note-60x15-dark":   "status, note-60x15-dark, <nil>",
		"styles_dark":              ", , the golden styles_dark has neither a size nor a section: call it ARCHIVE/SECTION",
	} {
		file, section, err := place(name)
		if got := fmt.Sprintf("%s, %s, %v", file, section, err); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

func TestAnUpdateWritesTheSectionsThatWereDrawnAndKeepsTheOthers(t *testing.T) {
	t.Parallel()
	a, file := kept(t, "list.txtar", "A comment.\n-- 100x30 --\nlarge\n-- 60x15 --\nsmall\n-- other --\nkept\n")
	var all sync.WaitGroup
	for _, name := range []string{"list_100x30", "list_80x24_dark", "list_80x24", "list_9x3"} {
		all.Go(func() {
			if _, err := a.want(name, "drawn "+name+"\n", true); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	holds(t, file, "A comment.\n-- other --\nkept\n-- 9x3 --\ndrawn list_9x3\n-- 60x15 --\nsmall\n-- 80x24 --\ndrawn list_80x24\n"+
		"-- 80x24_dark --\ndrawn list_80x24_dark\n-- 100x30 --\ndrawn list_100x30\n")
	want := []string{"list.txtar, section other", "list.txtar, section 60x15"}
	if diff := cmp.Diff(want, a.undrawn()); diff != "" {
		t.Error("drawn by no test:", diff)
	}
}

func TestWithoutAnUpdateNothingIsWritten(t *testing.T) {
	t.Parallel()
	const text = "-- 60x15 --\nsmall\n"
	a, file := kept(t, "list.txtar", text)
	if got, err := a.want("list_60x15", "other\n", false); got != "small\n" || err != nil {
		t.Errorf("the golden is %q, %v", got, err)
	}
	for _, name := range []string{"list_80x24", "none_80x24"} {
		if got, err := a.want(name, "other\n", false); err == nil || !strings.HasSuffix(err.Error(), "go test -update writes it") {
			t.Errorf("the golden of %s is %q, %v", name, got, err)
		}
	}
	holds(t, file, text)
	// An archive that no test opens is found too.
	if err := os.WriteFile(filepath.Join(a.folder, "old.txtar"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"old.txtar, section 60x15"}, a.undrawn()); diff != "" {
		t.Error("drawn by no test:", diff)
	}
}

func TestATextThatAnArchiveCannotKeepIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"no end", "one\n-- two --\nthree\n"} {
		a, file := kept(t, "list.txtar", "-- 60x15 --\nsmall\n")
		if _, err := a.want("list_80x24", text, true); err == nil || !strings.Contains(err.Error(), "cannot keep the text") {
			t.Errorf("%q: %v", text, err)
		}
		holds(t, file, "-- 60x15 --\nsmall\n")
	}
}
