package design

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/flow/preview"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/plan"
	"gatewright/project/read"
)

// editing is the backend that a command changes, and the command's report.
type editing struct {
	*model.Backend
	// project is the project as it was read.
	project *project.Project
	streams command.Streams
	// done says what the command did ("added API shop"), already what holds if nothing
	// has to change; the report puts the word "already" behind it.
	done, already string
	notes         []string
	// moved are those of notes that say what stays behind or gets another address.
	moved []string
	// problems starts with those of an input file outside the project.
	problems []*read.Problem
	// document is what became of a document that an API is made of; nil for none.
	document *command.DocumentReport
	// contract is the document to keep beside the API contractOf; nil for none.
	contractOf string
	contract   []byte
	// confirmations ask whether guarded environments may change, before anything is
	// written.
	confirmations []func(command.Streams) error
	// before runs when the edit is confirmed and not written yet; it may be nil.
	before func() error
	// afterwards runs when the edit is written; it may be nil.
	afterwards func() error
}

// confirm has a guarded environment confirmed before the edit is written; what says what
// the edit does to it, such as "update it".
func (e *editing) confirm(guard command.GuardFlag, env *model.Environment, what string) {
	e.confirmations = append(e.confirmations,
		func(streams command.Streams) error { return guard.Allow(streams, env, what) })
}

// note adds a sentence about something else that the command does.
func (e *editing) note(format string, args ...any) {
	e.notes = append(e.notes, fmt.Sprintf(format, args...))
}

// noteMoved notes which environments the edit takes to another region than their stack is in.
func (e *editing) noteMoved() {
	for _, env := range e.Environments {
		was := e.project.Backend.Environment(env.Name)
		record, err := project.ReadRecord(e.project.Root, env.Name)
		if was == nil || err != nil || record.Provider == model.Local ||
			e.Region(env) == record.Region || e.project.Backend.Region(was) != record.Region {
			continue
		}
		e.noteMove("the stack %s stays in %s with everything in it; the next push of environment %s makes "+
			"another stack in %s, with new addresses, empty tables and no users; to remove the old "+
			"stack: aws cloudformation delete-stack --stack-name %[1]s --region %[2]s",
			record.Stack, record.Region, phrase.Quote(env.Name), e.Region(env))
	}
}

// noteMove adds a sentence that a person should read before the edit is written.
func (e *editing) noteMove(format string, args ...any) {
	e.note(format, args...)
	e.moved = append(e.moved, e.notes[len(e.notes)-1])
}

// describe sets what the report says about a thing that is added, updated or removed.
func (e *editing) describe(verb string, of model.Ref) {
	e.done, e.already = verb+" "+of.String(), of.String()+" has these values"
}

// editFlags are the flags of a command that changes the definition.
type editFlags struct{ command.WriteFlags }

// change carries out a command that changes the definition: it opens the project, calls
// change with a copy of its backend, and writes the files that differ. The report has the
// problems that the change brings. renames are the renames that change makes.
func (w *editFlags) change(streams command.Streams, change func(*editing) error, renames ...plan.Renamed) error {
	p, err := command.OpenProject(streams)
	if err != nil {
		return err
	}
	defer func() { _ = p.Close() }()
	e := &editing{project: p, streams: streams}
	next, err := p.Backend.Edit(func(b *model.Backend) error {
		e.Backend = b
		return change(e)
	})
	if err != nil {
		return err
	}
	plan, err := plan.Of(p, next, renames...)
	if err != nil {
		return err
	}
	if e.contract != nil {
		if err := plan.SetContract(e.contractOf, e.contract); err != nil {
			return err
		}
	}
	// A rename changes the text of every problem that names the thing, and brings none.
	if len(renames) == 0 {
		e.problems = append(e.problems, e.newProblems()...)
	}
	if dropped := len(e.problems) - command.MostLines; dropped > 0 && !w.JSON {
		e.problems = e.problems[:command.MostLines]
		e.note("the project has %s more; list them with: gatewright validate", phrase.Count(dropped, "problem"))
	}
	if !plan.Empty() {
		w.Document = e.document
	}
	e.noteMoved()
	plan.Notes = append(e.notes, plan.Notes...)
	done := e.done
	switch {
	case plan.Empty():
		done = e.already
	case !w.DryRun:
		if len(e.moved) > 0 && !w.JSON {
			// Who is asked knows it then.
			command.SayNotes(streams.Err, e.moved)
			plan.Notes = slices.DeleteFunc(plan.Notes, func(n string) bool { return slices.Contains(e.moved, n) })
		}
		for _, allow := range e.confirmations {
			if err := allow(streams); err != nil {
				return err
			}
		}
		if e.before != nil {
			if err := e.before(); err != nil {
				return err
			}
		}
	}
	if err := w.Write(plan, done, e.problems, streams); err != nil || e.afterwards == nil || w.DryRun {
		return err
	}
	return e.afterwards()
}

// newProblems returns the errors and warnings that the edit brings. In an Amplify CLI
// project, a note at the place of use says which names are unknown.
func (e *editing) newProblems() []*read.Problem {
	var problems []*read.Problem
	for _, p := range preview.NewProblems(e.project.Backend, e.Backend) {
		if p.Level == model.Note || !e.Defines(model.KindFunction) && errors.Is(p, model.ErrUnknown) {
			continue
		}
		text := p.Text
		if p.Of.Kind != "" {
			text = p.Of.String() + ": " + text
		}
		problems = append(problems, &read.Problem{Text: text, Fix: p.Fix, Level: p.Level, Rule: p.Rule})
	}
	return problems
}

// advise replaces the fix of a problem with this cause by what to do on the command line.
// Other errors stay as they are.
func advise(err, cause error, fix string) error {
	var problem *model.Problem
	if !errors.Is(err, cause) || !errors.As(err, &problem) {
		return err
	}
	advised := *problem
	advised.Fix = fix
	return &advised
}

// noChangeGiven is the error of an update without a flag that changes something.
func noChangeGiven(cmd *cobra.Command) error {
	return command.Misuse("%s needs a flag that says what to change; see: %s --help", cmd.CommandPath(), cmd.CommandPath())
}
