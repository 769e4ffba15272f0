package judge

import (
	"fmt"
	"slices"

	"gatewright/internal/cfn"
)

// Way says where a value goes. What OpenAPI calls readOnly is not required on the way to an API, and what it
// calls writeOnly not on the way back (https://spec.openapis.org/oas/v3.0.3.html#fixed-fields-19).
type Way uint8

// The ways. In a Request a value goes to the API, in an Answer it comes from it.
const (
	Request Way = iota + 1
	Answer
)

// Fault is one way in which a value breaks a schema.
type Fault struct {
	// Pointer is the place in the value (RFC 6901); "" for the value itself.
	Pointer string
	// Text is a part of a sentence about that place, such as "is missing". It has names and
	// the values of the schema, but no values of who is judged.
	Text string
	// Line and Column are the place of the keyword in the document.
	Line, Column int

	// weight says how surely the value was meant for another schema.
	weight uint8
}

// The weights of faults.
const (
	otherConstant = 1 + iota
	otherKind
)

// Unknown is the text of a fault: an object may not have the property.
const Unknown = "is a property that the contract does not have"

// Most is how many faults of a value are listed at most.
const Most = 20

const (
	// mostSteps is how many steps a run takes at most, mostDepth how deep it goes.
	mostSteps = 2_000_000
	mostDepth = 2000
	// textStep is how many bytes of a text are looked at in one step.
	textStep = 64
)

// Run judges values, all with one budget of steps. It is for one goroutine; the zero value is
// no run.
type Run struct {
	way    Way
	steps  int
	depth  int
	most   int
	quiet  bool
	over   bool
	faults []Fault
	// active are the references that are being followed, the latest last.
	active []visit
}

type visit struct {
	to    *Schema
	value *cfn.Node
}

// NewRun begins to judge the values of one request or answer.
func NewRun(way Way) *Run { return &Run{way: way, steps: mostSteps} }

// Judge returns how a value breaks a schema; nothing if it holds. A nil schema holds for every value.
func (r *Run) Judge(s *Schema, v *cfn.Node) []Fault { return r.try(s, v, false) }

// Whole reports whether everything was judged: if not, the budget of steps did not suffice.
func (r *Run) Whole() bool { return !r.over }

// try judges a value apart from what was found before. A quiet try ends at the first fault,
// which then has no text.
func (r *Run) try(s *Schema, v *cfn.Node, quiet bool) []Fault {
	faults, most, was := r.faults, r.most, r.quiet
	r.faults, r.most, r.quiet = nil, Most, quiet || r.quiet
	if r.quiet {
		r.most = 1
	}
	r.judge(s, v)
	found := r.faults
	r.faults, r.most, r.quiet = faults, most, was
	return found
}

// holds reports whether a value holds. The caller has to ask whether the run is over.
func (r *Run) holds(s *Schema, v *cfn.Node) bool { return len(r.try(s, v, true)) == 0 }

func (r *Run) judge(s *Schema, v *cfn.Node) {
	if s == nil || !r.spend(1) {
		return
	}
	if r.depth++; r.depth > mostDepth {
		r.over = true
	}
	for _, rule := range s.rules {
		if r.over || len(r.faults) >= r.most {
			break
		}
		rule(r, v)
	}
	r.depth--
}

// spend takes steps from the budget, and reports whether there were enough.
func (r *Run) spend(steps int) bool {
	if r.steps -= steps; r.steps < 0 {
		r.over = true
	}
	return !r.over
}

// add adds a fault of a place in the value, which breaks what is at a node of the schema.
func (r *Run) add(pointer string, at *cfn.Node, weight uint8, format string, arguments ...any) {
	f := Fault{Pointer: pointer, Line: at.Line, Column: at.Column, weight: weight}
	if !r.quiet {
		f.Text = fmt.Sprintf(format, arguments...)
	}
	r.keep(f)
}

// keep keeps a fault that is not known: a schema that is referred to twice finds all twice.
func (r *Run) keep(f Fault) {
	if !r.over && len(r.faults) < r.most && !slices.Contains(r.faults, f) {
		r.faults = append(r.faults, f)
	}
}

func (r *Run) fault(v, at *cfn.Node, format string, arguments ...any) {
	r.add(v.Pointer, at, 0, format, arguments...)
}
