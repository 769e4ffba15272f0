package deploy

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gatewright/lock"
)

// written is what the index keeps of a client configuration file outside a
// project.
type written struct {
	Version int    `json:"version"`
	Path    string `json:"path"`
	Stack   string `json:"stack"`
}

// Hold keeps other processes from writing a client configuration file, and the
// note of what it is of, in between; call release when both are written. The
// error is a *lock.HeldError while another has it. The zero Index holds
// nothing.
func (x Index) Hold(path string) (release func(), err error) {
	if x.folder == "" {
		return func() {}, nil
	}
	path, err = wholePath(path)
	if err != nil {
		return nil, fmt.Errorf("locking the client configuration file: %w", err)
	}
	name := strings.TrimSuffix(x.fileOf(path), ".json") + ".lock"
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, fmt.Errorf("locking the client configuration file: %w", err)
	}
	taken, err := lock.Path(name)
	if err != nil {
		return nil, err
	}
	return func() { _ = taken.Release() }, nil
}

// ForgetFile forgets what a client configuration file was written for.
func (x Index) ForgetFile(path string) error {
	path, err := wholePath(path)
	if err == nil && x.folder != "" {
		if err = os.Remove(x.fileOf(path)); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	if err != nil {
		return fmt.Errorf("forgetting what the client configuration file was written for: %w", err)
	}
	return nil
}

// Wrote notes that a client configuration file outside a project was written for
// a stack.
func (x Index) Wrote(path, stack string) error {
	if err := ValidStack(stack); err != nil {
		return err
	}
	path, err := wholePath(path)
	if err != nil {
		return fmt.Errorf("noting what the client configuration file was written for: %w", err)
	}
	return x.write(x.fileOf(path), written{Version: indexVersion, Path: path, Stack: stack})
}

// WrittenFor is the stack that a client configuration file outside a project was
// last written for; "" where that is not known.
func (x Index) WrittenFor(path string) string {
	path, err := wholePath(path)
	if err != nil {
		return ""
	}
	var w written
	if err := x.read(x.fileOf(path), &w); err != nil || w.Version != indexVersion || w.Path != path || ValidStack(w.Stack) != nil {
		return ""
	}
	return w.Stack
}

// fileOf is where the note about a file lies: a path is no file name, so its
// hash is.
func (x Index) fileOf(path string) string {
	sum := sha256.Sum256([]byte(path))
	return filepath.Join(x.folder, "files", hex.EncodeToString(sum[:16])+".json")
}

// wholePath is the one path of a file, whatever links lead to its folder.
func wholePath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(folder, filepath.Base(path))
	}
	return path, nil
}
