package people

import (
	"errors"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/deploy/people"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

const passwordHelp = `The command asks for the password, or reads it from standard input with --password-stdin: on a
command line it would be visible in the list of processes and in the shell's history. Without a
terminal it makes a password and prints it once.`

// passwordFlags are the flags for a user's password.
type passwordFlags struct {
	stdin, temporary bool

	text string
	// generated says that the program made the password.
	generated bool
}

func (f *passwordFlags) add(cmd *cobra.Command) {
	command.AddPasswordStdin(cmd, &f.stdin)
	cmd.Flags().BoolVar(&f.temporary, "temporary", false, "the user must choose another at the next sign-in")
}

// read reads the password of a user, or makes one.
func (f *passwordFlags) read(streams command.Streams, user string, definition *model.Auth) error {
	switch {
	case f.stdin:
		var err error
		if f.text, err = command.ReadPassword(streams); err != nil {
			return err
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
	text, err := command.AskHidden(streams, "password for "+phrase.Quote(user)+": ")
	if err != nil {
		return "", err
	}
	if text == "" {
		return "", errors.New("no password given; nothing was changed")
	}
	again, err := command.AskHidden(streams, "the same password again: ")
	if err != nil {
		return "", err
	}
	if again != text {
		return "", errors.New("the two passwords differ; nothing was changed")
	}
	return text, nil
}
