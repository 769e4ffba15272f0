// Package draft keeps the answers of a wizard that were not written yet, so that
// neither a quit nor a crash loses them. Drafts lie in the user's state folder,
// one for each folder that a project is or may become, and hold no secret values.
package draft

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"gatewright/atomicfile"
	"gatewright/flow"
)

// Draft is what is kept.
type Draft struct {
	Version int          `json:"version"`
	Saved   time.Time    `json:"saved"`
	Folder  string       `json:"folder"`
	Task    flow.Task    `json:"task"`
	Answers flow.Answers `json:"answers"`
	// Read is the fingerprint of the project as it was when the answers were
	// given; "" for no project.
	Read string `json:"read,omitempty"`
}

// version is that of the format; a draft of another one is not offered.
const version = 1

// Store keeps the drafts of one project's folder.
type Store struct {
	file   string
	folder string
}

// In is the store of the drafts of the project in folder, below drafts.
func In(drafts, folder string) Store {
	sum := sha256.Sum256([]byte(folder))
	return Store{file: filepath.Join(drafts, hex.EncodeToString(sum[:8])+".json"), folder: folder}
}

// Path is the file that the draft lies in.
func (s Store) Path() string { return s.file }

// Save keeps a draft, in the place of the one before.
func (s Store) Save(d Draft) error {
	d.Version, d.Folder = version, s.folder
	if err := atomicfile.JSON(s.file, d); err != nil {
		return fmt.Errorf("saving the draft: %w", err)
	}
	return nil
}

// Load reads the draft; ok is false where there is none. One that cannot be read
// is an error that names the file.
func (s Store) Load() (d Draft, ok bool, err error) {
	text, err := os.ReadFile(s.file)
	if errors.Is(err, fs.ErrNotExist) {
		return Draft{}, false, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		return Draft{}, false, fmt.Errorf("reading the draft %s: %w; remove it to begin anew", s.file, err)
	}
	return d, d.Version == version && len(d.Answers.Paths) > 0, nil
}

// Discard removes the draft; that there is none is no error.
func (s Store) Discard() error {
	if err := os.Remove(s.file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("discarding the draft: %w", err)
	}
	return nil
}
