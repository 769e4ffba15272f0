// Package artifact says what a function or a layer is made of: its files, by the names that they
// have in Lambda. A push packs them, and the sandbox lays them out for its workers.
package artifact

import (
	"os"
	"path/filepath"

	"gatewright/internal/source"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// Source is what an artifact is made from.
type Source struct {
	// Name is the resource name of the function, or the name of the layer, for messages.
	Name string
	// Folder is the absolute path of the folder with the function's source (its src
	// folder), or of the layer, whose content Lambda puts below /opt.
	Folder string
	// Project is the absolute path of the project's folder, which no link may lead out of; "" is
	// Folder.
	Project string
	// Original is the source that Folder is a copy of, for rules; "" is Folder.
	Original string
	// Layer is set for a layer.
	Layer bool
	// Runtime is the language of the function, RuntimeName its runtime and Architecture its processor in
	// Lambda; a layer needs no language.
	Runtime, RuntimeName model.Runtime
	Architecture         model.Architecture
	// Handler is the function's, such as "index.handler"; "" is the runtime's default.
	Handler string
}

// Check finds, without making anything, whether the source has no folder, or nothing in it.
func (s Source) Check() error {
	found, err := os.ReadDir(s.Folder)
	switch {
	case err != nil:
		return (&Listing{Source: s}).Unreadable("", err)
	case len(found) == 0:
		return s.NoFiles()
	}
	return nil
}

// NoFiles is the error of a source without a file.
func (s Source) NoFiles() error {
	return s.Problem("its folder "+phrase.QuotePath(s.Folder)+" has no files", "write its source")
}

// kindLayer names layers in messages; they are no things of a backend.
const kindLayer model.Kind = "layer"

// Problem returns an error about a source.
func (s Source) Problem(text, fix string) error {
	return &model.Problem{Of: s.Ref(), Text: text, Fix: fix}
}

// Ref names the source in messages.
func (s Source) Ref() model.Ref {
	if s.Layer {
		return model.Ref{Kind: kindLayer, Name: s.Name}
	}
	return model.Ref{Kind: model.KindFunction, Name: s.Name}
}

// checkHandler is about a handler whose file a rule leaves out: Lambda would not find it.
func (l *Listing) checkHandler() error {
	if l.Layer {
		return nil
	}
	// Who runs or packs the function tells of a handler that is missing.
	handler, _ := source.FindHandler(os.DirFS(filepath.Dir(l.root)), l.Runtime, l.Handler)
	if out := handler.LeftOut(l.rules, l.at, l.Project); out != nil {
		out.Of = l.Ref()
		return out
	}
	return nil
}
