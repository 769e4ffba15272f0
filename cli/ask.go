package cli

import (
	"errors"
	"fmt"
	"io"
)

// attended reports whether somebody sits there who can be asked.
func attended(streams Streams) bool { return isTerminal(streams.In) && isTerminal(streams.Err) }

// ask asks a question and reads the line that answers it. The end of the input is
// an empty answer.
func ask(streams Streams, question string) (string, error) {
	_, _ = io.WriteString(streams.Err, question)
	answer, err := readLine(streams.In)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("reading the answer: %w", err)
	}
	return answer, nil
}

// readLine reads a line and nothing after it: a second question reads on.
func readLine(in io.Reader) (string, error) {
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
