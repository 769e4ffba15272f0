package cli

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/cli/lines"
	"gatewright/cli/screen"
	"gatewright/course"
	"gatewright/project"
	"gatewright/prose"
	"gatewright/tui/app"
	"gatewright/tui/route"
)

// learnCommand is one run of `learn`.
type learnCommand struct {
	streams command.Streams
	screens screen.Flags
	into    string
	list    bool
	asJSON  bool
}

func newLearn(streams command.Streams) *cobra.Command {
	x := learnCommand{streams: streams}
	cmd := &cobra.Command{
		Use:   "learn [LESSON]",
		Short: "Learn to build a REST API backend, on the real screens",
		Long: "Six lessons, from a first API to a push. Each is a page to read and a task that is done on the real screens, in a\n" +
			"folder of its own that is removed at the end; --into keeps it. A lesson may be named, or its number given: its folder\n" +
			"begins with what the lessons before would have left. How far you have come is kept in the user's state folder.",
		Example:           "  gatewright learn\n  gatewright learn access --into bookshop\n  gatewright learn --list",
		Args:              command.Optional("a LESSON"),
		ValidArgsFunction: command.CompleteWords(lessonIDs()...),
		RunE: func(_ *cobra.Command, args []string) error {
			id := ""
			if len(args) > 0 {
				l, err := course.FindLesson(args[0])
				if err != nil {
					return command.Misuse("%s", err)
				}
				id = l.ID
			}
			return x.run(id)
		},
	}
	x.screens.Add(cmd)
	cmd.Flags().StringVar(&x.into, "into", "", "do the lessons in this `FOLDER`, which stays; it is made, or empty")
	cmd.Flags().BoolVar(&x.list, "list", false, "list the lessons, and which are done")
	cmd.Flags().BoolVar(&x.asJSON, "json", false, "with --list: report as JSON")
	_ = cmd.MarkFlagDirname("into")
	return cmd
}

func lessonIDs() []string {
	var ids []string
	for _, l := range course.Lessons() {
		ids = append(ids, l.ID)
	}
	return ids
}

func (x *learnCommand) run(id string) error {
	if err := x.screens.Check(); err != nil {
		return err
	}
	state, err := project.UserState(os.Getenv)
	if err != nil {
		return err
	}
	switch {
	case x.list:
		return x.print(state)
	case x.asJSON:
		return command.Misuse("--json goes with --list")
	case !x.screens.Accessible && !screen.Available(x.streams):
		return command.Misuse("learn needs a terminal; with --accessible it asks in plain lines, and --list lists the lessons")
	}
	if x.into != "" {
		x.into = command.Absolute(x.into, x.streams)
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding the program: %w", err)
	}
	c, err := course.Begin(x.into, state, program)
	if err != nil {
		return err
	}
	return errors.Join(x.hold(c, id), c.Close())
}

// hold runs the course. What the screens keep for a user beside a project goes
// where the course wants it.
func (x *learnCommand) hold(c *course.Course, id string) error {
	if err := os.Setenv("GATEWRIGHT_STATE", c.State); err != nil {
		return fmt.Errorf("beginning the course: %w", err)
	}
	end := x.untilEnded(c)
	defer end()
	if x.screens.Accessible {
		return lines.Learn(x.streams.In, x.streams.Out, c, id)
	}
	return x.screens.Run(x.streams, app.Options{Dir: c.Dir, Start: route.Course{Lesson: id}, Course: c})
}

// untilEnded removes a private folder also where a signal ends the program. The
// screens end by themselves at each of them, after putting the terminal in order:
// nothing else may end the program meanwhile.
func (x *learnCommand) untilEnded(c *course.Course) (end func()) {
	signals, stopped := make(chan os.Signal, 1), make(chan struct{})
	signal.Reset(os.Interrupt)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	if !x.screens.Accessible {
		return func() { signal.Stop(signals) }
	}
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
			_ = c.Close()
			os.Exit(interrupted(x.streams))
		case <-stopped:
		}
	}()
	return func() {
		signal.Stop(signals)
		close(stopped)
	}
}

// lessonReport is a lesson as --json reports it.
type lessonReport struct {
	Lesson string `json:"lesson"`
	Title  string `json:"title"`
	Done   bool   `json:"done"`
}

func (x *learnCommand) print(state string) error {
	progress, err := course.ReadProgress(state)
	if err != nil {
		return err
	}
	var reports []lessonReport
	rows := [][]string{{"Lesson", "Number", "Done", "Title"}}
	for i, l := range course.Lessons() {
		done := progress.Done(l.ID)
		reports = append(reports, lessonReport{l.ID, l.Title, done})
		rows = append(rows, []string{l.ID, strconv.Itoa(i + 1), prose.YesNo(done), l.Title})
	}
	if x.asJSON {
		return command.PrintJSON(x.streams.Out, struct {
			Lessons []lessonReport `json:"lessons"`
		}{reports})
	}
	var b strings.Builder
	command.WriteTable(&b, "", command.WidthOf(x.streams.Out), rows)
	return command.PrintText(x.streams.Out, b.String())
}
