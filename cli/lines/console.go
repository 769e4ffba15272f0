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
	world  *request.World
	form   request.Form
	people []request.Option
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
	return console(newAsker(in, out, errEnded), dir, start)
}

// console is Console for input that others read from too.
func console(asker asker, dir string, start request.Start) error {
	w, err := request.Look(dir)
	if err != nil {
		return err
	}
	if w.Down != nil {
		return w.Down
	}
	c := &consoler{asker: asker, world: w, form: w.Begin(start), agreed: make(map[string]bool)}
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

// fill asks for everything that has more than one answer, back and forth.
func (c *consoler) fill() error {
	for i := 0; ; {
		if c.of != c.form.Environment {
			c.look()
		}
		// After a header there is one more to ask for.
		questions := slices.DeleteFunc(c.world.Questions(c.form, c.people), func(q request.Question) bool { return len(q.Options) == 1 })
		if i >= len(questions) {
			return nil
		}
		switch err := c.question(questions[i]); {
		case errors.Is(err, errBack):
			i = max(0, i-1)
		case err != nil:
			return err
		default:
			i++
		}
	}
}

// look finds out who may call in the environment at hand.
func (c *consoler) look() {
	people, err := c.world.People(context.Background(), c.world.Environment(c.form.Environment))
	if err != nil {
		c.say("Users are not listed: %v", err)
	}
	c.people, c.of = people, c.form.Environment
}

// question asks one question until the answer is good.
func (c *consoler) question(q request.Question) error {
	field := flow.Field{Label: q.Label, Value: strings.Join(strings.Fields(q.Value), " ")}
	explained := "Such as " + q.Help + "."
	switch {
	case len(q.Options) > 0:
		field.Kind, field.Value, field.Options = flow.Choice, q.Value, optionsOf(q.Options)
		explained = numbersOf(field.Options)
	case q.Lines:
		explained = "One line, such as " + q.Help + ". A Content-Type of application/json is sent with it unless a header says another."
	}
	c.offer(field.Options)
	return c.ask(field, explained, func(value string, _ []string) error {
		err := q.Check(value)
		if err == nil {
			c.world.Answer(&c.form, q.Row, value)
		}
		return err
	})
}

func optionsOf(items []request.Option) []flow.Option {
	var options []flow.Option
	for _, item := range items {
		options = append(options, flow.Option{Key: item.ID, Title: item.Label, Detail: item.Note, Disabled: item.Disabled})
	}
	return options
}

func numbersOf(options []flow.Option) string {
	return fmt.Sprintf("Answer with one of the numbers 1 to %d.", len(options))
}

// next says what would be sent, and does what is chosen.
func (c *consoler) next() error {
	c.say("\n%s", c.form.Words())
	if text, allowed := c.world.Verdict(c.form, nil); text != "" && c.form.As.User == "" {
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
	c.tell(request.Tell(now))
	if world, err := c.world.Keep(now); err != nil {
		c.say("The request is not kept: %v", err)
	} else {
		c.world = world
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
	items := c.world.Earlier(c.form)
	if len(items) == 0 {
		return c.note("There is nothing to fill in.")
	}
	options := optionsOf(items)
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
	form, err := c.world.FillIn(c.form, options[i].Key)
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
	if s.Same() {
		return c.note("%s has this request already.", s.Name())
	}
	if s.Replaces() {
		c.say("%s", strings.TrimSpace(s.Diff()))
		text, err := c.line("Replace " + s.Name() + ", yes or no")
		if err != nil && !errors.Is(err, errBack) {
			return err
		}
		if !slices.Contains([]string{"yes", "y"}, text) {
			return c.note("Not written.")
		}
	}
	if err := c.world.Save(s); err != nil {
		return c.note("Not written: %v", err)
	}
	return c.note("%s is written.", s.Name())
}
