package ship

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"gatewright/cli/command"
	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
	"gatewright/render"
)

// outputFile is a client configuration file as it is to be, and as it is.
type outputFile struct {
	source  *outputsSource
	dialect model.Dialect
	format  render.Format
	// path is absolute, with no link in it as far as it is there; name is how
	// people are told of it.
	path, name string
	// text is what the file is to hold, values what that says in the words of the
	// dialect.
	text   []byte
	values model.Outputs
	// own is the project whose own file it is; nil for any other. plan writes it
	// then, so that later edits know what of it was generated; it is nil where
	// there is nothing that a plan could keep.
	own   *project.Project
	plan  *project.Plan
	index deploy.Index
	now   presentFile
	// unkept is why the note of what the file is of could not be kept.
	unkept error
}

// file makes the client configuration file of a source in the form asked for,
// beside what is on disk. It writes nothing. With force it is made anew where
// what is on disk would keep it from being valid.
func (s *outputsSource) file(form fileForm, here *project.Project, streams command.Streams, force bool) (*outputFile, error) {
	f := s.named(form, streams)
	if err := f.look(); err != nil {
		return nil, err
	}
	if err := f.render(); err != nil {
		return nil, err
	}
	if f.isOwn(here) {
		if err := f.merge(here, force); err != nil {
			return nil, err
		}
	}
	f.now.of = f.writtenFor()
	return f, nil
}

// printed makes the file as it is where nothing is there before.
func (s *outputsSource) printed(form fileForm, streams command.Streams) (*outputFile, error) {
	f := s.named(form, streams)
	return f, f.render()
}

// named is the file's place and form.
func (s *outputsSource) named(form fileForm, streams command.Streams) *outputFile {
	f := &outputFile{source: s, format: render.Format(form.format), dialect: s.dialect, index: deploy.UserIndex()}
	file := render.ClientFileNameIn(f.dialect, f.format)
	f.name = filepath.ToSlash(filepath.Join(form.folder, file))
	f.path = filepath.Join(form.in(streams), file)
	return f
}

// in is the absolute path of the folder that the file goes to.
func (f *fileForm) in(streams command.Streams) string { return command.Absolute(f.folder, streams) }

// dialectIn is the dialect of the file that is in the folder already; where none
// or both are, it stays the one that the values came in.
func (f *fileForm) dialectIn(streams command.Streams, usual model.Dialect) model.Dialect {
	var found []model.Dialect
	for _, dialect := range model.Dialects {
		name := render.ClientFileNameIn(dialect, render.Format(f.format))
		if _, err := os.Stat(filepath.Join(f.in(streams), name)); err == nil {
			found = append(found, dialect)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return usual
}

// render makes the text as it is where nothing is there before.
func (f *outputFile) render() error {
	data := render.ClientFile(model.ClientFileContent{Values: f.source.values}, f.dialect, render.Whole)
	if err := render.Failed(data); err != nil {
		return f.problem("cannot be written as JSON: "+err.Error(), "change the value that it names")
	}
	return f.take(data)
}

// take makes a JSON text the one to be written, if it is valid by its schema.
func (f *outputFile) take(data []byte) error {
	values, _, problems := project.ReadClientFile(f.name, data)
	if err := project.FirstError(problems); err != nil {
		return fmt.Errorf("nothing is written, as the file would not be valid: %w", err)
	}
	text := render.ClientCode(data, f.dialect, f.format)
	if err := render.Failed(text); err != nil {
		return f.problem("cannot be written as "+string(f.format)+": "+err.Error(), "change the value that it names")
	}
	f.text, f.values = text, values
	return nil
}

// isOwn reports whether the file is the one that the project keeps itself.
func (f *outputFile) isOwn(here *project.Project) bool {
	record := f.source.record
	if here == nil || here.Layout != project.Native || record == nil || f.format != render.JSON {
		return false
	}
	root, err := filepath.EvalSymlinks(here.Root)
	return err == nil && f.dialect == here.Backend.Project.Dialect && record.ApplicationID == here.Backend.Project.ApplicationID &&
		here.Backend.Environment(record.Environment) != nil && f.path == filepath.Join(root, render.ClientFileName(f.dialect))
}

// merge brings what the project's own file has already to what is wanted: what
// others put beside what is generated stays.
func (f *outputFile) merge(here *project.Project, force bool) error {
	f.own = here
	if f.now.broken != nil || f.now.exists && len(f.now.values) == 0 {
		return nil
	}
	plan, err := here.PlanClientFile(f.source.record.Environment, f.source.values)
	if err != nil {
		return err
	}
	merged := f.now.text
	for _, c := range plan.Changes {
		if c.Path == render.ClientFileName(f.dialect) {
			merged = c.New
		}
	}
	if err := f.take(merged); err != nil {
		if force {
			return nil
		}
		return fmt.Errorf("%w; or give --force to write the file anew", err)
	}
	f.plan = plan
	return nil
}

// same reports whether the file on disk says already what it is to say. JSON is
// compared by value, and `$schema` says nothing; code is compared as it is
// written, whatever ends its lines.
func (f *outputFile) same() bool {
	if !f.now.exists || f.now.broken != nil {
		return false
	}
	if f.format != render.JSON {
		return linesOf(f.now.text) == linesOf(f.text)
	}
	return len(f.changes()) == 0
}

// changes are the differences to the file on disk.
func (f *outputFile) changes() []render.FileChange {
	return render.Compare(withoutSchema(f.now.values), withoutSchema(f.values))
}

// dropped is what the file on disk has and would lose. That of another
// deployment has other things; what --drop leaves out is said already.
func (f *outputFile) dropped() []string {
	return render.Dropped(withoutSchema(f.now.values), withoutSchema(f.values))
}

// withoutSchema are the values without the name of their schema.
func withoutSchema(values model.Outputs) model.Outputs {
	values = maps.Clone(values)
	delete(values, "$schema")
	return values
}
