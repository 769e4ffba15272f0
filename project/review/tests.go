package review

import (
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/assertion"
	"gatewright/project"
)

// tests adds the access tests that the change breaks: those of Head that do not hold there and held
// in Base, or are new; and those of Base that Head has no more, if they do not hold in Head.
// A deployment keeps no tests, so that those of Head are the only ones then.
func (r *Review) tests(base, head State) {
	was, errBefore := testsOf(base, r.Environment)
	now, err := testsOf(head, r.Environment)
	if err != nil {
		r.brokenTest("access tests", "cannot be read: "+err.Error(), Place{File: project.AccessTestFile})
		return
	}
	if errBefore != nil {
		r.Notes = append(r.Notes, "the access tests of "+base.Name+" cannot be read: "+errBefore.Error())
	}
	wasFor, isFor := r.base, r.head
	if r.Environment == "" {
		// A test may name an environment, which these two have nothing more.
		wasFor, isFor = wholeOf(base), wholeOf(head)
	}
	then, here := assertion.NewChecker(wasFor), assertion.NewChecker(isFor)
	before := project.Texts(was)
	for _, t := range now {
		o := here.Check(t.Text)
		isNew := base.readsTests() && !slices.Contains(before, t.Text)
		if o.Holds() || !isNew && !then.Check(t.Text).Holds() {
			continue
		}
		text := o.Sentence()
		if isNew {
			text = "is new and fails: " + text
		}
		r.brokenTest(t.Text, text, Place{File: project.AccessTestFile, Line: t.Line, Column: t.Column})
	}
	after := project.Texts(now)
	for _, t := range was {
		if slices.Contains(after, t.Text) {
			continue
		}
		place := Place{File: project.AccessTestFile, Line: t.Line, Column: t.Column, Before: true}
		if o := here.Check(t.Text); !o.Holds() {
			r.brokenTest(t.Text, "is removed and would now fail: "+o.Sentence(), place)
			continue
		}
		r.Notes = append(r.Notes, "the access test "+phrase.Quote(t.Text)+" is removed; it would still pass")
	}
}

func (r *Review) brokenTest(name, text string, at Place) {
	r.Tests = append(r.Tests, Test{Name: name, Text: text, Place: at})
}

// readsTests reports whether the state has the file of the access tests, if the project has one: a
// commit and the working tree have, what is deployed has not.
func (s State) readsTests() bool {
	return s.Deployment == nil || s.whole
}

// testsOf returns the tests of a state that are about an environment, "" for any.
func testsOf(s State, environment string) ([]project.AccessTest, error) {
	p := s.project()
	if p == nil || !s.readsTests() {
		return nil, nil
	}
	tests, err := p.AccessTests()
	return project.TestsAbout(tests, environment), err
}

func wholeOf(s State) *model.Backend {
	if p := s.project(); p != nil {
		return p.Backend
	}
	return &model.Backend{}
}
