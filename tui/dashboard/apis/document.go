package apis

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/document"
	"gatewright/model"
	"gatewright/openapi"
	"gatewright/project"
	"gatewright/prose"
	"gatewright/regular"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// fromDocument asks for a document of OpenAPI and the label of its API, and adds that after a review.
func (t *Tab) fromDocument() tea.Cmd {
	named := func(text string) error {
		if strings.TrimSpace(text) == "" {
			return errors.New("name a file")
		}
		return nil
	}
	return frame.Open(dialog.Input("An API of which document of OpenAPI or Swagger?", "openapi.yaml", named, t.readDocument))
}

// readDocument reads a document, and asks for the label.
func (t *Tab) readDocument(name string) tea.Cmd {
	dir, backend := t.board.Dir, t.board.Snap.Backend
	return func() tea.Msg {
		d, err := openDocument(dir, strings.TrimSpace(name))
		return frame.ThenMsg(func() tea.Cmd {
			if err != nil {
				return frame.Say(frame.Error, "%s", prose.PrintableStart(err.Error()))
			}
			check := func(label string) error {
				if backend.API(label) != nil {
					return errors.New("the API exists; give another label")
				}
				return model.CheckName(model.KindAPI, label)
			}
			return frame.Open(dialog.InputWith("What is the API called?", document.Label(backend, d), check, func(label string) tea.Cmd { return t.addDocument(d, label) }))
		})
	}
}

// openDocument reads a document from a file, whose name is relative to a folder.
func openDocument(dir, name string) (*openapi.Document, error) {
	file := name
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, name)
	}
	f, err := regular.Open(file)
	if err != nil {
		return nil, project.CannotRead(name, err)
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, project.MaxFile+1))
	if err != nil {
		return nil, project.CannotRead(name, err)
	}
	d, err := document.Read(filepath.ToSlash(name), text)
	if d == nil && err == nil {
		return nil, fmt.Errorf("%s: is no document of OpenAPI or Swagger: it has neither openapi nor swagger at its top; name another file", project.QuotePath(filepath.ToSlash(name)))
	}
	return d, err
}

// addDocument adds the API of a document after a review, which shows its paths first.
func (t *Tab) addDocument(d *openapi.Document, label string) tea.Cmd {
	return t.board.Review(board.Reviewed{
		Title: "Add the API " + label + "?", Yes: "Write", Done: "added the API " + model.Quote(label) + " of " + project.QuotePath(d.Name),
		Plan: func(current *project.Project) (*project.Plan, []prose.Line, error) {
			return document.Plan(current, d, label)
		},
	})
}
