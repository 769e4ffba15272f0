package function

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// mostLines is how many lines of a program's output are kept beside its log.
const mostLines = 2000

// tool is a program that makes something ready: npm, go, pip.
type tool struct {
	command []string
	dir     string
	env     []string
	// log is the file that gets all of its output.
	log string
	// onLine is told each onLine as it comes; it may be nil.
	onLine func(string)
}

// run runs it to its end and gives the last lines of its output. The end of ctx
// ends it and all that it started. The error is ctx's, or says how it ended.
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
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = t.dir, append(os.Environ(), t.env...), write, write
	cmd.SysProcAttr = confine()

	started, ended := make(chan error), make(chan error, 1)
	go func() {
		// The system ends the process with the thread that started it.
		holdThread()
		err := cmd.Start()
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
		killGroup(cmd.Process)
		<-ended
		err = ctx.Err()
	}
	// What it started and left behind holds the pipe.
	killGroup(cmd.Process)
	_ = output.SetReadDeadline(time.Now().Add(time.Second))
	lines := <-read
	_ = output.Close()
	return lines, err
}

// read copies the output into the log and gives its last lines, without colours.
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

// howItEnded says in a few words how a program ended that said nothing itself.
func howItEnded(err error) string {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return "ended with " + exitText(exit.ProcessState)
	}
	return err.Error()
}

// unreachable are what programs write when no server is reached.
var unreachable = []string{
	"ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ENETUNREACH", "EHOSTUNREACH", "ENOTCACHED", "ERR_SOCKET_TIMEOUT",
	"no such host", "connection refused", "network is unreachable", "i/o timeout", "Temporary failure in name resolution",
	"NewConnectionError", "Name or service not known",
}

// offline is the first of the words in a program's output that says that it
// reached no server; "" where it did, or failed for another reason.
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

func took(since time.Time) string { return fmt.Sprintf("%.1f s", time.Since(since).Seconds()) }
