// Package document asks for a document of OpenAPI, over any page.
package document

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	making "gatewright/flow/document"
	"gatewright/internal/file"
	"gatewright/internal/openapi"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project/read"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// Ask asks for a document of OpenAPI or Swagger, whose name is relative to a folder, and for
// the label of its API, which the backend does not have yet. It gives both to then.
func Ask(dir string, b *model.Backend, then func(d *openapi.Document, label string) tea.Cmd) tea.Cmd {
	named := func(text string) error {
		if strings.TrimSpace(text) == "" {
			return errors.New("name a file")
		}
		return nil
	}
	label := func(label string) error {
		if b.API(label) != nil {
			return errors.New("the API exists; give another label")
		}
		return model.CheckName(model.KindAPI, label)
	}
	read := func(name string) tea.Cmd {
		return func() tea.Msg {
			d, err := readDocument(dir, strings.TrimSpace(name))
			return frame.ThenMsg(func() tea.Cmd {
				if err != nil {
					return frame.Say(frame.Error, "%s", prose.PrintableStart(err.Error()))
				}
				return frame.Open(dialog.InputWith("What is the API called?", making.Label(b, d), label,
					func(label string) tea.Cmd { return then(d, label) }))
			})
		}
	}
	return frame.Open(dialog.Input("From which OpenAPI or Swagger document?", "openapi.yaml", named, read))
}

// readDocument reads a document from a file.
func readDocument(dir, name string) (*openapi.Document, error) {
	full := name
	if !filepath.IsAbs(full) {
		full = filepath.Join(dir, name)
	}
	f, err := file.OpenRegular(full)
	if err != nil {
		return nil, read.CannotRead(name, err)
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, read.MaxFile+1))
	if err != nil {
		return nil, read.CannotRead(name, err)
	}
	d, err := making.Read(filepath.ToSlash(name), text)
	if d == nil && err == nil {
		return nil, fmt.Errorf("%s: is not an OpenAPI or Swagger document: it has neither openapi nor swagger at its top; "+
			"name another file", phrase.QuotePath(filepath.ToSlash(name)))
	}
	return d, err
}
