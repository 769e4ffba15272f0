package design

import (
	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/assertion"
	"gatewright/project"
	"gatewright/project/answer"
	"gatewright/project/plan"
)

func newAddTest(streams command.Streams) *cobra.Command {
	var write command.WriteFlags
	cmd := &cobra.Command{
		Use:   "test SENTENCE...",
		Short: "Add access tests: sentences that must stay true",
		Long: `Add access tests to ` + project.AccessTestFile + `. Each is a sentence, such as 'guests never DELETE',
which 'gatewright test' checks. All sentences: gatewright help test

A sentence that cannot be decided is refused. One that does not hold now is added, with a warning.`,
		Example: command.Examples("add test 'guests never DELETE'",
			"add test 'nobody but Admins under /admin' 'guests never POST'",
			"add test 'at most 2 paths are open' --dry-run --diff"),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return command.Misuse("add test needs a SENTENCE; try: gatewright add test 'guests never DELETE'")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, sentences []string) error {
			return addTests(streams, write, sentences)
		},
	}
	write.Add(cmd)
	return cmd
}

func addTests(streams command.Streams, write command.WriteFlags, sentences []string) error {
	return command.WithProject(streams, func(p *project.Project) error {
		var notes []string
		added := make([]project.AccessTest, len(sentences))
		for i, o := range assertion.CheckAll(p.Backend, sentences) {
			added[i].Text = o.Text
			if o.Err != nil {
				return &model.Problem{Field: "the test " + phrase.Quote(o.Text), Text: o.Err.Error()}
			}
			for _, note := range o.Notes {
				notes = append(notes, phrase.Quote(o.Text)+": "+note)
			}
		}
		for _, t := range answer.Tests(p, p.Backend, added).Tests {
			if !t.Holds {
				notes = append(notes, phrase.Quote(t.Test)+" does not hold now: "+t.Sentence())
			}
		}
		plan, err := plan.AccessTests(p, sentences...)
		if err != nil {
			return err
		}
		plan.Notes = append(plan.Notes, notes...)
		done := "added " + phrase.Count(len(sentences), "access test")
		if plan.Empty() {
			done = "the project has them"
		}
		return write.Write(plan, done, nil, streams)
	})
}
