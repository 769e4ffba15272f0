package command

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/project"
	"gatewright/spelling"
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

// Misuse is the error of a command line that cannot be carried out: exit code 2.
func Misuse(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// ExitOf is the exit code of a command that ended with err. It prints the error on
// one line, unless the command has printed its reasons itself.
func ExitOf(err error, streams Streams) Exit {
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
	_, _ = fmt.Fprintln(streams.Err, "gatewright: "+strings.TrimPrefix(OneLine(err.Error()), "gatewright "))
	_, _ = io.WriteString(streams.Err, safe(project.StaleDiff(err), streams.Err))
	if errors.As(err, &usage) {
		return ExitUsage
	}
	return ExitFailed
}

// OneLine keeps an error that quotes foreign text on its line.
func OneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unseen(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text)
}

// FlagError is the misuse of a flag that a command does not have, or of a value
// that a flag cannot have.
func FlagError(cmd *cobra.Command, err error) error {
	// A command that does not exist cannot have the flag either.
	if words := cmd.Flags().Args(); cmd.HasSubCommands() && len(words) > 0 {
		return RunGroup(cmd, words)
	}
	text := err.Error()
	if name, unknown := strings.CutPrefix(text, "unknown flag: --"); unknown {
		if near := spelling.Nearest(name, flagNames(cmd)); near != "" {
			return Misuse("%s; did you mean --%s?", text, near)
		}
	}
	var parsing *strconv.NumError
	if errors.As(err, &parsing) && parsing.Func == "ParseBool" {
		text = strings.ReplaceAll(text, parsing.Error(), "give true or false")
	}
	return Misuse("%s; see: %s --help", text, cmd.CommandPath())
}

// flagNames are the names of a command's flags, as its help has them: those that
// are hidden, or not for it, are not there.
func flagNames(cmd *cobra.Command) []string {
	var names []string
	for line := range strings.Lines(cmd.Flags().FlagUsages()) {
		for _, word := range strings.Fields(line) {
			if name, isFlag := strings.CutPrefix(word, "--"); isFlag {
				name, _, _ = strings.Cut(name, "[")
				names = append(names, name)
				break
			}
		}
	}
	return names
}
