package lines

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gatewright/flow"
	"gatewright/flow/request"
	"gatewright/internal/text/prose"
)

// errEnded is the error if the input ends before the request is complete.
var errEnded = errors.New("the input ended before the request was filled in; nothing was sent")

// testConsole asks for requests, sends them and prints the answers.
type testConsole struct {
	asker
	snapshot *request.Snapshot
	form     request.Form
	// chosen says that the method of the form was answered here, and not filled in.
	chosen bool
	// callers are the options for who calls in the environment callersOf.
	callers   []prose.Option
	callersOf string
	// last is the last exchange, previous the one before it.
	last, previous *request.Exchange
	// confirmed has the environments that requests may be sent to without asking again.
	confirmed map[string]bool
}

// Console runs the test console in plain lines: it asks for a request, sends it and prints
// the answer, until quit is answered. It is an error if the input ends before a request is
// complete, but not if it ends after an answer.
// hidden asks a question whose answer the terminal does not show; nil where there is no terminal.
// lookup knows the environment variables; nil is os.LookupEnv.
func Console(
	in io.Reader, out io.Writer, hidden func(question string) (string, error), lookup func(name string) (string, bool),
	dir string, start request.Form,
) error {
	asker := newAsker(in, out, errEnded)
	asker.hidden, asker.lookup = hidden, lookup
	return console(asker, dir, start)
}

// console is Console for an asker that the caller goes on to use.
func console(asker asker, dir string, start request.Form) error {
	snapshot, err := request.Read(dir)
	if err != nil {
		return err
	}
	c := &testConsole{asker: asker, snapshot: snapshot, form: snapshot.Begin(start), confirmed: make(map[string]bool)}
	snapshot.Lookup = asker.lookup
	if err := snapshot.Unusable(c.form); err != nil {
		return err
	}
	snapshot.AskWith(c.secret)
	c.say("The test console in plain lines. Answer with a number or a text. An empty answer keeps the value, none " +
		"clears it. < goes back, quit leaves, ? explains.")
	if snapshot.Down == nil {
		c.say("The sandbox listens at %s.", snapshot.Status.Address)
	}
	if c.form.Cloud {
		c.say("The environment %s is in AWS, and requests to it go there.", c.form.Environment)
	}
	err = c.fill()
	for err == nil {
		err = c.next()
	}
	if errors.Is(err, ErrLeft) {
		return nil
	}
	return err
}

// fill asks for every row of the form that has more than one possible value.
func (c *testConsole) fill() error {
	for i := 0; ; {
		// The rows are made again each time: after a header there is a row for another one.
		rows := slices.DeleteFunc(c.form.Rows(), func(r request.Row) bool {
			return len(c.options(r)) == 1 || r.Kind == request.CallerRow && c.form.Test
		})
		if i >= len(rows) {
			return nil
		}
		switch err := c.row(rows[i]); {
		case errors.Is(err, errBack):
			i = max(0, i-1)
		case err != nil:
			return err
		default:
			i++
		}
	}
}

// options returns the options of a row; none if the row is a text. The callers of an
// environment are read once.
func (c *testConsole) options(r request.Row) []prose.Option {
	if r.Kind != request.CallerRow {
		return c.snapshot.Options(c.form, r.Kind)
	}
	if c.callersOf != c.form.Environment {
		callers, err := c.snapshot.People(context.Background(), c.snapshot.EnvironmentOf(c.form))
		if err != nil {
			c.say("The users cannot be listed: %v", err)
		}
		c.callers, c.callersOf = callers, c.form.Environment
	}
	return c.callers
}

// row asks for a row of the form until the answer is valid.
func (c *testConsole) row(r request.Row) error {
	field := flow.Field{Label: r.Label, Value: strings.Join(strings.Fields(r.Value), " "), Options: c.options(r)}
	explanation := "Example: " + r.Placeholder
	switch {
	case len(field.Options) > 0:
		field.Kind, field.Value = flow.Choice, r.Value
		explanation = numbersOf(field.Options)
	case r.Kind == request.BelowRow:
		explanation = "What follows the path in the URL, such as /1/cover."
	case r.Kind == request.BodyRow:
		explanation = `One line, such as {"title": "Emma"}. Its Content-Type is application/json unless you add a header Content-Type.`
	}
	c.offer(field.Options)
	return c.ask(field, explanation, func(value string, _ []string) error {
		if err := r.Check(value); err != nil {
			return err
		}
		c.chosen = c.chosen || r.Kind == request.MethodRow && value != c.form.Method
		r.Set(value)
		c.snapshot.Complete(&c.form)
		return nil
	})
}

