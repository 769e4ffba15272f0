package assertion

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gatewright/internal/text/phrase"
)

// Grammar describes the sentences, one form a line, for helps and errors.
const Grammar = `guests never DELETE
Editors may PUT /books/*
Editors may PATCH but not PUT under /books
members of both Editors and Admins may DELETE under /books
user alice in Editors never DELETE
Editors may no more than signed-in users under /covers
guests may GET of function books
guests never POST in environment prod
every path needs sign-in but /health
at most 2 paths are open
at most 3 paths let guests GET
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

// Parse reads a sentence.
//
// It begins with callers, joined by commas, and, or: guests; signed-in users; signed-in users in no group; everybody;
// user NAME, also in GROUP; the name of a group, also as group:NAME, in double quotes, or after members of; members
// of both A and B. "but" leaves others out. Then comes what they may: may; may only; never, also as may not, cannot,
// must not. "nobody but Admins" says that all others may never. "no path is open" is about paths that are open to
// everybody, as is "every path needs sign-in"; "at most 2 paths" (at least, exactly) "are open" or "let guests GET"
// counts them. "may no more than" compares callers: signed-in users are then those in no group.
//
// Then come methods or actions, all if there are none, and paths: /books, under /books with everything below it,
// below /books or /books/* without /books itself; {name} stands for one segment of any text. "except" or "but" leaves
// paths out, "of API shop" the other APIs, "of function books" paths that it does not serve, and "in environment
// prod" is about what that deploys. What follows "because" is for people.
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
		p.fail("expects a method, an action or a path, not %s", phrase.Quote(p.next().text))
	}
	if p.misread != nil {
		return Statement{}, p.misread
	}
	return s, nil
}

// EnvironmentOf returns the environment that a sentence names; "" if it names none, or is none.
func EnvironmentOf(text string) string {
	s, _ := Parse(text)
	return s.environment
}

// parser reads words. After the first fault it reads nothing more.
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
	case p.take("every|each", "path"):
		return p.signIn()
	case p.take("at", "most|least"), p.take("exactly"):
		return p.counted(p.words[p.at-1])
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
	case p.take("may|can", "no", "more", "than"), p.take("may|can", "do", "no", "more", "than"):
		s.claim, s.others = noMore, p.subject()
		if s.others.users {
			s.others.users, s.others.groupless = false, true
		}
	case p.take("may|can", "only"):
		s.claim = mayOnly
	case p.take("may|must|can", "not|never"), p.take("never", "may"), p.take("never"), p.take("cannot"):
		s.claim = never
	case p.take("may|can"):
		s.claim = may
	default:
		p.fail("expects may, may only, may no more than or never after the callers")
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
	p.within(&s)
	return s
}

// signIn reads the rest of "every path needs sign-in".
func (p *parser) signIn() Statement {
	s := Statement{claim: needSignIn, callers: callers{guests: true}}
	if p.placeFollows() {
		s.where = p.places()
	}
	if !p.take("needs", "sign-in") && !p.take("needs", "a", "sign-in") {
		p.fail("expects: every path needs sign-in")
	}
	p.exceptions(&s)
	p.within(&s)
	return s
}

// counted reads the rest of "at most 2 paths are open" or "at most 2 paths let guests GET".
func (p *parser) counted(bound word) Statement {
	s := Statement{claim: count, most: math.MaxInt}
	n, err := strconv.Atoi(p.next().text)
	if err != nil || n < 0 {
		p.fail("expects a number of paths")
		return s
	}
	p.at++
	if !bound.is("least") {
		s.most = n
	}
	if !bound.is("most") {
		s.least = n
	}
	if !p.take("path|paths") {
		p.fail("expects: paths are open, or: paths let guests GET")
	}
	switch {
	case p.take("is|are", "open"):
		if p.placeFollows() {
			s.where = p.places()
		}
		p.exceptions(&s)
		p.within(&s)
		return s
	case p.take("let|lets"):
		s.callers = p.subject()
	default:
		p.fail("expects: are open, or: let guests GET")
	}
	p.doing(&s)
	return s
}

// more takes what joins two things of a list.
func (p *parser) more() bool {
	if p.take(",", "and|or") || p.take(",") || p.take("and|or") {
		return true
	}
	return false
}
