package assertion

import "strings"

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
	case p.take("members", "of", "both"), p.take("a", "member", "of", "both"):
		p.both(c)
	case p.next().is("user") && p.at+1 < len(p.words) && !p.words[p.at+1].isReserved():
		p.at += 2
		switch {
		case p.take("in", "both"):
			p.both(c)
		case p.take("in"):
			p.oneCaller(c)
		default:
			// Whichever groups they are in, they act as one of the signed-in users.
			c.users = true
		}
	case p.take("authenticated"):
		c.users, c.words = true, append(c.words, first)
	default:
		_ = p.take("members", "of") || p.take("a", "member", "of")
		if group := p.group(); group != "" {
			c.groups = append(c.groups, group)
		}
	}
}

// both reads two groups, or more, whose members are meant.
func (p *parser) both(c *callers) {
	groups := []string{p.group()}
	for p.take(",") || p.take("and") {
		groups = append(groups, p.group())
	}
	if len(groups) < 2 {
		p.fail("expects two groups: members of both A and B")
	}
	c.together = append(c.together, groups)
}

// group reads the name of a group.
func (p *parser) group() string {
	name := p.next()
	text, prefixed := strings.CutPrefix(name.text, "group:")
	if p.done() || !prefixed && name.isReserved() || text == "" {
		p.fail("expects callers: guests, signed-in users, everybody, user NAME or the name of a group")
		return ""
	}
	if name.quoted {
		text = name.text
	}
	p.at++
	return text
}

// isReserved reports whether the word is none of a name.
func (w word) isReserved() bool {
	return w.text == "" || !w.quoted && strings.HasPrefix(w.text, "/") || w.is(",", "and", "or", "but", "except", "may",
		"never", "only", "nobody", "no", "can", "cannot", "must", "under", "below")
}
