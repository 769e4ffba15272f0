package flow

import "slices"

// Kind is a kind of step.
type Kind string

// ID names one step: its kind, and for steps of a path which path and, for
// actions, whose.
type ID struct {
	Kind Kind
	Path int
	Of   string
}

// FieldKind is how a field is answered.
type FieldKind uint8

// Text is typed; Choice is one of the options; Several is any number of them.
const (
	Text FieldKind = iota
	Choice
	Several
)

// Option is one thing to choose. A disabled one is shown with its reason.
type Option struct {
	Key, Title, Detail string
	Disabled           string
}

// Field is one thing that a step asks for.
type Field struct {
	Key, Label, Help string
	Kind             FieldKind
	// Value is what was typed or chosen; Placeholder is what an empty text
	// stands for.
	Value, Placeholder string
	Chosen             []string
	Options            []Option
}

// Question is a step as it is asked now.
type Question struct {
	ID ID
	// Title is the question, Help a sentence for somebody who meets it for the
	// first time.
	Title, Help string
	Fields      []Field
}

// Field finds a field by key.
func (q Question) Field(key string) (Field, bool) {
	for _, f := range q.Fields {
		if f.Key == key {
			return f, true
		}
	}
	return Field{}, false
}

// step is a kind of step: when it is asked, what it asks, how an answer is kept
// and when it is good enough to go on. Each lies in a file of its own and stands
// in steps.
type step struct {
	kind Kind
	// short is the step's name in lists: "path", "who".
	short string
	// applies says whether the step is asked; at names the path for steps of one.
	applies func(f *Flow, at ID) bool
	ask     func(f *Flow, at ID) Question
	set     func(a *Answers, at ID, field, value string, chosen []string)
	check   func(f *Flow, at ID) error
}

// once are the steps before the paths, perPath those of each path, and last
// those after them.
var (
	once    = []*step{serviceStep, projectStep, labelStep}
	perPath = []*step{pathStep, sourceStep, functionStep, tableStep, advancedStep, existingStep, restrictStep, whoStep, groupsStep, actionsStep, anotherStep}
	last    = []*step{environmentsStep, reviewStep}
)

// OfPath reports whether the step is one of those that are asked for each path.
func (id ID) OfPath() bool {
	return slices.ContainsFunc(perPath, func(s *step) bool { return s.kind == id.Kind })
}

func stepOf(kind Kind) *step {
	for _, list := range [][]*step{once, perPath, last} {
		for _, s := range list {
			if s.kind == kind {
				return s
			}
		}
	}
	return nil
}

// put keeps a text where its field says.
func put(field, value string, places map[string]*string) {
	if place := places[field]; place != nil {
		*place = value
	}
}
