package policy

import (
	"slices"
	"strings"
)

// token is a part of a pattern between two slashes.
type token struct {
	kind tokenKind
	// text is that of a literal.
	text string
}

type tokenKind uint8

const (
	// literal is one segment with this text.
	literal tokenKind = iota
	// some is ?*, a text that is not empty; it may have slashes in it.
	some
	// anything is *, any text.
	anything
	// empty is a segment without a text: the pattern has two slashes, or ends with one.
	empty
)

// pattern is what IAM matches the path of a request with, without the slash at its
// beginning: * stands for any text and ? for any one character, slashes too. See
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_resource.html
type pattern []token

// String returns the pattern as a policy has it.
func (p pattern) String() string {
	texts := make([]string, len(p))
	for i, t := range p {
		switch t.kind {
		case some:
			texts[i] = "?*"
		case anything:
			texts[i] = "*"
		case literal:
			texts[i] = t.text
		case empty:
		}
	}
	return strings.Join(texts, "/")
}

// and returns the pattern with more tokens.
func (p pattern) and(more ...token) pattern {
	return append(slices.Clip(p), more...)
}

// with returns the pattern with a token inserted.
func (p pattern) with(at int, t token) pattern {
	return slices.Insert(slices.Clone(p), at, t)
}

// positions is the set of positions in a pattern that a path has reached. A token has three:
// before it, within it and not enough, within it and enough.
type positions [3]uint64

const (
	positionsOfToken = 3
	before           = 0
	notEnough        = 1
	enough           = 2
	// maxTokens is how many tokens a pattern may have; each has its bit of positions, and the end has one.
	maxTokens = (64*len(positions{}) - 1) / positionsOfToken
)

func (s *positions) add(p pattern, i, at int) {
	bit := i*positionsOfToken + at
	s[bit/64] |= 1 << (bit % 64)
	if at == enough {
		s.add(p, i+1, before)
	}
}

func (s positions) has(i, at int) bool {
	bit := i*positionsOfToken + at
	return s[bit/64]&(1<<(bit%64)) != 0
}

// in reports whether all of the positions are in another set.
func (s positions) in(all positions) bool {
	for i, word := range s {
		if word&^all[i] != 0 {
			return false
		}
	}
	return true
}

// start returns the position before the first segment.
func (p pattern) start() positions {
	var s positions
	s.add(p, 0, before)
	return s
}

// next reads one segment.
func (p pattern) next(from positions, segment string) positions {
	var to positions
	for i, t := range p {
		if from.has(i, notEnough) || from.has(i, enough) {
			// Two segments have a slash between them, so they are no empty text.
			to.add(p, i, enough)
		}
		if !from.has(i, before) {
			continue
		}
		switch {
		case t.kind == literal && t.text == segment, t.kind == empty && segment == "":
			to.add(p, i+1, before)
		case t.kind == anything, t.kind == some && segment != "":
			to.add(p, i, enough)
		case t.kind == some:
			to.add(p, i, notEnough)
		}
	}
	return to
}

// ends reports whether the pattern matches a path that ends here.
func (p pattern) ends(at positions) bool { return at.has(len(p), before) }

// sticks reports whether the pattern matches however the path goes on.
func (p pattern) sticks(at positions) bool {
	last := len(p) - 1
	return at.has(last, enough) && (p[last].kind == anything || p[last].kind == some)
}

// texts lists the literals that may come next.
func (p pattern) texts(at positions) []string {
	var texts []string
	for i, t := range p {
		if t.kind == literal && at.has(i, before) {
			texts = append(texts, t.text)
		}
	}
	return texts
}

// contains reports whether p matches every path that q matches.
func (p pattern) contains(q pattern) bool {
	for i, t := range p {
		if t.kind != literal {
			break
		}
		if i == len(q) || q[i] != t {
			return false
		}
	}
	type state struct{ p, q positions }
	seen := map[state]bool{}
	queue := []state{{p.start(), q.start()}}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		if seen[s] {
			continue
		}
		seen[s] = true
		if q.ends(s.q) && !p.ends(s.p) {
			return false
		}
		if p.sticks(s.p) {
			continue
		}
		for _, segment := range append(append(p.texts(s.p), q.texts(s.q)...), "", other) {
			if next := (state{p.next(s.p, segment), q.next(s.q, segment)}); next.q != (positions{}) {
				queue = append(queue, next)
			}
		}
	}
	return true
}

// other stands for every segment that is no static text of an API. No path has it.
const other = "\x00"
