package flow_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/flow"
	"gatewright/flow/merge"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

// after is a backend after an edit by somebody else.
func after(t testing.TB, b *model.Backend, edit func(*model.Backend) error) *model.Backend {
	t.Helper()
	next, err := b.Edit(edit)
	must(t, err)
	return next
}

// ruled gives the path /items other rules.
func ruled(rules func(access.Access) access.Access) func(*model.Backend) error {
	return func(b *model.Backend) error {
		path := *b.API("shop").Path("/items")
		path.Access = rules(path.Access)
		return edit.UpdatePath(b, "shop", "/items", &path)
	}
}

func items(t testing.TB, f *flow.Flow) access.Access {
	t.Helper()
	b, err := f.Backend()
	must(t, err)
	return b.API("shop").Path("/items").Access
}

func changing(t testing.TB, answers ...string) (*model.Backend, *flow.Flow) {
	t.Helper()
	was := shop(t)
	f := flow.New(was, flow.Task{API: "shop", Path: "/items"}, "")
	answer(t, f, answers...)
	return was, f
}

func TestAnswersStayOnFilesThatSomebodyElseChanged(t *testing.T) {
	t.Parallel()
	was, f := changing(t, "access.guests=create")
	now := after(t, was, ruled(func(a access.Access) access.Access { return a.With(users, access.ActionSet(access.Delete)) }))
	m := merge.New()
	f.Rebase(now, "", m)
	rules := now.API("shop").Path("/items").Access
	if diff := cmp.Diff(rules.With(guests, access.ActionSet(access.Create)), items(t, f)); diff != "" || m.Open != nil {
		t.Errorf("open: %v\n%s", m.Open, diff)
	}
	// Undo takes back what was answered, and not what the files got.
	f.Undo()
	if diff := cmp.Diff(rules, items(t, f)); diff != "" {
		t.Errorf("after undo:\n%s", diff)
	}
	f.Redo()
	f.Rebase(was, "", m)
	if diff := cmp.Diff(was.API("shop").Path("/items").Access.With(guests, access.ActionSet(access.Create)), items(t, f)); diff != "" {
		t.Errorf("when the files are as they were:\n%s", diff)
	}
}

func TestAnEntryThatBothChangedIsDecidedByThePerson(t *testing.T) {
	t.Parallel()
	for _, yours := range []bool{true, false} {
		was, f := changing(t, "access.guests=create")
		now := after(t, was, ruled(func(a access.Access) access.Access { return a.With(guests, access.EveryAction) }))
		m := merge.New()
		f.Rebase(now, "", m)
		want := []merge.Conflict{{Of: "guests under /items", Yours: "create", Outside: "everything"}}
		if diff := cmp.Diff(want, m.Open); diff != "" || f.Base != was {
			t.Fatalf("the base was taken: %v\n%s", f.Base != was, diff)
		}
		m.Err().Decide(yours)
		decided := m.Again()
		f.Rebase(now, "", decided)
		set := access.EveryAction
		if yours {
			set = access.ActionSet(access.Create)
		}
		rules := now.API("shop").Path("/items").Access
		if diff := cmp.Diff(rules.With(guests, set), items(t, f)); diff != "" || decided.Open != nil {
			t.Errorf("with theirs kept: %v, open: %v\n%s", yours, decided.Open, diff)
		}
		f.Undo()
		if diff := cmp.Diff(rules, items(t, f)); diff != "" {
			t.Errorf("after undo:\n%s", diff)
		}
	}
}

func TestThePathOfTheTaskMayGoAndComeBack(t *testing.T) {
	t.Parallel()
	was, f := changing(t)
	without := after(t, was, func(b *model.Backend) error { return edit.RemovePath(b, "shop", "/items") })
	m := merge.New()
	f.Rebase(without, "", m)
	if _, err := f.Backend(); err == nil || m.Open != nil {
		t.Errorf("a path that is gone is changed; open: %v", m.Open)
	}
	now := after(t, was, ruled(func(a access.Access) access.Access { return a.With(users, access.ActionSet(access.Delete)) }))
	f.Rebase(now, "", m)
	if diff := cmp.Diff(now.API("shop").Path("/items").Access, items(t, f)); diff != "" {
		t.Errorf("when it is back:\n%s", diff)
	}
	answer(t, f, "access.guests=create")
	f.Rebase(without, "", m)
	want := []merge.Conflict{{Of: "path /items of the API shop", Yours: "with your answers", Outside: "removed"}}
	if diff := cmp.Diff(want, m.Open); diff != "" {
		t.Fatal(diff)
	}
	m.Err().Decide(true)
	f.Rebase(without, "", m.Again())
	if a, _ := items(t, f).Grant(guests); a != access.ActionSet(access.Create) {
		t.Errorf("the path that is added again gives guests %v", a)
	}
}

