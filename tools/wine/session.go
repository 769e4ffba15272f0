package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// session is how a session of testdata/script ended; the commands of the README are one too.
type session struct {
	name string
	// end is "pass", "fail" or "skip".
	end string
	// untested are the reasons why it, or the rest of it, was not tested.
	untested []string
	output   strings.Builder
}

// runSessions runs the tests of test/sessions, compiled for Windows.
func (b base) runSessions(ctx context.Context, only string, parallel int) ([]*session, error) {
	project, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	const program = "/root/sessions.exe"
	build := exec.CommandContext(ctx, "go", "test", "-c", "-trimpath", "-o", filepath.Join(b.root(), program),
		"./test/sessions")
	build.Env = append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
	if err := quietly(build); err != nil {
		return nil, err
	}
	pattern := ""
	if only != "" {
		pattern = "Sessions/^(" + only + ")$"
	}
	tests := fmt.Sprintf("exec wine %s -test.v=test2json -test.timeout=0 -test.parallel=%d -test.run=%s >&3 2>&1", program,
		parallel, quote(pattern))
	// Only in a terminal has a program under Wine a console, from which it can be interrupted.
	line := "cd /project/test/sessions && exec script --quiet --return --command " + quote(tests) + " /dev/null"
	output, results, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer func() { _ = output.Close() }()
	command := b.enter(ctx, project, line)
	command.ExtraFiles = []*os.File{results}
	if err := command.Start(); err != nil {
		return nil, err
	}
	_ = results.Close()
	sessions, err := read(output)
	// It fails if a session fails, which read has found.
	ended := command.Wait()
	if err == nil && len(sessions) == 0 {
		err = errors.Join(errors.New("no session ran"), ended)
	}
	return sessions, err
}

// read reads the output of the tests, and tells of each session when it ends.
func read(output io.Reader) ([]*session, error) {
	convert := exec.Command("go", "tool", "test2json")
	convert.Stdin, convert.Stderr = output, os.Stderr
	events, err := convert.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := convert.Start(); err != nil {
		return nil, err
	}
	var all, ended []*session
	known := map[string]*session{}
	for decoder := json.NewDecoder(events); ; {
		var event struct {
			Action, Test, Output string
		}
		if err := decoder.Decode(&event); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		name, isSession := sessionName(event.Test)
		if !isSession {
			continue
		}
		s := known[name]
		if s == nil {
			s = &session{name: name, end: "fail"}
			known[name] = s
			all = append(all, s)
		}
		switch event.Action {
		case "output":
			s.output.WriteString(event.Output)
		case "pass", "fail", "skip":
			s.close(event.Action)
			ended = append(ended, s)
			fmt.Println(s.end, s.name)
		}
	}
	if err := convert.Wait(); err != nil {
		return nil, err
	}
	if len(ended) < len(all) {
		return all, fmt.Errorf("the tests broke off: only %d of %d sessions have ended", len(ended), len(all))
	}
	return all, nil
}

// sessionName returns the name of the session of a test.
func sessionName(test string) (name string, isSession bool) {
	if name, ok := strings.CutPrefix(test, "TestSessions/"); ok {
		return name, true
	}
	name, ok := strings.CutPrefix(test, "Test")
	return name, ok && name != "Sessions" && !strings.Contains(name, "/")
}

// untested is what stands in the output of a session that says why a part of it, or all of it,
// is not tested here.
var untested = regexp.MustCompile(`(?m)^ +(?:stop|\S+\.go:\d+): NOT TESTED:? *(.*?)\r?$`)

func (s *session) close(end string) {
	s.end = end
	for _, match := range untested.FindAllStringSubmatch(s.output.String(), -1) {
		s.untested = append(s.untested, match[1])
	}
}

// outcome is the line of figures.txt about a session, without its name.
func (s *session) outcome() string {
	reasons := strings.Join(s.untested, "; ")
	switch {
	case s.end == "fail":
		return "fails"
	case s.end == "skip":
		return "cannot run: " + reasons
	case reasons != "":
		return "runs in part: " + reasons
	}
	return "runs"
}
