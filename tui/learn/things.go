package learn

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/course"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// lessonID is the place of a lesson for the palette.
type lessonID string

// Lessons are the lessons of the course, for the palette.
func (p *Pages) Lessons() []dialog.Thing {
	if p.course == nil {
		return nil
	}
	var all []dialog.Thing
	for _, l := range course.Lessons() {
		all = append(all,
			dialog.Thing{
				Kind: "lesson", Name: l.Title, About: fmt.Sprintf("number %d of the course", l.Number),
				To: lessonID(l.ID),
			})
	}
	return all
}

// GoTo opens a lesson; false if a thing is none.
func (p *Pages) GoTo(thing dialog.Thing) (tea.Cmd, bool) {
	id, ok := thing.To.(lessonID)
	if !ok {
		return nil, false
	}
	return frame.Go(p.open(string(id))), true
}
