package schemas

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Problem is one thing that is wrong with a document.
type Problem struct {
	// Pointer is the JSON pointer (RFC 6901) of the value that is wrong, of the object that
	// lacks a field, or of the field that is not allowed. It is "" for the whole document.
	Pointer string
	// Text says what is wrong, Fix what to do, each in one line.
	Text, Fix string
}

// maxProblems is how many problems of a document are listed; the rest is only counted.
const maxProblems = 100

// report collects problems, each at the current place.
type report struct {
	place    []string
	problems []Problem
	unlisted int
}

func (r *report) enter(name string) { r.place = append(r.place, name) }
func (r *report) enterIndex(i int)  { r.enter(strconv.Itoa(i)) }
func (r *report) leave()            { r.place = r.place[:len(r.place)-1] }
func (r *report) add(explain explanation) {
	if r.full() {
		r.unlisted++
		return
	}
	text, fix := explain()
	r.problems = append(r.problems, Problem{Pointer: pointer(r.place), Text: text, Fix: fix})
}

// full reports whether further problems are only counted.
func (r *report) full() bool { return len(r.problems) == maxProblems }

// all returns the problems, the last of which counts those that are not listed.
func (r *report) all() []Problem {
	if r.unlisted == 0 {
		return r.problems
	}
	return append(r.problems, Problem{
		Text: "and " + count(r.unlisted, "more problem"),
		Fix:  "fix the problems listed, then validate again",
	})
}

func pointer(place []string) string {
	var p jsontext.Pointer
	for _, name := range place {
		p = p.AppendToken(name)
	}
	return string(p)
}
