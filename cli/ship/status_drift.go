package ship

import (
	"context"
	"strings"

	"gatewright/cli/command"
	"gatewright/deploy/aws"
	"gatewright/internal/prove"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
)

// driftReport is what is otherwise in AWS than by the last push, or in the template of the stack
// than by the definition.
type driftReport struct {
	// Differs says that something differs, or that it is not known whether resources or access
	// do.
	Differs bool `json:"differs"`
	// Compared is how many resources CloudFormation compared, NotCompared counts the others by
	// their type.
	Compared    int            `json:"compared"`
	NotCompared map[string]int `json:"notCompared"`
	Cloud       []driftedPart  `json:"cloud"`
	Template    []driftedPart  `json:"template"`
	// Access is who may send which request in AWS and not by the last push, or the other way
	// round; Undecided says what of that is not known.
	Access []prove.Difference `json:"access"`
	// Doors are what else leads to functions than the last push says.
	Doors     []prove.Door `json:"doors"`
	Undecided []string     `json:"undecided"`
	Notes     []string     `json:"notes"`

	// failed says that CloudFormation could not compare all that it can; skipped and compared
	// say in words what was not compared, and what was.
	failed            bool
	skipped, compared string
}

// driftedPart is a part of a stack that differs.
type driftedPart struct {
	// Kind, Name and API are the part of the definition that it belongs to.
	Kind model.Kind `json:"kind"`
	Name string     `json:"name"`
	API  string     `json:"api,omitempty"`
	// Part names the resource for people, Texts say in what it differs.
	Part  string   `json:"part"`
	Texts []string `json:"texts"`
}

// driftOf compares what is in AWS with the last push.
func (x *statusCommand) driftOf(reached *aws.Reached) (*driftReport, error) {
	tell := func(string) {}
	if command.IsTerminal(x.streams.Err) {
		tell = func(text string) { command.Say(x.streams.Err, "%s...", text) }
	}
	found, err := reached.Drift(context.Background(), tell)
	if err != nil {
		return nil, err
	}
	return &driftReport{
		Differs: found.Differs(), Compared: found.Compared, NotCompared: found.Skipped, failed: found.Failed,
		skipped: found.SkippedText(), compared: found.ComparedText(),
		Cloud: driftedParts(found.Cloud), Template: driftedParts(found.Template), Access: found.Access.Differences,
		Doors: found.Access.Doors, Undecided: found.Access.Undecided,
		Notes: command.Listed(append(found.Unread, found.Access.Notices...)),
	}, nil
}

func driftedParts(all []aws.Drifted) []driftedPart {
	parts := make([]driftedPart, len(all))
	for i, d := range all {
		parts[i] = driftedPart{Kind: d.Of.Kind, Name: d.Of.Name, API: d.Of.API, Part: d.Name, Texts: d.Texts}
	}
	return parts
}

// differs reports whether a push would change something, or there is drift.
func (r statusReport) differs() bool { return r.Changed || r.Drift != nil && r.Drift.Differs }

// text is the section about drift.
func (r *driftReport) text(width int, paint command.Palette) string {
	if r == nil {
		return ""
	}
	var b strings.Builder
	writeDrifted(&b, "in AWS, unlike in the stack", r.Cloud, width)
	writeDrifted(&b,
		"in the stack, unlike what the pushed definition makes: changed by hand, or by another version", r.Template,
		width)
	if len(r.Access)+len(r.Doors)+len(r.Undecided) > 0 {
		b.WriteString("who may send which request in the cloud, against the last push\n")
	}
	command.WriteDifferences(&b, r.Access, r.Doors, r.Undecided, width, paint)
	for _, text := range r.Notes {
		b.WriteString(command.Folded("", "note: "+text, width))
	}
	if r.skipped != "" {
		b.WriteString(command.Folded("", "not compared: "+r.skipped, width))
	}
	b.WriteString(command.Folded("", "not looked at: "+aws.NotLookedAt, width))
	b.WriteString(command.Folded("", "drift: "+r.summary(), width))
	return b.String()
}

// writeDrifted writes the parts that differ, with what differs of each.
func writeDrifted(b *strings.Builder, title string, parts []driftedPart, width int) {
	if len(parts) == 0 {
		return
	}
	b.WriteString(command.Folded("", title, width))
	for _, p := range parts {
		b.WriteString(command.Folded("  ", prose.PrintableStart(p.Part), width))
		for _, text := range p.Texts {
			b.WriteString(command.Folded("    ", text, width))
		}
	}
}

// summary says how much differs, and for what that is known.
func (r *driftReport) summary() string {
	var found []string
	for _, part := range []struct {
		n  int
		is string
	}{{len(r.Cloud), "in AWS"}, {len(r.Template), "in the template"}} {
		if part.n > 0 {
			found = append(found, phrase.Count(part.n, "part")+" "+part.is)
		}
	}
	if n := len(r.Access); n > 0 {
		found = append(found, phrase.Count(n, "difference")+" in access")
	}
	if n := len(r.Doors); n > 0 {
		found = append(found, phrase.Count(n, "other way")+" to functions")
	}
	if n := len(r.Undecided); n > 0 {
		found = append(found, phrase.Count(n, "question")+" about access not known")
	}
	if r.failed {
		found = append(found, "not all resources could be compared")
	}
	text := "none found"
	if len(found) > 0 {
		text = strings.Join(found, ", ")
	}
	return text + "; compared were " + r.compared
}