func TestGroupsFollowThePoolAndKeepTheOrderOfThePerson(t *testing.T) {
	t.Parallel()
	groups := func(names ...string) func(*model.Backend) error {
		return func(b *model.Backend) error {
			for _, name := range slices.Clone(b.Groups) {
				if !slices.Contains(names, name) {
					must(t, edit.Remove(b, model.Ref{Kind: model.KindGroup, Name: name}, true))
				}
			}
			for _, name := range names {
				if !slices.Contains(b.Groups, name) {
					must(t, edit.AddGroup(b, name))
				}
			}
			return edit.OrderGroups(b, names)
		}
	}
	for _, test := range []struct {
		now, mine, want []string
		open            int
	}{
		{[]string{"Admins"}, []string{"Admins", "Editors", "Buyers"}, []string{"Admins", "Buyers"}, 0},
		{[]string{"Editors", "Admins"}, []string{"Admins", "Editors", "Buyers"}, []string{"Editors", "Admins", "Buyers"}, 0},
		{[]string{"Admins", "Editors", "Guards"}, []string{"Editors", "Admins"}, []string{"Editors", "Admins", "Guards"}, 0},
		{[]string{"Admins", "Editors", "Buyers"}, []string{"Admins", "Editors", "Buyers"}, []string{"Admins", "Editors", "Buyers"}, 0},
	} {
		was, f := changing(t)
		m := f.Matrix(0)
		m.Groups = test.mine
		f.SetMatrix(0, m)
		merged := merge.New()
		f.Rebase(after(t, was, groups(test.now...)), "", merged)
		if diff := cmp.Diff(test.want, f.Groups()); diff != "" || len(merged.Open) != test.open {
			t.Errorf("%v of %v: open: %v\n%s", test.mine, test.now, merged.Open, diff)
		}
	}
}

func TestADraftIsLaidOnTheFilesOfNow(t *testing.T) {
	t.Parallel()
	was, f := changing(t, "access.guests=create")
	now := after(t, was, ruled(func(a access.Access) access.Access { return a.With(users, access.ActionSet(access.Delete)) }))
	resumed := flow.New(now, f.Task, "")
	resumed.Restore(f.Answers())
	m := merge.New()
	resumed.Rebase(now, "", m)
	if diff := cmp.Diff(now.API("shop").Path("/items").Access.With(guests, access.ActionSet(access.Create)), items(t, resumed)); diff != "" {
		t.Error(diff)
	}
}

func TestTheCommandsMakeTheSameInTheProjectAsItWasBeforeSomebodyElseChangedIt(t *testing.T) {
	t.Parallel()
	late := func(b *model.Backend) error {
		must(t, edit.AddTable(b, &model.Table{Name: "later", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}))
		must(t, edit.AddFunction(b, &model.Function{Name: "late", Runtime: model.NodeJS, Template: model.CRUD, Table: "later", Handler: "index.handler"}))
		must(t, edit.AddFunction(b, &model.Function{Name: "unused", Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}))
		must(t, edit.AddGroup(b, "Later"))
		return edit.AddGroup(b, "Unused")
	}
	for name, of := range map[string]struct {
		answers []string
		outside func(*model.Backend) error
		want    []string
	}{
		"guests and a group are taken outside": {
			answers: []string{"access.users=read"},
			outside: ruled(func(a access.Access) access.Access {
				return a.Without(guests).Without(access.Principal{Kind: access.Group, Group: "Admins"})
			}),
			want: []string{"gatewright update path shop /items --function items --auth read --no-guest --no-group Admins"},
		},
		"a function, a table and a group of outside are needed": {
			answers: []string{"access.users=read"},
			outside: func(b *model.Backend) error {
				must(t, late(b))
				path := *b.API("shop").Path("/items")
				path.Function, path.Access = "late", path.Access.With(access.Principal{Kind: access.Group, Group: "Later"}, access.EveryAction)
				return edit.UpdatePath(b, "shop", "/items", &path)
			},
			want: []string{
				"gatewright add group Later", "gatewright add table later --partition-key id:string",
				"gatewright add function late --runtime nodejs --template crud --table later",
				"gatewright update path shop /items --function late --auth read --guest read --group Admins=all --group Later=all",
			},
		},
		"the path is removed outside": {
			answers: []string{"access.users=read"},
			outside: func(b *model.Backend) error { return edit.RemovePath(b, "shop", "/items") },
			want:    []string{"gatewright update path shop /items --function items --auth read --guest read --group Admins=all"},
		},
		"what is not needed": {
			answers: []string{"access.users=read"}, outside: late,
			want: []string{"gatewright update path shop /items --function items --auth read --guest read --group Admins=all"},
		},
	} {
		was, f := changing(t, of.answers...)
		m := merge.New()
		f.Rebase(after(t, was, of.outside), "", m)
		if open := m.Err(); open != nil {
			open.Decide(true)
			f.Rebase(after(t, was, of.outside), "", m.Again())
		}
		if diff := cmp.Diff(of.want, f.Commands()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
