package learn

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/course"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// The dialogs of a lesson.
const (
	anewDialog    = "learn/anew"
	commandDialog = "learn/command"
	outputDialog  = "learn/output"
	eventDialog   = "learn/event"
	filesDialog   = "learn/files"
	fileDialog    = "learn/file"
)

// Keys are the page's keys as they are now.
func (p *page) Keys() []frame.Binding {
	waiting := ""
	switch {
	case p.running != nil:
		waiting = "a command runs: esc ends it"
	case !p.ready:
		waiting = "the folder is being made"
	case p.opening:
		waiting = "it is being opened"
	}
	first := frame.Binding{Keys: []string{"enter"}, Label: "do the task", Help: "open " + p.lesson.Place.String() + " for the task", Footer: true, Disabled: waiting, Group: "lesson"}
	if p.done {
		first.Label, first.Help = "next lesson", "go on with the next lesson"
		if p.next() == "" {
			first.Label, first.Help = "all lessons", "go back to the list of lessons"
		}
	}
	hint := frame.Binding{Keys: []string{"h"}, Label: "hint", Help: "show a hint; each time one that says more", Footer: !p.done, Group: "lesson"}
	if p.hints >= len(p.lesson.Hints) {
		hint.Disabled = "there is no other hint"
	}
	other := frame.Binding{Keys: []string{"tab", "shift+tab"}, Label: "how far", Help: "show how far the task has come; again: the text", Footer: true, Group: "move"}
	if p.inState {
		other.Label = "the text"
	}
	keys := []frame.Binding{
		first, hint, other,
		{Keys: []string{"down", "j"}, Label: "scroll", Help: "scroll down", Footer: true, Group: "move"},
	}
	if p.lesson.Event != "" {
		noProject := waiting
		if noProject == "" && !p.standing.Facts.Project {
			noProject = "there is no project"
		}
		keys = append(keys,
			frame.Binding{Keys: []string{"e"}, Label: "event", Help: "edit the event of the function", Footer: true, Disabled: noProject, Group: "lesson"},
			frame.Binding{Keys: []string{"r"}, Label: "run it", Help: "run the function with its event", Footer: true, Disabled: noProject, Group: "lesson"})
	}
	noDashboard, noFiles := waiting, ""
	if noDashboard == "" && !p.standing.Facts.Project {
		noDashboard = "there is no project yet"
	}
	if len(p.made) == 0 {
		noFiles = "the lesson has made no files yet"
	}
	keys = append(keys,
		frame.Binding{Keys: []string{"x"}, Label: "command", Help: "type a command that runs in the folder of the course", Footer: true, Disabled: waiting, Group: "lesson"},
		frame.Binding{Keys: []string{"d"}, Label: "dashboard", Help: "look at the whole project", Disabled: noDashboard, Group: "lesson"},
		frame.Binding{Keys: []string{"f"}, Label: "files", Help: "look into the files that the lesson made", Footer: p.done, Disabled: noFiles, Group: "lesson"},
		frame.Binding{Keys: []string{"y"}, Label: "copy", Help: "send the command that does the task to the terminal's clipboard", Disabled: p.notDone(), Group: "lesson"},
		frame.Binding{Keys: []string{"n"}, Label: "next lesson", Help: "go to the next lesson, whether this one is done or not", Disabled: p.noNext(), Group: "lesson"},
		frame.Binding{Keys: []string{"b"}, Label: "begin anew", Help: "make the folder as it was when the lesson began", Disabled: waiting, Group: "lesson"},
		frame.Binding{Keys: []string{"up", "k"}, Label: "up", Help: "scroll up", Group: "move"},
		frame.Binding{Keys: []string{"pgdown", "space"}, Label: "page down", Help: "scroll a page down", Group: "move"},
		frame.Binding{Keys: []string{"pgup"}, Label: "page up", Help: "scroll a page up", Group: "move"},
		frame.Binding{Keys: []string{"g", "home"}, Label: "top", Help: "go to the top", Group: "move"},
		frame.Binding{Keys: []string{"G", "end"}, Label: "end", Help: "go to the end", Group: "move"})
	if p.running != nil {
		keys = append([]frame.Binding{{Keys: []string{"esc"}, Label: "end it", Help: "end the command that runs", Footer: true, Group: "lesson"}}, keys...)
	}
	return keys
}

func (p *page) notDone() string {
	if !p.done {
		return "it is shown when the task is done"
	}
	return ""
}

