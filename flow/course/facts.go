package course

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/model/diff"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/status"
	"gatewright/sandbox/live"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/state"
)

// Facts is what a check needs to know next to the backend.
type Facts struct {
	// Project says that the folder has a project, Node that this machine has Node.js.
	Project, Node bool
	// Broken has an error for each file that cannot be read.
	Broken []string
	// Events has the content of src/event.json of each function, by its name.
	Events map[string]string
	// Called has the functions that served a request in the sandbox; its keys are ENVIRONMENT/FUNCTION.
	Called map[string]bool
	// Pushed has the last push of each environment, by its name.
	Pushed map[string]Push
}

// Push compares the last push of an environment with the files.
type Push struct {
	Never bool
	// Behind counts the things that another push would change.
	Behind int
}

// Snapshot is the content of the course's folder at one moment.
type Snapshot struct {
	Backend *model.Backend
	Facts   Facts
}

// Missing returns a sentence about each thing that the task of a lesson still needs. If
// files cannot be read, it names only those, because what they define is not known.
func (s Snapshot) Missing(l Lesson) []string {
	if len(s.Facts.Broken) == 0 {
		return l.Check(s.Backend, s.Facts)
	}
	var missing []string
	for _, broken := range s.Facts.Broken {
		missing = append(missing, "A file cannot be read: "+broken)
	}
	return missing
}

// Report is the progress of a lesson's task.
type Report struct {
	Facts
	// Missing has a sentence about each thing that the task still needs, Summary describes
	// the present state, and ChangedFiles has the files that the lesson added or changed.
	Missing, Summary, ChangedFiles []string
}

// Done reports whether the task is done.
func (r Report) Done() bool { return len(r.Missing) == 0 }

// Report reads the progress of a lesson's task.
func (c *Course) Report(l Lesson) (Report, error) {
	s, err := ReadSnapshot(c.Dir)
	if err != nil {
		return Report{}, err
	}
	r := Report{Facts: s.Facts, Missing: s.Missing(l)}
	if l.Summarize != nil {
		r.Summary = l.Summarize(s.Backend)
	}
	r.ChangedFiles, err = c.ChangedFiles(l.ID)
	return r, err
}

// ReadSnapshot reads a folder. It writes nothing, takes no lock, and does not finish a write that was interrupted.
func ReadSnapshot(dir string) (Snapshot, error) {
	s := Snapshot{Backend: &model.Backend{}}
	_, err := exec.LookPath("node")
	s.Facts.Node = err == nil
	root, layout, err := project.Find(dir)
	switch {
	case errors.Is(err, project.ErrNoProject), err == nil && root != dir:
		return s, nil
	case err != nil:
		return s, err
	}
	p, fsys, err := project.LoadReadOnly(root, layout)
	if err != nil {
		return s, err
	}
	defer func() { _ = p.Close() }()
	s.Backend, s.Facts.Project = p.Backend, true
	for _, problem := range p.Problems {
		if problem.Level == model.Error {
			s.Facts.Broken = append(s.Facts.Broken, problem.Error())
		}
	}
	s.Facts.Events = readEvents(fsys, layout, p.Backend)
	s.Facts.Pushed = readPushes(p)
	s.Facts.Called, err = readCalled(root, p.Backend)
	return s, err
}

// longestEvent is how many bytes of an event are read.
const longestEvent = 1 << 20

func readEvents(fsys afero.Fs, layout project.Layout, b *model.Backend) map[string]string {
	all := make(map[string]string)
	for _, f := range b.Functions {
		file, err := fsys.Open(layout.EventFile(f.Name))
		if err != nil {
			continue
		}
		if text, err := io.ReadAll(io.LimitReader(file, longestEvent)); err == nil {
			all[f.Name] = string(text)
		}
		_ = file.Close()
	}
	return all
}

// SaveEvent writes the event.json of a lesson's function.
func (c *Course) SaveEvent(l Lesson, text string) error {
	c.writeMu.Lock()
	defer c.writeMu.Unlock()
	fsys, err := disk.Open(c.Dir)
	if err != nil {
		return fmt.Errorf("opening the folder of the course: %w", err)
	}
	defer func() { _ = fsys.Close() }()
	text = strings.TrimRight(text, "\n") + "\n"
	if err := afero.WriteFile(fsys, project.Native.EventFile(l.Event), []byte(text), 0o644); err != nil {
		return fmt.Errorf("saving the event: %w", err)
	}
	return nil
}

func readPushes(p *project.Project) map[string]Push {
	all := make(map[string]Push)
	for _, e := range p.Backend.Environments {
		status, err := status.Of(p, e.Name)
		// If the record of the last push cannot be read, the environment must be pushed again.
		all[e.Name] = Push{
			Never:  err != nil || status.Was == nil,
			Behind: len(status.Resources) - status.Count(diff.NoChange),
		}
	}
	return all
}

// logLinesRead is how many of the last lines of a log are read. A request writes three.
const logLinesRead = 20

// readCalled reads from the logs which functions served a request.
func readCalled(root string, b *model.Backend) (map[string]bool, error) {
	all := make(map[string]bool)
	folder := state.LogFolder(live.State(root))
	for _, e := range b.Environments {
		for _, f := range b.Functions {
			lines, err := logs.ReadFolder(folder, logs.Query{Environment: e.Name, Function: f.Name, Last: logLinesRead})
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			all[e.Name+"/"+f.Name] = slices.ContainsFunc(lines, func(l logs.Line) bool { return l.Request != "" })
		}
	}
	return all, nil
}
