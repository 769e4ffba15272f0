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

	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/sandbox"
	"gatewright/sandbox/logs"
)

// Facts are what a check asks of a lesson's folder beside the backend.
type Facts struct {
	// Project says that there is one, Node that this machine has Node.js.
	Project, Node bool
	// Broken are the files that cannot be read, each with the reason.
	Broken []string
	// Events are the texts of the functions' src/event.json.
	Events map[string]string
	// Ran are the functions that served a request in the sandbox, as
	// ENVIRONMENT/FUNCTION.
	Ran map[string]bool
	// Pushed is how far the environments are.
	Pushed map[string]Push
}

// Push is how the last push of an environment compares with the files.
type Push struct {
	Never bool
	// Behind is how many things another push would change.
	Behind int
}

// Standing is what a lesson's folder has at one moment.
type Standing struct {
	Backend *model.Backend
	Facts   Facts
}

// Missing says what a lesson's task still lacks. Files that cannot be read come
// before everything else: what they define would count as not there.
func (s Standing) Missing(l Lesson) []string {
	if len(s.Facts.Broken) == 0 {
		return l.Check(s.Backend, s.Facts)
	}
	var missing []string
	for _, broken := range s.Facts.Broken {
		missing = append(missing, "A file cannot be read: "+broken)
	}
	return missing
}

// Report is how far the task of a lesson has come.
type Report struct {
	Facts
	// Missing is what the task lacks, Stands says how what it is about stands, and Made
	// are the files of the lesson.
	Missing, Stands, Made []string
}

// Done reports whether the task is done.
func (r Report) Done() bool { return len(r.Missing) == 0 }

// Report reads how far the task of a lesson has come.
func (c *Course) Report(l Lesson) (Report, error) {
	s, err := Stand(c.Dir)
	if err != nil {
		return Report{}, err
	}
	r := Report{Facts: s.Facts, Missing: s.Missing(l)}
	if l.Look != nil {
		r.Stands = l.Look(s.Backend)
	}
	r.Made, err = c.Made(l.ID)
	return r, err
}

// Stand reads what a folder has. It writes nothing, takes no lock, and finishes
// no write that was interrupted.
func Stand(dir string) (Standing, error) {
	s := Standing{Backend: &model.Backend{}}
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
	s.Facts.Events = events(fsys, layout, p.Backend)
	s.Facts.Pushed = pushes(p)
	s.Facts.Ran, err = ran(root, p.Backend)
	return s, err
}

// longestEvent is how much of an event is read, in bytes.
const longestEvent = 1 << 20

func events(fsys afero.Fs, layout project.Layout, b *model.Backend) map[string]string {
	all := make(map[string]string)
	for _, f := range b.Functions {
		file, err := fsys.Open(eventFile(layout, f.Name))
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

// eventFile is where the event of a function lies, below the project's folder.
func eventFile(layout project.Layout, function string) string {
	return layout.FunctionFolder(function) + "/src/event.json"
}

// SaveEvent writes the event of a lesson's function.
func (c *Course) SaveEvent(l Lesson, text string) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	fsys, err := disk.Open(c.Dir)
	if err != nil {
		return fmt.Errorf("opening the folder of the course: %w", err)
	}
	defer func() { _ = fsys.Close() }()
	text = strings.TrimRight(text, "\n") + "\n"
	if err := afero.WriteFile(fsys, eventFile(project.Native, l.Event), []byte(text), 0o644); err != nil {
		return fmt.Errorf("saving the event: %w", err)
	}
	return nil
}

func pushes(p *project.Project) map[string]Push {
	all := make(map[string]Push)
	for _, e := range p.Backend.Environments {
		status, err := p.Status(e.Name)
		// An environment whose record cannot be read has to be pushed again.
		all[e.Name] = Push{Never: err != nil || status.Was == nil, Behind: len(status.Resources) - status.Count(model.NoChange)}
	}
	return all
}

// recent is how many of the last lines of a log are looked at: a request leaves
// three.
const recent = 20

// ran are the functions whose logs tell of a request.
func ran(root string, b *model.Backend) (map[string]bool, error) {
	all := make(map[string]bool)
	folder := sandbox.LogFolder(deploy.SandboxState(root))
	for _, e := range b.Environments {
		for _, f := range b.Functions {
			lines, err := logs.ReadFolder(folder, logs.Query{Environment: e.Name, Function: f.Name, Last: recent})
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			all[e.Name+"/"+f.Name] = slices.ContainsFunc(lines, func(l logs.Line) bool { return l.Request != "" })
		}
	}
	return all, nil
}
