package activity

import (
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy/aws"
	"gatewright/deploy/refuse"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// sayRefused shows why a push is refused, instead of the question whether to push; ok is false
// if the error is another one.
func sayRefused(name string, err error) (show tea.Cmd, ok bool) {
	var refusal *refuse.Refusal
	if !errors.As(err, &refusal) {
		return nil, false
	}
	return frame.Open(dialog.Lines("A push of "+prose.PrintableStart(name)+" is refused", refusedLines(refusal))), true
}

// refusedLines are the reasons of a refusal.
func refusedLines(r *refuse.Refusal) []prose.Line {
	lines := []prose.Line{
		{Tone: prose.Strong, Text: "Nothing was pushed. " + phrase.Count(len(r.Reasons), "reason") + ":"},
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
		lines = append(lines, prose.Line{}, prose.Line{Tone: prose.Muted, Text: "The tab Problems goes to each place."})
	}
	return lines
}

// offerAdoption shows what AWS has already of an environment that a push would make anew, and
// offers to take it over. What that does is shown, and asked about, before anything happens.
func (t *Tab) offerAdoption(name string, e *aws.InTheWay) tea.Cmd {
	lines := []prose.Line{{
		Tone: prose.Strong,
		Text: "Nothing was pushed. The account " + prose.PrintableStart(e.Place) + " already has:",
	}, {}}
	for _, f := range e.Found {
		tone := prose.Plain
		if f.Cannot != "" {
			tone = prose.Bad
		}
		lines = append(lines, prose.Line{Tone: tone, Text: "! " + prose.PrintableStart(f.String())})
	}
	lines = append(lines, prose.Line{})
	title := "A push of " + prose.PrintableStart(name) + " is refused"
	if !e.Adoptable() {
		return frame.Open(dialog.Lines(title,
			append(lines,
				prose.Line{
					Tone: prose.Muted,
					Text: "Remove what cannot be adopted, or give it or the environment another name.",
				})))
	}
	lines = append(lines,
		prose.Line{Text: "A push can adopt it, with all items, users and groups. It shows first what " +
			"else it would do."})
	return frame.Open(dialog.AgreeLines(title, lines, "Look at adopting it", "",
		func() tea.Cmd { return t.prepareCloud(name, true) }))
}
