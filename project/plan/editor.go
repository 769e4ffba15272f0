package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"strings"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/document"
	"gatewright/project/journal"
	"gatewright/project/read"
	"gatewright/render"
	"gatewright/schemas"
)

// SchemaFolder is where copies of the schemas are, for editors.
const SchemaFolder = journal.SchemaFolder

// EditorSettings is the file in which VS Code keeps the settings of a folder.
const EditorSettings = ".vscode/settings.json"

// editorSchema tells VS Code which files a schema is for.
type editorSchema struct {
	Files []string `json:"fileMatch"`
	// URL is the schema's identifier, which files have in their $schema. That counts before
	// fileMatch, and an identifier names no place, so the schema itself has to be in the
	// settings (`getSchemaForResource` of vscode-json-languageservice; the settings are read
	// by `getSettings` of VS Code's json-language-features).
	URL    string          `json:"url"`
	Schema json.RawMessage `json:"schema"`
}

// Schemas plans a copy of every schema in SchemaFolder, and the settings with which VS
// Code uses those of the project's files. Other settings stay as they are. It plans the same
// for a project with errors, which an editor then shows.
func Schemas(p *project.Project) (*Plan, error) {
	pl := &planner{Project: p, next: p.Backend, plan: &Plan{project: p}, changes: make(map[string]journal.Change)}
	for _, name := range schemas.Names() {
		text, err := schemas.Source(name)
		if err != nil {
			return nil, fmt.Errorf("planning the copies of the schemas: %w", err)
		}
		if err := pl.copyOf(path.Join(SchemaFolder, name+".json"), text); err != nil {
			return nil, err
		}
	}
	wanted, err := editorSchemas(p)
	if err != nil {
		return nil, err
	}
	if err := pl.editorSettings(wanted); err != nil {
		return nil, err
	}
	return pl.finish()
}

// copyOf plans a file that only this program writes.
func (pl *planner) copyOf(name string, text []byte) error {
	have, err := read.Bytes(pl.FS, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	pl.put(journal.Change{Path: name, Existed: err == nil, Old: have, New: text})
	return nil
}

// editorSchemas returns the schemas of the project's files.
func editorSchemas(p *project.Project) ([]editorSchema, error) {
	kinds := []model.Kind{
		model.KindAPI, model.KindProject, model.KindEnvironment, model.KindAuth, model.KindData, model.KindStorage,
		model.KindFunction, model.KindTable, model.KindOutput,
	}
	if p.Amplify != nil {
		// The other files are of the Amplify CLI and have schemas of its own.
		kinds = kinds[:1]
	}
	files := map[string][]string{
		"request": {p.Layout.RequestFile("*")}, "access-test": {project.AccessTestFile},
		"client-config": {render.ClientFileNameIn(model.Neutral, render.JSON)},
	}
	order := []string{}
	for _, kind := range kinds {
		file := p.Layout.File(model.Ref{Kind: kind, Name: "*"})
		schema := p.SchemaOf(file)
		order = append(order, schema)
		files[schema] = []string{file}
	}
	if p.Amplify != nil {
		files["cli-inputs"] = append(files["cli-inputs"], otherAPIs(p)...)
	}
	var list []editorSchema
	for _, name := range append(order, "request", "access-test", "client-config") {
		text, err := schemas.Source(name)
		if err != nil {
			return nil, fmt.Errorf("planning the settings of an editor: %w", err)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, text); err != nil {
			return nil, fmt.Errorf("planning the settings of an editor: %w", err)
		}
		entry := editorSchema{URL: schemas.ID(name), Schema: compact.Bytes()}
		for _, pattern := range files[name] {
			entry.Files = append(entry.Files, rooted(pattern))
		}
		list = append(list, entry)
	}
	return list, nil
}

// rooted returns a pattern in the form that VS Code documents for files of the folder.
func rooted(pattern string) string {
	if excluded, ok := strings.CutPrefix(pattern, "!"); ok {
		return "!/" + excluded
	}
	return "/" + pattern
}

// otherAPIs returns patterns that exclude the files of APIs which are no REST APIs.
func otherAPIs(p *project.Project) []string {
	var patterns []string
	names, _ := read.Folders(p.FS, path.Join(p.Layout.String(), "api"))
	for _, name := range names {
		file := p.Layout.APIFile(name)
		if f, err := read.JSON(p.FS, file); err == nil && read.ShapeOf(f.Doc.Root()) == read.OtherAPI {
			patterns = append(patterns, "!"+file)
		}
	}
	return patterns
}

// editorSettings plans the settings with an entry for each schema. An entry for the same
// schema is replaced where it is.
func (pl *planner) editorSettings(wanted []editorSchema) error {
	const name, key = EditorSettings, "json.schemas"
	old, err := read.Bytes(pl.FS, name)
	existed := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text := old
	if len(bytes.TrimSpace(text)) == 0 {
		// VS Code reads an empty file as {}.
		text = []byte("{}\n")
	}
	settings, err := document.ParseRelaxed(text)
	if syntax := (*document.SyntaxError)(nil); errors.As(err, &syntax) {
		return &read.Problem{
			File: name, Line: syntax.Line, Column: syntax.Column, Pointer: syntax.Pointer, Text: syntax.Text,
			Fix: syntax.Fix,
		}
	}
	refuse := func(pointer, want string, found document.Node) error {
		line, column, _ := settings.Position(pointer)
		return &read.Problem{
			File: name, Line: line, Column: column, Pointer: pointer,
			Text: "expected " + want + ", found " + read.KindOf(found), Fix: "write " + want,
		}
	}
	root := settings.Root()
	if root.Kind() != document.Object {
		return refuse("", "an object", root)
	}
	list, there := root.Get(key)
	if there && list.Kind() != document.Array {
		return refuse("/"+key, "an array", list)
	}
	edit := settings.Edit()
	var missing []string
	for _, entry := range wanted {
		text, err := settingOf(entry)
		if err != nil {
			return err
		}
		found := false
		for _, element := range list.Elements() {
			if url, _ := element.Get("url"); url.Text() != entry.URL {
				continue
			}
			found = true
			if !sameValue(element.Raw(), []byte(text)) {
				edit.Replace(element, text)
			}
		}
		if !found {
			missing = append(missing, text)
		}
	}
	switch {
	case there:
		edit.Append(list, missing...)
	case len(missing) > 0:
		edit.Append(root, "\""+key+"\": [\n  "+strings.Join(missing, ",\n  ")+"\n]")
	}
	pl.put(journal.Change{Path: name, Existed: existed, Old: old, New: edit.Bytes()})
	return nil
}

// settingOf returns an entry of the settings, in one line.
func settingOf(entry editorSchema) (string, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(entry); err != nil {
		return "", fmt.Errorf("planning %s: %w", EditorSettings, err)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// sameValue reports whether two JSON texts have the same value, however they are laid out.
func sameValue(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
