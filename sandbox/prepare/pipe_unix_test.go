//go:build unix

package prepare

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"gatewright/internal/file"
	"gatewright/internal/file/fingerprint"
)

func TestAPipeInThePlaceOfAListOfPackagesIsRefused(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	src := filepath.Join(folder, "src")
	if err := os.Mkdir(src, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"package.json", "requirements.txt"} {
		if err := syscall.Mkfifo(filepath.Join(src, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := readPackages(src, "", false); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("package.json: %v", err)
	}
	if _, err := readPythonList(folder, src); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("requirements.txt: %v", err)
	}
	if err := fingerprint.New().File("a", filepath.Join(src, "requirements.txt")); !errors.Is(err, file.ErrNotRegular) {
		t.Errorf("its fingerprint: %v", err)
	}
	if _, err := fingerprint.Contents(folder); err != nil {
		t.Errorf("a pipe among the files of a folder: %v", err)
	}
}
