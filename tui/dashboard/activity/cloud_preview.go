package activity

import (
	"fmt"

	"gatewright/deploy/aws"
	"gatewright/deploy/contract"
	"gatewright/internal/clock"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/diff"
	"gatewright/tui/dashboard/board"
)

// cloudPreview says what a push to AWS would do: where it goes, what is opened, what is lost, what differs in
// the definition, and what AWS does for it. clientFile is the path of the client configuration file.
func cloudPreview(push *aws.Push, clientFile string) []prose.Line {
	before := "never pushed"
	if push.Status.Deployed != nil {
		before = "last pushed " + clock.Moment(push.Status.Deployed.Deployed)
	}
	muted := func(text string) prose.Line { return prose.Line{Tone: prose.Muted, Text: prose.PrintableStart(text)} }
	apis := 0
	for _, r := range push.Status.Resources {
		if r.Of.Kind == model.KindAPI {
			apis++
		}
	}
	// One line says where to; what is opened follows before all that can wait.
	lines := []prose.Line{{Text: prose.PrintableStart("account " + push.Account + ", " + push.Region)}}
	lines = append(lines, board.AccessLines(push.Status.Access, push.Status.MoreAccess, apis)...)
	lines = append(lines, lossLines(push.Losses)...)
	for _, f := range push.Adopted {
		lines = append(lines, prose.Line{Tone: prose.Strong, Text: "adopts " + prose.PrintableStart(f.String())})
	}
	lines = append(lines,
		prose.Line{Text: "environment " + prose.PrintableStart(push.Environment.Name) + ", " + before},
		muted("as "+push.Who),
		muted("stack "+push.Stack),
		prose.Line{},
	)
	lines = append(lines, differenceLines(push)...)
	lines = append(lines, prose.Line{Tone: prose.Strong, Text: push.CountChanges()})
	for _, text := range push.Remarks() {
		lines = append(lines, muted(text))
	}
	for _, note := range push.Notes {
		lines = append(lines, prose.Line{Tone: prose.Warning, Text: "! " + prose.PrintableStart(note)})
	}
	return append(lines, muted("afterwards "+clientFile+" is written to match"))
}

// lossLines name what loses its data.
func lossLines(losses []aws.Loss) []prose.Line {
	if len(losses) == 0 {
		return nil
	}
	var lines []prose.Line
	for _, l := range losses {
		lines = append(lines, prose.Line{Tone: prose.Bad, Text: "LOSS: " + prose.PrintableStart(l.Text)})
	}
	return append(lines, prose.Line{})
}

// differenceLines say what differs in the definition.
func differenceLines(push *aws.Push) []prose.Line {
	kinds := map[diff.Operation]contract.EventKind{
		diff.ToCreate: contract.Created, diff.ToUpdate: contract.Updated,
		diff.ToDelete: contract.Deleted,
	}
	// Nobody reads all lines of a large project here; the tab has them.
	const most = 200
	var lines []prose.Line
	left := 0
	for _, r := range push.Status.Resources {
		kind, changed := kinds[r.Operation]
		if !changed {
			continue
		}
		if len(lines) == most {
			left++
			continue
		}
		e := contract.Event{Kind: kind, Of: r.Of, Text: r.Of.String()}
		if kind == contract.Updated {
			e.Reasons = r.Reasons
		}
		lines = append(lines, previewLine(e))
	}
	if left > 0 {
		lines = append(lines, prose.Line{Tone: prose.Muted, Text: fmt.Sprintf("and %d more", left)})
	}
	if len(lines) == 0 {
		lines = append(lines,
			prose.Line{Text: "the definition has not changed; AWS differs from it, and the push corrects that"})
	}
	return append(lines, prose.Line{})
}
