// Package draft saves the answers of the wizard before they are written to a project,
// so that neither a quit nor a crash loses them. Drafts lie in the user's state
// folder, one for each project folder, and hold no values of secrets.
package draft

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"gatewright/flow"
	"gatewright/internal/file"
)

// Draft is the content of a draft's file.
type Draft struct {
	Version int          `json:"version"`
	Saved   time.Time    `json:"saved"`
	Folder  string       `json:"folder"`
	Task    flow.Task    `json:"task"`
	Answers flow.Answers `json:"answers"`
	// Read is the fingerprint of the project when the answers were given; "" if there
	// was no project.
	Read string `json:"read,omitempty"`
}

// version is the version of the file format. A draft of another version is not offered.
const version = 2

// Store is where the draft of one project folder lies.
type Store struct {
	file   string
	folder string
}

// In returns the store, below the folder drafts, for the project in folder.
func In(drafts, folder string) Store {
	sum := sha256.Sum256([]byte(folder))
	return Store{file: filepath.Join(drafts, hex.EncodeToString(sum[:8])+".json"), folder: folder}
}

// Path returns the name of the draft's file.
func (s Store) Path() string { return s.file }

// Save writes the draft and replaces the previous one.
func (s Store) Save(d Draft) error {
	d.Version, d.Folder = version, s.folder
	if err := file.ReplaceJSON(s.file, d); err != nil {
		return fmt.Errorf("saving the draft: %w", err)
	}
	return nil
}

// Load reads the draft; ok is false if there is none of this version. The error names a
// file that cannot be read.
func (s Store) Load() (d Draft, ok bool, err error) {
	text, err := file.ReadShared(s.file)
	if errors.Is(err, fs.ErrNotExist) {
		return Draft{}, false, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		return Draft{}, false, fmt.Errorf("reading the draft %s: %w; remove the file to start over", s.file, err)
	}
	return d, d.Version == version && len(d.Answers.Paths) > 0, nil
}

// Discard removes the draft, if there is one.
func (s Store) Discard() error {
	if err := file.Remove(s.file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("discarding the draft: %w", err)
	}
	return nil
}
