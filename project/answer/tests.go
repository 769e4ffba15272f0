package answer

import (
	"cmp"
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/assertion"
	"gatewright/model/check"
	"gatewright/project"
	"gatewright/project/read"
	"gatewright/project/validate"
)

// mostCases is how many counterexamples of one test are told.
const mostCases = 100

// TestReport is what became of the access tests of a project, as --json prints it.
type TestReport struct {
	// Held, Broken and Unclear are how many tests hold, do not hold, and cannot be decided.
	Held    int `json:"held"`
	Broken  int `json:"broken"`
	Unclear int `json:"unclear"`
	// Decisions is how many decisions all tests rest on.
	Decisions int      `json:"decisions"`
	Tests     []Tested `json:"tests"`
}

// Holds reports whether every test holds.
func (r TestReport) Holds() bool { return r.Broken == 0 && r.Unclear == 0 }

// Tested is what became of one access test.
type Tested struct {
	Test string `json:"test"`
	// Because is what the test says it is for; "" for nothing.
	Because string `json:"because"`
	Holds   bool   `json:"holds"`
	// File, Line and Column are the place of the test.
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// Problem is why the test cannot be decided; "" if it can.
	Problem   string `json:"problem"`
	Decisions int    `json:"decisions"`
	// Against is how many decisions are against the test, and Cases the first of them: the
	// shortest request comes first.
	Against int      `json:"against"`
	Cases   []Case   `json:"cases"`
	Notes   []string `json:"notes"`
	// Mend are commands after which the test holds, and all others that hold now; none if none are known.
	Mend []string `json:"mend"`

	sentence string
}

// Sentence says of a test that does not hold why: by its first case, or why it cannot be decided. It
// is "" for one that holds.
func (t Tested) Sentence() string { return t.sentence }

// Place returns the place of the test: "access.test.json:4:5".
func (t Tested) Place() string {
	return (&read.Problem{File: t.File, Line: t.Line, Column: t.Column}).Place()
}

// Case is a request that is decided against a test.
type Case struct {
	// Who is guest, authenticated or group:NAME.
	Who    string `json:"who"`
	Method string `json:"method"`
	// Path is the raw path of the request, API the label of its API, and Resource the path of the
	// API that serves it.
	Path     string `json:"path"`
	API      string `json:"api"`
	Resource string `json:"resource"`
	Function string `json:"function"`
	Allowed  bool   `json:"allowed"`
	// Rule is the kind of rule that decides, as in Answer; Reason is a sentence.
	Rule   string `json:"rule"`
	Reason string `json:"reason"`
	// File, Line and Column are the place that decides.
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// Changes are lists of commands, each of which would make this decision as the test wants it.
	Changes [][]string `json:"changes"`
	// Sandbox is what a sandbox answered to the request; nil if none was asked.
	Sandbox *Sent `json:"sandbox,omitempty"`
}

// Sent is the answer to a request that was sent. Error says why there is none; then Status is 0.
type Sent struct {
	Status int    `json:"status"`
	Error  string `json:"error,omitempty"`
}

// Place returns the place that decides the request.
func (c Case) Place() string {
	return (&read.Problem{File: c.File, Line: c.Line, Column: c.Column}).Place()
}

// Tests decides access tests for a backend: that of the project, one of an environment of it, or
// one that it would have after an edit, whose places are then those of the project.
func Tests(p *project.Project, b *model.Backend, tests []project.AccessTest) TestReport {
	r := TestReport{Tests: []Tested{}}
	outcomes := assertion.CheckAll(b, project.Texts(tests))
	for i, o := range outcomes {
		test := tests[i]
		t := Tested{
			Test: test.Text, Because: o.Because, Holds: o.Holds(), File: project.AccessTestFile, Line: test.Line,
			Column:    test.Column,
			Decisions: o.Decisions, Against: len(o.Broken), Cases: []Case{}, Notes: listed(o.Notes),
			sentence: o.Sentence(), Mend: listed(mend(p, b, o, outcomes)),
		}
		switch {
		case o.Err != nil:
			t.Problem = o.Err.Error()
			r.Unclear++
		case t.Holds:
			r.Held++
		default:
			r.Broken++
		}
		for _, x := range o.Broken[:min(len(o.Broken), mostCases)] {
			t.Cases = append(t.Cases, newCase(p, b, x, o.Keep))
		}
		r.Decisions += t.Decisions
		r.Tests = append(r.Tests, t)
	}
	return r
}

func newCase(p *project.Project, b *model.Backend, x assertion.Counterexample, keep []string) Case {
	d := x.Decision
	c := Case{
		Who: callerWord(x), Method: x.Method, Path: x.Raw, API: x.API, Resource: x.Path,
		Function: d.Route.Path.Function,
		Allowed:  d.Allowed, Rule: ruleWords[d.Rule], Reason: d.Reason(),
	}
	pointer := check.SettingPointer(x.Path)
	if !x.Anybody {
		pointer = check.EntryPointer(x.Path, d.As)
	}
	place := validate.Located(p, []*model.Problem{{
		Of:      model.Ref{Kind: model.KindPath, API: x.API, Name: x.Path},
		Pointer: pointer,
	}})[0]
	c.File, c.Line, c.Column = place.File, place.Line, place.Column
	q := questionOf(p, b, x)
	if d.Allowed {
		c.Changes = listed(q.closings(d, keep))
	} else {
		c.Changes = listed(q.changes(d))
	}
	return c
}

// Commands returns the commands that would fix the test, for a shell; "" if none are known.
func (t Tested) Commands() string { return strings.Join(t.Mend, " && ") }

// Summary says how many tests hold: "3 access tests: 2 hold, 1 does not".
func (r TestReport) Summary() string {
	n := len(r.Tests)
	switch {
	case n == 0:
		return "no access tests"
	case r.Holds() && n == 1:
		return "1 access test passes"
	case r.Holds():
		return "all " + phrase.Count(n, "access test") + " hold"
	}
	var parts []string
	for _, part := range []struct {
		n         int
		one, more string
	}{
		{r.Held, "holds", "hold"},
		{r.Broken, "is broken", "are broken"},
		{r.Unclear, "cannot be decided", "cannot be decided"},
	} {
		if part.n > 0 {
			parts = append(parts, strconv.Itoa(part.n)+" "+cmp.Or(map[bool]string{true: part.one}[part.n == 1], part.more))
		}
	}
	return phrase.Count(n, "access test") + ": " + strings.Join(parts, ", ")
}
