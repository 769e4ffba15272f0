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
	"gatewright/flow/course"
	"gatewright/internal/text/prose"
	"gatewright/project"
	"gatewright/tui/app"
	"gatewright/tui/route"
)

// learnCommand is the command learn with its flags.
type learnCommand struct {
	streams command.Streams
	screens screen.Flags
	into    string
	list    bool
	asJSON  bool
}

func newLearn(streams command.Streams) *cobra.Command {
	l := learnCommand{streams: streams}
	cmd := &cobra.Command{
		Use:   "learn [LESSON]",
		Short: "Learn in six lessons, on the real screens",
		Long: `Learn in six lessons, from a first API to a push. Each lesson has a page to read and a task to do
on the real screens, in a folder of its own.

The folder is removed at the end; --into keeps it. Choose a lesson by its name or number: its folder then has the
results of the earlier lessons. Your progress is kept in your state folder.`,
		Example:           command.Examples("learn", "learn access --into bookshop", "learn --list"),
		Args:              command.Optional("a LESSON"),
		ValidArgsFunction: command.CompleteWords(lessonIDs()...),
		RunE: func(_ *cobra.Command, args []string) error {
			id := ""
			if len(args) > 0 {
				lesson, err := course.FindLesson(args[0])
				if err != nil {
					return command.Misuse("%s", err)
				}
				id = lesson.ID
			}
			return l.run(id)
		},
	}
	l.screens.Add(cmd, streams)
	cmd.Flags().StringVar(&l.into, "into", "", "do the lessons in this `FOLDER` and keep it; it must be new or empty")
	cmd.Flags().BoolVar(&l.list, "list", false, "list the lessons, and whether they are done")
	cmd.Flags().BoolVar(&l.asJSON, "json", false, "with --list: report as JSON")
	_ = cmd.MarkFlagDirname("into")
	return cmd
}

func lessonIDs() []string {
	var ids []string
	for _, lesson := range course.Lessons() {
		ids = append(ids, lesson.ID)
	}
	return ids
}

func (l *learnCommand) run(id string) error {
	if err := l.screens.Check(); err != nil {
		return err
	}
	state, err := project.UserState(l.streams.Getenv)
	if err != nil {
		return err
	}
	switch {
	case l.list:
		return l.print(state)
	case l.asJSON:
		return command.Misuse("--json needs --list")
	case !l.screens.Accessible && !screen.Available(l.streams):
		return screen.NoTerminal(l.streams,
			"learn needs a terminal; for plain lines give --accessible, for a list of lessons --list")
	}
	if l.into != "" {
		l.into = command.Absolute(l.into, l.streams)
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding the program's own file: %w", err)
	}
	c, err := course.Begin(l.into, state, program)
	if err != nil {
		return err
	}
	return errors.Join(l.runCourse(c, id), c.Close())
}

// runCourse runs the course, with its own folder as the user's state folder.
func (l *learnCommand) runCourse(c *course.Course, id string) error {
	if l.streams.Environ == nil {
		if err := os.Setenv("GATEWRIGHT_STATE", c.State); err != nil {
			return fmt.Errorf("starting the course: %w", err)
		}
	} else {
		l.streams.Environ = l.streams.Environment("GATEWRIGHT_STATE=" + c.State)
		c.Environ = l.streams.Environ
	}
	end := l.closeOnSignal(c)
	defer end()
	if l.screens.Accessible {
		return lines.Learn(l.streams.In, l.streams.Out, c, id)
	}
	return l.screens.Run(l.streams, app.Options{Dir: c.Dir, Start: route.Course{Lesson: id}, Course: c})
}

// closeOnSignal removes the course's private folder if a signal ends the program. The screens
// handle signals themselves, because they have to restore the terminal first. end stops it.
func (l *learnCommand) closeOnSignal(c *course.Course) (end func()) {
	signals, stopped := make(chan os.Signal, 1), make(chan struct{})
	signal.Reset(os.Interrupt)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	if !l.screens.Accessible {
		return func() { signal.Stop(signals) }
	}
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
			_ = c.Close()
			os.Exit(interrupted(l.streams))
		case <-stopped:
		}
	}()
	return func() {
		signal.Stop(signals)
		close(stopped)
	}
}

// lessonReport is a lesson in the report as JSON.
type lessonReport struct {
	Lesson string `json:"lesson"`
	Title  string `json:"title"`
	Done   bool   `json:"done"`
}

func (l *learnCommand) print(state string) error {
	progress, err := course.ReadProgress(state)
	if err != nil {
		return err
	}
	var reports []lessonReport
	rows := [][]string{{"Lesson", "Number", "Done", "Title"}}
	for i, lesson := range course.Lessons() {
		done := progress.Done(lesson.ID)
		reports = append(reports, lessonReport{lesson.ID, lesson.Title, done})
		rows = append(rows, []string{lesson.ID, strconv.Itoa(i + 1), prose.YesNo(done), lesson.Title})
	}
	if l.asJSON {
		return command.PrintJSON(l.streams.Out, struct {
			Lessons []lessonReport `json:"lessons"`
		}{reports})
	}
	var b strings.Builder
	command.WriteTable(&b, "", command.WidthOf(l.streams.Out), rows)
	return command.PrintText(l.streams.Out, b.String())
}
