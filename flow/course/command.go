package course

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"gatewright/internal/text/lazyregexp"
)

// Run runs a line of gatewright commands, joined by &&, in the folder of the course, and
// returns what they print. It stops at the first command that fails, and returns the error
// with what was printed until then. `gatewright sandbox` runs until the course ends or its
// folder is cleared; Run returns what it prints until it listens.
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
			return printed.String(),
				lineProblem("gatewright "+command[0]+" does not end by itself", "run it in another terminal, in the folder "+c.Dir)
		}
		text, err := run(ctx, command)
		printed.WriteString(text)
		if err != nil {
			return printed.String(), err
		}
	}
	return printed.String(), nil
}

// longestOutput is how many bytes of each output stream of a command are kept.
const longestOutput = 256 << 10

func (c *Course) run(ctx context.Context, words []string) (string, error) {
	var stdout, stderr limitedBuffer
	cmd := c.command(ctx, words, &stdout)
	cmd.Stderr = &stderr
	err := cmd.Run()
	printed := stdout.kept.String() + stderr.kept.String()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return printed, errors.New("the command was stopped before it finished")
	case errors.As(err, &exit):
		return printed, fmt.Errorf("the command failed with exit code %d", exit.ExitCode())
	case err != nil:
		return printed, fmt.Errorf("running the command: %w", err)
	}
	return printed, nil
}

// command returns the program with these arguments; out gets both its output streams.
func (c *Course) command(ctx context.Context, words []string, out io.Writer) *exec.Cmd {
	cmd := exec.CommandContext(ctx, c.Program, words...)
	cmd.Args[0] = "gatewright"
	cmd.Dir = c.Dir
	environ := c.Environ
	if environ == nil {
		environ = os.Environ()
	}
	cmd.Env = append(slices.Clip(environ), "GATEWRIGHT_STATE="+c.State, "ACCESSIBLE=")
	cmd.Stdout, cmd.Stderr = out, out
	const grace = 3 * time.Second
	cmd.WaitDelay = grace
	cmd.Cancel = func() error {
		// Windows cannot send an interrupt to a process.
		if err := cmd.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return cmd.Process.Kill()
		}
		return nil
	}
	return cmd
}

// start starts `gatewright sandbox` in the background, and waits until it listens.
func (c *Course) start(ctx context.Context, words []string) (string, error) {
	out := listener{listens: make(chan bool, 2)}
	background, end := context.WithCancel(context.Background())
	cmd := c.command(background, words, &out)
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
	c.InBackground(stop)
	select {
	case listens := <-out.listens:
		if !listens {
			return out.printed.String(), errors.New("the command ended at once")
		}
		return out.printed.String() + "It runs until the course ends.\n", nil
	case <-ctx.Done():
		stop()
		return out.printed.String(), errors.New("the command was stopped before it was ready")
	}
}

// listener keeps what a sandbox prints until it listens, and drops what follows. It has to
// read that too: a process whose output nobody reads blocks.
type listener struct {
	printed bytes.Buffer
	done    bool
	// listens gets true when the sandbox listens, and false when it has ended.
	listens chan bool
}

// listening is the line that a sandbox prints when it is ready.
var listening = lazyregexp.New(`(?m)^listening on .*\n`)

func (l *listener) Write(p []byte) (int, error) {
	if l.done {
		return len(p), nil
	}
	l.printed.Write(p)
	if at := listening().FindIndex(l.printed.Bytes()); at != nil {
		l.printed.Truncate(at[1])
		l.done = true
		l.listens <- true
	}
	return len(p), nil
}

// InBackground has the course call stop when it ends, or when its folder is cleared.
func (c *Course) InBackground(stop func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.background = append(c.background, stop)
}

// stopBackground stops the commands that run in the background.
func (c *Course) stopBackground() {
	c.mu.Lock()
	all := c.background
	c.background = nil
	c.mu.Unlock()
	for _, stop := range all {
		stop()
	}
}

// limitedBuffer keeps the first longestOutput bytes that are written, and drops the rest.
type limitedBuffer struct{ kept bytes.Buffer }

func (l *limitedBuffer) Write(p []byte) (int, error) {
	l.kept.Write(p[:min(len(p), longestOutput-l.kept.Len())])
	return len(p), nil
}
