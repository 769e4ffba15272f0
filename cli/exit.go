package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"gatewright/project"
)

// Exit is an exit code of the program. As an error it ends a command that has
// printed its reasons itself.
type Exit int

// The exit codes that have a meaning of their own; an answer of 4xx or 5xx to a
// call ends with 4 or 5.
const (
	ExitDone        Exit = 0
	ExitFailed      Exit = 1
	ExitUsage       Exit = 2
	ExitDiffers     Exit = 3
	ExitInterrupted Exit = 130
)

// Error says the code, which nobody is shown.
func (e Exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// usageError is a command line that cannot be carried out.
type usageError struct{ text string }

// Error says what is wrong with the command line.
func (e *usageError) Error() string { return e.text }

// misuse is the error of a command line that cannot be carried out: exit code 2.
func misuse(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// exitOf is the exit code of a command that ended with err. It prints the error on
// one line, unless the command has printed its reasons itself.
func exitOf(err error, streams Streams) Exit {
	var (
		usage *usageError
		exit  Exit
	)
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &exit):
		return exit
	}
	// A sentence that begins with the whole command says the program's name again.
	_, _ = fmt.Fprintln(streams.Err, "gatewright: "+strings.TrimPrefix(oneLine(err.Error()), "gatewright "))
	_, _ = io.WriteString(streams.Err, safe(project.StaleDiff(err), streams.Err))
	if errors.As(err, &usage) {
		return ExitUsage
	}
	return ExitFailed
}

// oneLine keeps an error that quotes foreign text on its line.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unseen(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text)
}
