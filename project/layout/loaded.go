package layout

import (
	"errors"
	"io/fs"
	"path"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/project/read"
)

// Loaded is a project as it was read. What cannot be read is in Problems.
type Loaded struct {
	Layout Layout
	// Backend is what the files define. It must not be changed; Backend.Edit makes a changed copy.
	Backend *model.Backend
	// Problems are what could not be read. While one is an error, nothing is written.
	Problems []*read.Problem
	// FS is the project's folder.
	FS afero.Fs
	// Definitions are the files of definitions that were read, by their path in FS.
	Definitions map[string]*read.File
	// Legacy are the APIs that only an api-params.json defines.
	Legacy map[string]*read.File
	// Unread are the things whose file exists and could not be read, so that the backend lacks them.
	Unread []model.Ref
}

// Begin returns a project of which nothing is read yet: an empty backend.
func Begin(fsys afero.Fs, layout Layout) Loaded {
	return Loaded{
		Layout: layout, Backend: &model.Backend{}, FS: fsys, Definitions: make(map[string]*read.File),
		Legacy: make(map[string]*read.File),
	}
}

// JSON reads a file. It returns nil if the file is missing, or broken, which it adds to the problems.
func (l *Loaded) JSON(name string) *read.File {
	f, err := read.JSON(l.FS, name)
	var problem *read.Problem
	switch {
	case err == nil:
		l.Definitions[name] = f
		return f
	case errors.As(err, &problem):
		l.Problems = append(l.Problems, problem)
	case !errors.Is(err, fs.ErrNotExist):
		l.Problems = append(l.Problems, &read.Problem{File: name, Text: err.Error()})
	}
	return nil
}

// Reader reads the file of a thing. It returns false if there is no file or a broken
// one; the thing of a broken file is unread.
func (l *Loaded) Reader(of model.Ref) (*read.Reader, bool) {
	known := len(l.Problems)
	f := l.JSON(l.Layout.File(of))
	if f == nil {
		if len(l.Problems) > known {
			l.Unread = append(l.Unread, of)
		}
		return nil, false
	}
	return &read.Reader{File: f, Problems: &l.Problems}, true
}

// FoldersIn lists the folders in a folder. What cannot be listed is added to the problems.
func (l *Loaded) FoldersIn(dir string) []string { return l.listed(read.Folders(l.FS, dir)) }

// JSONFilesIn lists the JSON files in a folder. What cannot be listed is added to the problems.
func (l *Loaded) JSONFilesIn(dir string) []string { return l.listed(read.JSONFiles(l.FS, dir)) }

func (l *Loaded) listed(names []string, problems []*read.Problem) []string {
	l.Problems = append(l.Problems, problems...)
	return names
}

// LoadAPIs reads each API: its cli-inputs.json, else its api-params.json.
func (l *Loaded) LoadAPIs() {
	dir := path.Join(l.Layout.String(), "api")
	for _, label := range l.FoldersIn(dir) {
		of, ok := l.Reader(model.Ref{Kind: model.KindAPI, Name: label})
		switch {
		case !ok:
			l.loadLegacy(dir, label)
		case read.ShapeOf(of.Root()) == read.OtherAPI:
			delete(l.Definitions, of.File.Path)
			l.Problems = append(l.Problems, of.File.Problem(model.Note, "", "", "is not a REST API and is left alone"))
		default:
			l.Backend.APIs = append(l.Backend.APIs, of.API(label))
		}
	}
}

func (l *Loaded) loadLegacy(dir, label string) {
	f := l.JSON(path.Join(dir, label, read.LegacyFile))
	if f == nil {
		return
	}
	of := &read.Reader{File: f, Problems: &l.Problems}
	l.Legacy[label] = f
	l.Backend.APIs = append(l.Backend.APIs, of.LegacyAPI(label))
	l.Problems = append(l.Problems,
		f.Problem(model.Warning, "", "run: gatewright migrate", "is an older format, read and not edited"))
}

// Foreign reports whether another tool deploys the project.
func (l *Loaded) Foreign() bool { return !l.Layout.Defines(model.KindEnvironment) }
