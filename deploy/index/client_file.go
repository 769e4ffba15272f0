package index

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gatewright/internal/file"
	"gatewright/internal/file/lock"
)

// clientFileEntry is what the index stores about a client configuration file outside a project.
type clientFileEntry struct {
	Version int    `json:"version"`
	Path    string `json:"path"`
	Stack   string `json:"stack"`
}

// LockClientFile locks a client configuration file and its entry in the index against other
// processes; call release when both are written. The error is a *lock.HeldError
// while another process has the lock. The zero Index locks nothing.
func (x Index) LockClientFile(path string) (release func(), err error) {
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
	taken, err := lock.TakePath(name)
	if err != nil {
		return nil, err
	}
	return func() { _ = taken.Release() }, nil
}

// ForgetClientFile removes the entry of a client configuration file.
func (x Index) ForgetClientFile(path string) error {
	path, err := wholePath(path)
	if err == nil && x.folder != "" {
		if err = file.Remove(x.fileOf(path)); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	if err != nil {
		return fmt.Errorf("removing the client configuration file from the index: %w", err)
	}
	return nil
}

// PutClientFile stores that a client configuration file outside a project was written for a stack.
func (x Index) PutClientFile(path, stack string) error {
	if err := ValidStack(stack); err != nil {
		return err
	}
	path, err := wholePath(path)
	if err != nil {
		return fmt.Errorf("adding the client configuration file to the index: %w", err)
	}
	return x.write(x.fileOf(path), clientFileEntry{Version: indexVersion, Path: path, Stack: stack})
}

// ClientFileStack returns the stack that a client configuration file outside a project was
// last written for, "" if that is unknown.
func (x Index) ClientFileStack(path string) string {
	path, err := wholePath(path)
	if err != nil {
		return ""
	}
	var w clientFileEntry
	if err := x.read(x.fileOf(path), &w); err != nil || w.Version != indexVersion || w.Path != path ||
		ValidStack(w.Stack) != nil {
		return ""
	}
	return w.Stack
}

// fileOf returns the file of a client configuration file's entry, named by a hash of the path.
func (x Index) fileOf(path string) string {
	sum := sha256.Sum256([]byte(path))
	return filepath.Join(x.folder, "files", hex.EncodeToString(sum[:16])+".json")
}

// wholePath returns the absolute path of a file, with the links to its folder resolved.
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
