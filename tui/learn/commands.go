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

	"gatewright/flow/course"
	"gatewright/internal/text/phrase"
	"gatewright/project"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/route"
)

// prepare makes the folder ready for the lesson.
func (p *page) prepare(reset bool) tea.Cmd {
	p.ready = false
	folder, s := p.folder, p.pages.session
	return func() tea.Msg {
		var read *project.Project
		err := folder.prepare(reset)
		if err == nil {
			read, err = s.Read()
		}
		return frame.ThenMsg(func() tea.Cmd { return p.prepared(reset, read, err) })
	}
}

// leave reads the project again, which a command may have changed, and goes to another
// page.
func (p *page) leave(to func() frame.Route) tea.Cmd {
	p.opening = true
	s := p.pages.session
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

// toTask is the page that the task is done on.
func (p *page) toTask() frame.Route {
	switch p.lesson.Place {
	case course.InConsole:
		return route.Console{API: "shop", Path: "/books", Method: "GET", Environment: "dev"}
	case course.InOutputs:
		return toDashboard()
	}
	return wizardRoute{route.Wizard{Task: p.lesson.WizardTask(p.pages.session.Project.Backend)}, p.route}
}

// commandTimeout is how long a command may run, which may have to install packages.
const commandTimeout = 5 * time.Minute

// run runs a command line, and shows what it printed.
func (p *page) run(line string) tea.Cmd {
	c := p.pages.course
	return p.job.Begin(line, func(ctx context.Context, _ frame.Progress) tea.Msg {
		ctx, end := context.WithTimeout(ctx, commandTimeout)
		defer end()
		text, err := c.Run(ctx, line)
		text = strings.TrimRight(text, "\n")
		if err != nil {
			text = strings.TrimLeft(text+"\n\n"+err.Error(), "\n")
		}
		return frame.ThenMsg(func() tea.Cmd {
			return tea.Batch(p.checkNow(), frame.Open(dialog.Text(line, cmp.Or(text, "It printed nothing."))))
		})
	})
}

// save writes the event of the lesson's function.
func (p *page) save(text string) tea.Cmd {
	c, l := p.pages.course, p.lesson
	return tea.Sequence(func() tea.Msg {
		if err := c.SaveEvent(l, text); err != nil {
			return failed(err)()
		}
		return frame.Say(frame.Good, "the event is saved")()
	}, p.checkNow())
}

// longestFile is how many bytes of a file are shown.
const longestFile = 64 << 10

// show shows a file of the folder.
func (p *page) show(name string) tea.Cmd {
	dir := p.pages.course.Dir
	return func() tea.Msg {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return frame.Say(frame.Error, "the file %s no longer exists", phrase.QuotePath(name))()
		}
		text := string(data[:min(len(data), longestFile)])
		if len(data) > longestFile {
			text += "\n..."
		}
		return frame.Open(dialog.Text(name, text))()
	}
}

// failed shows an error.
func failed(err error) tea.Cmd { return frame.Say(frame.Error, "%v", err) }

// folder is the folder of the course for one lesson. It is checked outside Update, and
// not while it is being prepared.
type folder struct {
	course *course.Course
	lesson course.Lesson

	mu sync.Mutex
	// ready says that prepare has succeeded.
	ready bool
	// latest is the result of the last check; nil if there was none.
	latest atomic.Pointer[reportMsg]
}

// reportMsg is the result of a check of the folder.
type reportMsg struct {
	course.Report
	err error
}

// prepare makes the folder ready for the lesson, and drops the latest result.
func (f *folder) prepare(reset bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.course.Prepare(f.lesson, reset); err != nil {
		return err
	}
	f.ready = true
	f.latest.Store(nil)
	return nil
}

// check checks the task, and records the lesson as done if it is. It returns nil if the
// result is the same as the latest one, unless always is true.
func (f *folder) check(always bool) tea.Msg {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.ready {
		return nil
	}
	report, err := f.course.Report(f.lesson)
	if err == nil && report.Done() {
		err = f.course.Finish(f.lesson.ID)
	}
	now := &reportMsg{report, err}
	if !always && reflect.DeepEqual(now, f.latest.Load()) {
		return nil
	}
	f.latest.Store(now)
	return now
}
