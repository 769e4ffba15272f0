package assertion

import (
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model/access"
)

// doing reads what callers may do: methods, places, and what is left out.
func (p *parser) doing(s *Statement) {
	if !p.take("anything|everything") && !p.take("do", "anything|everything") {
		from := p.at
		s.methods = p.methods()
		s.updates = slices.ContainsFunc(p.words[from:p.at], func(w word) bool {
			action, ok := access.ParseAction(w.text)
			return ok && action == access.Update
		})
		if s.claim == may && p.take("but", "not") {
			if s.without = p.methods(); s.without == nil {
				p.fail("expects the methods that they may not send")
			}
		}
	}
	if p.placeFollows() {
		s.where = p.places()
	}
	p.exceptions(s)
	p.within(s)
}

func (p *parser) methods() (all []string) {
	for {
		method := methodOf(p.next())
		if method == "" {
			return all
		}
		p.at++
		if !slices.Contains(all, method) {
			all = append(all, method)
		}
		before := p.at
		if p.more() && methodOf(p.next()) == "" {
			p.at = before
			return all
		}
	}
}

// methodOf returns the method that a word names, the first one of an action; "" if it names none.
func methodOf(w word) string {
	if w.quoted {
		return ""
	}
	if action, ok := access.ParseAction(w.text); ok {
		return access.Terms{}.Methods(action)[0]
	}
	if upper := strings.ToUpper(w.text); slices.Contains(access.Methods, upper) && upper != "OPTIONS" {
		return upper
	}
	return ""
}

// prepositions are the words before a path.
var prepositions = []string{"under", "below", "at", "to", "on", "in"}

func (p *parser) placeFollows() bool {
	w := p.next()
	if strings.HasPrefix(w.text, "/") {
		return true
	}
	return p.at+1 < len(p.words) && w.is(prepositions...) && strings.HasPrefix(p.words[p.at+1].text, "/")
}

// places reads paths. A preposition holds for those that follow it.
func (p *parser) places() []place {
	var all []place
	reach := at
	for {
		switch {
		case p.take("under"):
			reach = under
		case p.take("below"):
			reach = below
		case p.take("at|to|on|in"):
			reach = at
		}
		w := p.next()
		if !strings.HasPrefix(w.text, "/") {
			p.fail("expects a path, which begins with /")
			return all
		}
		read, fault := readPlace(w.text, reach)
		if fault != "" {
			p.fail("has the path %s, which %s", phrase.Quote(w.text), fault)
			return all
		}
		p.at++
		if all = append(all, read); len(all) > mostPlaces {
			p.fail("has more than %d paths", mostPlaces)
			return all
		}
		before := p.at
		if !p.more() {
			return all
		}
		if !p.placeFollows() {
			p.at = before
			return all
		}
	}
}

// mostPlaces is how many paths a sentence may have on each side of "except".
const mostPlaces = 32

func (p *parser) exceptions(s *Statement) {
	if p.take("but|except") {
		s.except = p.places()
	}
}

// within reads what limits a test to a part of a backend.
func (p *parser) within(s *Statement) {
	for {
		to := &s.api
		switch {
		case p.take("of|in", "api"):
		case p.take("of|in", "function"):
			to = &s.function
		case p.take("in", "environment"):
			to = &s.environment
		default:
			return
		}
		if p.done() || *to != "" {
			p.fail("expects the name of one API, function or environment")
			return
		}
		*to = p.next().text
		p.at++
	}
}
