package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/model"
	"gatewright/project"
)

// writeFlags are the flags of every command that writes.
type writeFlags struct {
	dryRun, diff, json bool
}

func (w *writeFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&w.dryRun, "dry-run", false, "say what would be written, and write nothing")
	cmd.Flags().BoolVar(&w.diff, "diff", false, "show the unified diff of every file")
	cmd.Flags().BoolVar(&w.json, "json", false, "report as JSON")
}

// written is the report of a command that writes.
type written struct {
	Done string `json:"done"`
	// Written says that something was: neither a dry run nor nothing to do.
	Written  bool          `json:"written"`
	Files    []writtenFile `json:"files"`
	Diff     string        `json:"diff,omitempty"`
	Notes    []string      `json:"notes"`
	Problems []reported    `json:"problems"`
}

type writtenFile struct {
	Path   string `json:"path"`
	Change string `json:"change"`
}

// write commits a plan, or with --dry-run only says what it would do. done says
// in a few words what the command did.
func (w *writeFlags) write(plan *project.Plan, done string, problems []*project.Problem, streams Streams) error {
	if !w.dryRun {
		if err := plan.Commit(); err != nil {
			return err
		}
	}
	report := written{Done: done, Written: !w.dryRun && len(plan.Changes) > 0, Files: []writtenFile{}, Notes: listed(plan.Notes), Problems: report(problems)}
	for _, c := range plan.Changes {
		report.Files = append(report.Files, writtenFile{Path: c.Path, Change: project.Kind(c)})
	}
	if w.diff {
		report.Diff = plan.Diff()
	}
	if w.json {
		return printJSON(streams.Out, report)
	}
	for _, p := range problems {
		sayProblem(streams.Err, p)
	}
	for _, note := range report.Notes {
		say(streams.Err, "note: %s", note)
	}
	if w.diff {
		say(streams.Err, "%s", report.headline())
		return printText(streams.Out, report.Diff)
	}
	return printText(streams.Out, report.text())
}

// headline says what was done, or would be.
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
		fmt.Fprintf(&b, "  %-6s %s\n", f.Change, project.QuotePath(f.Path))
	}
	return b.String()
}

func printText(out io.Writer, text string) error {
	if _, err := io.WriteString(out, safe(text, out)); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	return nil
}

func say(out io.Writer, format string, args ...any) {
	_, _ = fmt.Fprintln(out, oneLine(fmt.Sprintf(format, args...)))
}

// sayProblem prints a problem as one line: the place, the level, what, what to do.
func sayProblem(out io.Writer, p *project.Problem) {
	line := p.Error()
	if place := p.Place(); place != "" {
		line = place + ": " + p.Level.String() + ": " + strings.TrimPrefix(line, place+": ")
	} else {
		line = p.Level.String() + ": " + line
	}
	say(out, "%s", line)
}

// edit opens the project that the command runs in, makes a changed backend and
// plans it; renames are those among the changes.
func edit(streams Streams, change func(*project.Project, *model.Backend) error, renames ...project.Renamed) (*project.Project, *project.Plan, error) {
	p, err := open(streams)
	if err != nil {
		return nil, nil, err
	}
	next, err := p.Backend.Edit(func(b *model.Backend) error { return change(p, b) })
	if err == nil {
		var plan *project.Plan
		if plan, err = p.Plan(next, renames...); err == nil {
			return p, plan, nil
		}
	}
	_ = p.Close()
	return nil, nil, err
}

// open opens the project and says what was recovered.
func open(streams Streams) (*project.Project, error) {
	p, err := project.Open(streams.Dir)
	if err != nil {
		return nil, err
	}
	if text := p.Recovered(); text != "" {
		say(streams.Err, "note: %s", text)
	}
	return p, nil
}

// choose is write for a plan that changes only what belongs to this machine: no
// file is named, and still something is done.
func (w *writeFlags) choose(plan *project.Plan, done string, streams Streams) error {
	if w.dryRun {
		done = "dry run, nothing is written: " + done
	} else if err := plan.Commit(); err != nil {
		return err
	}
	if w.json {
		return printJSON(streams.Out, written{Done: done, Written: !w.dryRun, Files: []writtenFile{}, Notes: listed(plan.Notes), Problems: report(nil)})
	}
	for _, note := range plan.Notes {
		say(streams.Err, "note: %s", note)
	}
	return printText(streams.Out, done+"\n")
}
