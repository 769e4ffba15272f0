package handler

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"gatewright/model"
)

//go:embed templates
var templates embed.FS

// fill reads the files of a template's folder and replaces each placeholder in fills, such as __ROUTES__, by its
// text. The suffix ".tmpl", which hides a file from the Go command, is removed.
func fill(folder string, fills map[string]string) ([]File, error) {
	folder = path.Join("templates", folder)
	entries, err := templates.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("read the template: %w", err)
	}
	pairs := make([]string, 0, 2*len(fills))
	for name, text := range fills {
		pairs = append(pairs, name, text)
	}
	replacer := strings.NewReplacer(pairs...)

	files := make([]File, 0, len(entries)+1)
	for _, entry := range entries {
		text, err := templates.ReadFile(path.Join(folder, entry.Name()))
		if err != nil {
			return nil, fmt.Errorf("read the template: %w", err)
		}
		files = append(files, File{
			Name: "src/" + strings.TrimSuffix(entry.Name(), ".tmpl"),
			Data: []byte(replacer.Replace(string(text))),
		})
	}
	return files, nil
}

// key is a model.Key in the form of the CRUD template.
type key struct {
	Name string        `json:"name"`
	Type model.KeyType `json:"type"`
}

// keyOf is nil, which literal writes as null, for a key without a name.
func keyOf(k model.Key) *key {
	if k.Name == "" {
		return nil
	}
	return &key{Name: k.Name, Type: k.Type}
}

// literal writes a value as JSON, which is also a literal of JavaScript.
func literal(value any) string {
	return strings.TrimSuffix(string(indented(value)), "\n")
}

// indented returns JSON with an indent of 2 spaces and a final newline. All values of this
// package can be written as JSON.
func indented(value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return []byte("null\n")
	}
	return out.Bytes()
}
