// Package lines runs the wizard, the test console and the course as plain lines of text
// (--accessible), for screen readers and for people who want no screens. It draws nothing,
// moves no cursor and uses no colour; every choice has a number.
package lines

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"gatewright/flow"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
)

// ErrLeft is returned when the wizard is left before the end. The answers are saved as a
// draft.
var ErrLeft = errors.New("you left the wizard; your answers are saved as a draft")

// errBack asks for the previous question.
var errBack = errors.New("back")

// asker prints lines and reads answers.
type asker struct {
	in  *bufio.Scanner
	out io.Writer
	// ended is the error if the input ends where an answer is needed.
	ended error
	// hidden asks a question whose answer nobody shall read; nil where there is no terminal.
	hidden func(question string) (string, error)
	// lookup knows the environment variables; nil is os.LookupEnv.
	lookup func(name string) (string, bool)
}

func newAsker(in io.Reader, out io.Writer, ended error) asker {
	const longestLine = 1 << 20
	a := asker{in: bufio.NewScanner(in), out: out, ended: ended}
	a.in.Buffer(nil, longestLine)
	return a
}

func (a *asker) say(format string, args ...any) {
	for line := range strings.SplitSeq(fmt.Sprintf(format, args...), "\n") {
		_, _ = fmt.Fprintln(a.out, prose.Printable(line))
	}
}

// note prints a line and returns nil: the caller goes on.
func (a *asker) note(format string, args ...any) error {
	a.say(format, args...)
	return nil
}

// points prints a list below its title; nothing if the list is empty.
func (a *asker) points(title, mark string, points []string) {
	if len(points) > 0 {
		a.say("%s", title)
	}
	for _, point := range points {
		a.say("%s %s", mark, point)
	}
}

// line reads an answer. The words back and quit, and the end of the input, are returned as
// errBack, ErrLeft and a.ended.
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

// secret reads an answer as it is: no word of it means something else.
func (a *asker) secret(question string, hidden bool) (string, error) {
	question = prose.Printable(question) + ": "
	if hidden && a.hidden != nil {
		return a.hidden(question)
	}
	_, _ = fmt.Fprint(a.out, question)
	if !a.in.Scan() {
		return "", cmp.Or(a.in.Err(), a.ended)
	}
	return a.in.Text(), nil
}

// yes asks for a yes or a no. The answer ? prints the explanation.
func (a *asker) yes(question, explanation string) (bool, error) {
	answer, err := a.decide(question, explanation)
	return answer == "yes", err
}

// decide is yes with other words that may be the answer too, which is returned in full.
func (a *asker) decide(question, explanation string, others ...string) (string, error) {
	words := append([]string{"yes", "no"}, others...)
	for {
		text, err := a.line(question + " " + phrase.Either(words))
		if err != nil {
			return "", err
		}
		text = strings.ToLower(text)
		switch at := slices.IndexFunc(words,
			func(word string) bool { return text == word || len(text) == 1 && text == word[:1] }); {
		case text == "?":
			a.say("%s", explanation)
		case at < 0:
			a.say("Answer %s.", phrase.Either(words))
		default:
			return words[at], nil
		}
	}
}

// ask asks for the value of a field until set accepts it. Its options are printed already.
// An empty answer keeps the current value; the answer ? prints the explanation.
func (a *asker) ask(f flow.Field, explanation string, set func(value string, chosen []string) error) error {
	for {
		text, err := a.line(promptOf(f))
		if err != nil || text == "" {
			return err
		}
		if text == "?" {
			a.say("%s", explanation)
			continue
		}
		value, chosen, err := answer(f, text)
		if err == nil {
			err = set(value, chosen)
		}
		if err == nil {
			return nil
		}
		a.say("%s", err)
	}
}

// promptOf returns a field's label with its current value.
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
	case f.Kind == flow.Text && f.Proposal() != "":
		return label + " (" + f.Proposal() + ")"
	}
	if len(now) > 0 {
		label += " (now " + strings.Join(now, ", ") + ")"
	}
	return label
}

// answer parses what was typed for a field: a text, or the numbers of options, which are
// returned by their keys.
func answer(f flow.Field, text string) (value string, chosen []string, err error) {
	switch {
	case text == "none" && f.Kind != flow.Choice:
		return "", []string{}, nil
	case f.Kind == flow.Text:
		return text, nil, nil
	case f.Kind == flow.Choice && strings.Contains(text, ","):
		return "", nil, errors.New("choose one")
	}
	for part := range strings.SplitSeq(text, ",") {
		i, err := parseNumber(f.Options, strings.TrimSpace(part))
		if err != nil {
			return "", nil, err
		}
		chosen = append(chosen, f.Options[i].Key)
	}
	return chosen[0], chosen, nil
}

// offer prints the options, each with its number.
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

// parseNumber returns the index of the option whose number was typed.
func parseNumber(options []prose.Option, text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > len(options) {
		return 0, fmt.Errorf("%s is not one of the numbers 1 to %d", phrase.Quote(text), len(options))
	}
	if reason := options[n-1].Disabled; reason != "" {
		return 0, fmt.Errorf("%d is not available: %s", n, reason)
	}
	return n - 1, nil
}

// choice is a numbered action; disabled is why it is not available.
type choice struct {
	title, disabled string
	do              func() error
}

func asOptions(choices []choice) []prose.Option {
	options := make([]prose.Option, len(choices))
	for i, c := range choices {
		options[i] = prose.Option{Title: c.title, Disabled: c.disabled}
	}
	return options
}
