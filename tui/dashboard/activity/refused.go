package activity

import (
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy"
	"gatewright/model"
	"gatewright/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// sayRefused shows why a push is refused, in place of the question whether to push; ok is false
// if the error is another one.
func sayRefused(name string, err error) (show tea.Cmd, ok bool) {
	var refusal *deploy.Refusal
	if !errors.As(err, &refusal) {
		return nil, false
	}
	return frame.Open(dialog.Lines("A push of "+prose.PrintableStart(name)+" is refused", refusedLines(refusal))), true
}

// refusedLines are the reasons of a refusal.
func refusedLines(r *deploy.Refusal) []prose.Line {
	lines := []prose.Line{
		{Tone: prose.Strong, Text: "Nothing is pushed. " + model.Count(len(r.Reasons), "reason") + ":"},
		{},
	}
	// Nobody reads all lines of a large project here; the tab Problems has them.
	const most = 100
	for i, reason := range r.Reasons {
		if i == most {
			lines = append(lines, prose.Line{Tone: prose.Muted, Text: fmt.Sprintf("and %d more", len(r.Reasons)-most)})
			break
		}
		lines = append(lines, prose.Line{Tone: prose.Bad, Text: "! " + prose.PrintableStart(reason.Error())})
	}
	if r.ByValidate {
		lines = append(lines, prose.Line{}, prose.Line{Tone: prose.Muted, Text: "The tab Problems leads to each place."})
	}
	return lines
}
