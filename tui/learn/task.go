package learn

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/course"
	"gatewright/internal/text/prose"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/widget"
)

// taskWizard is the wizard of a lesson. Its first lines say what the task is. It saves no
// draft when the program quits, because the folder of the course is removed then.
type taskWizard struct {
	frame.Page
	context *frame.Context
	lesson  course.Lesson
	layout  layout.Layout
}

// taskText is the first paragraph of the task.
func (w *taskWizard) taskText() string {
	text, _, _ := strings.Cut(w.lesson.Task, "\n\n")
	return fmt.Sprintf("Lesson %d: %s", w.lesson.Number, strings.ReplaceAll(text, "`", ""))
}

// lines are the lines of the task.
func (w *taskWizard) lines() []string {
	return widget.Indent(widget.Wrapped(w.context.Theme, prose.Note, prose.Printable(w.taskText()), w.layout.Body().W-2),
		margin)
}

// SetSize leaves the first lines to the task.
func (w *taskWizard) SetSize(l layout.Layout) {
	w.layout = l
	n := len(w.lines())
	l.Main.H, l.Side.H = l.Main.H-n, max(0, l.Side.H-n)
	w.Page.SetSize(l)
}

// View draws the task above the wizard.
func (w *taskWizard) View() string {
	lines := w.lines()
	for i, line := range lines {
		lines[i] = layout.Pad(line, w.layout.Body().W)
	}
	return strings.Join(append(lines, w.Page.View()), "\n")
}

// Update gives messages to the wizard, the mouse as if the task were not there.
func (w *taskWizard) Update(msg tea.Msg) tea.Cmd {
	n := len(w.lines())
	switch at := msg.(type) {
	case tea.MouseClickMsg:
		at.Y -= n
		msg = at
	case tea.MouseWheelMsg:
		at.Y -= n
		msg = at
	}
	return w.Page.Update(msg)
}
