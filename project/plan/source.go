package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/spf13/afero"

	"gatewright/internal/file/fingerprint"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/project/read"
	"gatewright/render/handler"
)

func (pl *planner) functionPairs() []pair[*model.Function] {
	return pairs(pl, model.KindFunction, pl.Backend.Functions, pl.next.Functions,
		func(f *model.Function) string { return f.Name })
}

// templateFiles returns the source files that a function's template makes for the paths that it
// serves; none if it has no template.
func templateFiles(b *model.Backend, f *model.Function, paths []string) ([]handler.File, error) {
	if f.Template == "" {
		return nil, nil
	}
	spec := handler.Spec{Function: f.Name, Runtime: f.Runtime, Template: f.Template}
	for _, name := range paths {
		if name == access.ProxyPath {
			name = "/"
		}
		spec.Paths = append(spec.Paths, name)
	}
	if f.Template == model.CRUD {
		spec.Table = b.Table(f.Table)
		if spec.Table == nil {
			return nil, &model.Problem{
				Of:   model.Ref{Kind: model.KindFunction, Name: f.Name},
				Text: "a CRUD function needs a table", Fix: "name one",
			}
		}
	}
	files, err := handler.Files(spec)
	if err != nil {
		return nil, fmt.Errorf("making the source of function %s: %w", phrase.Quote(f.Name), err)
	}
	return files, nil
}

// servedPaths returns the paths that each function serves, by function.
func servedPaths(b *model.Backend) map[string][]string {
	paths := make(map[string][]string)
	for _, api := range b.APIs {
		for _, p := range api.Paths {
			paths[p.Function] = append(paths[p.Function], p.Name)
		}
	}
	return paths
}

// sources plans the source files of a new function. An existing file stays.
func (pl *planner) sources(f *model.Function) error {
	files, err := templateFiles(pl.next, f, pl.served()[f.Name])
	if err != nil {
		return err
	}
	for _, source := range files {
		name := path.Join(pl.Layout.FunctionFolder(f.Name), source.Name)
		have, err := read.Bytes(pl.FS, name)
		switch {
		case errors.Is(err, fs.ErrNotExist), pl.changes[name].Delete:
			pl.put(journal.Change{Path: name, New: source.Data})
		case err != nil:
			return err
		case !read.SameLines(have, source.Data):
			pl.note(name, "exists already and is left as it is")
		}
	}
	return nil
}

// removeSources plans to delete the files in the folder of a removed function, and
// notes those that its template did not make.
func (pl *planner) removeSources(f *model.Function) error {
	folder := pl.Layout.FunctionFolder(f.Name)
	files, err := pl.contents(folder)
	if err != nil {
		return err
	}
	generated := map[string][]byte{}
	// If the template makes no files any more, every file counts as written by a person.
	templates, _ := templateFiles(pl.Backend, f, pl.servedBefore()[f.Name])
	for _, source := range templates {
		generated[path.Join(folder, source.Name)] = source.Data
	}
	var own []string
	for _, c := range files {
		pl.put(journal.Change{Path: c.name, Existed: true, Old: c.data, Delete: true})
		copied, known := generated[c.name]
		if c.name != pl.Layout.File(model.Ref{Kind: model.KindFunction, Name: f.Name}) &&
			!(known && read.SameLines(copied, c.data)) {
			own = append(own, c.name)
		}
	}
	switch len(own) {
	case 0:
	case 1:
		pl.note(own[0], "was written by hand and is deleted with function %s", phrase.Quote(f.Name))
	default:
		pl.note(own[0], "and %d more were written by hand and are deleted with function %s", len(own)-1,
			phrase.Quote(f.Name))
	}
	return nil
}

// content is a file in the folder of a thing.
type content struct {
	name string
	data []byte
	mode fs.FileMode
}

// contents reads the files in the folder of a thing that is removed or renamed. It
// leaves out installed folders, links and files over MaxFile, and notes that they stay.
func (pl *planner) contents(folder string) ([]content, error) {
	var files []content
	err := afero.Walk(pl.FS, folder, func(name string, info fs.FileInfo, err error) error {
		name = filepath.ToSlash(name)
		switch {
		case err != nil:
			return read.Unreadable(name, err)
		case fingerprint.IsGenerated(info.Name()):
			pl.note(name, "stays: it was installed there")
			if info.IsDir() {
				return fs.SkipDir
			}
			return nil
		case name == folder && !info.IsDir():
			return &read.Problem{
				File: name, Text: "is a link, which is neither moved nor deleted",
				Fix: "replace it with the folder itself",
			}
		case info.IsDir():
			return nil
		case info.Mode()&fs.ModeSymlink != 0:
			pl.note(name, "stays: it is a link")
			return nil
		case !info.Mode().IsRegular():
			pl.note(name, "stays: it is not a regular file")
			return nil
		case info.Size() > read.MaxFile:
			pl.note(name, "stays: it has %d bytes, and gatewright moves or deletes at most %d", info.Size(), read.MaxFile)
			return nil
		}
		data, err := read.Bytes(pl.FS, name)
		if err != nil {
			return err
		}
		files = append(files, content{name: name, data: data, mode: info.Mode().Perm()})
		return nil
	})
	return files, err
}

// Event plans to keep an event of a function in a new file. It refuses to overwrite one.
func Event(p *project.Project, function, name string, event []byte) (*Plan, error) {
	if err := p.Backend.Known(model.Ref{Kind: model.KindFunction, Name: function}); err != nil {
		return nil, err
	}
	pl, err := newPlanner(p, p.Backend)
	if err != nil {
		return nil, err
	}
	if err := pl.create(p.Layout.EventFileNamed(function, name), event); err != nil {
		return nil, err
	}
	return pl.finish()
}
