package ship

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"gatewright/cli/command"
	"gatewright/deploy/index"
	"gatewright/model"
	"gatewright/model/clientfile"
	"gatewright/project"
	"gatewright/project/plan"
	"gatewright/project/read"
	"gatewright/project/validate"
	"gatewright/render"
)

// outputFile is a client configuration file: what it should hold, and what is on disk.
type outputFile struct {
	source  *outputsSource
	dialect model.Dialect
	format  render.Format
	// targetFile is the file on disk.
	targetFile
	// text is what the file should hold, values are its values in the names of the dialect,
	// or of the Amplify CLI. whole are those of the client configuration file.
	text          []byte
	values, whole model.Outputs
	// own is the project that the file belongs to; nil for a file elsewhere. plan writes the
	// project's own file, so that later edits know which values were generated; it is nil if
	// the file on disk has nothing to keep.
	own   *project.Project
	plan  *plan.Plan
	index index.Index
	now   presentFile
	// indexErr is why the index could not record the deployment of the file.
	indexErr error
}

// file makes the client configuration file of a source, and compares it with the file on
// disk. It writes nothing. With force, invalid values on disk are not merged.
func (s *outputsSource) file(
	form fileForm, here *project.Project, streams command.Streams, force bool,
) (*outputFile, error) {
	f := s.named(form, streams)
	if err := f.look(); err != nil {
		return nil, err
	}
	if err := f.refuseAmplifyCLI(here); err != nil {
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

// printed makes the file as if none were on disk.
func (s *outputsSource) printed(form fileForm, streams command.Streams) (*outputFile, error) {
	f := s.named(form, streams)
	return f, f.render()
}

// named returns the file with its path and format.
func (s *outputsSource) named(form fileForm, streams command.Streams) *outputFile {
	f := &outputFile{
		source: s, format: render.Format(form.format), dialect: s.dialect,
		index: index.OfUserIn(streams.Getenv),
	}
	if s.app && f.format == render.AmplifyConfiguration {
		f.format = render.NativeConfiguration
	}
	file := render.ClientFileNameIn(f.dialect, f.format)
	f.name = filepath.ToSlash(filepath.Join(form.folder, file))
	f.path = filepath.Join(form.in(streams), file)
	f.another = "give another folder with --out-dir"
	return f
}

// in returns the absolute path of the file's folder.
func (f *fileForm) in(streams command.Streams) string { return command.Absolute(f.folder, streams) }

// dialectIn returns the dialect of the file that the folder has already; fallback if it has
// no such file, or one in each dialect.
func (f *fileForm) dialectIn(streams command.Streams, fallback model.Dialect) model.Dialect {
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
	return fallback
}

// render makes the text as if no file were on disk.
func (f *outputFile) render() error {
	data := render.ClientFile(clientfile.Content{Values: f.source.values}, f.dialect, render.Whole)
	if err := render.Failed(data); err != nil {
		return f.problem("cannot be written as JSON: "+err.Error(), "change that value")
	}
	return f.take(data)
}

// take makes a JSON text the content of the file, if it is valid by its schema.
func (f *outputFile) take(data []byte) error {
	values, _, problems := validate.ReadClientFile(f.name, data)
	if err := read.FirstError(problems); err != nil {
		return fmt.Errorf("nothing was written, because the file would be invalid: %w", err)
	}
	f.whole = values
	if f.format.OfAmplifyCLI() {
		return f.takeAmplifyCLI()
	}
	text := render.ClientCode(data, f.dialect, f.format)
	if err := render.Failed(text); err != nil {
		return f.problem("cannot be written as "+string(f.format)+": "+err.Error(), "change that value")
	}
	f.text, f.values = text, values
	return nil
}

// isOwn reports whether the file is the project's own client configuration file.
func (f *outputFile) isOwn(here *project.Project) bool {
	record := f.source.record
	if here == nil || here.Foreign() || record == nil || f.format != render.JSON {
		return false
	}
	root, err := filepath.EvalSymlinks(here.Root)
	return err == nil && f.dialect == here.Backend.Project.Dialect &&
		record.ApplicationID == here.Backend.Project.ApplicationID &&
		here.Backend.Environment(record.Environment) != nil && f.path == filepath.Join(root, render.ClientFileName(f.dialect))
}

// merge merges the generated values into the project's own file: values that others added
// stay.
func (f *outputFile) merge(here *project.Project, force bool) error {
	f.own = here
	if f.now.broken != nil || f.exists && len(f.now.values) == 0 {
		return nil
	}
	plan, err := plan.ClientFile(here, f.source.record.Environment, f.source.values)
	if err != nil {
		return err
	}
	merged := f.was
	for _, c := range plan.Changes {
		if c.Path == render.ClientFileName(f.dialect) {
			merged = c.New
		}
	}
	if err := f.take(merged); err != nil {
		if force {
			return nil
		}
		return fmt.Errorf("%w; or give --force to replace the file", err)
	}
	f.plan = plan
	return nil
}

// same reports whether the file on disk is up to date. JSON is compared by value, without
// `$schema`; code is compared as text, whatever its line ends are.
func (f *outputFile) same() bool {
	if !f.exists || f.now.broken != nil {
		return false
	}
	if !f.format.IsJSON() {
		return linesOf(f.was) == linesOf(f.text)
	}
	return len(f.changes()) == 0
}

// changes returns the differences to the file on disk.
func (f *outputFile) changes() []render.FileChange {
	return render.Compare(f.compared())
}

// dropped returns the values that the file on disk would lose.
func (f *outputFile) dropped() []string {
	return render.Dropped(f.compared())
}

// compared returns the values on disk and the wanted ones for a comparison, without
// `$schema`.
func (f *outputFile) compared() (have, want model.Outputs) {
	have, want = maps.Clone(f.now.values), maps.Clone(f.values)
	delete(have, "$schema")
	delete(want, "$schema")
	if f.format.OfAmplifyCLI() {
		return apisByName(have, want)
	}
	return have, want
}
