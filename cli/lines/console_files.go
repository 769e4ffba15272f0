package lines

import (
	"errors"
	"slices"
	"strings"

	"gatewright/flow/request"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
)

// mostEarlier is how many earlier requests are offered, since all of them are read aloud.
const mostEarlier = 20

// earlier fills in the form from an earlier request.
func (c *testConsole) earlier() error {
	options, fill := c.snapshot.Earlier(c.form)
	if len(options) == 0 {
		return c.note("There is no earlier request.")
	}
	if all := len(options); all > mostEarlier {
		options = options[:mostEarlier]
		c.say("The latest %d of %d:", mostEarlier, all)
	}
	return c.fillFrom(options, func(id string) (request.Form, error) {
		form, lacks, err := fill(id)
		if len(lacks) > 0 {
			c.say("Not kept, fill in again: %s.", phrase.List(lacks))
		}
		return form, err
	})
}

// imports fills in the form from a saved request or an event.json.
func (c *testConsole) imports() error {
	options, fill, problems := c.snapshot.Imports(c.form)
	for _, problem := range problems {
		c.say("Not offered: %v", problem)
	}
	if len(options) == 0 {
		return c.note("There is no saved request and no event.json.")
	}
	return c.fillFrom(options, func(id string) (request.Form, error) {
		form, _, err := fill(id)
		return form, err
	})
}

// fillFrom asks for an option, and fills in the form that it stands for.
func (c *testConsole) fillFrom(options []prose.Option, fill func(id string) (request.Form, error)) error {
	c.offer(options)
	text, err := c.line("Which one")
	if errors.Is(err, errBack) || err == nil && text == "" {
		return nil
	}
	if err != nil {
		return err
	}
	i, err := parseNumber(options, text)
	if err != nil {
		return c.note("%v", err)
	}
	form, err := fill(options[i].Key)
	if err != nil {
		return c.note("%v", err)
	}
	c.form, c.chosen = form, false
	return nil
}

// saveRequest saves the form as a file of the project, with the last answer if it is to this
// request.
func (c *testConsole) saveRequest() error {
	name, err := c.line("Its name")
	if errors.Is(err, errBack) || err == nil && name == "" {
		return nil
	}
	if err != nil {
		return err
	}
	plan, err := c.snapshot.PlanSaved(name, c.form, request.KeepOf(c.last, c.form))
	if err != nil {
		return c.note("Not yet: %v", err)
	}
	return c.write(plan)
}

// write writes a planned file, and asks before it replaces one.
func (c *testConsole) write(plan request.FilePlan) error {
	if plan.Diff == "" {
		return c.note("%s already has this request.", plan.Name)
	}
	if plan.Replaces {
		c.say("%s", strings.TrimSpace(plan.Diff))
		text, err := c.line("Replace " + plan.Name + ", yes or no")
		if err != nil && !errors.Is(err, errBack) {
			return err
		}
		if !slices.Contains([]string{"yes", "y"}, text) {
			return c.note("Not written.")
		}
	}
	if err := plan.Write(); err != nil {
		return c.note("Not written: %v", err)
	}
	return c.note("%s is written.", plan.Name)
}
