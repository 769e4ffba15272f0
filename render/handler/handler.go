// Package handler renders the sources of new handler functions: it fills in a template. It
// does no I/O, and the same Spec always gives the same bytes.
//
// A template is a folder of readable files in the folder templates. Data is inserted as JSON
// literals only, and tests run the result in its real runtime.
package handler

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// File is one file of a function.
type File struct {
	// Name is the slash-separated path below the function's folder: "src/index.js".
	Name string
	Data []byte
}

// Spec describes the function to write.
type Spec struct {
	// Function is the resource name, such as "items".
	Function string
	Runtime  model.Runtime
	Template model.Template
	// Paths are the API paths that the function serves, such as "/items", "/book/{isbn}" and
	// "/". An empty list means "/" + Function.
	Paths []string
	// Table is the table of a model.CRUD function; nil for others.
	Table *model.Table
}

// Files returns the function's files, sorted by name: the sources, the list of their dependencies, and event.json.
//
// It fails for a combination of runtime and template that does not exist, for a CRUD function without a table, and
// for an invalid name or path, which might break the source that it is written into. Every error names the function.
func Files(s Spec) ([]File, error) {
	files, err := files(s)
	if err != nil {
		return nil, fmt.Errorf("write the source of function %s: %w", phrase.Quote(s.Function), err)
	}
	return files, nil
}

func files(s Spec) ([]File, error) {
	if err := check(s); err != nil {
		return nil, err
	}
	folder, fills := templateOf(s)
	files, err := fill(folder, fills)
	if err != nil {
		return nil, err
	}
	if s.Template == model.ExpressTypeScript {
		adapter, err := templates.ReadFile("templates/express/adapter.js")
		if err != nil {
			return nil, fmt.Errorf("read the template: %w", err)
		}
		files = append(files, File{Name: "src/adapter.js", Data: adapter})
	}
	files = append(files, File{Name: "src/event.json", Data: Event(s)})
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return files, nil
}

// templateOf returns the template's folder and the texts for the placeholders in its files.
func templateOf(s Spec) (folder string, fills map[string]string) {
	fills = map[string]string{"__PACKAGE__": packageName(s.Function)}
	switch s.Template {
	case model.Express, model.ExpressTypeScript:
		paths := narrowFirst(s.paths())
		below := belowName(paths)
		fills["__BELOW__"] = below
		fills["__ROUTES__"] = literal(expressRoutes(paths, below))
		return string(s.Template), fills
	case model.PlainTypeScript:
		return string(s.Template), fills
	case model.CRUD:
		fills["__PATHS__"] = literal(narrowFirst(s.paths()))
		fills["__TABLE__"] = literal(s.Table.Name)
		fills["__PARTITION_KEY__"] = literal(keyOf(s.Table.PartitionKey))
		fills["__SORT_KEY__"] = literal(keyOf(s.Table.SortKey))
		return "crud", fills
	}
	return "plain-" + string(s.Runtime.Language()), fills
}

// paths returns the paths to serve, each once.
func (s Spec) paths() []string {
	if len(s.Paths) == 0 {
		return []string{"/" + s.Function}
	}
	seen := make(map[string]bool, len(s.Paths))
	return slices.DeleteFunc(slices.Clone(s.Paths), func(p string) bool {
		before := seen[p]
		seen[p] = true
		return before
	})
}

func check(s Spec) error {
	if err := model.CheckName(model.KindFunction, s.Function); err != nil {
		return err
	}
	switch {
	case !slices.Contains(model.Runtimes, s.Runtime):
		return fmt.Errorf("runtime %q is unknown: choose one of %v", s.Runtime, model.Languages)
	case !slices.Contains(model.Templates, s.Template):
		return fmt.Errorf("template %q is unknown: choose one of %v", s.Template, model.Templates)
	case !s.Template.Runs(s.Runtime):
		return fmt.Errorf("template %q does not exist for runtime %q: choose runtime %q or template %q",
			s.Template, s.Runtime, model.NodeJS, model.Plain)
	}
	for _, p := range s.paths() {
		if _, err := access.ParsePath(p); err != nil {
			return err
		}
	}
	if s.Template == model.CRUD {
		return checkTable(s.Table)
	}
	return nil
}

func checkTable(t *model.Table) error {
	if t == nil {
		return fmt.Errorf("template %q needs a table: name one", model.CRUD)
	}
	if err := model.CheckName(model.KindTable, t.Name); err != nil {
		return err
	}
	for _, key := range keys(t) {
		if err := checkKey(key); err != nil {
			return fmt.Errorf("table %q: %w", t.Name, err)
		}
	}
	if t.PartitionKey.Name == t.SortKey.Name {
		return fmt.Errorf("table %q: partition key and sort key are both %q: give them two names", t.Name, t.SortKey.Name)
	}
	return nil
}

// keys returns the one or two keys of a table.
func keys(t *model.Table) []model.Key {
	if t.HasSortKey() {
		return []model.Key{t.PartitionKey, t.SortKey}
	}
	return []model.Key{t.PartitionKey}
}

func checkKey(key model.Key) error {
	switch {
	case key.Name == "" || len(key.Name) > 255 || !utf8.ValidString(key.Name):
		return fmt.Errorf("key %q: the name must be 1 to 255 bytes of UTF-8", key.Name)
	case key.Name == "__proto__":
		return fmt.Errorf("key %q: JavaScript cannot hold an attribute of this name: choose another", key.Name)
	case !slices.Contains(model.KeyTypes, key.Type):
		return fmt.Errorf("key %q: type %q is unknown: choose one of %v", key.Name, key.Type, model.KeyTypes)
	}
	return nil
}

// packageName returns the name of the function's package or module. With the suffix it is
// never the name of a dependency, or one that npm or Go refuse ("node_modules", "aux").
func packageName(function string) string {
	return strings.ToLower(function) + "-handler"
}
