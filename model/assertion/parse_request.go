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
		p.methods(s)
	}
	if p.placeFollows() {
		s.where = p.places()
	}
	p.exceptions(s)
	p.ofAPI(s)
}

func (p *parser) methods(s *Statement) {
	for {
		methods := methodsOf(p.next())
		if methods == nil {
			return
		}
		p.at++
		for _, m := range methods {
			if !slices.Contains(s.methods, m) {
				s.methods = append(s.methods, m)
			}
		}
		before := p.at
		if p.more() && methodsOf(p.next()) == nil {
			p.at = before
			return
		}
	}
}

// methodsOf returns the methods that a word names; nil if it names none.
func methodsOf(w word) []string {
	if w.quoted {
		return nil
	}
	if action, ok := access.ParseAction(w.text); ok {
		return access.Terms{}.Methods(action)
	}
	if upper := strings.ToUpper(w.text); slices.Contains(access.Methods, upper) && upper != "OPTIONS" {
		return []string{upper}
	}
	return nil
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

func (p *parser) ofAPI(s *Statement) {
	if !p.take("of|in", "api") {
		return
	}
	if p.done() {
		p.fail("expects the label of an API")
		return
	}
	s.api = p.next().text
	p.at++
}
