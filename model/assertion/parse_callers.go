package assertion

import (
	"slices"
	"strings"
)

// subject reads callers.
func (p *parser) subject() callers {
	var c callers
	for {
		p.oneCaller(&c)
		if !p.more() {
			return c
		}
	}
}

func (p *parser) oneCaller(c *callers) {
	first := p.next().text
	switch {
	case p.take("guest|guests"):
		c.guests, c.words = true, append(c.words, first)
	case p.take("everybody|everyone|anybody|anyone"):
		c.guests, c.users, c.words = true, true, append(c.words, first)
	case p.take("signed-in|authenticated", "user|users", "in", "no", "group"):
		c.groupless = true
	case p.take("signed-in|authenticated", "user|users"):
		c.users = true
	case p.take("authenticated"):
		c.users, c.words = true, append(c.words, first)
	default:
		_ = p.take("members", "of")
		name := p.next()
		text, prefixed := strings.CutPrefix(name.text, "group:")
		reserved := []string{
			"", ",", "and", "or", "but", "except", "may", "never", "only", "nobody", "no", "can", "cannot",
			"must", "under", "below",
		}
		if p.done() || !name.quoted && !prefixed && slices.Contains(reserved, strings.ToLower(text)) || text == "" ||
			strings.HasPrefix(name.text, "/") && !name.quoted {
			p.fail("expects whom it is about: guests, signed-in users, everybody or the name of a group")
			return
		}
		if name.quoted {
			text = name.text
		}
		p.at++
		c.groups = append(c.groups, text)
	}
}
