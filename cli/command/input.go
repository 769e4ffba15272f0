package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"gatewright/project/read"
)

// ReadInput reads a file, or standard input for "-", up to one byte more than a project's
// file may have. shown is the name for messages.
func ReadInput(name string, streams Streams) (shown string, data []byte, err error) {
	if name == "-" {
		data, err = io.ReadAll(io.LimitReader(streams.In, read.MaxFile+1))
		if err != nil {
			return "", nil, fmt.Errorf("reading standard input: %w", err)
		}
		return "standard input", data, nil
	}
	f, err := os.Open(Absolute(name, streams))
	if err != nil {
		return "", nil, read.CannotRead(name, err)
	}
	defer func() { _ = f.Close() }()
	data, err = io.ReadAll(io.LimitReader(f, read.MaxFile+1))
	if err != nil {
		return "", nil, read.CannotRead(name, err)
	}
	return filepath.ToSlash(name), data, nil
}

// ReadArgument returns the text that an argument stands for: the file of @FILE, standard
// input for -, else the argument itself, for which shown is "".
func ReadArgument(text string, streams Streams) (shown string, data []byte, err error) {
	name, isFile := strings.CutPrefix(text, "@")
	if !isFile && text != "-" {
		return "", []byte(text), nil
	}
	return ReadInput(name, streams)
}

// Absolute returns the absolute path of a file that the command line names.
func Absolute(name string, streams Streams) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(streams.Dir, name)
}

// Attended reports whether a user can be asked: input and errors are terminals.
func Attended(streams Streams) bool { return IsTerminal(streams.In) && IsTerminal(streams.Err) }

// Ask prints a question and reads a line as the answer. The end of the input is an empty
// answer.
func Ask(streams Streams, question string) (string, error) {
	_, _ = io.WriteString(streams.Err, question)
	answer, err := ReadLine(streams.In)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("reading the answer: %w", err)
	}
	return answer, nil
}

// AskUntil is Ask for a command that takes the interrupt itself: when ctx ends, the command does
// too, with ExitInterrupted. What is typed after that is lost.
func AskUntil(ctx context.Context, streams Streams, question string) (string, error) {
	type answer struct {
		text string
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		text, err := Ask(streams, question)
		answers <- answer{text, err}
	}()
	select {
	case <-ctx.Done():
		_, _ = io.WriteString(streams.Err, "\n")
		return "", ExitInterrupted
	case a := <-answers:
		return a.text, a.err
	}
}

// SignalPatience is how long the end of a terminal's input waits for a signal.
const SignalPatience = 100 * time.Millisecond

// ReadLine reads a line and no byte after it, so that the next question can be answered.
func ReadLine(in io.Reader) (string, error) {
	var line []byte
	for b := make([]byte, 1); ; {
		n, err := in.Read(b)
		if n == 1 && b[0] == '\n' {
			return string(line), nil
		}
		line = append(line, b[:n]...)
		if err != nil {
			// On Windows, ctrl+c ends the input a moment before the signal ends the program.
			if runtime.GOOS == "windows" && IsTerminal(in) {
				time.Sleep(SignalPatience)
			}
			return string(line), err
		}
	}
}
