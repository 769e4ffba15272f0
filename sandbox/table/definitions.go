package table

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/go-json-experiment/json"

	"gatewright/internal/file"
)

// DefinitionsSuffix is the end of the name of the file with a second copy of the definitions
// of all tables, a line each. Only Repair reads it: all items of a table would be lost with
// the one page that has its definition.
const DefinitionsSuffix = ".definitions"

// keepDefinitions writes the second copy if it is not up to date. No request fails for it:
// the next change of a definition, or the next Open, writes it again.
func (s *Store) keepDefinitions() error {
	all := *s.tables.Load()
	var lines []byte
	for _, name := range slices.Sorted(maps.Keys(all)) {
		// The definition is in use, and its text would set its checksum.
		own := *all[name]
		text, err := own.text()
		if err != nil {
			return err
		}
		lines = append(append(lines, text...), '\n')
	}
	name := s.db.Path() + DefinitionsSuffix
	if there, err := os.ReadFile(name); err == nil && bytes.Equal(there, lines) {
		return nil
	}
	next := name + ".next"
	if err := os.WriteFile(next, lines, 0o600); err != nil {
		return err
	}
	return file.Rename(next, name)
}

// readDefinitions reads the second copy of the definitions: those whose checksum is right.
// known is set if there is one that has any, or is about no table.
func readDefinitions(file string) (defs []*definition, known bool, err error) {
	text, err := os.ReadFile(file + DefinitionsSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	for line := range bytes.Lines(text) {
		d := new(definition)
		if json.Unmarshal(line, d) == nil && d.hasSum() && d.isUsable() {
			defs = append(defs, d)
		}
	}
	return defs, len(defs) > 0 || len(text) == 0, nil
}
