package request

import (
	"net/http"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/project/saved"
)

// Kept is what the console keeps of one path while the program runs: the form and the answers to it.
type Kept struct {
	Form Form
	// Last is the last exchange with the path, Previous the one before it; nil for none.
	Last, Previous *Exchange
	// Shown are the lines that describe Last.
	Shown []prose.Line
	// Chosen says that the person chose the form's method, or agreed to send it. A method
	// that came out of a file or of the history is not chosen.
	Chosen bool
	// Saved is the saved request that the form was filled in from; nil for none.
	Saved *saved.File
}

// place is what a form is kept for.
type place struct{ api, path string }

// Forms keeps a form for each path of each API, so that what was filled in for one path is
// never shown for another of its API. The zero value is empty.
type Forms struct {
	of map[place]*Kept
	// last is the path that was shown last of each API.
	last map[string]string
}

// Last is the path that was shown last of an API; "" for none.
func (a *Forms) Last(api string) string { return a.last[api] }

// Move is At for a person who chose another API. To a path that was not shown yet they take along
// what they typed: query, headers and body, and the method unless it deletes.
func (a *Forms) Move(f Form) *Kept {
	_, shown := a.of[place{f.API, f.Path}]
	kept := a.At(f)
	if !shown {
		f = f.Copy()
		kept.Form.Query, kept.Form.Headers, kept.Form.Body = f.Query, f.Headers, f.Body
		if !f.Deletes() {
			kept.Form.Method = f.Method
		}
	}
	return kept
}

// At returns what is kept for the API and the path of a form. If there is nothing yet, it is a new form for that
// path: of f it has the environment, the mode and the caller, which say where and as whom a person works, and GET.
func (a *Forms) At(f Form) *Kept {
	if a.of == nil {
		a.of, a.last = make(map[place]*Kept), make(map[string]string)
	}
	at := place{f.API, f.Path}
	a.last[f.API] = f.Path
	kept := a.of[at]
	if kept == nil {
		kept = &Kept{Form: Form{
			Environment: f.Environment, API: f.API, Path: f.Path, Method: http.MethodGet,
			As: f.As, ByHand: f.ByHand, Groups: f.Groups, Missing: f.Missing, Test: f.Test,
		}}
		a.of[at] = kept
	}
	if kept.Form.Environment != f.Environment {
		// A caller of another environment may be nobody in this one.
		kept.Form.Environment = f.Environment
		kept.Form.As, kept.Form.Groups, kept.Form.Missing, kept.Form.ByHand = f.As, f.Groups, f.Missing, f.ByHand
	}
	return kept
}

// Deletes reports whether the form's method is the one that deletes. It is sent only after a person chose it.
func (f Form) Deletes() bool { return f.Method == http.MethodDelete }

// DeleteQuestion is the question before a request is sent whose method deletes, and was not chosen by hand.
func (f Form) DeleteQuestion() string {
	target, _ := f.target()
	return "The method of this request was filled in; you did not choose it. " + f.Method + " " + phrase.Quote(target) +
		", " + f.callerWords() +
		", in the environment " + phrase.Quote(f.Environment) + ", may delete what it names."
}

// callerWords say who sends a form, inside of a sentence.
func (f Form) callerWords() string {
	if f.signer() == nil {
		return "signed by nobody"
	}
	return "signed by " + whoWords(f.As)
}
