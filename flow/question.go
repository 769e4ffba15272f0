package flow

import (
	"cmp"
	"errors"
	"slices"

	"gatewright/internal/text/prose"
	"gatewright/model"
)

// Kind is a kind of step.
type Kind string

// ID names one step. Path is the index of the path that the step is about.
type ID struct {
	Kind Kind `json:"kind"`
	Path int  `json:"path,omitempty"`
}

// FieldKind says how a field is answered.
type FieldKind uint8

// A Text is typed, a Choice is one of the options, Several is any number of them, and
// Access is the matrix of a path (see Flow.Matrix).
const (
	Text FieldKind = iota
	Choice
	Several
	Access
)

// Field is one thing that a step asks for.
type Field struct {
	Key, Label, Help string
	Kind             FieldKind
	// Value is the typed text or the key of the choice; Placeholder is the value that
	// an empty text stands for, Example one for a text that must not be empty.
	Value, Placeholder, Example string
	Chosen                      []string
	Options                     []prose.Option
	// Suggestions are values for a Text, for people to choose from.
	Suggestions []string
	// List says that a Text holds several names, separated by commas.
	List bool
	// store writes a value into the Answers that the field was made from.
	store func(value string, chosen []string)
}

// Has reports whether the option is chosen.
func (f Field) Has(o prose.Option) bool {
	return f.Kind == Choice && f.Value == o.Key || slices.Contains(f.Chosen, o.Key)
}

// partly names the field of an error about a placeholder, whose name nobody has typed.
func partly(field string, err error) error {
	var problem *model.Problem
	if !errors.As(err, &problem) {
		return err
	}
	said := *problem
	said.Of, said.Field = model.Ref{}, field
	return &said
}

// Proposal is what an empty field shows: the value that it stands for, or an example.
func (f Field) Proposal() string {
	if f.Placeholder == "" && f.Example != "" {
		return "such as " + f.Example
	}
	return f.Placeholder
}

// text returns a field for one line; place is where its answer is stored.
func text(key, label string, place *string, placeholder, help string) Field {
	return Field{
		Key: key, Label: label, Value: *place, Placeholder: placeholder, Help: help,
		store: func(value string, _ []string) { *place = value },
	}
}

// list returns a field for several names in one line, separated by commas.
func list(key, label string, place *string, help string) Field {
	field := text(key, label, place, "none", help)
	field.List = true
	return field
}

// choice returns a field for one of the options, whose key is stored in place.
func choice(key, label string, place *string, options ...prose.Option) Field {
	return Field{
		Key: key, Label: label, Kind: Choice, Value: *place, Options: options,
		store: func(value string, _ []string) { *place = value },
	}
}

// several returns a field for any number of the options, whose keys are stored in place.
// empty is shown if there are no options.
func several(key, label string, place *[]string, options []prose.Option, empty prose.Option, help string) Field {
	if len(options) == 0 {
		options = []prose.Option{empty}
	}
	return Field{
		Key: key, Label: label, Kind: Several, Chosen: *place, Options: options, Help: help,
		store: func(_ string, chosen []string) { *place = chosen },
	}
}

// options returns options whose titles are their keys.
func options[T ~string](words []T) []prose.Option {
	var list []prose.Option
	for _, word := range words {
		list = append(list, prose.Option{Key: string(word), Title: string(word)})
	}
	return list
}

// Question is what a step asks.
type Question struct {
	// Title is the question, Help explains it to somebody who reads it for the first time.
	Title, Help string
	Fields      []Field
}

// Field finds a field by key.
func (q Question) Field(key string) (Field, bool) {
	i := slices.IndexFunc(q.Fields, func(f Field) bool { return f.Key == key })
	if i < 0 {
		return Field{}, false
	}
	return q.Fields[i], true
}

// step is one kind of step: when it is asked, its fields, and the check of their answers. Its functions get the
// answers about the step's path; a step that belongs to no path gets those about the first.
type step struct {
	kind Kind
	// short is the step's name in lists: "path", "who".
	short string
	// title and help are those of the question; about gives the %s of the title.
	title, help string
	about       func(at ID, p *PathAnswer) string
	// ofAPI replaces the title if it is not nil.
	ofAPI func(f *Flow) string
	// asked reports whether the step is asked; nil means always.
	asked  func(f *Flow, p *PathAnswer) bool
	fields func(f *Flow, at ID, p *PathAnswer) []Field
	// check returns what is wrong with the answers, in the order of the fields. It is nil
	// for a step with one choice, which only has to be made.
	check func(f *Flow, at ID, p *PathAnswer) []Fault
}

// Fault is what is wrong with the response of a field.
type Fault struct {
	// Field is the key of the field.
	Field string
	// Err says what is wrong and what to do.
	Err error
}

// faults collects what is wrong with the fields of a step.
type faults []Fault

// add adds an error of a field, if it is one.
func (all *faults) add(field string, err error) {
	if err != nil {
		*all = append(*all, Fault{field, err})
	}
}

// once are the steps before the paths, perPath the steps of each path, and last the steps after all paths.
var (
	once    = []*step{projectStep, apiStep}
	perPath = []*step{pathStep, functionStep, tableStep, advancedStep, accessStep, anotherStep}
	last    = []*step{environmentsStep, reviewStep}
	steps   = slices.Concat(once, perPath, last)
)

func (id ID) step() *step { return steps[id.place()] }

func (id ID) place() int {
	return slices.IndexFunc(steps, func(s *step) bool { return s.kind == id.Kind })
}

// OfPath reports whether the step is asked for each path.
func (id ID) OfPath() bool { return slices.Contains(perPath, id.step()) }

// compare orders steps by where they are asked.
func compare(a, b ID) int {
	if a.OfPath() && b.OfPath() && a.Path != b.Path {
		return cmp.Compare(a.Path, b.Path)
	}
	return cmp.Compare(a.place(), b.place())
}

// chosen returns an error unless the choice of the field is made.
func chosen(field string, made bool) error {
	if made {
		return nil
	}
	return &model.Problem{Field: field, Text: "is not chosen yet", Fix: "choose one"}
}