func numbersOf(options []prose.Option) string {
	return fmt.Sprintf("Answer with one of the numbers 1 to %d.", len(options))
}

// next prints the request, asks what to do with it, and does that.
func (c *testConsole) next() error {
	c.say("\n%s", c.form.Summary())
	if text, allowed := c.snapshot.Verdict(c.form); text != "" && c.form.As.User == "" {
		verdict := "It will be refused: "
		if allowed {
			verdict = "Allowed: "
		}
		c.say("%s%s.", verdict, text)
	}
	disabled := ""
	if c.previous == nil {
		disabled = "there is no earlier response"
	}
	choices := []choice{
		{title: "Send the request", do: c.send},
		{title: "Change the request", do: c.fill},
		{title: "Fill in an earlier request", do: c.earlier},
		{title: "Show the request as a curl command", do: c.curl},
		{title: "Save the request as the function's event.json", do: c.save},
		{title: "Compare the response with the previous one", disabled: disabled, do: c.compare},
		{title: "Fill in a saved request, or event.json", do: c.imports},
		{title: "Save the request as a file of the project", do: c.saveRequest},
		{title: "Leave", do: func() error { return ErrLeft }},
	}
	options := asOptions(choices)
	c.offer(options)
	for {
		text, err := c.line("What now")
		switch {
		case errors.Is(err, errEnded):
			return ErrLeft
		case errors.Is(err, errBack):
			return c.fill()
		case err != nil:
			return err
		case text == "?" || text == "":
			c.say("%s", numbersOf(options))
			continue
		}
		i, err := parseNumber(options, text)
		if err == nil {
			return choices[i].do()
		}
		c.say("%s", err)
	}
}

// send sends the request, after a confirmation if the environment needs one.
func (c *testConsole) send() error {
	if _, err := c.form.Request(); err != nil {
		return c.note("Not yet: %v", err)
	}
	if c.form.Deletes() && !c.chosen {
		c.say("%s", c.form.DeleteQuestion())
		if confirmed, err := c.confirm(""); err != nil || !confirmed {
			return err
		}
		c.chosen = true
	}
	if text, word := c.snapshot.Agreement(c.form, c.confirmed[c.form.Environment]); text != "" {
		c.say("%s", text)
		confirmed, err := c.confirm(word)
		if err != nil || !confirmed {
			return err
		}
		c.confirmed[c.form.Environment] = true
	}
	exchange, err := c.snapshot.Send(context.Background(), c.form)
	if err != nil {
		if exchange.Unanswered {
			err = errors.Join(err, c.snapshot.Record(exchange))
		}
		return c.note("There was no response: %v", err)
	}
	c.previous, c.last = c.last, &exchange
	c.print(request.Describe(exchange))
	if err := c.snapshot.Record(exchange); err != nil {
		c.say("The request cannot be saved in the history: %v", err)
	}
	return nil
}

// confirm asks for a yes, or for the name of a guarded environment.
func (c *testConsole) confirm(word string) (bool, error) {
	prompt, wanted := "Send it, yes or no", "yes"
	if word != "" {
		prompt, wanted = "Type "+word+" to send it", word
	}
	text, err := c.line(prompt)
	if errors.Is(err, errBack) {
		return false, nil
	}
	if err == nil && text != wanted {
		c.say("Not sent.")
	}
	return text == wanted, err
}

func (c *testConsole) print(lines []prose.Line) {
	for _, line := range lines {
		if line.Tone == prose.Title {
			c.say("\n%s:", line.Text)
		} else {
			c.say("%s", line.Text)
		}
	}
}

func (c *testConsole) compare() error {
	c.print(request.Compare(*c.previous, *c.last))
	return nil
}

func (c *testConsole) curl() error {
	command, note, err := c.snapshot.Curl(c.form)
	if err != nil {
		return c.note("Not yet: %v", err)
	}
	c.say("%s", command)
	if note != "" {
		c.say("%s.", note)
	}
	return nil
}

// save writes the request as an event.json. It asks before it replaces a file.
func (c *testConsole) save() error {
	s, err := c.snapshot.PlanEvent(c.form)
	if err != nil {
		return c.note("Not yet: %v", err)
	}
	return c.write(s)
}
