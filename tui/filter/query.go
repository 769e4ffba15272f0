// Package filter finds texts by what a person types: in tables, lists and the palette.
package filter

import (
	"slices"
	"strings"
)

// Hit says how a text matches a Query.
type Hit uint8

// The hits, the best last.
const (
	// Miss is a text that a word is neither in nor like.
	Miss Hit = iota
	// Alike is a text that has the letters of a word in order.
	Alike
	// Written is a text that every word is written in.
	Written
)

// Query is what a person typed to find something: words that all must match, in any order
// and in either case. A text matches a word that is written in it, or that is like a part of
// it, such as rvws for reviews. A Query is used by one goroutine.
type Query struct {
	Words []string
	// shortened says by word whether a text can be like it.
	finders   []letterFinder
	shortened []bool
}

// New reads what was typed.
func New(typed string) *Query {
	q := &Query{Words: strings.Fields(strings.ToLower(typed))}
	q.finders, q.shortened = make([]letterFinder, len(q.Words)), make([]bool, len(q.Words))
	for i, word := range q.Words {
		q.shortened[i] = q.finders[i].set(word)
	}
	return q
}

// Empty reports whether nothing was typed, so that every text matches.
func (q *Query) Empty() bool { return q == nil || len(q.Words) == 0 }

// In says how a text in lower case matches.
func (q *Query) In(text string) Hit {
	hit := Written
	for i, word := range q.Words {
		switch {
		case strings.Contains(text, word):
		case q.shortened[i] && q.finders[i].isIn(word, text):
			hit = Alike
		default:
			return Miss
		}
	}
	return hit
}

// Price is larger for a text that is less like the words.
func (q *Query) Price(text string) int {
	sum := 0
	for i, word := range q.Words {
		if strings.Contains(text, word) || !q.shortened[i] {
			continue
		}
		least := none
		for run := range strings.FieldsSeq(text) {
			if hasInOrder(run, word) {
				_, price := q.finders[i].best(run)
				least = min(least, price)
			}
		}
		sum += least
	}
	return sum
}

// Places are the ranges of bytes of a part of a text, in lower case, that match; whole is the
// text itself.
func (q *Query) Places(part, whole string) [][2]int {
	var all [][2]int
	for i, word := range q.Words {
		if strings.Contains(whole, word) {
			for from := 0; ; {
				at := strings.Index(part[from:], word)
				if at < 0 {
					break
				}
				all = append(all, [2]int{from + at, from + at + len(word)})
				from += at + len(word)
			}
			continue
		}
		from := 0
		for run := range strings.FieldsSeq(part) {
			from += strings.Index(part[from:], run)
			if q.shortened[i] {
				for _, place := range q.finders[i].places(word, run) {
					all = append(all, [2]int{from + place[0], from + place[1]})
				}
			}
			from += len(run)
		}
	}
	slices.SortFunc(all, func(a, b [2]int) int { return a[0] - b[0] })
	return all
}
