package learn

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/course"
	"gatewright/project"
	"gatewright/tui/console"
	"gatewright/tui/dashboard"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// The messages of the page's own commands. Each says whose it is.
type (
	prepared struct {
		of      *page
		project *project.Project
		err     error
	}
	looked struct {
		of       *page
		standing course.Standing
		// missing is what the task lacks, made are the files of the lesson.
		missing, made []string
		err           error
	}
	over   struct{ of *page }
	reread struct {
		of      *page
		project *project.Project
		to      target
		err     error
	}
	printed struct {
		of    *page
		title string
		text  string
		err   error
	}
	saved struct {
		of  *page
		err error
	}
	content struct {
		of         *page
		name, text string
		err        error
	}
)

// prepare makes the folder one that the lesson can begin in.
func (p *page) prepare(anew bool) tea.Cmd {
	desk, l := p.desk, p.lesson
	return func() tea.Msg {
		msg := prepared{of: p}
		if msg.err = desk.course.Prepare(l, anew); msg.err == nil {
			msg.project, msg.err = desk.session.Read()
		}
		return msg
	}
}

// wait ends when it is time to look again.
func (p *page) wait() tea.Cmd { return tea.Tick(pace, func(time.Time) tea.Msg { return over{p} }) }

// look reads how far the folder has come, and notes a lesson that is done.
func (p *page) look() tea.Cmd {
	c, l := p.desk.course, p.lesson
	return func() tea.Msg {
		msg := looked{of: p}
		if msg.standing, msg.err = course.Stand(c.Dir); msg.err != nil {
			return msg
		}
		if msg.made, msg.err = c.Made(l.ID); msg.err != nil {
			return msg
		}
		if msg.missing = msg.standing.Missing(l); len(msg.missing) == 0 {
			msg.err = c.Finish(l.ID)
		}
		return msg
	}
}

// target is where to go.
type target uint8

const (
	toTask target = iota
	toDashboard
)

// leave goes to another screen, after the project was read again: it may have been
// changed by a command.
func (p *page) leave(to target) tea.Cmd {
	p.opening = true
	s := p.desk.session
	return func() tea.Msg {
		msg := reread{of: p, to: to}
		msg.project, msg.err = s.Read()
		return msg
	}
}

func (p *page) takeReread(msg reread) tea.Cmd {
	p.opening = false
	if msg.err != nil {
		return frame.Say(frame.Error, "%v", msg.err)
	}
	p.desk.session.Take(msg.project)
	switch {
	case msg.to == toTask && p.lesson.Place == course.InWizard:
		return frame.Go(walk{p.route, p.lesson.Begin(msg.project.Backend)})
	case msg.to == toTask && p.lesson.Place == course.InConsole:
		return frame.Go(console.Route{API: "shop", Path: "/books", Method: "GET", Environment: "dev"})
	}
	return frame.Go(dashboard.Route{})
}

// running is a command that runs.
type running struct {
	line  string
	since time.Time
	end   context.CancelFunc
}

// longest is how long a command may run, in which a function's packages may have
// to be installed.
const longest = 5 * time.Minute

// run carries out a line of commands.
func (p *page) run(title, line string) tea.Cmd {
	ctx, end := context.WithTimeout(context.Background(), longest)
	p.running = &running{line: line, since: time.Now(), end: end}
	p.changed()
	c := p.desk.course
	return func() tea.Msg {
		defer end()
		msg := printed{of: p, title: title}
		msg.text, msg.err = c.Run(ctx, line)
		return msg
	}
}

// takePrinted shows what a command printed, in the words of the lines that a
// person would see.
func (p *page) takePrinted(msg printed) tea.Cmd {
	p.running = nil
	p.changed()
	text := strings.TrimRight(msg.text, "\n")
	if msg.err != nil {
		text = strings.TrimLeft(text+"\n\n"+msg.err.Error(), "\n")
	}
	if text == "" {
		text = "It printed nothing."
	}
	return tea.Batch(p.lookNow(), frame.Open(dialog.Text(outputDialog, msg.title, text)))
}

// save writes the event of the lesson's function.
func (p *page) save(text string) tea.Cmd {
	c, l := p.desk.course, p.lesson
	return func() tea.Msg { return saved{p, c.SaveEvent(l, text)} }
}

func (p *page) takeSaved(msg saved) tea.Cmd {
	if msg.err != nil {
		return frame.Say(frame.Error, "%v", msg.err)
	}
	return tea.Batch(p.lookNow(), frame.Say(frame.Good, "the event is saved"))
}

// longestFile is how much of a file is shown, in bytes.
const longestFile = 64 << 10

// show reads a file of the folder.
func (p *page) show(name string) tea.Cmd {
	dir := p.desk.course.Dir
	return func() tea.Msg {
		msg := content{of: p, name: name}
		var data []byte
		if data, msg.err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); msg.err != nil {
			msg.err = errors.New("the file is gone: " + project.QuotePath(name))
			return msg
		}
		if msg.text = string(data[:min(len(data), longestFile)]); len(data) > longestFile {
			msg.text += "\n..."
		}
		return msg
	}
}
