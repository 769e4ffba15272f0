package project

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/afero"

	"gatewright/internal/file"
	"gatewright/project/disk"
	"gatewright/project/document"
	"gatewright/project/journal"
	"gatewright/project/read"
	"gatewright/schemas"
)

// ErrNoProject is matched by the error of [Find] if no folder has a project.
var ErrNoProject = errors.New("no project in this folder or any folder above; create one with: gatewright init " +
	"--name NAME")

// marks are the file or folder by which a project is found, by layout. says tells by its text whether a file is one.
var marks = []struct {
	layout Layout
	file   string
	says   func(text []byte) bool
}{
	{Native, projectFile, isOurText},
	{Amplify, "amplify/backend", func([]byte) bool { return false }},
	// One that is cut off or empty may be ours, and reading it tells what is wrong.
	{Native, projectFile, saysNothing},
}

const projectFile = "backend/project.json"

// Find looks for a project in a folder and in those above it. The error
// matches ErrNoProject if there is none; it may be a *SecondGenerationError.
func Find(dir string) (root string, layout Layout, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return "", Native, fmt.Errorf("finding the project: %w", err)
	}
	here := dir
	var second error
	for {
		layout, found, err := marked(dir)
		switch {
		case err != nil:
			return "", Native, err
		case found:
			return dir, layout, nil
		case second == nil:
			second = secondGeneration(dir)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", Native, cmp.Or(second, noProject(here))
		}
		dir = parent
	}
}

// marked returns the layout of the project whose top is a folder.
func marked(dir string) (layout Layout, found bool, err error) {
	in := func(file string) string { return filepath.Join(dir, filepath.FromSlash(file)) }
	return layoutIn(func(file string) (fs.FileInfo, error) { return os.Stat(in(file)) },
		func(file string) ([]byte, error) { return beginning(in(file)) })
}

// LayoutOf returns the layout of the project at the top of a filesystem; ok is false if there is none.
func LayoutOf(fsys afero.Fs) (layout Layout, ok bool) {
	layout, ok, _ = layoutIn(fsys.Stat, func(file string) ([]byte, error) { return read.Bytes(fsys, file) })
	return layout, ok
}

func layoutIn(
	stat func(file string) (fs.FileInfo, error), content func(file string) ([]byte, error),
) (layout Layout, found bool, err error) {
	for _, mark := range marks {
		info, err := stat(mark.file)
		if errors.Is(err, fs.ErrPermission) {
			return Native, false, fmt.Errorf("finding the project: %w", err)
		}
		if err != nil {
			continue
		}
		if info.IsDir() {
			return mark.layout, true, nil
		}
		if text, err := content(mark.file); err != nil && mark.layout == Native || mark.says(text) {
			return mark.layout, true, nil
		}
	}
	return Native, false, nil
}

// enough is how much of a file tells whose it is.
const enough = 64 << 10

// beginning reads the beginning of a regular file.
func beginning(name string) ([]byte, error) {
	f, err := file.OpenRegular(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, enough))
}

// isOurText reports whether a backend/project.json is of this program. Other tools
// have a file of that name; ours has an application id or names its schema.
func isOurText(text []byte) bool {
	return bytes.Contains(text, []byte(`"applicationId"`)) || bytes.Contains(text, []byte(schemas.ID("project")))
}

// saysNothing reports whether a text has no object with a member, of this program or another.
func saysNothing(text []byte) bool {
	doc, err := document.Parse(text)
	return len(text) < enough && (err != nil || doc.Root().Kind() != document.Object || doc.Root().Len() == 0)
}

// Open finds the project that dir belongs to, finishes or takes back an
// interrupted write, and loads it. The caller closes the project.
func Open(dir string) (*Project, error) {
	root, layout, err := Find(dir)
	if err != nil {
		return nil, err
	}
	fsys, err := disk.Open(root)
	if err != nil {
		return nil, fmt.Errorf("opening the project: %w", err)
	}
	var recovery journal.Recovery
	err = journal.WhenFree(context.Background(), func() (err error) {
		recovery, err = journal.Recover(fsys)
		return err
	})
	if err != nil {
		_ = fsys.Close()
		return nil, err
	}
	p, err := Load(fsys, layout)
	if err != nil {
		_ = fsys.Close()
		return nil, err
	}
	p.Root, p.Recovery, p.close = root, recovery, fsys.Close
	return p, nil
}

// Recovered returns a sentence about the interrupted write that Open finished or took back; "" if there was none.
func (p *Project) Recovered() string {
	switch p.Recovery.Outcome {
	case journal.Completed:
		shown := slices.DeleteFunc(slices.Clone(p.Recovery.Paths),
			func(name string) bool { return slices.Contains(journal.State, name) })
		return "finished a write that was interrupted: " + read.Listed(shown)
	case journal.Discarded:
		return "undid an interrupted write: all files are as before"
	}
	return ""
}