// next is the ID of the next lesson; "" after the last one.
func (p *page) next() string {
	lessons := course.Lessons()
	if n := course.LessonNumber(p.lesson.ID); n < len(lessons) {
		return lessons[n].ID
	}
	return ""
}

func (p *page) noNext() string {
	if p.next() == "" {
		return "this is the last lesson"
	}
	return ""
}

// key takes a key press.
func (p *page) key(name string) tea.Cmd {
	at := &p.panes[p.front()]
	switch name {
	case "enter":
		return p.goOn()
	case "tab", "shift+tab":
		p.inState = !p.inState
	case "down", "j":
		at.top++
	case "up", "k":
		at.top--
	case "pgdown", "space":
		at.top += max(1, at.rows-1)
	case "pgup":
		at.top -= max(1, at.rows-1)
	case "g", "home":
		at.top = 0
	case "G", "end":
		at.top = len(at.lines)
	case "h":
		p.hints++
		p.inState = true
		p.panes[statePane].top = len(p.panes[statePane].lines)
		p.changed()
	case "esc":
		if p.running != nil {
			p.running.end()
		}
	case "n":
		return frame.Replace(p.desk.open(p.next()))
	case "d":
		return p.leave(toDashboard)
	case "y":
		return tea.Batch(tea.SetClipboard(p.lesson.Command), frame.Say(frame.Info, "the command is sent to the clipboard"))
	default:
		return p.ask(name)
	}
	return nil
}

// goOn is what enter does.
func (p *page) goOn() tea.Cmd {
	switch {
	case !p.done:
		return p.leave(toTask)
	case p.next() != "":
		return frame.Replace(p.desk.open(p.next()))
	}
	return frame.Back()
}

// ask takes the keys that open a dialog, or run the function.
func (p *page) ask(name string) tea.Cmd {
	switch name {
	case "b":
		return frame.Open(dialog.Confirm(anewDialog, "Begin the lesson anew?", "The folder of the course becomes what it was when the lesson began. What you made in it goes.",
			dialog.Button{ID: "cancel", Label: "Cancel", Cancel: true}, dialog.Button{ID: "anew", Label: "Begin anew"}))
	case "x":
		return frame.Open(dialog.Input(commandDialog, "A command in the folder of the course", "gatewright routes", filled))
	case "e":
		return frame.Open(dialog.Edit(dialog.Editing{
			ID: eventDialog, Title: "The event of the function " + p.lesson.Event, Text: spread(p.standing.Facts.Events[p.lesson.Event]), Check: checkJSON,
		}))
	case "r":
		if !p.standing.Facts.Node {
			return frame.Open(dialog.Text(outputDialog, "Recorded, not run here", noNode+"\n\n"+p.lesson.Recorded))
		}
		return p.run("gatewright mock function "+p.lesson.Event, "gatewright mock function "+p.lesson.Event)
	case "f":
		items := make([]dialog.Item, len(p.made))
		for i, file := range p.made {
			items[i] = dialog.Item{ID: file, Label: file}
		}
		return frame.Open(dialog.Choose(filesDialog, "Look into a file", items))
	}
	return nil
}

// noNode is said where a function cannot be run.
const noNode = "Node.js is not on this machine, so functions that are written for it do not run here. This is what the function answered on another machine, recorded for the lesson:"

func filled(text string) error {
	if strings.TrimSpace(text) == "" {
		return errors.New("type a command, such as gatewright routes")
	}
	return nil
}

// spread is JSON over several lines; what is none stays as it is.
func spread(text string) string {
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(text), "", "  "); err != nil {
		return text
	}
	return b.String()
}

// checkJSON refuses a text that is not JSON, and says in which line.
func checkJSON(text string) (line int, err error) {
	var value any
	err = json.Unmarshal([]byte(text), &value)
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return 0, nil
	case errors.As(err, &syntax):
		return 1 + strings.Count(text[:min(int(syntax.Offset), len(text))], "\n"), fmt.Errorf("it is not JSON: %w", err)
	}
	return 0, fmt.Errorf("it is not JSON: %w", err)
}

// answer performs what a dialog ended with.
func (p *page) answer(result dialog.Result) tea.Cmd {
	switch action := result.Action.(type) {
	case dialog.Pressed:
		if result.ID == anewDialog && action == "anew" {
			p.ready = false
			p.changed()
			return p.prepare(true)
		}
	case dialog.Entered:
		switch result.ID {
		case commandDialog:
			return p.run(string(action), string(action))
		case eventDialog:
			return p.save(string(action))
		}
	case dialog.Picked:
		if result.ID == filesDialog {
			return p.show(string(action))
		}
	}
	return nil
}
