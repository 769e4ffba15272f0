package project

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/spf13/afero"

	"gatewright/internal/file/fingerprint"
	"gatewright/model"
	"gatewright/project/journal"
	"gatewright/project/read"
)

// Project is a project as it was read.
type Project struct {
	Layout Layout
	// Root is the project's folder on this machine; "" if Open did not open it.
	Root string
	// Backend is what the files define. It must not be changed; Backend.Edit
	// makes a changed copy.
	Backend *model.Backend
	// Problems are what could not be read. While one is an error, nothing is
	// written.
	Problems []*read.Problem
	// Recovery is what Open did about an interrupted write.
	Recovery journal.Recovery

	// FS is the project's folder.
	FS afero.Fs
	// Definitions are the files of definitions that were read, by their path in FS.
	Definitions map[string]*read.File
	// unread are the things whose file exists and could not be read.
	unread []model.Ref
	// Legacy are the APIs that only an api-params.json defines.
	Legacy map[string]*read.File
	// templates are the CloudFormation templates of an Amplify CLI project's
	// functions, by function.
	templates map[string]*functionTemplate
	// parsed are the templates of an Amplify CLI project that were read, by category and
	// resource.
	parsed map[string]parsedTemplate
	// unreadable: see Unreadable.
	unreadable []*read.Problem
	close      func() error
}

// Unread are the things whose file exists and could not be read, so that the backend lacks them.
func (p *Project) Unread() []model.Ref { return p.unread }

// Close closes the project's folder.
func (p *Project) Close() error {
	if p.close == nil {
		return nil
	}
	return p.close()
}

// Load reads the project at the root of fsys. It writes nothing. What cannot be
// read is in Problems; an error means that the filesystem does not answer.
func Load(fsys afero.Fs, layout Layout) (*Project, error) {
	if _, err := fsys.Stat("."); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the project: %w", err)
	}
	p := &Project{
		Layout: layout, Backend: &model.Backend{}, FS: fsys, Definitions: make(map[string]*read.File),
		Legacy: make(map[string]*read.File),
	}
	if layout == Amplify {
		p.loadAmplify()
	} else {
		p.loadNative()
	}
	read.SortProblems(p.Problems)
	return p, nil
}

// read reads a file. It returns nil if the file is missing, or broken, which it adds
// to the problems.
func (p *Project) read(name string) *read.File {
	f, err := read.JSON(p.FS, name)
	var problem *read.Problem
	switch {
	case err == nil:
		p.Definitions[name] = f
		return f
	case errors.As(err, &problem):
		p.Problems = append(p.Problems, problem)
	case !errors.Is(err, fs.ErrNotExist):
		p.Problems = append(p.Problems, &read.Problem{File: name, Text: err.Error()})
	}
	return nil
}

// reader reads the file of a thing. It returns false if there is no file or a broken
// one; the thing of a broken file is unread.
func (p *Project) reader(of model.Ref) (*read.Reader, bool) {
	known := len(p.Problems)
	f := p.read(p.Layout.File(of))
	if f == nil {
		if len(p.Problems) > known {
			p.unread = append(p.unread, of)
		}
		return nil, false
	}
	return &read.Reader{File: f, Problems: &p.Problems}, true
}

// folders lists the folders in a folder, and jsonFiles its JSON files. What cannot
// be listed is added to the problems.
func (p *Project) folders(dir string) []string { return p.listed(read.Folders(p.FS, dir)) }

func (p *Project) jsonFiles(dir string) []string { return p.listed(read.JSONFiles(p.FS, dir)) }

func (p *Project) listed(names []string, problems []*read.Problem) []string {
	p.Problems = append(p.Problems, problems...)
	return names
}

func (p *Project) loadNative() {
	if r, ok := p.reader(model.Ref{Kind: model.KindProject}); ok {
		p.Backend.Project = r.Project()
	}
	base := p.Layout.Folder()
	p.loadAPIs(path.Join(base, "api"))
	for _, name := range p.jsonFiles(path.Join(base, "environments")) {
		if r, ok := p.reader(model.Ref{Kind: model.KindEnvironment, Name: name}); ok {
			p.Backend.Environments = append(p.Backend.Environments, r.Environment(name))
		}
	}
	for _, name := range p.folders(path.Join(base, "function")) {
		if r, ok := p.reader(model.Ref{Kind: model.KindFunction, Name: name}); ok {
			p.Backend.Functions = append(p.Backend.Functions, r.Function(name))
		}
	}
	for _, name := range p.folders(path.Join(base, "table")) {
		if r, ok := p.reader(model.Ref{Kind: model.KindTable, Name: name}); ok {
			p.Backend.Tables = append(p.Backend.Tables, r.Table(name))
		}
	}
	for _, name := range p.jsonFiles(path.Join(base, "outputs")) {
		if r, ok := p.reader(model.Ref{Kind: model.KindOutput, Name: name}); ok {
			p.Backend.Outputs = append(p.Backend.Outputs, r.Output(name))
		}
	}
	p.loadDefinitions()
}

func (p *Project) loadDefinitions() {
	if r, ok := p.reader(model.Ref{Kind: model.KindAuth}); ok {
		p.Backend.Groups = r.Texts(r.Root(), "groups")
		p.Backend.Triggers = r.Triggers()
		p.Backend.Auth = r.Auth()
	}
	if r, ok := p.reader(model.Ref{Kind: model.KindData}); ok {
		p.Backend.Data = &model.Data{}
		if root, ok := r.Start(); ok {
			r.Into(root, "", p.Backend.Data)
		}
	}
	if r, ok := p.reader(model.Ref{Kind: model.KindStorage}); ok {
		p.Backend.Storage = &model.Storage{}
		if root, ok := r.Start(); ok {
			r.Into(root, "", p.Backend.Storage)
		}
	}
}

// loadAPIs reads each API below a folder: its cli-inputs.json, else its api-params.json.
func (p *Project) loadAPIs(dir string) {
	for _, label := range p.folders(dir) {
		r, ok := p.reader(model.Ref{Kind: model.KindAPI, Name: label})
		switch {
		case !ok:
			p.loadLegacy(dir, label)
		case read.ShapeOf(r.Root()) == read.OtherAPI:
			delete(p.Definitions, r.File.Path)
			p.Problems = append(p.Problems, r.File.Problem(model.Note, "", "", "is not a REST API and is left alone"))
		default:
			p.Backend.APIs = append(p.Backend.APIs, r.API(label))
		}
	}
}

func (p *Project) loadLegacy(dir, label string) {
	name := path.Join(dir, label, read.LegacyFile)
	f := p.read(name)
	if f == nil {
		return
	}
	r := &read.Reader{File: f, Problems: &p.Problems}
	p.Legacy[label] = f
	p.Backend.APIs = append(p.Backend.APIs, r.LegacyAPI(label))
	p.Problems = append(p.Problems,
		f.Problem(model.Warning, "", "run: gatewright migrate", "is an older format, read and not edited"))
}

// DefinitionFiles returns the paths of the project's definition files, relative to its root, in
// alphabetical order.
func (p *Project) DefinitionFiles() []string { return slices.Sorted(maps.Keys(p.Definitions)) }

// Fingerprint returns a hash of the project's definition files: it differs if one of
// them does.
func (p *Project) Fingerprint() string {
	sum := fingerprint.New()
	for _, name := range p.DefinitionFiles() {
		sum.Content(name, p.Definitions[name].Doc.Bytes())
	}
	return sum.String()
}
