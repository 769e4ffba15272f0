package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/internal/text/phrase"
	"gatewright/project/plan"
	"gatewright/project/read"
)

// WriteFlags are the flags of every command that writes.
type WriteFlags struct {
	DryRun, Diff, JSON bool
	// Document is what became of a document that an API is made of; nil for none.
	Document *DocumentReport
}

// DocumentReport is what became of a document: the paths of the API that is made of it, and
// what is lost.
type DocumentReport struct {
	Routes []RouteReport   `json:"routes"`
	Lost   []ProblemReport `json:"lost"`
	// Shown are those of Lost that a report for people has.
	Shown []*read.Problem `json:"-"`
}

// RouteReport is a path of an API that is made of a document.
type RouteReport struct {
	Path     string `json:"path"`
	Function string `json:"function"`
	// Access says in words who may do what.
	Access string `json:"access"`
	// Items counts the paths of the document that it serves, and Operations their operations.
	Items      int `json:"documentPaths"`
	Operations int `json:"operations"`
}

// Add adds the flags to a command.
func (w *WriteFlags) Add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&w.DryRun, "dry-run", false, "write nothing; report what would be written")
	cmd.Flags().BoolVar(&w.Diff, "diff", false, "show the unified diff of every file")
	cmd.Flags().BoolVar(&w.JSON, "json", false, "report as JSON")
}

// written is the report of a command that writes.
type written struct {
	Done string `json:"done"`
	// Written says whether files were written: it was no dry run, and something changed.
	Written  bool            `json:"written"`
	Document *DocumentReport `json:"document,omitempty"`
	Files    []writtenFile   `json:"files"`
	Diff     string          `json:"diff,omitempty"`
	Notes    []string        `json:"notes"`
	Problems []ProblemReport `json:"problems"`
}

type writtenFile struct {
	Path   string `json:"path"`
	Change string `json:"change"`
}

// Write commits a plan and reports it; with --dry-run it only reports. done says in a few
// words what the command did.
func (w *WriteFlags) Write(planned *plan.Plan, done string, problems []*read.Problem, streams Streams) error {
	if !w.DryRun {
		if err := planned.CommitWhenFree(); err != nil {
			return err
		}
	}
	report := written{
		Done: done, Written: !w.DryRun && len(planned.Changes) > 0, Document: w.Document,
		Files: []writtenFile{}, Notes: Listed(planned.Notes), Problems: ReportProblems(problems),
	}
	for _, c := range planned.Changes {
		report.Files = append(report.Files, writtenFile{Path: c.Path, Change: plan.Kind(c)})
	}
	if w.Diff {
		report.Diff = planned.Diff()
	}
	if w.JSON {
		return PrintJSON(streams.Out, report)
	}
	if err := w.sayDocument(streams); err != nil {
		return err
	}
	for _, p := range problems {
		SayProblem(streams.Err, p)
	}
	SayWarnings(streams.Err, planned.BrokenTests)
	SayNotes(streams.Err,
		slices.DeleteFunc(slices.Clone(report.Notes),
			func(note string) bool { return slices.Contains(planned.BrokenTests, note) }))
	if w.Diff {
		Say(streams.Err, "%s", report.headline())
		return PrintText(streams.Out, report.Diff)
	}
	return PrintText(streams.Out, report.text())
}

// sayDocument says what became of a document: in a dry run the paths of the API first.
func (w *WriteFlags) sayDocument(streams Streams) error {
	if w.Document == nil {
		return nil
	}
	if w.DryRun {
		if err := PrintText(streams.Out, w.Document.table(WidthOf(streams.Out))); err != nil {
			return err
		}
	}
	for _, p := range w.Document.Shown {
		SayProblem(streams.Err, p)
	}
	return nil
}

// table lists the paths of the API.
func (d *DocumentReport) table(width int) string {
	rows := [][]string{{"PATH", "FUNCTION", "FROM", "ACCESS"}}
	for _, r := range d.Routes {
		from := fmt.Sprintf("%s, %s", phrase.Count(r.Items, "path"), phrase.Count(r.Operations, "operation"))
		rows = append(rows, []string{phrase.Quote(r.Path), phrase.Quote(r.Function), from, r.Access})
	}
	var b strings.Builder
	WriteTable(&b, "", width, rows)
	return b.String() + "\n"
}

// headline says what was done, or would be done.
func (r written) headline() string {
	switch {
	case len(r.Files) == 0:
		return "nothing to write: " + r.Done + " already"
	case r.Written:
		return r.Done
	}
	return "dry run, nothing is written: " + r.Done
}

func (r written) text() string {
	var b strings.Builder
	b.WriteString(r.headline() + "\n")
	for _, f := range r.Files {
		fmt.Fprintf(&b, "  %-6s %s\n", f.Change, phrase.QuotePath(f.Path))
	}
	return b.String()
}

// WriteChoice is Write for a plan that changes only settings of this machine. The report
// lists no files.
func (w *WriteFlags) WriteChoice(plan *plan.Plan, done string, streams Streams) error {
	if w.DryRun {
		done = "dry run, nothing is written: " + done
	} else if err := plan.CommitWhenFree(); err != nil {
		return err
	}
	if w.JSON {
		return PrintJSON(streams.Out,
			written{
				Done: done, Written: !w.DryRun, Files: []writtenFile{}, Notes: Listed(plan.Notes),
				Problems: ReportProblems(nil),
			})
	}
	SayNotes(streams.Err, plan.Notes)
	return PrintText(streams.Out, done+"\n")
}
