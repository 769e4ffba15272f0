// Package schemas holds one JSON Schema for every file of a project and for the client
// configuration file, and the one validator.
//
// A schema is a file in published/. It is written in the subset of JSON Schema (draft
// 2019-09) for which github.com/qri-io/jsonschema, the engine, gives the right verdicts
// (see subset_test.go), and in two more keywords for editors, which the engine never sees:
// additionalProperties, which repeats propertyNames, and uniqueItems, which is checked here, in linear time.
package schemas

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed published/*.json
var published embed.FS

// Names returns the names of all schemas, sorted.
func Names() []string {
	entries, err := published.ReadDir("published")
	if err != nil {
		return nil
	}
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = strings.TrimSuffix(entry.Name(), ".json")
	}
	slices.Sort(names)
	return names
}

// Source returns the text of the schema with this name: JSON, indented by two spaces, with a
// final newline. If there is no such schema, the error proposes a name.
func Source(name string) ([]byte, error) {
	text, err := published.ReadFile("published/" + name + ".json")
	if err != nil {
		return nil, fmt.Errorf("no schema is named %s: %s", quote(name), proposal(name, Names()))
	}
	return text, nil
}

// Namespace begins the $id of every schema of a file that is ours.
const Namespace = "urn:gatewright:"

// Version is the version of all schemas: the month of the format that they describe.
const Version = "2024-02"

// ID returns the $id of the schema with this name, such as urn:gatewright:2024-02:auth, or ""
// when there is no such schema.
func ID(name string) string {
	if _, err := Source(name); err != nil {
		return ""
	}
	return Namespace + Version + ":" + name
}
