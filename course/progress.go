package course

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"gatewright/atomicfile"
	"gatewright/project"
)

// Progress is which lessons somebody has done. It is kept in the file learn.json
// of the user's state folder.
type Progress struct {
	file string
	mu   *sync.Mutex
	done []string
}

// progressFile is the form of the file.
type progressFile struct {
	Version int      `json:"version"`
	Done    []string `json:"done"`
}

// progressVersion is that of the form; a file of another one is left alone.
const progressVersion = 1

// ReadProgress reads how far somebody has come; a file that is not there is the
// beginning.
func ReadProgress(state string) (Progress, error) {
	p := Progress{file: filepath.Join(state, "learn.json"), mu: new(sync.Mutex)}
	data, err := os.ReadFile(p.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p, nil
	case err != nil:
		return p, fmt.Errorf("reading the progress of the course: %w; set GATEWRIGHT_STATE to a folder that you may read", err)
	}
	var kept progressFile
	if err = json.Unmarshal(data, &kept); err == nil && kept.Version != progressVersion {
		err = fmt.Errorf("its version is %d", kept.Version)
	}
	if err != nil {
		return p, fmt.Errorf("reading the progress of the course in %s: %w; remove the file to begin anew", project.QuotePath(p.file), err)
	}
	p.done = slices.DeleteFunc(kept.Done, func(id string) bool { return !isLesson(id) })
	return p, nil
}

func isLesson(id string) bool {
	return slices.ContainsFunc(Lessons(), func(l Lesson) bool { return l.ID == id })
}

// Done reports whether a lesson was done once.
func (p *Progress) Done(id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Contains(p.done, id)
}

// Next is the first lesson that was not done; the first of all where all were.
func (p *Progress) Next() Lesson {
	lessons := Lessons()
	return lessons[max(0, slices.IndexFunc(lessons, func(l Lesson) bool { return !p.Done(l.ID) }))]
}

// Finish notes that a lesson is done.
func (p *Progress) Finish(id string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if slices.Contains(p.done, id) {
		return nil
	}
	p.done = append(p.done, id)
	if err := atomicfile.JSON(p.file, progressFile{progressVersion, p.done}); err != nil {
		return fmt.Errorf("keeping the progress of the course: %w", err)
	}
	return nil
}
