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
	"sync"
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
		var text string
		switch mannerOf(command) {
		case notHere:
			return printed.String(), refuse("gatewright "+command[0]+" does not end by itself", "run it in another terminal, in the folder "+c.Dir)
		case goesOn:
			text, err = c.start(ctx, command)
		default:
			text, err = c.run(ctx, command)
		}
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
	var out, beside bytes.Buffer
	cmd := c.command(ctx, words, &limited{to: &out, left: longestOutput})
	cmd.Stderr = &limited{to: &beside, left: longestOutput}
	err := cmd.Run()
	printed := out.String() + beside.String()
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
	cmd.Cancel = func() error { return interrupt(cmd.Process) }
	return cmd
}

// interrupt asks a process to end, as Ctrl-C does, or ends it where that cannot be
// asked.
func interrupt(process *os.Process) error {
	if err := process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return process.Kill()
	}
	return nil
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
	said := &sayings{listens: make(chan struct{})}
	go said.read(reader)
	select {
	case <-said.listens:
		return said.text() + "It goes on running until the course ends.\n", nil
	case <-p.done:
		return said.text(), errors.New("it ended at once")
	case <-ctx.Done():
		end()
		<-p.done
		return said.text(), errors.New("it was ended before it was ready")
	}
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

// sayings are what a command that goes on says until it listens.
type sayings struct {
	listens chan struct{}
	mu      sync.Mutex
	lines   []string
}

// read reads to the end: a command whose output nobody takes stops.
func (s *sayings) read(from io.Reader) {
	heard := false
	scanner := bufio.NewScanner(from)
	for scanner.Scan() {
		if heard {
			continue
		}
		s.mu.Lock()
		s.lines = append(s.lines, scanner.Text())
		s.mu.Unlock()
		if heard = strings.HasPrefix(scanner.Text(), "listening on "); heard {
			close(s.listens)
		}
	}
	_, _ = io.Copy(io.Discard, from)
}

func (s *sayings) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	for _, line := range s.lines {
		b.WriteString(line + "\n")
	}
	return b.String()
}

// limited is a writer that drops what is too much.
type limited struct {
	to   io.Writer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	part := p[:min(len(p), l.left)]
	l.left -= len(part)
	if _, err := l.to.Write(part); err != nil {
		return 0, err
	}
	return len(p), nil
}
