package plan

import (
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/assertion"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/project/read"
	"gatewright/render"
)

// AccessTests plans to add access tests to the project's, which it leaves as they are. Those
// that are there already are not added again.
func AccessTests(p *project.Project, texts ...string) (*Plan, error) {
	pl, err := newPlanner(p, p.Backend)
	if err != nil {
		return nil, err
	}
	plan, err := pl.finish()
	if err != nil {
		return nil, err
	}
	return plan, plan.AddAccessTests(texts...)
}

// AddAccessTests adds access tests to a plan, as AccessTests plans them.
func (p *Plan) AddAccessTests(texts ...string) error {
	have, err := p.project.AccessTests()
	if err != nil {
		return err
	}
	before := project.Texts(have)
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
	f, err := p.project.ReadAccessTests()
	switch {
	case err != nil:
		return err
	case f == nil:
		err = pl.create(project.AccessTestFile, render.AccessTests(after, render.Whole))
	default:
		err = pl.editFile(f, project.AccessTestFile, render.AccessTests(before, render.Part),
			render.AccessTests(after, render.Part))
	}
	if err != nil {
		return err
	}
	p.Changes = append(p.Changes, pl.changes[project.AccessTestFile])
	slices.SortStableFunc(p.Changes, func(a, b journal.Change) int { return strings.Compare(a.Path, b.Path) })
	return nil
}

// noteBrokenTests notes the access tests that hold for the project as it was read and not for the next backend.
func (pl *planner) noteBrokenTests() error {
	tests, err := pl.AccessTests()
	if err != nil || len(tests) == 0 {
		// A file that cannot be read stops no edit of others; the command test says what is wrong.
		return nil
	}
	was, now := assertion.NewChecker(pl.Backend), assertion.NewChecker(pl.next)
	near := assertion.NewChecker(pl.nearChanges())
	for _, test := range tests {
		if s, _ := assertion.Parse(test.Text); !s.Counts() && near.Check(test.Text).Holds() {
			continue
		}
		o := now.Check(test.Text)
		if o.Holds() || !was.Check(test.Text).Holds() {
			continue
		}
		place := &read.Problem{File: project.AccessTestFile, Line: test.Line, Column: test.Column}
		pl.plan.BrokenTests = append(pl.plan.BrokenTests,
			"breaks the access test "+phrase.Quote(test.Text)+" ("+place.Place()+"): "+o.Sentence())
	}
	pl.plan.Notes = append(pl.plan.Notes, pl.plan.BrokenTests...)
	return nil
}

// nearChanges returns the part of the next backend in which requests may be decided differently from as read:
// all of it, if not only paths differ in what decides.
func (pl *planner) nearChanges() *model.Backend {
	if pl.Backend.Terms() != pl.next.Terms() || !slices.Equal(pl.Backend.RoleOrder(), pl.next.RoleOrder()) ||
		!slices.Equal(pl.Backend.Environments, pl.next.Environments) {
		return pl.next
	}
	var changed []string
	for _, p := range pl.apiPairs() {
		if p.old == nil || p.now == nil {
			return pl.next
		}
		before, after := changedPaths(p.old, p.now)
		for _, path := range append(before, after...) {
			changed = append(changed, path.Name)
		}
	}
	return pl.next.Near(changed...)
}
