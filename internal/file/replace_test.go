package file_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"gatewright/internal/file"
)

func TestAFileIsReplacedWhole(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	name := filepath.Join(folder, "file.json")
	texts := []string{strings.Repeat("a", 1<<16), strings.Repeat("b", 1<<15)}
	var writers sync.WaitGroup
	for _, text := range texts {
		writers.Go(func() {
			for range 50 {
				if err := file.Replace(name, file.Private, file.Text([]byte(text))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	for reading := true; reading; {
		select {
		case <-done:
			reading = false
		default:
		}
		time.Sleep(time.Millisecond) // Windows replaces no file that is always open
		if found, err := os.ReadFile(name); err == nil && string(found) != texts[0] && string(found) != texts[1] {
			t.Fatalf("half a file is read: %d bytes", len(found))
		}
	}
	only(t, folder, "file.json")
	if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != file.Private {
		t.Errorf("the file is %v %v", info, err)
	}
}

func TestAfterAFailureTheOldFileIsThere(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	name := filepath.Join(folder, "file.json")
	if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("the disk is full")
	err := file.Replace(name, file.Private, func(f *os.File) error {
		_, _ = f.WriteString("half")
		return failed
	})
	if text, _ := os.ReadFile(name); !errors.Is(err, failed) || string(text) != "old" {
		t.Errorf("the error is %v, the file has %q", err, text)
	}
	only(t, folder, "file.json")
	if err := os.Mkdir(filepath.Join(folder, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "full", "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := file.Replace(filepath.Join(folder, "full"), file.Private, file.Text(nil)); !errors.Is(err, file.ErrFolder) {
		t.Errorf("a folder in place of the file: %v", err)
	}
	only(t, folder, "file.json", "full")
}

// only checks that a folder has these things and nothing else.
func only(t *testing.T, folder string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, e := range entries {
		found = append(found, e.Name())
	}
	if strings.Join(found, " ") != strings.Join(names, " ") {
		t.Errorf("there is %v, want %v", found, names)
	}
}

func TestJSONIsWrittenForItsUserIntoAFolderThatIsMade(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "state", "kept", "file.json")
	if err := file.ReplaceJSON(name, map[string]any{"a": 1}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != "{\n  \"a\": 1\n}\n" {
		t.Errorf("the file has %q, %v", text, err)
	}
	for place, want := range map[string]os.FileMode{name: 0o600, filepath.Dir(name): 0o700} {
		if info, err := os.Stat(place); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != want {
			t.Errorf("%s is %v, %v", place, info, err)
		}
	}
	if err := file.ReplaceJSON(name, func() {}); err == nil {
		t.Error("a value that JSON cannot have was written")
	}
}

func TestADeviceIsNotReplaced(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no devices with names of files")
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(os.DevNull, link); err != nil {
		t.Fatal(err)
	}
	if err := file.Replace(link, file.Private, file.Text(nil)); !errors.Is(err, file.ErrNotRegular) {
		t.Errorf("the error is %v", err)
	}
	if target, err := os.Readlink(link); err != nil || target != os.DevNull {
		t.Errorf("the link leads to %q, %v", target, err)
	}
}
