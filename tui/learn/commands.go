package learn

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/course"
	"gatewright/project"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/route"
)

// The answers to the page's own commands.
type (
	preparedMsg struct {
		// count is that of the last look at the folder as it was before.
		count   int
		project *project.Project
		err     error
	}
	rereadMsg struct {
		project *project.Project
		to      frame.Route
		err     error
	}
	printedMsg struct{ line, text string }
)

// prepare makes the folder one that the lesson can begin in.
func (p *page) prepare(anew bool) tea.Cmd {
	p.ready = false
	p.changed()
	folder, s := p.folder, p.desk.session
	return func() tea.Msg {
		var msg preparedMsg
		if msg.count, msg.err = folder.prepare(anew); msg.err == nil {
			msg.project, msg.err = s.Read()
		}
		return msg
	}
}

// leave goes to another screen, after the project was read again: it may have been
// changed by a command. The wizard needs it to know what it is for: to is nil then.
func (p *page) leave(to frame.Route) tea.Cmd {
	p.opening = true
	s := p.desk.session
	return func() tea.Msg {
		project, err := s.Read()
		return rereadMsg{project, to, err}
	}
}

// toTask goes to the screen that the task is done on.
func (p *page) toTask() tea.Cmd {
	switch p.lesson.Place {
	case course.InConsole:
		return p.leave(route.Console{API: "shop", Path: "/books", Method: "GET", Environment: "dev"})
	case course.InOutputs:
		return p.leave(route.Dashboard{})
	}
	return p.leave(nil)
}

func (p *page) takeReread(msg rereadMsg) tea.Cmd {
	p.opening = false
	if msg.err != nil {
		return failed(msg.err)
	}
	p.desk.session.Take(msg.project)
	if msg.to == nil {
		msg.to = walk{p.route, p.lesson.Begin(msg.project.Backend)}
	}
	return frame.Go(msg.to)
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
		return printedMsg{line, cmp.Or(text, "It printed nothing.")}
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
	// ready says that it was made one that the lesson can begin in, seen is what was
	// found last.
	ready bool
	seen  lookedMsg
}

// lookedMsg is what a look at the folder found.
type lookedMsg struct {
	// count tells the looks apart: a later one has a higher count.
	count int
	facts course.Facts
	// missing is what the task lacks, made are the files of the lesson, look is how
	// what it is about stands.
	missing, made, look []string
	err                 error
}

// prepare makes the folder one that the lesson can begin in, and gives the count of
// the last look before.
func (f *folder) prepare(anew bool) (count int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.course.Prepare(f.lesson, anew); err != nil {
		return f.seen.count, err
	}
	f.ready = true
	return f.seen.count, nil
}

// look looks.
func (f *folder) look() tea.Msg {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now()
}

// news looks, and gives nil where all is as it was.
func (f *folder) news() tea.Msg {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.ready {
		return nil
	}
	was := f.seen
	now := f.now()
	was.count = now.count
	if reflect.DeepEqual(was, now) {
		return nil
	}
	return now
}

// now reads how far the folder has come, and notes a lesson that is done.
func (f *folder) now() (msg lookedMsg) {
	msg.count = f.seen.count + 1
	defer func() { f.seen = msg }()
	standing, err := course.Stand(f.course.Dir)
	if msg.err = err; err != nil {
		return msg
	}
	if msg.made, msg.err = f.course.Made(f.lesson.ID); msg.err != nil {
		return msg
	}
	msg.facts, msg.missing = standing.Facts, standing.Missing(f.lesson)
	if f.lesson.Look != nil {
		msg.look = f.lesson.Look(standing.Backend)
	}
	if len(msg.missing) == 0 {
		msg.err = f.course.Finish(f.lesson.ID)
	}
	return msg
}
