package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/afero"
)

const (
	journalPath = Folder + "/journal"
	listPath    = journalPath + "/journal.json"
	donePath    = journalPath + "/done.json"
)

// record is the content of journal.json: everything that it takes to finish the commit
// or, if Undo, to take it back.
type record struct {
	Version int      `json:"version"`
	Undo    bool     `json:"undo,omitempty"`
	Files   []entry  `json:"files"`
	Folders []string `json:"folders,omitempty"` // that the commit makes, outer before inner
	// Names are those whose case changes, before the files.
	Names []recasing `json:"names,omitempty"`
}

// entry is one file of a record.
type entry struct {
	Path   string      `json:"path"`
	Old    string      `json:"old,omitempty"`    // SHA-256 of the old content, "" if there was no file
	New    string      `json:"new,omitempty"`    // SHA-256 of the new content, "" if the file is deleted
	Saved  string      `json:"saved,omitempty"`  // file in the journal folder with the old content
	Staged string      `json:"staged,omitempty"` // file in the journal folder with the new content
	Mode   fs.FileMode `json:"mode"`             // permission bits
}

func sum(content []byte) string {
	hash := sha256.Sum256(content)
	return hex.EncodeToString(hash[:])
}

// write writes the record to journal.json by a rename.
func (r record) write(fsys afero.Fs) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", listPath, err)
	}
	temporary := listPath + ".tmp"
	if err := create(fsys, temporary, append(data, '\n'), 0o600, false); err != nil {
		return fmt.Errorf("write %s: %w", listPath, err)
	}
	if err := fsys.Rename(temporary, listPath); err != nil {
		return fmt.Errorf("put %s in place: %w", listPath, err)
	}
	return syncFolders(fsys, journalPath, Folder)
}

// load reads the record of an interrupted commit. The error matches fs.ErrNotExist if
// no commit was interrupted.
func load(fsys afero.Fs, name string) (record, error) {
	data, err := afero.ReadFile(fsys, name)
	if err != nil {
		return record{}, fmt.Errorf("read the journal: %w", err)
	}
	rec, err := parse(data)
	if err != nil {
		return record{},
			fmt.Errorf("%s: %w; compare the project with your version control, then remove %s", name, err, journalPath)
	}
	return rec, nil
}

// parse trusts nothing: the file may have come with a cloned project.
func parse(data []byte) (record, error) {
	var rec record
	if err := json.Unmarshal(data, &rec); err != nil {
		return record{}, fmt.Errorf("not a journal: %w", err)
	}
	if rec.Version != 1 {
		return record{}, fmt.Errorf("journal version %d is not known", rec.Version)
	}
	paths := make([]string, len(rec.Files))
	for i, file := range rec.Files {
		if err := file.check(); err != nil {
			return record{}, err
		}
		paths[i] = file.Path
	}
	for _, folder := range rec.Folders {
		if err := CheckPath(folder); err != nil {
			return record{}, err
		}
	}
	for _, name := range rec.Names {
		if err := name.check(); err != nil {
			return record{}, err
		}
	}
	return rec, checkDistinct(paths)
}

func (e entry) check() error {
	if err := CheckPath(e.Path); err != nil {
		return err
	}
	if e.Old == e.New || e.Mode != e.Mode.Perm() {
		return fmt.Errorf("path %q: not a change", e.Path)
	}
	if err := e.checkCopy(e.Old, e.Saved); err != nil {
		return err
	}
	return e.checkCopy(e.New, e.Staged)
}

func (e entry) checkCopy(hash, name string) error {
	if hash == "" && name == "" {
		return nil
	}
	if len(hash) != hex.EncodedLen(sha256.Size) || !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, `/\`) {
		return fmt.Errorf("path %q: copy %q is not one of this journal", e.Path, name)
	}
	return nil
}
