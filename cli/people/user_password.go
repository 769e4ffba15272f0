package people

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"gatewright/cli/command"
	"gatewright/deploy/people"
	"gatewright/model"
	"gatewright/project"
)

const passwordHelp = "The command asks for the password, or reads it from standard input with --password-stdin: on a command line it would be visible\n" +
	"in the list of processes and in the shell's history. Without a terminal it makes a password and prints it once.\n"

// passwordFlags are the flags for a user's password.
type passwordFlags struct {
	stdin, temporary bool

	text string
	// generated says that the program made the password.
	generated bool
}

func (f *passwordFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.stdin, "password-stdin", false, "read the password from standard input, up to its first line break")
	cmd.Flags().BoolVar(&f.temporary, "temporary", false, "have the user choose another password at the next sign-in")
}

// read reads the password of a user, or makes one.
func (f *passwordFlags) read(streams command.Streams, user string, definition *model.Auth) error {
	switch {
	case f.stdin:
		line, err := command.ReadLine(io.LimitReader(streams.In, project.MaxFile))
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading the password: %w", err)
		}
		if f.text = strings.TrimSuffix(line, "\r"); f.text == "" {
			return command.Misuse("the first line of standard input is empty; it must be the password")
		}
	case command.Attended(streams):
		var err error
		if f.text, err = askTwice(streams, user); err != nil {
			return err
		}
	default:
		f.text, f.generated = people.NewPassword(definition), true
	}
	if err := people.CheckPassword(f.text); err != nil {
		return command.Misuse("%v", err)
	}
	return nil
}

// print prints a password that was made.
func (f *passwordFlags) print(streams command.Streams) error {
	if !f.generated {
		return nil
	}
	return command.PrintText(streams.Out, "password: "+f.text+"\n")
}

// askTwice asks for a new password, which the terminal does not show.
func askTwice(streams command.Streams, user string) (string, error) {
	text, err := askHidden(streams, "password for "+model.Quote(user)+": ")
	if err != nil {
		return "", err
	}
	if text == "" {
		return "", errors.New("no password was typed; nothing was changed")
	}
	again, err := askHidden(streams, "the same password again: ")
	if err != nil {
		return "", err
	}
	if again != text {
		return "", errors.New("the two passwords differ; nothing was changed")
	}
	return text, nil
}

// askHidden asks a question whose answer the terminal does not show. Ctrl-C leaves
// the terminal as it was.
func askHidden(streams command.Streams, question string) (string, error) {
	in, ok := streams.In.(*os.File)
	if !ok {
		return command.Ask(streams, question)
	}
	terminal := int(in.Fd())
	state, err := term.GetState(terminal)
	if err != nil {
		return "", fmt.Errorf("asking for the password: %w", err)
	}
	signals := make(chan os.Signal, 1)
	// The program's default handler would leave the terminal without echo.
	signal.Reset(os.Interrupt)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	_, _ = io.WriteString(streams.Err, question)
	type answer struct {
		text []byte
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		text, err := term.ReadPassword(terminal)
		answers <- answer{text, err}
	}()
	select {
	case <-signals:
		_ = term.Restore(terminal, state)
		_, _ = io.WriteString(streams.Err, "\n")
		return "", command.ExitInterrupted
	case a := <-answers:
		// On Windows, Ctrl-C ends the input a moment before the signal arrives.
		if errors.Is(a.err, io.EOF) {
			select {
			case <-signals:
				a.err = command.ExitInterrupted
			case <-time.After(command.SignalPatience):
			}
		}
		_, _ = io.WriteString(streams.Err, "\n")
		if errors.Is(a.err, command.ExitInterrupted) {
			return "", a.err
		}
		if a.err != nil && !errors.Is(a.err, io.EOF) {
			return "", fmt.Errorf("asking for the password: %w", a.err)
		}
		return string(a.text), nil
	}
}
