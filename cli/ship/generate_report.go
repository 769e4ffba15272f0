package ship

import (
	"fmt"
	"strings"

	"gatewright/cli/command"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/render"
)

// outputReport is what `generate outputs` reports of a file.
type outputReport struct {
	Path          string        `json:"path"`
	Format        render.Format `json:"format"`
	Dialect       model.Dialect `json:"dialect"`
	Environment   string        `json:"environment,omitempty"`
	Stack         string        `json:"stack,omitempty"`
	ApplicationID string        `json:"applicationId,omitempty"`
	Branch        string        `json:"branch,omitempty"`
	// From is the file that the values are from.
	From string `json:"from,omitempty"`
	// UpToDate says that the file said all of it before.
	UpToDate bool `json:"upToDate"`
	Written  bool `json:"written"`
	// Changes are what became different, or would.
	Changes []render.FileChange `json:"changes"`
	Notes   []string            `json:"notes"`
	Code    string              `json:"code,omitempty"`
	Diff    string              `json:"diff,omitempty"`
}

// report says what is to become of the file.
func (f *outputFile) report() *outputReport {
	r := &outputReport{
		Path: f.name, Format: f.format, Dialect: f.dialect, From: f.source.input.name,
		UpToDate: f.same(), Changes: []render.FileChange{}, Notes: command.Listed(f.source.notes),
	}
	if record := f.source.record; record != nil {
		r.Environment, r.Stack, r.ApplicationID, r.Branch = record.Environment, record.Stack, record.ApplicationID, record.Branch
	}
	if f.now.broken == nil && !r.UpToDate {
		r.Changes = append(r.Changes, f.changes()...)
	}
	return r
}

// becomes notes what the file was of before, where that was something else.
func (f *outputFile) becomes() []string {
	switch {
	case f.now.of == "":
		return nil
	case f.plan != nil:
		return f.plan.Notes
	}
	note := fmt.Sprintf("%s was of %s; it is of the stack %s from now on", project.QuotePath(f.name), f.now.of, f.source.record.Stack)
	if dropped := f.dropped(); len(dropped) > 0 {
		note += ", without " + model.List(dropped)
	}
	return []string{note}
}

// headline is the file, what became of it, and what it is of.
func (r *outputReport) headline(did string) string {
	of := "from " + project.QuotePath(r.From)
	if r.Stack != "" {
		of = fmt.Sprintf("for environment %s, the stack %s", model.Quote(r.Environment), r.Stack)
	}
	return fmt.Sprintf("client configuration file %s %s, %s", project.QuotePath(r.Path), did, of)
}

// mostChanges is how many differences a report prints.
const mostChanges = 100

// compare reports how the file on disk differs from what it is to be.
func (g *outputsCommand) compare(f *outputFile) error {
	r := f.report()
	if g.json {
		if err := command.PrintJSON(g.streams.Out, r); err != nil {
			return err
		}
	} else {
		command.SayNotes(g.streams.Err, r.Notes)
		if err := command.PrintText(g.streams.Out, f.verdict(r, command.WidthOf(g.streams.Out))); err != nil {
			return err
		}
	}
	if r.UpToDate {
		return nil
	}
	return command.ExitDiffers
}

// verdict says in lines whether the file on disk is stale, and how, in a terminal
// of width cells; 0 is none.
func (f *outputFile) verdict(r *outputReport, width int) string {
	switch {
	case r.UpToDate:
		return command.Folded("", r.headline("is up to date"), width)
	case !f.now.exists:
		return command.Folded("", r.headline("is not there"), width)
	}
	stale := command.Folded("", r.headline("is stale"), width)
	switch {
	case f.now.broken != nil:
		return stale + command.Folded("  ", command.OneLine(f.now.broken.Error()), width)
	case len(r.Changes) == 0:
		return stale + command.Folded("  ", "it says the same in another text than is written now", width)
	}
	var b strings.Builder
	b.WriteString(stale)
	if f.now.of != "" {
		b.WriteString(command.Folded("  ", "it was written for "+f.now.of, width))
	}
	for i, change := range r.Changes {
		if i == mostChanges {
			fmt.Fprintf(&b, "  and %d more; --json names them\n", len(r.Changes)-mostChanges)
			break
		}
		b.WriteString(command.Folded("  ", change.String(), width))
	}
	return b.String()
}

// done is the report of a file that was written, or had not to be.
func (f *outputFile) done(did bool) *outputReport {
	r := f.report()
	r.Written = did
	r.Notes = append(r.Notes, f.becomes()...)
	if f.unkept != nil {
		r.Notes = append(r.Notes, "which deployment the file is of is not kept: "+f.unkept.Error())
	}
	return r
}

// line says in one line what became of the file, or would.
func (r *outputReport) line(dryRun bool) string {
	switch {
	case r.Written:
		return r.headline("is written")
	case dryRun && !r.UpToDate:
		return r.headline("would be written")
	}
	return r.headline("is up to date")
}

// write writes the file and reports that, or with --dry-run what it would do.
func (g *outputsCommand) write(wanted func() (*outputFile, error)) error {
	r, f, err := g.carryOut(wanted)
	if err != nil {
		return err
	}
	text := command.Folded("", r.line(g.dryRun), command.WidthOf(g.streams.Out))
	switch {
	case g.snippet:
		r.Code = f.snippet()
		text = r.Code
	case g.diff && !r.UpToDate:
		r.Diff = f.diff()
		text = r.Diff
	}
	if g.json {
		return command.PrintJSON(g.streams.Out, r)
	}
	command.SayNotes(g.streams.Err, r.Notes)
	if r.Code != "" || r.Diff != "" {
		command.Say(g.streams.Err, "%s", r.line(g.dryRun))
	}
	return command.PrintText(g.streams.Out, text)
}

func (g *outputsCommand) carryOut(wanted func() (*outputFile, error)) (*outputReport, *outputFile, error) {
	if g.dryRun {
		f, err := wanted()
		if err == nil && !g.force {
			err = f.refuse()
		}
		if err != nil {
			return nil, nil, err
		}
		r := f.report()
		r.Notes = append(r.Notes, f.becomes()...)
		return r, f, nil
	}
	f, did, err := writeOver(wanted, g.force)
	if err != nil {
		return nil, nil, err
	}
	return f.done(did), f, nil
}

// diff is the unified diff of the file.
func (f *outputFile) diff() string {
	return project.Diff(journal.Change{Path: f.name, Existed: f.now.exists, Old: f.now.text, New: f.text})
}
