package file

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

func TestWhatIsInUseIsTriedAgain(t *testing.T) {
	t.Parallel()
	busy, broken := errors.New("busy"), errors.New("broken")
	isBusy := func(err error) bool { return errors.Is(err, busy) }
	for name, test := range map[string]struct {
		answers []error
		want    error
		calls   int
	}{
		"at once":         {[]error{nil}, nil, 1},
		"after a while":   {[]error{busy, busy, nil}, nil, 3},
		"another error":   {[]error{broken}, broken, 1},
		"another, later":  {[]error{busy, broken, nil}, broken, 2},
		"in use for good": {nil, busy, 25},
	} {
		calls := 0
		var slept time.Duration
		err := retry(func() error {
			calls++
			if test.answers == nil {
				return busy
			}
			return test.answers[calls-1]
		}, isBusy, func(pause time.Duration) { slept += pause })
		if !errors.Is(err, test.want) || calls != test.calls {
			t.Errorf("%s: %v after %d calls, want %v after %d", name, err, calls, test.want, test.calls)
		}
		if slept > patience+longest || test.answers == nil && slept < patience-longest {
			t.Errorf("%s: it slept %v", name, slept)
		}
	}
}

func TestAFileThatSomebodyReadsIsReplacedAndRemoved(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	name, next := filepath.Join(folder, "file"), filepath.Join(folder, "next")
	for _, file := range []string{name, next} {
		if err := os.WriteFile(file, []byte(filepath.Base(file)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	open := func() {
		reader, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(20*time.Millisecond, func() { _ = reader.Close() })
	}
	open()
	if err := Rename(next, name); err != nil {
		t.Error(err)
	}
	if text, err := ReadShared(name); err != nil || string(text) != "next" {
		t.Errorf("the file has %q, %v", text, err)
	}
	open()
	if err := Remove(name); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	open()
	if err := RemoveAll(folder); err != nil {
		t.Error(err)
	}
	if _, err := ReadShared(name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}

func TestOnUnixNoErrorMeansThatAFileIsInUse(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has such errors")
	}
	if IsInUse(fs.ErrPermission) {
		t.Error("a missing permission passes for a file in use")
	}
}

func TestAnOpenFolderIsRenamedAndRemoved(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	root, err := OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := root.WriteFile("file", nil, 0o600); err != nil {
		t.Error(err)
	}
	if err := Rename(folder, folder+"-moved"); err != nil {
		t.Error(err)
	}
	if err := RemoveAll(folder + "-moved"); err != nil {
		t.Error(err)
	}
	if _, err := OpenRoot(folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing folder: %v", err)
	}
}
