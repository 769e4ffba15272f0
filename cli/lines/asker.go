// Package lines is the wizard, the test console and the course as plain lines: for
// screen readers, and for whoever wants no screen. It draws nothing, moves no cursor
// and uses no colour; every choice has a number.
package lines

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gatewright/flow"
	"gatewright/model"
	"gatewright/prose"
)

// ErrLeft says that the questions were left before the end. The answers are kept
// as a draft.
var ErrLeft = errors.New("left; the answers are kept as a draft")

// errBack goes to the question before.
var errBack = errors.New("back")

// asker says lines and reads answers.
type asker struct {
	in  *bufio.Scanner
	out io.Writer
	// ended is the error of an input that ends where an answer is needed.
	ended error
}

func newAsker(in io.Reader, out io.Writer, ended error) asker {
	const longestLine = 1 << 20
	a := asker{bufio.NewScanner(in), out, ended}
	a.in.Buffer(nil, longestLine)
	return a
}

func (a *asker) say(format string, args ...any) {
	for line := range strings.SplitSeq(fmt.Sprintf(format, args...), "\n") {
		_, _ = fmt.Fprintln(a.out, prose.Printable(line))
	}
}

// note says what ends nothing: there is no error for the caller.
func (a *asker) note(format string, args ...any) error {
	a.say(format, args...)
	return nil
}

// points says a list below its title, and nothing where there is none.
func (a *asker) points(title, mark string, points []string) {
	if len(points) > 0 {
		a.say("%s", title)
	}
	for _, point := range points {
		a.say("%s %s", mark, point)
	}
}

// line reads an answer. Going back, leaving and the end of the input are errors.
func (a *asker) line(prompt string) (string, error) {
	_, _ = fmt.Fprint(a.out, prose.Printable(prompt)+": ")
	if !a.in.Scan() {
		_, _ = fmt.Fprintln(a.out)
		if err := a.in.Err(); err != nil {
			return "", fmt.Errorf("reading an answer: %w", err)
		}
		return "", a.ended
	}
	switch text := strings.TrimSpace(a.in.Text()); text {
	case "back", "<":
		return "", errBack
	case "quit":
		return "", ErrLeft
	default:
		return text, nil
	}
}

// yes asks for a yes or a no; explained is what ? says.
func (a *asker) yes(question, explained string) (bool, error) {
	for {
		text, err := a.line(question + " yes or no")
		if err != nil {
			return false, err
		}
		switch strings.ToLower(text) {
		case "yes", "y":
			return true, nil
		case "no", "n":
			return false, nil
		case "?":
			a.say("%s", explained)
		default:
			a.say("Please answer yes or no.")
		}
	}
}

// ask asks for a field, whose options were offered, until an answer is kept; an empty
// one keeps what is said. explained is what ? says.
func (a *asker) ask(f flow.Field, explained string, keep func(value string, chosen []string) error) error {
	for {
		text, err := a.line(promptOf(f))
		if err != nil || text == "" {
			return err
		}
		if text == "?" {
			a.say("%s", explained)
			continue
		}
		value, chosen, err := answer(f, text)
		if err == nil {
			err = keep(value, chosen)
		}
		if err == nil {
			return nil
		}
		a.say("%s", err)
	}
}

// promptOf is a field's label with what is said now.
func promptOf(f flow.Field) string {
	label := cmp.Or(f.Label, "Your choice")
	var now []string
	for i, o := range f.Options {
		if f.Has(o) {
			now = append(now, strconv.Itoa(i+1))
		}
	}
	switch {
	case f.Kind == flow.Several:
		label += ", numbers separated by commas, or none"
	case f.Kind == flow.Text && f.Value != "":
		now = []string{f.Value}
	case f.Kind == flow.Text && f.Placeholder != "":
		return label + " (" + f.Placeholder + ")"
	}
	if len(now) > 0 {
		label += " (now " + strings.Join(now, ", ") + ")"
	}
	return label
}

// answer reads what was typed for a field: a text, or the keys of some options.
func answer(f flow.Field, text string) (value string, chosen []string, err error) {
	switch {
	case text == "none" && f.Kind != flow.Choice:
		return "", []string{}, nil
	case f.Kind == flow.Text:
		return text, nil, nil
	case f.Kind == flow.Choice && strings.Contains(text, ","):
		return "", nil, errors.New("please choose one")
	}
	for part := range strings.SplitSeq(text, ",") {
		i, err := numbered(f.Options, strings.TrimSpace(part))
		if err != nil {
			return "", nil, err
		}
		chosen = append(chosen, f.Options[i].Key)
	}
	return chosen[0], chosen, nil
}

// offer says what there is to choose, each with its number.
func (a *asker) offer(options []prose.Option) {
	for i, o := range options {
		note := o.Detail
		if o.Disabled != "" {
			note = "not available: " + o.Disabled
		}
		if note != "" {
			note = " (" + note + ")"
		}
		a.say("  %d. %s%s", i+1, o.Title, note)
	}
}

// numbered is the place of the option that has a number.
func numbered(options []prose.Option, text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > len(options) {
		return 0, fmt.Errorf("%s is not one of the numbers 1 to %d", model.Quote(text), len(options))
	}
	if reason := options[n-1].Disabled; reason != "" {
		return 0, fmt.Errorf("%d is not available: %s", n, reason)
	}
	return n - 1, nil
}

// choice is something to do that has a number; closed is why it cannot be done.
type choice struct {
	title, closed string
	do            func() error
}

func asOptions(choices []choice) []prose.Option {
	options := make([]prose.Option, len(choices))
	for i, c := range choices {
		options[i] = prose.Option{Title: c.title, Disabled: c.closed}
	}
	return options
}
