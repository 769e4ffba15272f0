package learn

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
)

// Bindings are the actions of the lesson, and those of the pane that is shown.
func (p *page) Bindings() []keys.Binding {
	waiting := p.waiting()
	flip := keys.NoCmd(func() { p.shownPane = statePane - p.shownPane })
	label := [...]string{textPane: "progress", statePane: "the text"}[p.shownPane]
	const about = "switch between the text and the progress of the task"
	all := []keys.Binding{
		p.mainAction().Shown().Unless(waiting),
		keys.Hint.Does("hint", "show the next hint, which says more",
			p.hint).ShownIf(!p.done()).Unless(keys.When(p.hints == len(p.lesson.Hints), "there are no more hints")),
		keys.NextField.Does(label, about, flip).Shown(),
		keys.PriorField.Does(label, about, flip),
	}
	if p.lesson.Event != "" {
		noProject := keys.When(!p.report.Project, "there is no project")
		all = append(all,
			keys.Edit.Does("event", "edit the event of the function", p.editEvent).Shown().Unless(waiting, noProject),
			keys.Run.Does("run it", "run the function with its event", p.runEvent).Shown().Unless(waiting, noProject))
	}
	all = append(all,
		keys.Command.Does("command", "type a command that runs in the folder of the course",
			p.askCommand).Shown().Unless(waiting),
		keys.Files.Does("files", "view the files that the lesson made",
			p.askFile).ShownIf(p.done()).Unless(keys.When(len(p.report.ChangedFiles) == 0, "the lesson has made no files yet")),
		keys.Copy.Does("copy", "copy the command that does the task",
			p.copy).Unless(keys.When(!p.done(), "it is shown when the task is done")),
		keys.After.Does("next lesson", "go to the next lesson, whether this one is done or not",
			p.toNext).Unless(keys.When(p.next == nil, "this is the last lesson")),
		keys.Restart.Does("start over", "restore the folder as it was when the lesson began", p.askStartOver).Unless(waiting),
		keys.Action("dashboard", "look at the whole project", func() tea.Cmd { return p.leave(toDashboard) }).Unless(waiting,
			keys.When(!p.report.Project, "there is no project yet")),
	)
	return slices.Concat(keys.InGroup("lesson", all), p.panes[p.shownPane].Bindings())
}

// waiting is the reason why no action can begin now; "" if it can.
func (p *page) waiting() string {
	switch {
	case !p.ready:
		return "the folder is being made"
	case p.opening:
		return "the next page is being opened"
	}
	return p.job.Busy()
}

// mainAction is the action of enter: to do the task, or to go on.
func (p *page) mainAction() keys.Binding {
	switch {
	case !p.done():
		return keys.Open.Does("do the task", "open "+string(p.lesson.Place)+" for the task",
			func() tea.Cmd { return p.leave(p.toTask) })
	case p.next != nil:
		return keys.Open.Does("next lesson", "go on with the next lesson", p.toNext)
	}
	return keys.Open.Does("all lessons", "go back to the list of lessons", frame.GoBack)
}

func (p *page) toNext() tea.Cmd { return frame.Replace(p.pages.open(p.next.ID)) }

// hint shows one more hint, at the end of the progress.
func (p *page) hint() tea.Cmd {
	p.hints++
	p.shownPane = statePane
	p.panes[statePane].Follow()
	return nil
}

func (p *page) copy() tea.Cmd {
	return frame.Copy(p.lesson.Command, "the command")
}

func (p *page) askStartOver() tea.Cmd {
	return frame.Open(dialog.Sure("Start the lesson over?",
		"The folder of the course is restored as it was when the lesson began. What you made in it is removed.",
		"Start over", func() tea.Cmd { return p.prepare(true) }))
}

func (p *page) askCommand() tea.Cmd {
	return frame.Open(dialog.Input("A command in the folder of the course", "gatewright routes", notEmpty, p.run))
}

func (p *page) editEvent() tea.Cmd {
	return frame.Open(dialog.EditJSON(dialog.Editing{
		Title: "The event of the function " + p.lesson.Event, Text: indentJSON(p.report.Events[p.lesson.Event]), Take: p.save,
	}))
}

// noNode is above the recorded answer of a function that cannot be run.
const noNode = "Node.js is not on this machine, so functions that are written for it do not run here. This is what " +
	"the function answered on another machine, recorded for the lesson:"

func (p *page) runEvent() tea.Cmd {
	if !p.report.Node {
		return frame.Open(dialog.Text("Recorded, not run here", noNode+"\n\n"+p.lesson.Recorded))
	}
	return p.run("gatewright mock function " + p.lesson.Event)
}

func (p *page) askFile() tea.Cmd {
	options := make([]prose.Option, len(p.report.ChangedFiles))
	for i, file := range p.report.ChangedFiles {
		options[i] = prose.Option{Key: file, Title: file}
	}
	return frame.Open(dialog.Choose("View a file", options, "", p.show))
}

func notEmpty(text string) error {
	if strings.TrimSpace(text) == "" {
		return errors.New("type a command, such as gatewright routes")
	}
	return nil
}

// indentJSON is JSON over several lines; any other text is returned as it is.
func indentJSON(text string) string {
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(text), "", "  "); err != nil {
		return text
	}
	return b.String()
}
