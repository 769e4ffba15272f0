package schemas

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Problem is one thing that is wrong with a document.
type Problem struct {
	// Pointer says where, as an RFC 6901 JSON pointer, "" for the whole
	// document: the value that is wrong, the object that lacks a field, or the
	// field that is not allowed.
	Pointer string
	// Text says what is wrong and what was expected, in one line.
	Text string
	// Fix says what to do, in one line.
	Fix string
}

// maxProblems is how many problems of a document are listed; the rest is only counted.
const maxProblems = 100

// report collects problems, each at the place that was entered last.
type report struct {
	place    []string
	problems []Problem
	unlisted int
}

func (r *report) enter(name string) { r.place = append(r.place, name) }
func (r *report) enterIndex(i int)  { r.enter(strconv.Itoa(i)) }
func (r *report) leave()            { r.place = r.place[:len(r.place)-1] }
func (r *report) add(say saying) {
	if r.full() {
		r.unlisted++
		return
	}
	text, fix := say()
	r.problems = append(r.problems, Problem{Pointer: pointer(r.place), Text: text, Fix: fix})
}

// full says whether problems are only counted from here on.
func (r *report) full() bool { return len(r.problems) == maxProblems }

// all returns the problems and, when some are not listed, how many.
func (r *report) all() []Problem {
	if r.unlisted == 0 {
		return r.problems
	}
	return append(r.problems, Problem{
		Text: "and " + count(r.unlisted, "more problem"),
		Fix:  "correct those listed, then validate again",
	})
}

func pointer(place []string) string {
	var p jsontext.Pointer
	for _, name := range place {
		p = p.AppendToken(name)
	}
	return string(p)
}
