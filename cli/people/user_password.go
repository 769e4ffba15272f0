package people

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"gatewright/cli/command"
	"gatewright/model"
	"gatewright/project"
)

const passwordHelp = "The password is asked for, or read from standard input with --password-stdin: on a command line it would stand in the list of\n" +
	"processes and in the shell's history. Where nobody can be asked one is made that the pool takes, and printed once.\n"

// passwordFlags say where a user's password comes from.
type passwordFlags struct {
	stdin, temporary bool

	text string
	// made says that nobody gave it.
	made bool
}

func (f *passwordFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.stdin, "password-stdin", false, "read the password from standard input, up to its first line break")
	cmd.Flags().BoolVar(&f.temporary, "temporary", false, "have the user choose another at the first sign-in")
}

// longestPassword is how long a password may be (the cloud's limit), in characters.
const longestPassword = 256

// read reads the password of a user, or makes one.
func (f *passwordFlags) read(streams command.Streams, user string, definition *model.Auth) error {
	switch {
	case f.stdin:
		line, err := command.ReadLine(io.LimitReader(streams.In, project.MaxFile))
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading the password: %w", err)
		}
		if f.text = strings.TrimSuffix(line, "\r"); f.text == "" {
			return command.Misuse("standard input has no password in its first line")
		}
	case command.Attended(streams):
		var err error
		if f.text, err = askTwice(streams, user); err != nil {
			return err
		}
	default:
		f.text, f.made = newPassword(definition), true
	}
	if !utf8.ValidString(f.text) || len([]rune(f.text)) > longestPassword {
		return command.Misuse("the password is no text in UTF-8 of at most %d characters", longestPassword)
	}
	return nil
}

// tell prints a password that was made.
func (f *passwordFlags) tell(streams command.Streams) error {
	if !f.made {
		return nil
	}
	return command.PrintText(streams.Out, "password: "+f.text+"\n")
}

// askTwice asks for a new password, which nobody sees.
func askTwice(streams command.Streams, user string) (string, error) {
	text, err := askHidden(streams, "password for "+model.Quote(user)+": ")
	if err != nil {
		return "", err
	}
	if text == "" {
		return "", errors.New("no password was typed; nothing is done")
	}
	again, err := askHidden(streams, "the same again: ")
	if err != nil {
		return "", err
	}
	if again != text {
		return "", errors.New("the two passwords differ; nothing is done")
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
	// The program's own way to end would leave the terminal mute.
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
		_, _ = io.WriteString(streams.Err, "\n")
		if a.err != nil && !errors.Is(a.err, io.EOF) {
			return "", fmt.Errorf("asking for the password: %w", a.err)
		}
		return string(a.text), nil
	}
}

// The characters of passwords that are made: none that is taken for another, and
// none that a shell takes for something else.
const (
	lowercase = "abcdefghijkmnpqrstuvwxyz"
	uppercase = "ABCDEFGHJKLMNPQRSTUVWXYZ"
	numbers   = "23456789"
	symbols   = "-_.+="
)

// newPassword makes a password that a pool takes: of every kind that its policy may
// ask for, and as long.
func newPassword(definition *model.Auth) string {
	const usual = 16
	policy := model.PasswordPolicy{}
	if definition != nil && definition.PasswordPolicy != nil {
		policy = *definition.PasswordPolicy
	}
	length := max(usual, *policy.Whole().MinLength)
	text := make([]byte, 0, length)
	for _, kind := range []string{lowercase, uppercase, numbers, symbols} {
		text = append(text, kind[random(len(kind))])
	}
	for every := lowercase + uppercase + numbers; len(text) < length; {
		text = append(text, every[random(len(every))])
	}
	for i := len(text) - 1; i > 0; i-- {
		j := random(i + 1)
		text[i], text[j] = text[j], text[i]
	}
	// A symbol in front would be taken for a flag.
	if at := strings.IndexAny(string(text), lowercase+uppercase); strings.IndexByte(symbols, text[0]) >= 0 {
		text[0], text[at] = text[at], text[0]
	}
	return string(text)
}

// random is a number below n that nobody can guess.
func random(n int) int {
	number, err := rand.Int(rand.Reader, big.NewInt(int64(n)))
	if err != nil {
		panic(err) // crypto/rand does not fail
	}
	return int(number.Int64())
}
