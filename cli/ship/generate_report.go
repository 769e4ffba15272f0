package ship

import (
	"fmt"
	"strings"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
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
	// Sandbox is the address of the sandbox, if nothing was deployed.
	Sandbox string `json:"sandbox,omitempty"`
	// From is the file of --from.
	From string `json:"from,omitempty"`
	// UpToDate says that the file on disk needs no change.
	UpToDate bool `json:"upToDate"`
	Written  bool `json:"written"`
	// Changes are the differences, made or planned.
	Changes []render.FileChange `json:"changes"`
	Notes   []string            `json:"notes"`
	Code    string              `json:"code,omitempty"`
	Diff    string              `json:"diff,omitempty"`
}

// report returns the planned changes of the file.
func (f *outputFile) report() *outputReport {
	r := &outputReport{
		Path: f.name, Format: f.format, Dialect: f.dialect, Sandbox: f.source.sandbox, From: f.source.input.name,
		UpToDate: f.same(), Changes: []render.FileChange{}, Notes: command.Listed(f.source.notes),
	}
	if f.format == render.NativeConfiguration {
		r.Format = render.AmplifyConfiguration
	}
	if record := f.source.record; record != nil {
		r.Environment, r.Stack, r.ApplicationID, r.Branch = record.Environment, record.Stack,
			record.ApplicationID, record.Branch
	}
	if f.now.broken == nil && !r.UpToDate {
		r.Changes = append(r.Changes, f.changes()...)
	}
	return r
}

// replaced returns a note if the file on disk was written for another deployment.
func (f *outputFile) replaced() []string {
	switch {
	case f.now.of == "":
		return nil
	case f.plan != nil:
		return f.plan.Notes
	}
	now := "the stack " + f.source.record.Stack
	if f.source.sandbox != "" {
		now = "the sandbox at " + f.source.sandbox
	}
	note := fmt.Sprintf("%s was written for %s; now it is for %s", phrase.QuotePath(f.name), f.now.of, now)
	if dropped := f.dropped(); len(dropped) > 0 {
		note += ", without " + phrase.List(dropped)
	}
	return []string{note}
}

// headline names the file, what was done with it, and its source.
func (r *outputReport) headline(did string) string {
	of := "from " + phrase.QuotePath(r.From)
	switch {
	case r.Stack != "" && r.Environment == "":
		of = "from the stack " + r.Stack
	case r.Stack != "":
		of = fmt.Sprintf("for environment %s, the stack %s", phrase.Quote(r.Environment), r.Stack)
	case r.Sandbox != "":
		of = fmt.Sprintf("for environment %s, the sandbox at %s", phrase.Quote(r.Environment), r.Sandbox)
	}
	return fmt.Sprintf("client configuration file %s %s, %s", phrase.QuotePath(r.Path), did, of)
}

// mostChanges is the number of differences that a report prints.
const mostChanges = 100

// compare reports how the file on disk differs from the wanted one.
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

// verdict returns text that says whether the file on disk is stale, and how, folded at
// width cells; 0 means not folded.
func (f *outputFile) verdict(r *outputReport, width int) string {
	switch {
	case r.UpToDate:
		return command.Folded("", r.headline("is up to date"), width)
	case !f.exists:
		return command.Folded("", r.headline("does not exist"), width)
	}
	stale := command.Folded("", r.headline("is stale"), width)
	switch {
	case f.now.broken != nil:
		return stale + command.Folded("  ", command.OneLine(f.now.broken.Error()), width)
	case len(r.Changes) == 0:
		return stale + command.Folded("  ", "it has the same values as gatewright generates now, in another text", width)
	}
	var b strings.Builder
	b.WriteString(stale)
	if f.now.of != "" {
		b.WriteString(command.Folded("  ", "it was written for "+f.now.of, width))
	}
	for i, change := range r.Changes {
		if i == mostChanges {
			fmt.Fprintf(&b, "  and %d more; --json shows them\n", len(r.Changes)-mostChanges)
			break
		}
		b.WriteString(command.Folded("  ", change.String(), width))
	}
	return b.String()
}

// done returns the report after a write; written says whether the file had to change.
func (f *outputFile) done(written bool) *outputReport {
	r := f.report()
	r.Written = written
	r.Notes = append(r.Notes, f.replaced()...)
	if f.indexErr != nil {
		r.Notes = append(r.Notes, "the deployment of the file cannot be recorded: "+f.indexErr.Error())
	}
	return r
}

// line returns one line that says what was done, or would be.
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
		r.Notes = append(r.Notes, f.replaced()...)
		return r, f, nil
	}
	f, written, err := writeOver(wanted, g.force)
	if err != nil {
		return nil, nil, err
	}
	return f.done(written), f, nil
}

// diff returns the unified diff of the file.
func (f *outputFile) diff() string {
	return project.Diff(journal.Change{Path: f.name, Existed: f.exists, Old: f.was, New: f.text})
}
