package command

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

	"gatewright/project/read"
)

// AddPasswordStdin adds the flag of commands that read a user's password from standard input.
func AddPasswordStdin(cmd *cobra.Command, wanted *bool) {
	cmd.Flags().BoolVar(wanted, "password-stdin", false, "read the password from standard input; its first line")
}

// ReadPassword reads a password from standard input.
func ReadPassword(streams Streams) (string, error) {
	line, err := ReadLine(io.LimitReader(streams.In, read.MaxFile))
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("reading the password: %w", err)
	}
	if line = strings.TrimSuffix(line, "\r"); line == "" {
		return "", Misuse("the first line of standard input is empty; it must be the password")
	}
	return line, nil
}

// AskHidden asks a question whose answer the terminal does not show. ctrl+c leaves
// the terminal as it was.
func AskHidden(streams Streams, question string) (string, error) {
	in, ok := streams.In.(*os.File)
	if !ok {
		return Ask(streams, question)
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
		return "", ExitInterrupted
	case a := <-answers:
		// On Windows, ctrl+c ends the input a moment before the signal arrives.
		if errors.Is(a.err, io.EOF) {
			select {
			case <-signals:
				a.err = ExitInterrupted
			case <-time.After(SignalPatience):
			}
		}
		_, _ = io.WriteString(streams.Err, "\n")
		if errors.Is(a.err, ExitInterrupted) {
			return "", a.err
		}
		if a.err != nil && !errors.Is(a.err, io.EOF) {
			return "", fmt.Errorf("asking for the password: %w", a.err)
		}
		return string(a.text), nil
	}
}
