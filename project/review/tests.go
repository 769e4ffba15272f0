package review

import (
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/model/assertion"
	"gatewright/project"
)

// tests adds the access tests that the change breaks: those of Head that do not hold there and held
// in Base, or are new; and those of Base that Head has no more, if they do not hold in Head.
// A deployment keeps no tests, so that those of Head are the only ones then.
func (r *Review) tests(base, head State) {
	was, errBefore := testsOf(base)
	now, err := testsOf(head)
	if err != nil {
		r.brokenTest("access tests", "cannot be read: "+err.Error(), Place{File: project.AccessTestFile})
		return
	}
	if errBefore != nil {
		r.Notes = append(r.Notes, "the access tests of "+base.Name+" cannot be read: "+errBefore.Error())
	}
	then, here := assertion.NewChecker(r.base), assertion.NewChecker(r.head)
	before := project.Texts(was)
	for _, t := range now {
		o := here.Check(t.Text)
		isNew := base.readsTests() && !slices.Contains(before, t.Text)
		if o.Holds() || !isNew && !then.Check(t.Text).Holds() {
			continue
		}
		text := o.Sentence()
		if isNew {
			text = "is new and does not hold: " + text
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
			r.brokenTest(t.Text, "is removed and does not hold any more: "+o.Sentence(), place)
			continue
		}
		r.Notes = append(r.Notes, "the access test "+phrase.Quote(t.Text)+" is removed; it still holds")
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

func testsOf(s State) ([]project.AccessTest, error) {
	if p := s.project(); p != nil && s.readsTests() {
		return p.AccessTests()
	}
	return nil, nil
}
