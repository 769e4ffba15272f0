package deploy

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gatewright/atomicfile"
	"gatewright/model"
	"gatewright/project"
)

// ErrNoStack is the cause of an error about a stack that nobody here knows.
var ErrNoStack = errors.New("no such stack")

// errUnknown is ErrNoStack where nothing at all is known of the stack.
var errUnknown = fmt.Errorf("%w in the index", ErrNoStack)

// Index says where the local deployments of this machine are. It lies in the
// user's state folder (project.UserState), one file for each stack, so that
// pushes of different stacks never wait for or lose one another. The zero Index
// knows nothing and keeps nothing.
type Index struct{ folder string }

// Entry is what the index knows of a stack: of which application and branch it
// is, and in which project's folder its record lies.
type Entry struct {
	Version       int       `json:"version"`
	Stack         string    `json:"stack"`
	ApplicationID string    `json:"applicationId"`
	Branch        string    `json:"branch"`
	Environment   string    `json:"environment"`
	Root          string    `json:"root"`
	Deployed      time.Time `json:"deployed"`
}

// indexVersion is the version of the index's files. Those of another one are as
// if they were not there.
const indexVersion = 1

// OpenIndex is the index in the user's state folder, which need not exist.
func OpenIndex(stateFolder string) Index { return Index{folder: stateFolder} }

// UserIndex is the index of what this user deployed on this machine. Where there is
// no folder for it nothing is known, and a push says so.
func UserIndex() Index {
	// Without a folder the name is empty.
	folder, _ := project.UserState(os.Getenv)
	return OpenIndex(folder)
}

func (x Index) deployments() string { return filepath.Join(x.folder, "deployments") }

// file is where a stack's entry lies. The stack must be valid: it comes from
// people and files.
func (x Index) file(stack string) string { return filepath.Join(x.deployments(), stack+".json") }

// Put writes an entry in the place of what is known of its stack. Version is set
// by it.
func (x Index) Put(e Entry) error {
	if err := ValidStack(e.Stack); err != nil {
		return err
	}
	e.Version = indexVersion
	return x.write(x.file(e.Stack), e)
}

// Find looks a stack up. The error matches ErrNoStack where it is not known;
// that of a file that cannot be read does too, and names the file.
func (x Index) Find(stack string) (Entry, error) {
	if err := ValidStack(stack); err != nil {
		return Entry{}, err
	}
	unknown := &model.Problem{Field: "stack", Text: model.Quote(stack) + " is not known on this machine", Fix: "deploy it with: gatewright push", Cause: errUnknown}
	var e Entry
	err := x.read(x.file(stack), &e)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Entry{}, unknown
	case err != nil:
		return Entry{}, err
	// A filesystem may take one name for another that differs in case.
	case e.Version != indexVersion || e.Stack != stack:
		return Entry{}, unknown
	case !filepath.IsAbs(e.Root) || model.CheckName(model.KindEnvironment, e.Environment) != nil:
		return Entry{}, x.broken(x.file(stack), errors.New("it names no folder or no environment"))
	}
	return e, nil
}

// List gives every entry that can be read, sorted by stack.
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

// Forget takes a stack out of the index; one that is not there is forgotten
// already.
func (x Index) Forget(stack string) error {
	if err := ValidStack(stack); err != nil || x.folder == "" {
		return err
	}
	if err := os.Remove(x.file(stack)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forgetting the stack %s: %w", stack, err)
	}
	return nil
}

// ForgetOf takes a stack out of the index if it is that of an environment of the
// project in a folder. One that nobody knows, or whose file is broken, is forgotten
// already.
func (x Index) ForgetOf(root, env, stack string) error {
	e, err := x.Find(stack)
	switch {
	case errors.Is(err, ErrNoStack), errors.Is(err, ErrRequest):
		return nil
	case err != nil:
		return err
	case e.Environment != env || !sameFolder(e.Root, root):
		return nil
	}
	return x.Forget(stack)
}

// read reads a file of the index. The error matches fs.ErrNotExist, or ErrNoStack
// where the file is broken.
func (x Index) read(name string, into any) error {
	if x.folder == "" {
		return fs.ErrNotExist
	}
	text, err := os.ReadFile(name)
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

func (x Index) broken(name string, cause error) error {
	return &model.Problem{
		Field: project.QuotePath(name), Text: "cannot be read: " + project.Reason(cause).Error(), Fix: "the next gatewright push writes it anew", Cause: ErrNoStack,
	}
}

// write puts a file in place whole: another process reads the old one or the new
// one.
func (x Index) write(name string, value any) error {
	if x.folder == "" {
		return errors.New("there is no folder for the state of this user; set GATEWRIGHT_STATE to one")
	}
	if err := atomicfile.JSON(name, value); err != nil {
		return fmt.Errorf("writing %s: %w", project.QuotePath(name), err)
	}
	return nil
}
