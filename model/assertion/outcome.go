package assertion

import (
	"cmp"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
	"gatewright/model"
	"gatewright/model/access"
)

// Outcome is what became of a test.
type Outcome struct {
	// Text is the sentence, Because what it says the test is for.
	Text, Because string
	// Err says why the test could not be decided, in one line; nil if it was.
	Err error
	// Decisions is how many decisions the test rests on: each is about a caller, an action and all
	// requests of one path that the test means.
	Decisions int
	// Broken are the decisions against the test; the shortest request is first.
	Broken []Counterexample
	// Keep are the groups that the test leaves out of those who may not.
	Keep []string
	// Actions are those that the test is about: of one that says what callers may only do, the others.
	Actions access.Actions
	// Counted says of a test that counts paths how many there are, if that is against it; "" if not.
	Counted string
	// Notes are sentences about a test that holds differently from it reads.
	Notes []string
}

// Holds reports whether the test was decided and holds.
func (o Outcome) Holds() bool { return o.Err == nil && len(o.Broken) == 0 }

// Counterexample is a request that is decided against a test.
type Counterexample struct {
	// API and Path are the label of the API and the name of the path that serves the request.
	API, Path string
	// Who is the caller. Anybody says that the path is open, and so serves every caller.
	// Groups are those of a member of several, who acts as Who.
	Who     access.Principal
	Groups  []string
	Anybody bool
	// Method and Raw are the request: its method, and its raw path (see model.Router.Match).
	Method, Raw string
	// Decision is the decision about the request, with its rule.
	Decision access.Decision
}

// Caller returns the caller of the request, for model.Router.Decide.
func (c Counterexample) Caller() access.Caller {
	switch c.Who.Kind {
	case access.Group:
		if c.Groups != nil {
			return access.Caller{SignedIn: true, Groups: c.Groups}
		}
		return access.Caller{SignedIn: true, Groups: []string{c.Who.Group}}
	case access.Authenticated:
		return access.Caller{SignedIn: true}
	}
	return access.Caller{}
}

// count judges a test about paths, of which some are as it says, and others are not.
func (o *Outcome) count(s Statement, have, lack []Counterexample) {
	switch {
	case s.claim != count || len(have) > s.most:
		o.Broken = have
	case len(have) < s.least:
		o.Broken = lack
	}
	if s.claim != count || len(have) >= s.least && len(have) <= s.most {
		return
	}
	names := make([]string, len(have))
	for i, x := range have {
		names[i] = x.Path
	}
	o.Counted = phrase.Count(len(have), "such path")
	if len(have) > 0 {
		o.Counted += ": " + phrase.QuoteList(names)
	}
	if len(o.Broken) == 0 {
		o.Err = &model.Problem{Text: "the test cannot pass: it has " + o.Counted, Fix: "correct its number"}
	}
}

// nothing tells of a test that is about no request: one of what callers may is broken. meant is
// the path that it may be about; "" if it is not known.
func (o *Outcome) nothing(s Statement, meant string) {
	if meant != "" {
		meant = "did you mean " + phrase.Quote(meant) + "?"
	}
	if s.claim == may || s.least > 0 {
		o.Err = &model.Problem{
			Text: "no path serves a request of this test",
			Fix:  cmp.Or(meant, "correct its path, or add the path"), Cause: model.ErrUnknown,
		}
		return
	}
	note := "no path serves a request of this test, so it passes whatever the access rules are"
	if meant != "" {
		note += "; " + meant
	}
	o.Notes = append(o.Notes, note)
}

// meant returns the path of APIs of which the first path in a test may be a slip; "" for none.
func meant(s Statement, apis []*access.API) string {
	if len(s.where) == 0 {
		return ""
	}
	var names []string
	for _, api := range apis {
		for _, p := range api.Paths {
			names = append(names, p.Name)
		}
	}
	return spelling.Nearest(s.where[0].path(), names)
}
