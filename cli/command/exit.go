package command

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
	"gatewright/project/plan"
)

// Exit is an exit code of the program. As an error it ends a command that has already
// printed why.
type Exit int

// The exit codes. A call that is answered with a status of 4xx or 5xx ends with 4 or 5.
const (
	ExitDone        Exit = 0
	ExitFailed      Exit = 1
	ExitUsage       Exit = 2
	ExitDiffers     Exit = 3
	ExitInterrupted Exit = 130
)

// Error returns the code as text. It is never printed.
func (e Exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// usageError is a command line that cannot be carried out.
type usageError struct{ text string }

// Error describes what is wrong with the command line.
func (e *usageError) Error() string { return e.text }

// Misuse returns the error of a command line that cannot be carried out: exit code 2.
func Misuse(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// ExitOf returns the exit code of a command that ended with err, and prints the error on one
// line unless it is an Exit.
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
	// An error that begins with the path of a command has the program's name already.
	_, _ = fmt.Fprintln(streams.Err, "gatewright: "+strings.TrimPrefix(OneLine(err.Error()), "gatewright "))
	_, _ = io.WriteString(streams.Err, safe(plan.StaleDiff(err), streams.Err))
	if errors.As(err, &usage) {
		return ExitUsage
	}
	return ExitFailed
}

// OneLine replaces line breaks and invisible characters in a text by spaces.
func OneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if invisible(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text)
}

// FlagError returns the error of an unknown flag or of a wrong value.
func FlagError(cmd *cobra.Command, err error) error {
	// The flag may belong to a command whose name is mistyped.
	if err := Misnamed(cmd); err != nil {
		return err
	}
	text, see := err.Error(), "; see: "+cmd.CommandPath()+" --help"
	if name, ok := strings.CutPrefix(text, "unknown flag: --"); ok {
		if near := cmd.Flags().Lookup(spelling.Nearest(name, flagNames(cmd))); near != nil {
			value, _ := pflag.UnquoteUsage(near)
			see = "; did you mean " + strings.TrimRight(cmd.CommandPath()+" --"+near.Name+" "+value, " ") + "?"
		}
		return unknown(cmd, "flag "+phrase.Quote("--"+name)+see)
	}
	if flag, ok := strings.CutPrefix(text, "unknown shorthand flag: "); ok {
		letter, _, _ := strings.Cut(flag, " in ")
		return unknown(cmd, "flag -"+strings.Trim(letter, "'")+see)
	}
	if flag, ok := strings.CutPrefix(text, "flag needs an argument: --"); ok {
		return Misuse("--%s needs a value%s", flag, see)
	}
	// The quoted value, the flag, the reason.
	invalidValue := regexp.MustCompile(`(?s)^invalid argument (".*") for "(?:-., )?(--[\w-]+)" flag: (.*)$`)
	if parts := invalidValue.FindStringSubmatch(text); parts != nil {
		value, err := strconv.Unquote(parts[1])
		if err != nil {
			value = parts[1]
		}
		text = parts[2] + " cannot be " + phrase.Quote(value) + ": " + parts[3]
	}
	var parsing *strconv.NumError
	if errors.As(err, &parsing) && parsing.Func == "ParseBool" {
		text = strings.ReplaceAll(text, parsing.Error(), "give true or false")
	}
	return Misuse("%s%s", text, see)
}

// flagNames lists the flags that the help of a command shows.
func flagNames(cmd *cobra.Command) []string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	return names
}
