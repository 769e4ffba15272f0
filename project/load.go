package project

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/spf13/afero"

	"gatewright/internal/file/fingerprint"
	"gatewright/model"
	"gatewright/project/amplify"
	"gatewright/project/journal"
	"gatewright/project/layout"
	"gatewright/project/read"
	"gatewright/render"
)

// Project is a project as it was read.
type Project struct {
	layout.Loaded
	// Amplify is what only a project of the Amplify CLI has; nil in another.
	Amplify *amplify.Project
	// Root is the project's folder on this machine; "" if Open did not open it.
	Root string
	// Seen says what a folder without a project has of others; "" for nothing.
	Seen string
	// Recovery is what Open did about an interrupted write.
	Recovery journal.Recovery

	close func() error
}

// The layouts.
var (
	Native  = layout.Own
	Amplify = amplify.Layout
)

// Layout is a layout of projects.
type Layout = layout.Layout

// Close closes the project's folder.
func (p *Project) Close() error {
	if p.close == nil {
		return nil
	}
	return p.close()
}

// Load reads the project at the root of fsys. It writes nothing. What cannot be
// read is in Problems; an error means that the filesystem does not answer.
func Load(fsys afero.Fs, of Layout) (*Project, error) {
	if _, err := fsys.Stat("."); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the project: %w", err)
	}
	p := &Project{Loaded: layout.Begin(fsys, of)}
	if of == Amplify {
		p.Amplify = amplify.Load(&p.Loaded)
	} else {
		layout.LoadOwn(&p.Loaded)
	}
	read.SortProblems(p.Problems)
	return p, nil
}

// DefinitionFiles returns the paths of the project's definition files, relative to its root, in alphabetical order.
func (p *Project) DefinitionFiles() []string { return slices.Sorted(maps.Keys(p.Definitions)) }

// Fingerprint returns a hash of the project's definition files: it differs if one of them does.
func (p *Project) Fingerprint() string {
	sum := fingerprint.New()
	for _, name := range p.DefinitionFiles() {
		sum.Content(name, p.Definitions[name].Doc.Bytes())
	}
	return sum.String()
}

// StateFolder is the folder of what belongs to this machine: the chosen
// environment, drafts, the journal. Its .gitignore excludes all of it.
const StateFolder = journal.Folder

// ClientFile returns the path of the client configuration file.
func ClientFile(b *model.Backend) string { return render.ClientFileName(b.Project.Dialect) }
