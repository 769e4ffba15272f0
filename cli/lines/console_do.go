package lines

import (
	"context"
	"errors"
	"slices"
	"strings"

	"gatewright/prose"
	"gatewright/request"
)

// What can be done with a request that is filled in.
const (
	doSend    = "send"
	doChange  = "change"
	doEarlier = "earlier"
	doCurl    = "curl"
	doSave    = "save"
	doCompare = "compare"
	doLeave   = "leave"
)

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
	items := []request.Option{
		{ID: doSend, Label: "Send it"},
		{ID: doChange, Label: "Change it"},
		{ID: doEarlier, Label: "Fill in one that was sent before, or event.json"},
		{ID: doCurl, Label: "Show it as a command of curl"},
		{ID: doSave, Label: "Save it as the function's event.json"},
		{ID: doCompare, Label: "Compare the answer with the one before", Disabled: none},
		{ID: doLeave, Label: "Leave"},
	}
	for i, item := range items {
		note := ""
		if item.Disabled != "" {
			note = "not available: " + item.Disabled
		}
		c.say("  %d. %s%s", i+1, item.Label, withNote(note))
	}
	for {
		text, err := c.answered("What now")
		switch {
		case errors.Is(err, errEnded):
			return ErrLeft
		case errors.Is(err, errBack):
			return c.fill()
		case err != nil:
			return err
		case text == "?" || text == "":
			c.say("Answer with one of the numbers 1 to %d.", len(items))
			continue
		}
		chosen, err := numbered(items, text)
		if err == nil {
			return c.do(chosen)
		}
		c.say("%s", err)
	}
}

func (c *consoler) do(chosen string) error {
	switch chosen {
	case doChange:
		return c.fill()
	case doEarlier:
		return c.earlier()
	case doCurl:
		command, note, err := c.world.Curl(c.form)
		if err != nil {
			c.say("Not yet: %v", err)
			return nil
		}
		c.say("%s", command)
		if note != "" {
			c.say("%s.", note)
		}
	case doSave:
		return c.save()
	case doCompare:
		c.tell(request.Compare(*c.before, *c.last))
	case doLeave:
		return ErrLeft
	default:
		return c.send()
	}
	return nil
}

// send sends the request, after a yes or a name where one is needed.
func (c *consoler) send() error {
	if _, err := c.form.Request(); err != nil {
		c.say("Not yet: %v", err)
		return nil
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
		c.say("It was not answered: %v", err)
		return nil
	}
	c.before, c.last = c.last, &now
	c.tell(request.Tell(now))
	return c.keep(now)
}

// keep keeps the request for another time.
func (c *consoler) keep(now request.Exchange) error {
	world, err := c.world.Keep(now)
	if err != nil {
		c.say("The request is not kept: %v", err)
		return nil
	}
	c.world = world
	return nil
}

// agree asks for a yes, or for the name of a guarded environment.
func (c *consoler) agree(word string) (bool, error) {
	prompt, wanted := "Send it, yes or no", "yes"
	if word != "" {
		prompt, wanted = "Type "+word+" to send it", word
	}
	text, err := c.answered(prompt)
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
			continue
		}
		c.say("%s", line.Text)
	}
}

// earlier fills in what was sent before.
func (c *consoler) earlier() error {
	items := c.world.Earlier(c.form)
	if len(items) == 0 {
		c.say("There is nothing to fill in.")
		return nil
	}
	for i, item := range items {
		c.say("  %d. %s%s", i+1, item.Label, withNote(item.Note))
	}
	text, err := c.answered("Which one")
	if errors.Is(err, errBack) || err == nil && text == "" {
		return nil
	}
	if err != nil {
		return err
	}
	id, err := numbered(items, text)
	if err == nil {
		var form request.Form
		if form, err = c.world.FillIn(c.form, id); err == nil {
			c.form = form
			return nil
		}
	}
	c.say("%v", err)
	return nil
}

// save saves the request as an event.json, after a yes where one is replaced.
func (c *consoler) save() error {
	s, err := c.world.PlanEvent(c.form)
	if err != nil {
		c.say("Not yet: %v", err)
		return nil
	}
	if s.Same() {
		c.say("%s has this request already.", s.Name())
		return nil
	}
	if s.Replaces() {
		c.say("%s", strings.TrimSpace(s.Diff()))
		text, err := c.answered("Replace " + s.Name() + ", yes or no")
		if err != nil && !errors.Is(err, errBack) {
			return err
		}
		if !slices.Contains([]string{"yes", "y"}, text) {
			c.say("Not written.")
			return nil
		}
	}
	if err := c.world.Save(s); err != nil {
		c.say("Not written: %v", err)
		return nil
	}
	c.say("%s is written.", s.Name())
	return nil
}
