package design

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/model"
	"gatewright/project"
)

// editing is a backend in the making, and what its command says about it beside
// the files that it writes.
type editing struct {
	*model.Backend
	// from is the project as it was read.
	from *project.Project
	// done says in a few words what was done; same what is so where there was
	// nothing to do: the report says that it is so already.
	done, same string
	notes      []string
	// problems are those of a file that was read from outside.
	problems []*project.Problem
	// leave asks for leave to change guarded environments, before anything is
	// written.
	leave []func(command.Streams) error
	// afterwards is done when the edit is written; nil for nothing.
	afterwards func() error
}

// guarded wants leave to change an environment; what says what happens to it.
// Where nothing is written nothing is asked.
func (e *editing) guarded(guard command.GuardFlag, env *model.Environment, what string) {
	e.leave = append(e.leave, func(streams command.Streams) error { return guard.Allow(streams, env, what) })
}

// note says one sentence of what the command does beyond what was asked.
func (e *editing) note(format string, args ...any) {
	e.notes = append(e.notes, fmt.Sprintf(format, args...))
}

// said sets what the report says of a thing that was added, updated, and so on.
func (e *editing) said(verb string, of model.Ref) {
	e.done, e.same = verb+" "+of.String(), of.String()+" is so"
}

// editFlags are the flags of a command that changes the definition.
type editFlags struct{ command.WriteFlags }

// change carries out a command that changes the definition: it opens the
// project, lets edit change a copy of its backend, and writes what that means
// for the files. What the change makes remarkable about the backend is said with
// it. renames are those among the edits.
func (w *editFlags) change(streams command.Streams, change func(*editing) error, renames ...project.Renamed) error {
	p, err := command.OpenProject(streams)
	if err != nil {
		return err
	}
	defer func() { _ = p.Close() }()
	e := &editing{from: p}
	next, err := p.Backend.Edit(func(b *model.Backend) error {
		e.Backend = b
		return change(e)
	})
	if err != nil {
		return err
	}
	plan, err := p.Plan(next, renames...)
	if err != nil {
		return err
	}
	// A rename of what others refer to changes what every line about it says, and
	// nothing else.
	if len(renames) == 0 {
		e.problems = append(e.problems, e.news()...)
	}
	if dropped := len(e.problems) - command.MostLines; dropped > 0 && !w.JSON {
		e.problems = e.problems[:command.MostLines]
		e.note("%s more to say about the project; see: gatewright validate", model.Count(dropped, "thing"))
	}
	plan.Notes = append(e.notes, plan.Notes...)
	done := e.done
	switch {
	case plan.Empty():
		done = e.same
	case !w.DryRun:
		for _, allow := range e.leave {
			if err := allow(streams); err != nil {
				return err
			}
		}
	}
	if err := w.Write(plan, done, e.problems, streams); err != nil || e.afterwards == nil || w.DryRun {
		return err
	}
	return e.afterwards()
}

// news are the errors and warnings about the backend that were not there before.
// In a project that another tool keeps, what is not found there is said in other
// words where it is named.
func (e *editing) news() []*project.Problem {
	type saying struct {
		of   model.Ref
		text string
	}
	known := make(map[saying]bool)
	for _, p := range e.from.Backend.Check() {
		known[saying{p.Of, p.Text}] = true
	}
	var news []*project.Problem
	for _, p := range e.Check() {
		if p.Level == model.Note || known[saying{p.Of, p.Text}] || e.AmplifyCLI && errors.Is(p, model.ErrUnknown) {
			continue
		}
		text := p.Text
		if p.Of.Kind != "" {
			text = p.Of.String() + ": " + text
		}
		news = append(news, &project.Problem{Text: text, Fix: p.Fix, Level: p.Level})
	}
	return news
}

// advise gives a refusal of the model that has a cause another fix: what to do on
// the command line. Other errors stay as they are.
func advise(err, cause error, fix string) error {
	var problem *model.Problem
	if !errors.Is(err, cause) || !errors.As(err, &problem) {
		return err
	}
	advised := *problem
	advised.Fix = fix
	return &advised
}

// nothingGiven is the misuse of an update without anything to change.
func nothingGiven(cmd *cobra.Command) error {
	return command.Misuse("%s changes nothing without a flag that says what; see: %s --help", cmd.CommandPath(), cmd.CommandPath())
}
