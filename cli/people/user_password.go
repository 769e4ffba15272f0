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

// longestPassword is Cognito's limit, in characters.
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
			return command.Misuse("the first line of standard input is empty; it must be the password")
		}
	case command.Attended(streams):
		var err error
		if f.text, err = askTwice(streams, user); err != nil {
			return err
		}
	default:
		f.text, f.generated = newPassword(definition), true
	}
	if !utf8.ValidString(f.text) || len([]rune(f.text)) > longestPassword {
		return command.Misuse("the password must be text in UTF-8 of at most %d characters", longestPassword)
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
		_, _ = io.WriteString(streams.Err, "\n")
		if a.err != nil && !errors.Is(a.err, io.EOF) {
			return "", fmt.Errorf("asking for the password: %w", a.err)
		}
		return string(a.text), nil
	}
}

// The characters of generated passwords: none that looks like another, and none that is
// special in a shell.
const (
	lowercase = "abcdefghijkmnpqrstuvwxyz"
	uppercase = "ABCDEFGHJKLMNPQRSTUVWXYZ"
	numbers   = "23456789"
	symbols   = "-_.+="
)

// newPassword makes a password that the pool's policy accepts: long enough, with every kind
// of character.
func newPassword(definition *model.Auth) string {
	const least = 16
	policy := model.PasswordPolicy{}
	if definition != nil && definition.PasswordPolicy != nil {
		policy = *definition.PasswordPolicy
	}
	length := max(least, *policy.Whole().MinLength)
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
	// A command could take a symbol at the start for a flag.
	if at := strings.IndexAny(string(text), lowercase+uppercase); strings.IndexByte(symbols, text[0]) >= 0 {
		text[0], text[at] = text[at], text[0]
	}
	return string(text)
}

// random returns a number below n that nobody can guess.
func random(n int) int {
	number, err := rand.Int(rand.Reader, big.NewInt(int64(n)))
	if err != nil {
		panic(err) // crypto/rand does not fail
	}
	return int(number.Int64())
}
