package prepare

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"gatewright/internal/clock"
	"gatewright/internal/process"
)

// mostLines is how many of the last lines of a program's output run returns.
const mostLines = 2000

// tool is a program that prepares a source: npm, go or pip.
type tool struct {
	command []string
	dir     string
	// env are variables besides those that every program gets.
	env []string
	// log is the file for its whole output.
	log string
	// onLine is called with each line of the output; it may be nil.
	onLine func(string)
}

// run runs the program to its end and returns the last lines of its output. The end of
// ctx kills it and its group. The error is ctx.Err(), or how the program failed.
func (t tool) run(ctx context.Context) ([]string, error) {
	if err := os.MkdirAll(filepath.Dir(t.log), 0o700); err != nil {
		return nil, err
	}
	log, err := os.OpenFile(t.log, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	output, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(t.command[0], t.command[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = t.dir, append(inherited(isNeeded), t.env...), write, write

	var group *process.Group
	started, ended := make(chan error), make(chan error, 1)
	go func() {
		// The system kills the process when the thread that started it ends.
		process.HoldThread()
		var err error
		group, err = process.StartGroup(cmd)
		started <- err
		if err == nil {
			ended <- cmd.Wait()
		}
	}()
	err = <-started
	_ = write.Close()
	if err != nil {
		_ = output.Close()
		return nil, err
	}
	read := make(chan []string)
	go func() { read <- t.read(output, log) }()
	select {
	case err = <-ended:
	case <-ctx.Done():
		group.Kill()
		<-ended
		err = ctx.Err()
	}
	// Processes that it left behind may have the pipe open.
	group.Close()
	_ = output.SetReadDeadline(time.Now().Add(time.Second))
	lines := <-read
	_ = output.Close()
	return lines, err
}

// read copies the output to the log and returns its last lines.
func (t tool) read(output io.Reader, log io.Writer) []string {
	var lines []string
	r := bufio.NewReader(output)
	for {
		line, err := r.ReadString('\n')
		if line != "" {
			_, _ = io.WriteString(log, line)
			line = strings.TrimRight(line, "\r\n")
			if t.onLine != nil {
				t.onLine(line)
			}
			if len(lines) == mostLines {
				lines = lines[1:]
			}
			lines = append(lines, line)
		}
		if err != nil {
			return lines
		}
	}
}

// howItEnded returns in a few words how a program ended.
func howItEnded(err error) string {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return "ended with " + process.ExitText(exit.ProcessState)
	}
	return err.Error()
}

// unreachable are words in the output of programs that cannot reach a server.
var unreachable = []string{
	"ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ENETUNREACH", "EHOSTUNREACH", "ENOTCACHED",
	"ERR_SOCKET_TIMEOUT",
	"no such host", "connection refused", "network is unreachable", "i/o timeout", "Temporary failure in name resolution",
	"NewConnectionError", "Name or service not known",
}

// offline returns the first word of unreachable in a program's output, "" if there is
// none.
func offline(lines []string) string {
	for _, line := range lines {
		for _, word := range unreachable {
			if strings.Contains(line, word) {
				return word
			}
		}
	}
	return ""
}

func took(since time.Time) string { return clock.Took(time.Since(since)) }
