package assertion

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gatewright/model"
)

// Grammar describes the sentences, one form a line, for helps and errors.
const Grammar = `guests never DELETE
Editors may PUT /books/*
guests may only GET under /books and /covers
signed-in users but Admins never DELETE
nobody but Admins under /admin except /admin/login
everybody may GET /health
no path is open but /health because only the load balancer asks it`

// Misread is the error of a sentence that is not one.
type Misread struct {
	// Column is where, in characters from 1.
	Column int
	Text   string
}

// Error returns the error as one line.
func (m *Misread) Error() string {
	return fmt.Sprintf("column %d of the test %s; a test is a sentence such as: guests never DELETE", m.Column, m.Text)
}

// word is a word of a sentence, or a comma.
type word struct {
	text   string
	quoted bool
	column int
}

// is reports whether the word is one of these, in capitals or not.
func (w word) is(words ...string) bool {
	return !w.quoted && slices.ContainsFunc(words, func(one string) bool { return strings.EqualFold(w.text, one) })
}

// Parse reads a sentence.
//
// It begins with callers, joined by commas, and, or: guests; signed-in users; signed-in users in
// no group; everybody; the name of a group, also as group:NAME, in double quotes, or after members
// of. "but" leaves others out. Then comes what they may: may; may only; never, also as may not,
// cannot, must not. "nobody but Admins" says that all others may never. "no path is open" is about
// paths that are open to everybody.
//
// Then come methods or actions, all if there are none, and paths: /books, under /books with
// everything below it, below /books or /books/* without /books itself; {name} stands for one segment
// of any text. "except" or "but" leaves paths out, and "of API shop" the other APIs. What follows
// "because" is for people.
//
// The error is a *Misread.
func Parse(text string) (Statement, error) {
	words, misread := split(text)
	if misread != nil {
		return Statement{}, misread
	}
	p := &parser{words: words, end: utf8.RuneCountInString(text) + 1}
	because := ""
	if i := slices.IndexFunc(words, func(w word) bool { return w.is("because") }); i > 0 {
		p.words, p.end = words[:i], words[i].column
		because = strings.TrimSpace(string([]rune(text)[words[i].column+len("because")-1:]))
	}
	s := p.sentence()
	s.Because = because
	if p.misread == nil && !p.done() {
		p.fail("expects a method, an action or a path, not %s", model.Quote(p.next().text))
	}
	if p.misread != nil {
		return Statement{}, p.misread
	}
	return s, nil
}

// split returns the words of a sentence, as far as because: what follows is for people.
func split(text string) ([]word, *Misread) {
	var words []word
	runes := []rune(text)
	for i := 0; i < len(runes); {
		switch r := runes[i]; {
		case unicode.IsSpace(r):
			i++
		case r == ',':
			words = append(words, word{text: ",", column: i + 1})
			i++
		case r == '"':
			end := slices.Index(runes[i+1:], '"')
			if end < 0 {
				return nil, &Misread{Column: i + 1, Text: "has a quote without an end"}
			}
			words = append(words, word{text: string(runes[i+1 : i+1+end]), quoted: true, column: i + 1})
			i += end + 2
		default:
			end := i
			for end < len(runes) && !unicode.IsSpace(runes[end]) && !(runes[end] == ',' && (end+1 == len(runes) || unicode.IsSpace(runes[end+1]))) {
				end++
			}
			words = append(words, word{text: string(runes[i:end]), column: i + 1})
			if i = end; len(words) > 1 && words[len(words)-1].is("because") {
				return words, nil
			}
		}
	}
	if last := len(words) - 1; last >= 0 && !words[last].quoted && !strings.HasPrefix(words[last].text, "/") {
		if words[last].text = strings.TrimSuffix(words[last].text, "."); words[last].text == "" {
			words = words[:last]
		}
	}
	return words, nil
}

// parser reads words. After the first fault it reads no more.
type parser struct {
	words   []word
	at, end int
	misread *Misread
}

func (p *parser) done() bool { return p.misread != nil || p.at >= len(p.words) }

// next returns the next word without taking it; it has no text at the end.
func (p *parser) next() word {
	if p.done() {
		return word{column: p.end}
	}
	return p.words[p.at]
}

// take takes the next words if they are these; each may be one of several, with | between them.
func (p *parser) take(phrase ...string) bool {
	if p.misread != nil || len(p.words)-p.at < len(phrase) {
		return false
	}
	for i, one := range phrase {
		if !p.words[p.at+i].is(strings.Split(one, "|")...) {
			return false
		}
	}
	p.at += len(phrase)
	return true
}

func (p *parser) fail(format string, args ...any) {
	if p.misread == nil {
		p.misread = &Misread{Column: p.next().column, Text: fmt.Sprintf(format, args...)}
	}
}

func (p *parser) sentence() Statement {
	switch {
	case p.take("no", "path"):
		return p.openPaths()
	case p.take("nobody"), p.take("no", "one"), p.take("no-one"):
		s := Statement{claim: never, callers: everybody()}
		if p.take("but|except") {
			but := p.subject()
			s.callers.but = &but
		}
		_ = p.take("may|can")
		p.doing(&s)
		return s
	case p.take("only"):
		but := p.subject()
		if !p.take("may|can") {
			p.fail("expects may")
		}
		s := Statement{claim: never, callers: everybody()}
		s.callers.but = &but
		p.doing(&s)
		return s
	}
	s := Statement{callers: p.subject()}
	if p.take("but|except") {
		but := p.subject()
		s.callers.but = &but
	}
	switch {
	case p.take("may|can", "only"):
		s.claim = mayOnly
	case p.take("may|must|can", "not|never"), p.take("never", "may"), p.take("never"), p.take("cannot"):
		s.claim = never
	case p.take("may|can"):
		s.claim = may
	default:
		p.fail("expects may, may only or never after those whom it is about")
	}
	p.doing(&s)
	return s
}

// openPaths reads the rest of "no path is open".
func (p *parser) openPaths() Statement {
	s := Statement{claim: notOpen, callers: everybody()}
	if !p.next().is("is") {
		s.where = p.places()
	}
	if !p.take("is", "open") {
		p.fail("expects: no path is open")
	}
	p.exceptions(&s)
	p.ofAPI(&s)
	return s
}

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

// more takes what joins two things of a list.
func (p *parser) more() bool {
	if p.take(",", "and|or") || p.take(",") || p.take("and|or") {
		return true
	}
	return false
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
		reserved := []string{"", ",", "and", "or", "but", "except", "may", "never", "only", "nobody", "no", "can", "cannot", "must", "under", "below"}
		if p.done() || !name.quoted && !prefixed && slices.Contains(reserved, strings.ToLower(text)) || text == "" || strings.HasPrefix(name.text, "/") && !name.quoted {
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
	if action, ok := model.ParseAction(w.text); ok {
		return action.Methods()
	}
	if upper := strings.ToUpper(w.text); slices.Contains(model.Methods, upper) && upper != "OPTIONS" {
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
			p.fail("has the path %s, which %s", model.Quote(w.text), fault)
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
