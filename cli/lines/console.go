package lines

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gatewright/model"
	"gatewright/prose"
	"gatewright/request"
)

// errEnded is the end of the input where an answer was needed.
var errEnded = errors.New("the input ended before the request was filled in; nothing was sent")

// consoler asks for requests and tells their answers.
type consoler struct {
	asker
	world  *request.World
	form   request.Form
	people []request.Person
	// of is the environment whose people they are.
	of string
	// last is the last exchange, before the one before it.
	last, before *request.Exchange
	// agreed are the environments that somebody agreed to send to.
	agreed map[string]bool
}

// Console is the test console in plain lines: it asks for a request, sends it and
// tells the answer, until it is left. An input that ends in the middle of a request
// is an error; one that ends after an answer is none.
func Console(in io.Reader, out io.Writer, dir string, start request.Start) error {
	w, err := request.Look(dir)
	if err != nil {
		return err
	}
	if w.Down != nil {
		return w.Down
	}
	c := &consoler{asker: asker{in: bufio.NewScanner(in), out: out}, world: w, form: w.Begin(start), agreed: make(map[string]bool)}
	c.in.Buffer(nil, longestLine)
	c.say("The test console in plain lines. Answer with a number or a text; empty keeps what is said, none empties it. < goes back, quit leaves, ? explains.")
	c.say("The sandbox answers at %s.", w.Address)
	err = c.fill()
	for err == nil {
		err = c.next()
	}
	if errors.Is(err, ErrLeft) {
		return nil
	}
	return err
}

// longestLine is how long an answer may be, in bytes.
const longestLine = 1 << 20

// answered reads an answer. Going back, leaving and the end of the input are errors.
func (c *consoler) answered(prompt string) (string, error) {
	_, _ = fmt.Fprint(c.out, prose.Fit(prompt)+": ")
	if !c.in.Scan() {
		_, _ = fmt.Fprintln(c.out)
		if err := c.in.Err(); err != nil {
			return "", fmt.Errorf("reading an answer: %w", err)
		}
		return "", errEnded
	}
	switch text := strings.TrimSpace(c.in.Text()); text {
	case "<", "back":
		return "", errBack
	case "quit":
		return "", ErrLeft
	default:
		return text, nil
	}
}

// fill asks for everything, back and forth.
func (c *consoler) fill() error {
	for i := 0; ; {
		c.look()
		questions := c.world.Questions(c.form, c.people)
		if i >= len(questions) {
			return nil
		}
		q := questions[i]
		if len(q.Options) == 1 {
			i++
			continue
		}
		switch err := c.ask(q); {
		case errors.Is(err, errBack):
			// What has one answer only is not asked for on the way back either.
			for i = max(0, i-1); i > 0 && len(questions[i].Options) == 1; i-- {
			}
		case err != nil:
			return err
		default:
			// After a header there is one more to ask for.
			i++
		}
	}
}

// look finds out who may call in the environment at hand.
func (c *consoler) look() {
	if c.of == c.form.Environment {
		return
	}
	c.of = c.form.Environment
	var err error
	if c.people, err = c.world.People(context.Background(), c.world.Environment(c.of)); err != nil {
		c.say("Users are not listed: %v", err)
	}
}

// ask asks one question until the answer is good.
func (c *consoler) ask(q request.Question) error {
	prompt := q.Label
	for i, item := range q.Options {
		note := item.Note
		if item.Disabled != "" {
			note = "not available: " + item.Disabled
		}
		c.say("  %d. %s%s", i+1, item.Label, withNote(note))
		if item.ID == q.Value {
			prompt = q.Label + " (now " + strconv.Itoa(i+1) + ")"
		}
	}
	if len(q.Options) == 0 && q.Value != "" {
		prompt += " (now " + strings.Join(strings.Fields(q.Value), " ") + ")"
	}
	for {
		text, err := c.answered(prompt)
		switch {
		case err != nil:
			return err
		case text == "":
			return nil
		case text == "?":
			c.explain(q)
			continue
		case len(q.Options) == 0:
			if text == "none" {
				text = ""
			}
			if err := q.Check(text); err != nil {
				c.say("%v", err)
				continue
			}
			c.world.Answer(&c.form, q.Row, text, c.people)
			return nil
		}
		item, err := numbered(q.Options, text)
		if err != nil {
			c.say("%s", err)
			continue
		}
		c.world.Answer(&c.form, q.Row, item, c.people)
		return nil
	}
}

func (c *consoler) explain(q request.Question) {
	switch {
	case len(q.Options) > 0:
		c.say("Answer with one of the numbers 1 to %d.", len(q.Options))
	case q.Lines:
		c.say("One line, such as %s. A Content-Type of application/json is sent with it unless a header says another.", q.Help)
	default:
		c.say("Such as %s.", q.Help)
	}
}

// numbered is the item of a number.
func numbered(items []request.Option, text string) (string, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > len(items) {
		return "", fmt.Errorf("%s is not one of the numbers 1 to %d", model.Quote(text), len(items))
	}
	if reason := items[n-1].Disabled; reason != "" {
		return "", fmt.Errorf("%d is not available: %s", n, reason)
	}
	return items[n-1].ID, nil
}
