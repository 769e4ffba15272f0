package course

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"

	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
)

// Progress says which lessons the user has done. It is saved in the file learn.json of the user's state folder.
type Progress struct {
	file string
	mu   *sync.Mutex
	done []string
}

// progressFile is the content of the file.
type progressFile struct {
	Version int      `json:"version"`
	Done    []string `json:"done"`
}

// progressVersion is the version of the file format. Reading another version is an error.
const progressVersion = 1

// ReadProgress reads the progress; without a file no lesson is done.
func ReadProgress(state string) (Progress, error) {
	p := Progress{file: filepath.Join(state, "learn.json"), mu: new(sync.Mutex)}
	data, err := file.ReadShared(p.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p, nil
	case err != nil:
		return p, fmt.Errorf("reading the progress of the course: %w; set GATEWRIGHT_STATE to a folder that you may read",
			err)
	}
	var saved progressFile
	if err = json.Unmarshal(data, &saved); err == nil && saved.Version != progressVersion {
		err = fmt.Errorf("its version is %d, not %d", saved.Version, progressVersion)
	}
	if err != nil {
		return p, fmt.Errorf("reading the progress of the course in %s: %w; remove the file to start over",
			phrase.QuotePath(p.file), err)
	}
	p.done = slices.DeleteFunc(saved.Done, func(id string) bool { return !isLesson(id) })
	return p, nil
}

func isLesson(id string) bool {
	return slices.ContainsFunc(Lessons(), func(l Lesson) bool { return l.ID == id })
}

// Done reports whether a lesson was done.
func (p *Progress) Done(id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Contains(p.done, id)
}

// Next returns the first lesson that was not done, or the first of all if all were done.
func (p *Progress) Next() Lesson {
	lessons := Lessons()
	return lessons[max(0, slices.IndexFunc(lessons, func(l Lesson) bool { return !p.Done(l.ID) }))]
}

// Finish saves that a lesson is done.
func (p *Progress) Finish(id string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if slices.Contains(p.done, id) {
		return nil
	}
	p.done = append(p.done, id)
	if err := file.ReplaceJSON(p.file, progressFile{progressVersion, p.done}); err != nil {
		return fmt.Errorf("saving the progress of the course: %w", err)
	}
	return nil
}
