package flow

import (
	"cmp"
	"slices"

	"gatewright/model"
	"gatewright/prose"
)

// Kind is a kind of step.
type Kind string

// ID names one step: its kind, and for steps of a path which path and, for
// actions, whose.
type ID struct {
	Kind Kind
	Path int
	Who  model.Principal
}

// FieldKind is how a field is answered.
type FieldKind uint8

// Text is typed; Choice is one of the options; Several is any number of them.
const (
	Text FieldKind = iota
	Choice
	Several
)

// Field is one thing that a step asks for.
type Field struct {
	Key, Label, Help string
	Kind             FieldKind
	// Value is what was typed or chosen; Placeholder is what an empty text
	// stands for.
	Value, Placeholder string
	Chosen             []string
	Options            []prose.Option
	// keep puts an answer into the answers that the field was asked of.
	keep func(value string, chosen []string)
}

// Has reports whether an option is chosen.
func (f Field) Has(o prose.Option) bool {
	return f.Kind == Choice && f.Value == o.Key || slices.Contains(f.Chosen, o.Key)
}

// text asks for one line that is kept in a place.
func text(key, label string, place *string, placeholder, help string) Field {
	return Field{
		Key: key, Label: label, Value: *place, Placeholder: placeholder, Help: help,
		keep: func(value string, _ []string) { *place = value },
	}
}

// choice asks for one of some options; its key is kept in a place.
func choice(key, label string, place *string, options ...prose.Option) Field {
	return Field{
		Key: key, Label: label, Kind: Choice, Value: *place, Options: options,
		keep: func(value string, _ []string) { *place = value },
	}
}

// several asks for any of some options; their keys are kept in a place. empty says
// why there is none to choose.
func several(key, label string, place *[]string, options []prose.Option, empty prose.Option, help string) Field {
	if len(options) == 0 {
		options = []prose.Option{empty}
	}
	return Field{
		Key: key, Label: label, Kind: Several, Chosen: *place, Options: options, Help: help,
		keep: func(_ string, chosen []string) { *place = chosen },
	}
}

// options are things to choose that are called what they are kept as.
func options[T ~string](words []T) []prose.Option {
	var list []prose.Option
	for _, word := range words {
		list = append(list, prose.Option{Key: string(word), Title: string(word)})
	}
	return list
}

// Question is a step as it is asked now.
type Question struct {
	// Title is the question, Help a sentence for somebody who meets it for the
	// first time.
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

// step is a kind of step: when it is asked, what it asks and where the answers are
// kept, and when they are good enough to go on. Each function gets the answers
// about the path that the step is of, or about the first.
type step struct {
	kind Kind
	// short is the step's name in lists: "path", "who".
	short string
	// title and help are those of the question; %s in the title is what about says.
	title, help string
	about       func(at ID, p *PathAnswer) string
	// asked says whether the step is asked; nil for one that always is.
	asked  func(f *Flow, p *PathAnswer) bool
	fields func(f *Flow, at ID, p *PathAnswer) []Field
	// check is nil where all it takes is that the one choice is made.
	check func(f *Flow, at ID, p *PathAnswer) error
}

// once are the steps before the paths, perPath those of each path, and last
// those after them.
var (
	once    = []*step{serviceStep, projectStep, labelStep}
	perPath = []*step{pathStep, sourceStep, functionStep, tableStep, advancedStep, existingStep, restrictStep, whoStep, groupsStep, actionsStep, anotherStep}
	last    = []*step{environmentsStep, reviewStep}
	steps   = slices.Concat(once, perPath, last)
)

func (id ID) step() *step { return steps[id.place()] }

func (id ID) place() int {
	return slices.IndexFunc(steps, func(s *step) bool { return s.kind == id.Kind })
}

// OfPath reports whether the step is one of those that are asked for each path.
func (id ID) OfPath() bool { return slices.Contains(perPath, id.step()) }

// compare orders steps by where they are asked.
func compare(a, b ID) int {
	if a.OfPath() && b.OfPath() && a.Path != b.Path {
		return cmp.Compare(a.Path, b.Path)
	}
	return cmp.Compare(a.place(), b.place())
}

// chosen refuses a field whose choice is not made.
func chosen(field string, made bool) error {
	if made {
		return nil
	}
	return &model.Problem{Field: field, Text: "is not chosen yet", Fix: "choose one"}
}
