package course

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
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
		case !isEndless(command):
		case command[0] == "sandbox":
			run = c.start
		default:
			return printed.String(), lineProblem("gatewright "+command[0]+" does not end by itself", "run it in another terminal, in the folder "+c.Dir)
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
	var out, beside limitedBuffer
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

// start begins a command that goes on, and waits until it listens.
func (c *Course) start(ctx context.Context, words []string) (string, error) {
	out := listener{listens: make(chan bool, 2)}
	running, end := context.WithCancel(context.Background())
	cmd := c.command(running, words, &out)
	if err := cmd.Start(); err != nil {
		end()
		return "", fmt.Errorf("running the command: %w", err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		out.listens <- false
		close(ended)
	}()
	stop := func() { end(); <-ended }
	c.mu.Lock()
	c.background = append(c.background, stop)
	c.mu.Unlock()
	select {
	case listens := <-out.listens:
		if !listens {
			return out.printed.String(), errors.New("it ended at once")
		}
		return out.printed.String() + "It goes on running until the course ends.\n", nil
	case <-ctx.Done():
		stop()
		return out.printed.String(), errors.New("it was ended before it was ready")
	}
}

// listener keeps what a command prints until it listens. What follows is dropped: a
// command whose output nobody takes stops.
type listener struct {
	printed bytes.Buffer
	done bool
	// listens gets true when it listens, and false when it has ended.
	listens chan bool
}

// listening is the line that a sandbox prints when it is ready.
var listening = regexp.MustCompile(`(?m)^listening on .*\n`)

func (l *listener) Write(p []byte) (int, error) {
	if l.done {
		return len(p), nil
	}
	l.printed.Write(p)
	if at := listening.FindIndex(l.printed.Bytes()); at != nil {
		l.printed.Truncate(at[1])
		l.done = true
		l.listens <- true
	}
	return len(p), nil
}

// stopBackground ends what goes on running.
func (c *Course) stopBackground() {
	c.mu.Lock()
	all := c.background
	c.background = nil
	c.mu.Unlock()
	for _, stop := range all {
		stop()
	}
}

// limitedBuffer keeps the beginning of what is written, and drops what is too much.
type limitedBuffer struct{ kept bytes.Buffer }

func (l *limitedBuffer) Write(p []byte) (int, error) {
	l.kept.Write(p[:min(len(p), longestOutput-l.kept.Len())])
	return len(p), nil
}
