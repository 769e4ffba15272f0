package inspect

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/assertion"
	"gatewright/project"
	"gatewright/project/answer"
	"gatewright/project/read"
)

// testCommand is one run of `test`.
type testCommand struct {
	streams command.Streams
	env     command.EnvironmentFlag
	junit   string
	json    bool
	// sends says that what is against a test is also sent to the sandbox.
	sends bool
}

// NewTest makes the command test.
func NewTest(streams command.Streams) *cobra.Command {
	x := testCommand{streams: streams}
	cmd := &cobra.Command{
		Use:   "test",
		Short: "Check the access tests: who may do what",
		Long: `Check the access tests of ` + project.AccessTestFile + ` for every caller and every request. A test that does not
hold is shown with the shortest request against it, the rule that decides it, its place, and a
command that would fix it. The exit code is 0 if all hold, and 1 if not, or if there are none.

A test is a sentence, such as:

` + indented(assertion.Grammar) + `
Callers are guests, users in no group and members of each group; requests are every path and every
kind of path below it. A group in a test means the users who act as its members: a user in several
groups acts as a member of the first. {name} in a path is one segment of any text, and * at its
end is everything below. With --env the tests are about the APIs of one environment.`,
		Example: command.Examples("test", "test --junit access.xml", "test --sandbox",
			"add test 'guests never DELETE'"),
		Args: command.Arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("junit") && x.junit == "" {
				return command.Misuse("--junit is empty; give --junit FILE, or --junit - for standard output")
			}
			if x.junit == "-" && x.json {
				return command.Misuse("--json and --junit - both write to standard output; give --junit FILE")
			}
			return x.run()
		},
	}
	x.env.Add(cmd, streams, "test the APIs of this environment (default: all APIs)")
	cmd.Flags().BoolVar(&x.sends, "sandbox", false, "also send the shortest requests to the sandbox")
	cmd.Flags().StringVar(&x.junit, "junit", "", "also write a JUnit report to `FILE`; - is standard output")
	cmd.Flags().BoolVar(&x.json, "json", false, "report as JSON")
	_ = cmd.MarkFlagFilename("junit", "xml")
	return cmd
}

func indented(text string) string {
	return "  " + strings.ReplaceAll(text, "\n", "\n  ") + "\n"
}

func (x *testCommand) run() error {
	return command.WithProject(x.streams, func(p *project.Project) error {
		backend, err := x.backend(p)
		if err != nil {
			return err
		}
		tests, err := p.AccessTests()
		if err != nil {
			return err
		}
		tests = project.TestsAbout(tests, x.env.String())
		if len(tests) == 0 {
			return errors.New("there are no access tests; write them in " + project.AccessTestFile +
				", or add one: gatewright add test 'guests never DELETE'")
		}
		report := answer.Tests(p, backend, tests)
		if x.sends {
			if err := x.send(p, report); err != nil {
				return err
			}
		}
		if err := x.print(report); err != nil {
			return err
		}
		if !report.Holds() {
			return command.ExitFailed
		}
		return nil
	})
}

// backend returns the backend that the tests are about.
func (x *testCommand) backend(p *project.Project) (*model.Backend, error) {
	if x.env == "" {
		return p.Backend, nil
	}
	env, err := command.NamedEnvironment(p.Backend, x.env.String())
	if err != nil {
		return nil, err
	}
	return p.Backend.For(env), nil
}

func (x *testCommand) print(report answer.TestReport) error {
	if x.junit == "-" {
		return writeJUnit(x.streams.Out, report)
	}
	if x.junit != "" {
		err := file.Replace(command.Absolute(x.junit, x.streams), 0o644,
			func(f *os.File) error { return writeJUnit(f, report) })
		if err != nil {
			return read.CannotWrite(x.junit, err)
		}
	}
	if x.json {
		return command.PrintJSON(x.streams.Out, report)
	}
	return command.PrintColored(x.streams.Out,
		testText(report, command.WidthOf(x.streams.Out), x.streams.Colors(x.streams.Out)))
}

// testText is the report as text. Tests come in the order of their file.
func testText(report answer.TestReport, width int, paint command.Palette) string {
	var b strings.Builder
	line := func(text string) { b.WriteString(command.Folded("         ", text, width)) }
	for _, t := range report.Tests {
		test := command.OneLine(t.Test)
		switch {
		case t.Holds:
			b.WriteString(paint.Good("holds    ") + test + "\n")
		case t.Problem != "":
			b.WriteString(paint.Bad("unclear  ") + paint.Strong(test) + "\n")
			line(t.Place() + ": " + t.Problem)
		default:
			b.WriteString(paint.Bad("broken   ") + paint.Strong(test) + "\n")
			line(t.Sentence())
			line("at " + t.Cases[0].Place() + against(t))
			if commands := t.Commands(); commands != "" {
				line("this would fix it: " + commands)
			}
			if sent := t.Cases[0].Sandbox; sent != nil {
				line(sentWords(*sent))
			}
		}
		for _, note := range t.Notes {
			line("note: " + note)
		}
	}
	b.WriteString(report.Summary() + "\n")
	return b.String()
}

// against says how many more decisions are against a test than the one that is shown.
func against(t answer.Tested) string {
	if t.Against < 2 {
		return ""
	}
	return fmt.Sprintf("; %s more against it, of %s", phrase.Count(t.Against-1, "decision"),
		phrase.Count(t.Decisions, "decision"))
}

func sentWords(s answer.Sent) string {
	if s.Error != "" {
		return "the sandbox did not respond: " + s.Error
	}
	return fmt.Sprintf("the sandbox responds with %d", s.Status)
}

// writeJUnit writes the report in the format of JUnit, which build servers read.
func writeJUnit(out io.Writer, report answer.TestReport) error {
	text, err := junit(report)
	if err != nil {
		return fmt.Errorf("writing the JUnit report: %w", err)
	}
	_, err = out.Write(text)
	return err
}
