package project

import (
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/assertion"
	"gatewright/project/document"
	"gatewright/project/journal"
	"gatewright/project/read"
	"gatewright/render"
)

// AccessTestFile is the file of the access tests, at the top of a project of either layout.
const AccessTestFile = "access.test.json"

// AccessTest is an access test of the project with its place in AccessTestFile.
type AccessTest struct {
	// Text is the sentence.
	Text string
	// Line and Column count from 1.
	Line, Column int
}

// AccessTests reads the access tests; there are none without their file. The error is a *Problem.
func (p *Project) AccessTests() ([]AccessTest, error) {
	f, err := p.accessTestFile()
	if f == nil || err != nil {
		return nil, err
	}
	list, _ := f.Doc.Find("/tests")
	if list.Kind() != document.Array {
		return nil, f.Problem(model.Error, "", "write \"tests\": [...]", "has no list of tests")
	}
	var tests []AccessTest
	for i, item := range list.Elements() {
		at := testPointer(i)
		if item.Kind() != document.String {
			return nil, f.Problem(model.Error, at, "write a sentence such as \"guests never DELETE\"",
				"expected a string, found %s", read.KindOf(item))
		}
		test := AccessTest{Text: item.Text()}
		test.Line, test.Column, _ = f.Doc.Position(at)
		tests = append(tests, test)
	}
	return tests, nil
}

func testPointer(i int) string { return "/tests/" + strconv.Itoa(i) }

// accessTestFile reads AccessTestFile; nil if there is none.
func (p *Project) accessTestFile() (*read.File, error) {
	f, err := read.JSON(p.fsys, AccessTestFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if later := read.LaterVersion(f); later != nil {
		return nil, later
	}
	return f, nil
}

// Texts returns the sentences of access tests.
func Texts(tests []AccessTest) []string {
	texts := make([]string, len(tests))
	for i, t := range tests {
		texts[i] = t.Text
	}
	return texts
}

// accessTests checks the access tests by their schema, and that each can be decided. Whether they
// hold is not a problem of the project: the command test says so.
func (v *validation) accessTests(p *Project) {
	f, err := p.accessTestFile()
	if f == nil {
		v.unread(err)
		return
	}
	v.bySchema(f, p.schemaOf(AccessTestFile))
	tests, err := p.AccessTests()
	v.unread(err)
	checker := assertion.NewChecker(p.readable())
	for i, test := range tests {
		if err := checker.Check(test.Text).Err; err != nil {
			text, fix, _ := strings.Cut(err.Error(), "; ")
			v.add(byRules, f.Problem(model.Error, testPointer(i), fix, "%s", text))
		}
	}
}

// unread adds the problem of a file that could not be read.
func (v *validation) unread(err error) {
	var problem *read.Problem
	if errors.As(err, &problem) {
		v.add(byLoading, problem)
	}
}

// PlanAccessTests plans to add access tests to the project's, which it leaves as they are. Those
// that are there already are not added again.
func (p *Project) PlanAccessTests(texts ...string) (*Plan, error) {
	pl, err := p.planner(p.Backend)
	if err != nil {
		return nil, err
	}
	plan, err := pl.finish()
	if err != nil {
		return nil, err
	}
	return plan, plan.AddAccessTests(texts...)
}

// AddAccessTests adds access tests to a plan, as PlanAccessTests plans them.
func (p *Plan) AddAccessTests(texts ...string) error {
	have, err := p.project.AccessTests()
	if err != nil {
		return err
	}
	before := Texts(have)
	after := slices.Clone(before)
	for _, text := range texts {
		if !slices.Contains(after, text) {
			after = append(after, text)
		}
	}
	if len(after) == len(before) {
		return nil
	}
	pl := &planner{Project: p.project, changes: make(map[string]journal.Change)}
	f, err := p.project.accessTestFile()
	switch {
	case err != nil:
		return err
	case f == nil:
		err = pl.create(AccessTestFile, render.AccessTests(after, render.Whole))
	default:
		err = pl.editFile(f, AccessTestFile, render.AccessTests(before, render.Part), render.AccessTests(after, render.Part))
	}
	if err != nil {
		return err
	}
	p.Changes = append(p.Changes, pl.changes[AccessTestFile])
	slices.SortStableFunc(p.Changes, func(a, b journal.Change) int { return strings.Compare(a.Path, b.Path) })
	return nil
}

// noteBrokenTests notes the access tests that hold for the project as it was read and not for the
// next backend.
func (pl *planner) noteBrokenTests() error {
	tests, err := pl.AccessTests()
	if err != nil || len(tests) == 0 {
		// A file that cannot be read stops no edit of others; the command test says what is wrong.
		return nil
	}
	was, now := assertion.NewChecker(pl.Backend), assertion.NewChecker(pl.next)
	for _, test := range tests {
		o := now.Check(test.Text)
		if o.Holds() || !was.Check(test.Text).Holds() {
			continue
		}
		place := &read.Problem{File: AccessTestFile, Line: test.Line, Column: test.Column}
		pl.plan.BrokenTests = append(pl.plan.BrokenTests,
			"breaks the access test "+phrase.Quote(test.Text)+" ("+place.Place()+"): "+o.Sentence())
	}
	pl.plan.Notes = append(pl.plan.Notes, pl.plan.BrokenTests...)
	return nil
}
