package learn

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/course"
	"gatewright/project"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/route"
)

// prepare makes the folder one that the lesson can begin in.
func (p *page) prepare(anew bool) tea.Cmd {
	p.ready = false
	folder, s := p.folder, p.desk.session
	return func() tea.Msg {
		var read *project.Project
		err := folder.prepare(anew)
		if err == nil {
			read, err = s.Read()
		}
		return frame.ThenMsg(func() tea.Cmd { return p.prepared(anew, read, err) })
	}
}

// leave goes to another screen, after the project was read again: it may have been
// changed by a command.
func (p *page) leave(to func() frame.Route) tea.Cmd {
	p.opening = true
	s := p.desk.session
	return func() tea.Msg {
		read, err := s.Read()
		return frame.ThenMsg(func() tea.Cmd {
			p.opening = false
			if err != nil {
				return failed(err)
			}
			s.Take(read)
			return frame.Go(to())
		})
	}
}

func toDashboard() frame.Route { return route.Dashboard{} }

// toTask is the screen that the task is done on.
func (p *page) toTask() frame.Route {
	switch p.lesson.Place {
	case course.InConsole:
		return route.Console{API: "shop", Path: "/books", Method: "GET", Environment: "dev"}
	case course.InOutputs:
		return toDashboard()
	}
	return walk{route.Wizard{Task: p.lesson.Begin(p.desk.session.Project.Backend)}, p.route}
}

// longest is how long a command may run, in which a function's packages may have
// to be installed.
const longest = 5 * time.Minute

// run carries out a line of commands, and gives what it printed.
func (p *page) run(line string) tea.Cmd {
	c := p.desk.course
	return p.job.Begin(line, func(ctx context.Context, _ frame.Progress) tea.Msg {
		ctx, end := context.WithTimeout(ctx, longest)
		defer end()
		text, err := c.Run(ctx, line)
		text = strings.TrimRight(text, "\n")
		if err != nil {
			text = strings.TrimLeft(text+"\n\n"+err.Error(), "\n")
		}
		return frame.ThenMsg(func() tea.Cmd {
			return tea.Batch(p.lookNow(), frame.Open(dialog.Text(line, cmp.Or(text, "It printed nothing."))))
		})
	})
}

// save writes the event of the lesson's function.
func (p *page) save(text string) tea.Cmd {
	c, l := p.desk.course, p.lesson
	return tea.Sequence(func() tea.Msg {
		if err := c.SaveEvent(l, text); err != nil {
			return failed(err)()
		}
		return frame.Say(frame.Good, "the event is saved")()
	}, p.lookNow())
}

// longestFile is how much of a file is shown, in bytes.
const longestFile = 64 << 10

// show shows a file of the folder.
func (p *page) show(name string) tea.Cmd {
	dir := p.desk.course.Dir
	return func() tea.Msg {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return frame.Say(frame.Error, "the file is gone: %s", project.QuotePath(name))()
		}
		text := string(data[:min(len(data), longestFile)])
		if len(data) > longestFile {
			text += "\n..."
		}
		return frame.Open(dialog.Text(name, text))()
	}
}

// failed says what went wrong.
func failed(err error) tea.Cmd { return frame.Say(frame.Error, "%v", err) }

// folder is the folder of the course, as the page of a lesson looks at it. It is
// looked at away from Update, and not while it is being made.
type folder struct {
	course *course.Course
	lesson course.Lesson

	mu sync.Mutex
	// ready says that it was made one that the lesson can begin in.
	ready bool
	// seen is what was found last; nil for nothing yet.
	seen atomic.Pointer[lookedMsg]
}

// lookedMsg is what a look at the folder found.
type lookedMsg struct {
	course.Report
	err error
}

// prepare makes the folder one that the lesson can begin in. What was found before
// counts no more then.
func (f *folder) prepare(anew bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.course.Prepare(f.lesson, anew); err != nil {
		return err
	}
	f.ready = true
	f.seen.Store(nil)
	return nil
}

// look looks, and notes a lesson that is done. Where all is as it was it gives nil,
// unless that is asked for too.
func (f *folder) look(asked bool) tea.Msg {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.ready {
		return nil
	}
	report, err := f.course.Report(f.lesson)
	if err == nil && report.Done() {
		err = f.course.Finish(f.lesson.ID)
	}
	now := &lookedMsg{report, err}
	if !asked && reflect.DeepEqual(now, f.seen.Load()) {
		return nil
	}
	f.seen.Store(now)
	return now
}
