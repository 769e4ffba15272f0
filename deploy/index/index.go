// Package index knows which folder of this machine holds which deployment: how stacks are named, the
// list of them in the user's state folder, and the record of the one that somebody asks for. The
// environment of a branch is found here too.
package index

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
)

// ErrNoStack is the cause of an error about an unknown stack.
var ErrNoStack = errors.New("no such stack")

// errUnknown is the ErrNoStack for a stack that is not in the index.
var errUnknown = fmt.Errorf("%w in the index", ErrNoStack)

// Index lists the local deployments of this machine. It is in the user's state folder (project.UserState), one file
// for each stack, so that simultaneous pushes of different stacks never wait for each other or overwrite each other.
// The zero Index is empty and cannot be written.
type Index struct{ folder string }

// Entry is a stack in the index: its application and branch, and the folder of the project with its record (Root).
type Entry struct {
	Version       int       `json:"version"`
	Stack         string    `json:"stack"`
	ApplicationID string    `json:"applicationId"`
	Branch        string    `json:"branch"`
	Environment   string    `json:"environment"`
	Root          string    `json:"root"`
	Deployed      time.Time `json:"deployed"`
}

// indexVersion is the version of the index's files. Files of other versions are ignored.
const indexVersion = 1

// Open returns the index in the user's state folder, which need not exist.
func Open(stateFolder string) Index { return Index{folder: stateFolder} }

// OfUser returns the index of this user. If the user has no state folder, the index
// is empty and a push reports the error.
func OfUser() Index { return OfUserIn(os.Getenv) }

// OfUserIn is OfUser with the variables that a function looks up.
func OfUserIn(getenv func(name string) string) Index {
	// With an error the folder is "": the zero Index.
	folder, _ := project.UserState(getenv)
	return Open(folder)
}

func (x Index) deployments() string { return filepath.Join(x.folder, "deployments") }

// file returns the file of a stack's entry. The caller has checked the stack's name (ValidStack).
func (x Index) file(stack string) string { return filepath.Join(x.deployments(), stack+".json") }

// Put writes an entry, replaces an older one of its stack, and sets its Version.
func (x Index) Put(e Entry) error {
	if err := ValidStack(e.Stack); err != nil {
		return err
	}
	e.Version = indexVersion
	return x.write(x.file(e.Stack), e)
}

// Find looks a stack up. The error matches ErrNoStack if the stack is unknown or its
// file cannot be read; in the second case it names the file.
func (x Index) Find(stack string) (Entry, error) {
	if err := ValidStack(stack); err != nil {
		return Entry{}, err
	}
	unknown := &model.Problem{
		Field: "stack", Text: phrase.Quote(stack) + " is not known on this machine",
		Fix: "deploy it with: gatewright push", Cause: errUnknown,
	}
	var e Entry
	err := x.read(x.file(stack), &e)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Entry{}, unknown
	case err != nil:
		return Entry{}, err
	// Some filesystems do not tell upper and lower case apart in names.
	case e.Version != indexVersion || e.Stack != stack:
		return Entry{}, unknown
	case !filepath.IsAbs(e.Root) || model.CheckName(model.KindEnvironment, e.Environment) != nil:
		return Entry{}, x.broken(x.file(stack), errors.New("the folder or the environment in it is not valid"))
	}
	return e, nil
}

// List returns every entry that can be read, sorted by stack.
func (x Index) List() ([]Entry, error) {
	if x.folder == "" {
		return nil, nil
	}
	files, err := os.ReadDir(x.deployments())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing the stacks of this machine: %w", err)
	}
	var entries []Entry
	for _, f := range files {
		stack, ok := strings.CutSuffix(f.Name(), ".json")
		if !ok {
			continue
		}
		if e, err := x.Find(stack); err == nil {
			entries = append(entries, e)
		}
	}
	return entries, nil
}

// Forget takes a stack out of the index. An unknown stack is no error.
func (x Index) Forget(stack string) error {
	if err := ValidStack(stack); err != nil || x.folder == "" {
		return err
	}
	if err := file.Remove(x.file(stack)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing the stack %s from the index: %w", stack, err)
	}
	return nil
}

// ForgetOf takes a stack out of the index if it belongs to an environment of the
// project in a folder. An unknown stack or a broken file is no error.
func (x Index) ForgetOf(root, env, stack string) error {
	e, err := x.Find(stack)
	switch {
	case errors.Is(err, ErrNoStack), errors.Is(err, ErrRequest):
		return nil
	case err != nil:
		return err
	case e.Environment != env || !SameFolder(e.Root, root):
		return nil
	}
	return x.Forget(stack)
}

// read reads a file of the index. The error matches fs.ErrNotExist, or ErrNoStack if the file is broken.
func (x Index) read(name string, into any) error {
	if x.folder == "" {
		return fs.ErrNotExist
	}
	text, err := file.ReadShared(name)
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return x.broken(name, err)
	}
	return nil
}

func (x Index) broken(name string, err error) error {
	return &model.Problem{
		Field: phrase.QuotePath(name), Text: "cannot be read: " + file.Cause(err).Error(),
		Fix: "the next gatewright push writes it again", Cause: ErrNoStack,
	}
}

// write replaces a file in one step: another process reads the old or the new content.
func (x Index) write(name string, value any) error {
	if x.folder == "" {
		return errors.New("this user has no state folder; set GATEWRIGHT_STATE to a folder")
	}
	if err := file.ReplaceJSON(name, value); err != nil {
		return fmt.Errorf("writing %s: %w", phrase.QuotePath(name), err)
	}
	return nil
}

// SameFolder reports whether two paths lead to one folder, links followed.
func SameFolder(a, b string) bool {
	if a == b {
		return true
	}
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}
