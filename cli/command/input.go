package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"gatewright/project"
)

// ReadInput reads a file that a person named, or standard input for "-", up to
// the size that a project's file may have.
func ReadInput(name string, streams Streams) (shown string, data []byte, err error) {
	if name == "-" {
		data, err = io.ReadAll(io.LimitReader(streams.In, project.MaxFile+1))
		if err != nil {
			return "", nil, fmt.Errorf("reading standard input: %w", err)
		}
		return "standard input", data, nil
	}
	f, err := os.Open(Absolute(name, streams))
	if err != nil {
		return "", nil, project.CannotRead(name, err)
	}
	defer func() { _ = f.Close() }()
	data, err = io.ReadAll(io.LimitReader(f, project.MaxFile+1))
	if err != nil {
		return "", nil, project.CannotRead(name, err)
	}
	return filepath.ToSlash(name), data, nil
}

// ReadArgument reads what an argument stands for: @FILE, - for standard input, else
// the text itself, which has no file to be shown.
func ReadArgument(text string, streams Streams) (shown string, data []byte, err error) {
	name, isFile := strings.CutPrefix(text, "@")
	if !isFile && text != "-" {
		return "", []byte(text), nil
	}
	return ReadInput(name, streams)
}

// Absolute is the path of what a person named where the command runs.
func Absolute(name string, streams Streams) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(streams.Dir, name)
}

// Attended reports whether somebody sits there who can be asked.
func Attended(streams Streams) bool { return IsTerminal(streams.In) && IsTerminal(streams.Err) }

// Ask asks a question and reads the line that answers it. The end of the input is
// an empty answer.
func Ask(streams Streams, question string) (string, error) {
	_, _ = io.WriteString(streams.Err, question)
	answer, err := ReadLine(streams.In)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("reading the answer: %w", err)
	}
	return answer, nil
}

// ReadLine reads a line and nothing after it: a second question reads on.
func ReadLine(in io.Reader) (string, error) {
	var line []byte
	for b := make([]byte, 1); ; {
		n, err := in.Read(b)
		if n == 1 && b[0] == '\n' {
			return string(line), nil
		}
		line = append(line, b[:n]...)
		if err != nil {
			return string(line), err
		}
	}
}
