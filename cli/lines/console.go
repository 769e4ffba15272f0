package lines

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gatewright/flow"
	"gatewright/prose"
	"gatewright/request"
)

// errEnded is the end of the input where an answer was needed.
var errEnded = errors.New("the input ended before the request was filled in; nothing was sent")

// consoler asks for requests and tells their answers.
type consoler struct {
	asker
	world  *request.Snapshot
	form   request.Form
	people []prose.Option
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
func Console(in io.Reader, out io.Writer, dir string, start request.Form) error {
	return console(newAsker(in, out, errEnded), dir, start)
}

// console is Console for input that others read from too.
func console(asker asker, dir string, start request.Form) error {
	w, err := request.Read(dir)
	if err != nil {
		return err
	}
	if w.Down != nil {
		return w.Down
	}
	c := &consoler{asker: asker, world: w, form: w.Begin(start), agreed: make(map[string]bool)}
	c.say("The test console in plain lines. Answer with a number or a text; empty keeps what is said, none empties it. < goes back, quit leaves, ? explains.")
	c.say("The sandbox answers at %s.", w.Status.Address)
	err = c.fill()
	for err == nil {
		err = c.next()
	}
	if errors.Is(err, ErrLeft) {
		return nil
	}
	return err
}

// fill asks for everything that has more than one answer, back and forth.
func (c *consoler) fill() error {
	for i := 0; ; {
		// After a header there is one more to ask for.
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

// options are what may be chosen for a row; none where a text is asked for. Who may
// call in an environment is found out once.
func (c *consoler) options(r request.Row) []prose.Option {
	if r.Kind != request.CallerRow {
		return c.world.Options(c.form, r.Kind)
	}
	if c.of != c.form.Environment {
		people, err := c.world.People(context.Background(), c.world.EnvironmentOf(c.form))
		if err != nil {
			c.say("Users are not listed: %v", err)
		}
		c.people, c.of = people, c.form.Environment
	}
	return c.people
}

// row asks for a row of the form until the answer is good.
func (c *consoler) row(r request.Row) error {
	field := flow.Field{Label: r.Label, Value: strings.Join(strings.Fields(r.Value), " "), Options: c.options(r)}
	explained := "Such as " + r.Placeholder + "."
	switch {
	case len(field.Options) > 0:
		field.Kind, field.Value = flow.Choice, r.Value
		explained = numbersOf(field.Options)
	case r.Kind == request.BelowRow:
		explained = "Such as /1/cover, which follows the path."
	case r.Kind == request.BodyRow:
		explained = `One line, such as {"title": "Emma"}. A Content-Type of application/json is sent with it unless a header says another.`
	}
	c.offer(field.Options)
	return c.ask(field, explained, func(value string, _ []string) error {
		if err := r.Check(value); err != nil {
			return err
		}
		r.Set(value)
		c.world.Complete(&c.form)
		return nil
	})
}

func numbersOf(options []prose.Option) string {
	return fmt.Sprintf("Answer with one of the numbers 1 to %d.", len(options))
}

// next says what would be sent, and does what is chosen.
func (c *consoler) next() error {
	c.say("\n%s", c.form.Summary())
	if text, allowed := c.world.Verdict(c.form); text != "" && c.form.As.User == "" {
		word := "Will be refused: "
		if allowed {
			word = "Allowed: "
		}
		c.say("%s%s.", word, text)
	}
	none := ""
	if c.before == nil {
		none = "there is no answer before"
	}
	choices := []choice{
		{title: "Send it", do: c.send},
		{title: "Change it", do: c.fill},
		{title: "Fill in one that was sent before, or event.json", do: c.earlier},
		{title: "Show it as a command of curl", do: c.curl},
		{title: "Save it as the function's event.json", do: c.save},
		{title: "Compare the answer with the one before", closed: none, do: c.compare},
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
		i, err := numbered(options, text)
		if err == nil {
			return choices[i].do()
		}
		c.say("%s", err)
	}
}

// send sends the request, after a yes or a name where one is needed.
func (c *consoler) send() error {
	if _, err := c.form.Request(); err != nil {
		return c.note("Not yet: %v", err)
	}
	if text, word := c.world.Agreement(c.form, c.agreed[c.form.Environment]); text != "" {
		c.say("%s", text)
		agreed, err := c.agree(word)
		if err != nil || !agreed {
			return err
		}
		c.agreed[c.form.Environment] = true
	}
	now, err := c.world.Send(context.Background(), c.form)
	if err != nil {
		return c.note("It was not answered: %v", err)
	}
	c.before, c.last = c.last, &now
	c.tell(request.Describe(now))
	if err := c.world.Record(now); err != nil {
		c.say("The request is not kept: %v", err)
	}
	return nil
}

// agree asks for a yes, or for the name of a guarded environment.
func (c *consoler) agree(word string) (bool, error) {
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

func (c *consoler) tell(lines []prose.Line) {
	for _, line := range lines {
		if line.Tone == prose.Title {
			c.say("\n%s:", line.Text)
		} else {
			c.say("%s", line.Text)
		}
	}
}

func (c *consoler) compare() error {
	c.tell(request.Compare(*c.before, *c.last))
	return nil
}

func (c *consoler) curl() error {
	command, note, err := c.world.Curl(c.form)
	if err != nil {
		return c.note("Not yet: %v", err)
	}
	c.say("%s", command)
	if note != "" {
		c.say("%s.", note)
	}
	return nil
}

// earlier fills in what was sent before.
func (c *consoler) earlier() error {
	options, fill := c.world.Earlier(c.form)
	if len(options) == 0 {
		return c.note("There is nothing to fill in.")
	}
	c.offer(options)
	text, err := c.line("Which one")
	if errors.Is(err, errBack) || err == nil && text == "" {
		return nil
	}
	if err != nil {
		return err
	}
	i, err := numbered(options, text)
	if err != nil {
		return c.note("%v", err)
	}
	form, err := fill(options[i].Key)
	if err != nil {
		return c.note("%v", err)
	}
	c.form = form
	return nil
}

// save saves the request as an event.json, after a yes where one is replaced.
func (c *consoler) save() error {
	s, err := c.world.PlanEvent(c.form)
	if err != nil {
		return c.note("Not yet: %v", err)
	}
	if s.Diff == "" {
		return c.note("%s has this request already.", s.Name)
	}
	if s.Replaces {
		c.say("%s", strings.TrimSpace(s.Diff))
		text, err := c.line("Replace " + s.Name + ", yes or no")
		if err != nil && !errors.Is(err, errBack) {
			return err
		}
		if !slices.Contains([]string{"yes", "y"}, text) {
			return c.note("Not written.")
		}
	}
	if err := s.Write(); err != nil {
		return c.note("Not written: %v", err)
	}
	return c.note("%s is written.", s.Name)
}
