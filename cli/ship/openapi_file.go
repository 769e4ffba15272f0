package ship

import (
	"bytes"

	"gatewright/cli/command"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/render"
)

// openAPIFile is the file of a document: what it should hold, and what is on disk.
type openAPIFile struct {
	targetFile
	command          *openAPICommand
	api, environment string
	text             []byte
}

// openAPIReport is what `generate openapi` reports.
type openAPIReport struct {
	Path        string `json:"path"`
	API         string `json:"api"`
	For         string `json:"for"`
	OpenAPI     string `json:"openapi"`
	Format      string `json:"format"`
	Environment string `json:"environment,omitempty"`
	// UpToDate says that the file on disk needs no change.
	UpToDate bool   `json:"upToDate"`
	Written  bool   `json:"written"`
	Diff     string `json:"diff,omitempty"`
}

// settle writes the file, or with --check or --dry-run says what would be written.
func (f *openAPIFile) settle() error {
	g := f.command
	r := &openAPIReport{
		Path: f.name, API: f.api, For: g.flavour, OpenAPI: g.version, Format: g.format, Environment: f.environment,
		UpToDate: f.exists && linesOf(f.was) == linesOf(f.text),
	}
	if g.check {
		return f.compare(r)
	}
	if !r.UpToDate {
		if err := f.refuse(); err != nil {
			return err
		}
		if g.diff {
			r.Diff = project.Diff(journal.Change{Path: f.name, Existed: f.exists, Old: f.was, New: f.text})
		}
		if !g.dryRun {
			if err := f.replace(f.text); err != nil {
				return err
			}
			r.Written = true
		}
	}
	if g.json {
		return command.PrintJSON(g.streams.Out, r)
	}
	did := "is up to date"
	switch {
	case r.Written:
		did = "is written"
	case !r.UpToDate:
		did = "would be written"
	}
	if r.Diff != "" {
		command.Say(g.streams.Err, "%s", r.headline(did))
		return command.PrintText(g.streams.Out, r.Diff)
	}
	return command.PrintText(g.streams.Out, command.Folded("", r.headline(did), command.WidthOf(g.streams.Out)))
}

// compare reports whether the file on disk is stale.
func (f *openAPIFile) compare(r *openAPIReport) error {
	out, did := f.command.streams.Out, "is stale"
	switch {
	case r.UpToDate:
		did = "is up to date"
	case !f.exists:
		did = "does not exist"
	}
	say := func() error { return command.PrintText(out, command.Folded("", r.headline(did), command.WidthOf(out))) }
	if f.command.json {
		say = func() error { return command.PrintJSON(out, r) }
	}
	if err := say(); err != nil || r.UpToDate {
		return err
	}
	return command.ExitDiffers
}

// headline names the file, what was done with it, and the API.
func (r *openAPIReport) headline(did string) string {
	text := "OpenAPI document " + project.QuotePath(r.Path) + " " + did + ", of the API " + model.Quote(r.API)
	if r.For == string(render.OpenAPIGateway) {
		text += " for API Gateway"
	}
	if r.Environment != "" {
		text += ", environment " + model.Quote(r.Environment)
	}
	return text
}

// firstLines is how many bytes of a document have the mark of the command that wrote it.
const firstLines = 1024

// refuse returns why the file on disk must not be replaced; nil if it may be.
func (f *openAPIFile) refuse() error {
	start := f.was[:min(len(f.was), firstLines)]
	if !f.exists || f.command.force || len(bytes.TrimSpace(start)) == 0 || bytes.Contains(start, []byte(render.OpenAPIGenerated)) {
		return nil
	}
	return f.problem("was not written by this command, and what it has would be lost", f.another+", or --force to write over it")
}
