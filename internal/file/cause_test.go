package file

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestAFileThatIsMissingHasOneReasonOnEverySystem(t *testing.T) {
	t.Parallel()
	_, err := os.ReadFile(filepath.Join(t.TempDir(), "nowhere"))
	if got := Cause(err); got.Error() != "no such file or directory" || !errors.Is(got, fs.ErrNotExist) {
		t.Errorf("the reason is %q", got)
	}
}

func TestAFolderThatIsMissingHasOneReasonOnEverySystem(t *testing.T) {
	t.Parallel()
	_, err := os.ReadFile(filepath.Join(t.TempDir(), "nowhere", "file"))
	if got := Cause(err); got.Error() != "no such file or directory" {
		t.Errorf("the reason is %q", got)
	}
}

func TestTheReasonOfALinkOrARenameHasNoNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	err := os.Rename(filepath.Join(dir, "nowhere"), filepath.Join(dir, "other"))
	if got := Cause(err); got.Error() != "no such file or directory" {
		t.Errorf("the reason is %q", got)
	}
}

// sentence is an error as Windows tells it.
type sentence struct {
	text string
	is   error
}

func (s sentence) Error() string { return s.text }

func (s sentence) Is(target error) bool { return target == s.is }

func TestSentencesOfWindowsBecomeReasons(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"no such file or directory":     sentence{"The system cannot find the file specified.", fs.ErrNotExist},
		"permission denied":             sentence{"Access is denied.", fs.ErrPermission},
		"file exists":                   sentence{"Cannot create a file when that file already exists.", fs.ErrExist},
		"The directory name is invalid": sentence{"The directory name is invalid.", nil},
	} {
		got := plain(err)
		if got.Error() != want || !errors.Is(got, err) {
			t.Errorf("%q becomes %q, want %q", err, got, want)
		}
	}
	if plain(nil) != nil {
		t.Error("no error has a reason")
	}
}
