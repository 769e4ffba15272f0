package course

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Run carries out a line of the program's own commands in the course's folder, and
// gives what they print. A command that fails ends the line, and is the error; what
// was printed until then is given too. `gatewright sandbox` goes on running until
// the course ends; what it says until it listens is printed.
func (c *Course) Run(ctx context.Context, line string) (string, error) {
	commands, err := commandsOf(line)
	if err != nil {
		return "", err
	}
	var printed strings.Builder
	for _, command := range commands {
		run := c.run
		switch {
		case goesOn(command):
			run = c.start
		case isEndless(command):
			return printed.String(), refuse("gatewright "+command[0]+" does not end by itself", "run it in another terminal, in the folder "+c.Dir)
		}
		text, err := run(ctx, command)
		printed.WriteString(text)
		if err != nil {
			return printed.String(), err
		}
	}
	return printed.String(), nil
}

// longestOutput is how much of each stream of a command is kept, in bytes.
const longestOutput = 256 << 10

func (c *Course) run(ctx context.Context, words []string) (string, error) {
	// What a command says beside its result, such as a log, comes after that.
	var out, beside limited
	cmd := c.command(ctx, words, &out)
	cmd.Stderr = &beside
	err := cmd.Run()
	printed := out.kept.String() + beside.kept.String()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return printed, errors.New("it was ended before it was done")
	case errors.As(err, &exit):
		return printed, fmt.Errorf("it failed, with the exit code %d", exit.ExitCode())
	case err != nil:
		return printed, fmt.Errorf("running the command: %w", err)
	}
	return printed, nil
}

// command is the program with these arguments, which prints to out.
func (c *Course) command(ctx context.Context, words []string, out io.Writer) *exec.Cmd {
	cmd := exec.CommandContext(ctx, c.Program, words...)
	cmd.Args[0] = "gatewright"
	cmd.Dir = c.Dir
	cmd.Env = append(os.Environ(), "GATEWRIGHT_STATE="+c.State, "ACCESSIBLE=")
	cmd.Stdout, cmd.Stderr = out, out
	const patience = 3 * time.Second
	cmd.WaitDelay = patience
	cmd.Cancel = func() error {
		// It is asked to end, as Ctrl-C does, or ended where that cannot be asked.
		if err := cmd.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return cmd.Process.Kill()
		}
		return nil
	}
	return cmd
}

// process is a command that goes on running.
type process struct {
	end  context.CancelFunc
	done chan struct{}
}

// start begins a command that goes on, and waits until it listens.
func (c *Course) start(ctx context.Context, words []string) (string, error) {
	reader, writer := io.Pipe()
	living, end := context.WithCancel(context.Background())
	cmd := c.command(living, words, writer)
	if err := cmd.Start(); err != nil {
		end()
		return "", fmt.Errorf("running the command: %w", err)
	}
	p := &process{end: end, done: make(chan struct{})}
	go func() {
		_ = cmd.Wait()
		_ = writer.Close()
		close(p.done)
	}()
	c.notes.Lock()
	c.background = append(c.background, p)
	c.notes.Unlock()
	starting, over := context.WithCancel(ctx)
	defer over()
	lines := make(chan string)
	go read(starting, reader, lines)
	var said strings.Builder
	for {
		select {
		case line, more := <-lines:
			if !more {
				return said.String(), errors.New("it ended at once")
			}
			said.WriteString(line + "\n")
			if strings.HasPrefix(line, "listening on ") {
				return said.String() + "It goes on running until the course ends.\n", nil
			}
		case <-ctx.Done():
			end()
			<-p.done
			return said.String(), errors.New("it was ended before it was ready")
		}
	}
}

// read sends the lines that a command prints while it starts. It reads to the end:
// a command whose output nobody takes stops.
func read(starting context.Context, from io.Reader, lines chan<- string) {
	defer close(lines)
	scanner := bufio.NewScanner(from)
	for scanner.Scan() {
		select {
		case lines <- scanner.Text():
		case <-starting.Done():
		}
	}
	_, _ = io.Copy(io.Discard, from)
}

// endAll ends what goes on running.
func (c *Course) endAll() {
	c.notes.Lock()
	all := c.background
	c.background = nil
	c.notes.Unlock()
	for _, p := range all {
		p.end()
	}
	for _, p := range all {
		<-p.done
	}
}

// limited keeps the beginning of what is written, and drops what is too much.
type limited struct{ kept bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	l.kept.Write(p[:min(len(p), longestOutput-l.kept.Len())])
	return len(p), nil
}
