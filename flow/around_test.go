package flow_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gatewright/flow"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project/amplify"
)

func TestAStepKeepsItsPlaceWhenItsAnswersAreGone(t *testing.T) {
	t.Parallel()
	f := flow.New(shop(t), flow.Task{}, "")
	answer(t, f, "path.path=/a", "another.another=yes", "path.path=/b", "function.template=crud")
	table := flow.ID{Kind: "table", Path: 1}
	id := func(kind flow.Kind, path int) flow.ID { return flow.ID{Kind: kind, Path: path} }
	for _, test := range []struct{ at, before, after flow.ID }{
		{id("api", 0), flow.ID{}, id("path", 0)},
		{id("another", 0), id("access", 0), id("path", 1)},
		{table, id("function", 1), id("access", 1)},
		{id("table", 0), id("function", 0), id("access", 0)},
		{id("project", 0), flow.ID{}, id("api", 0)},
		{id("path", 2), id("another", 1), id("environments", 0)},
		{id("environments", 0), id("another", 1), id("review", 0)},
		{id("review", 0), id("environments", 0), flow.ID{}},
	} {
		if before, after := f.Around(test.at); before != test.before || after != test.after {
			t.Errorf("%v is between %v and %v, and not %v and %v", test.at, before, after, test.before, test.after)
		}
	}
}

func TestASketchHasThePathsThatAreMostLikeTheCurrentOne(t *testing.T) {
	t.Parallel()
	b := shop(t)
	for _, name := range []string{"/items/{id}", "/items/{id}/notes", "/itemsets", "/orders"} {
		must(t, edit.AddPath(b, "shop", &access.Path{Name: name, Function: "items", Access: access.Access{Setting: access.Open}}))
	}
	f := flow.New(b, flow.Task{API: "shop"}, "")
	answer(t, f, "path.path=/items/{id}/tags", "another.another=yes", "path.path=", "another.another=yes", "path.path=/orders/{id}")
	for _, test := range []struct {
		path, limit int
		current     string
		want        string
	}{
		{0, 3, "/items/{id}/tags", "/items/{id}/tags /orders/{id} /items/{id}/notes /items/{id} /items"},
		{0, 0, "/items/{id}/tags", "/items/{id}/tags /orders/{id}"},
		{1, 1, "", "/items/{id}/tags /orders/{id} /items"},
		{2, 1, "/orders/{id}", "/items/{id}/tags /orders/{id} /orders"},
		{9, 1, "/orders/{id}", "/items/{id}/tags /orders/{id} /orders"},
	} {
		api, current := f.Sketch(flow.ID{Kind: "path", Path: test.path}, test.limit)
		var paths []string
		for _, p := range api.Paths {
			paths = append(paths, p.Name)
		}
		if api.Label != "shop" || current.Name != test.current || strings.Join(paths, " ") != test.want {
			t.Errorf("at path %d with %d others: %q of %s", test.path, test.limit, current.Name, strings.Join(paths, " "))
		}
	}
	changed := flow.New(b, flow.Task{API: "shop", Path: "/items/{id}"}, "")
	answer(t, changed, "path.path=/items/{sku}", "access.mode=private", "access.users=read")
	api, current := changed.Sketch(flow.ID{Kind: "path"}, 2)
	if got := fmt.Sprint(current.Name, current.Function, current.Access, api.Paths[1].Name, api.Paths[2].Name, len(api.Paths)); got != "/items/{sku}itemssigned-in users: read/items/{id}/notes/items3" {
		t.Errorf("the path that is changed stands beside its new name: %s", got)
	}
}

func TestNearestKeepsTheOrderOfPathsThatAreEquallyNear(t *testing.T) {
	t.Parallel()
	var paths []*access.Path
	for _, name := range []string{"/b", "/a/x", "/c", "/a/y", "/a", "/a/q/z", "/a/q"} {
		paths = append(paths, &access.Path{Name: name})
	}
	for limit, want := range []string{"", "/a/q/z", "/a/q/z /a/x", "/a/q/z /a/x /a/y", "/a/q/z /a/x /a/y /a", "/a/q/z /a/x /a/y /a /b", "/a/q/z /a/x /a/y /a /b /c"} {
		var got []string
		for _, p := range flow.Nearest(paths, "/a/q", "", limit) {
			got = append(got, p.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("the nearest %d are %v, want %s", limit, got, want)
		}
	}
	if got := flow.Nearest(paths, "/a/q", "/a/q/z", 1); len(got) != 1 || got[0].Name != "/a/x" {
		t.Errorf("the path that is changed is among the nearest: %v", got)
	}
}

func TestTheNextQuestionIsAlsoOneWhoseAnswerIsNoLongerValid(t *testing.T) {
	t.Parallel()
	f := flow.New(shop(t), flow.Task{}, "")
	answer(t, f, "path.path=/a", "function.source=existing", "function.existing=items")
	for _, at := range f.Steps() {
		f.Pass(at)
	}
	if at := f.Unanswered(); at != (flow.ID{Kind: flow.Review}) {
		t.Errorf("after the last question comes %v", at)
	}
	answer(t, f, "function.existing=gone")
	if at := f.Unanswered(); at != (flow.ID{Kind: "function"}) {
		t.Errorf("with a function that is gone, the question is %v", at)
	}
	if at, err := f.FirstOpen(); at != (flow.ID{Kind: "function"}) || err == nil || err.Error() != "function: is not chosen yet; choose one" {
		t.Errorf("the first open step is %v: %v", at, err)
	}
}

func TestAGroupThatTheProjectGotAfterTheAnswerIsLast(t *testing.T) {
	t.Parallel()
	f := flow.New(shop(t), flow.Task{API: "shop", Path: "/items"}, "")
	answer(t, f, "access.groups=Buyers")
	m, err := f.Matrix(0).Move("Buyers", -1)
	must(t, err)
	f.SetMatrix(0, m)
	later := shop(t)
	must(t, edit.AddGroup(later, "Later"))
	again := flow.New(later, f.Task, "")
	again.Restore(f.Answers())
	if got := fmt.Sprint(again.Groups(), again.Matrix(0).Made); got != "[Admins Buyers Editors Later] [Buyers]" {
		t.Errorf("the groups are %s", got)
	}
	b, err := again.Backend()
	must(t, err)
	if got := fmt.Sprint(b.Groups); got != "[Admins Buyers Editors Later]" {
		t.Errorf("the pool has %s", got)
	}
}

func TestAGroupThatOnlyThePathNamesStaysWhenOthersGo(t *testing.T) {
	t.Parallel()
	b := shop(t)
	changed := *b.API("shop").Path("/items")
	changed.Access = changed.Access.With(access.Principal{Kind: access.Group, Group: "Gone"}, access.ActionSet(access.Read))
	b.APIs[0].Paths[0] = &changed
	f := flow.New(b, flow.Task{API: "shop", Path: "/items"}, "")
	answer(t, f, "access.groups=Buyers", "access.Buyers=read")
	m, err := f.Matrix(0).WithoutGroup("Buyers")
	must(t, err)
	f.SetMatrix(0, m)
	if got := fmt.Sprint(f.Matrix(0).Access.Groups(), f.Matrix(0).Groups); got != "[Admins Gone] [Admins Editors]" {
		t.Errorf("the entries and groups are %s", got)
	}
}

func TestTheGrantsOfAPathKeepTheirOrderAndNewOnesFollow(t *testing.T) {
	t.Parallel()
	b := shop(t)
	group := func(name string) access.Principal { return access.Principal{Kind: access.Group, Group: name} }
	changed := *b.API("shop").Path("/items")
	changed.Access = access.Access{Setting: access.Protected, Grants: []access.Grant{{To: group("Editors"), Actions: access.ActionSet(access.Read)}, {To: access.Principal{}, Actions: access.EveryAction}}}
	b.APIs[0].Paths[0] = &changed
	f := flow.New(b, flow.Task{API: "shop", Path: "/items"}, "")
	answer(t, f, "access.groups=Buyers", "access.Buyers=read", "access.guests=read", "access.Admins=delete", "access.Editors=update")
	next, err := f.Backend()
	must(t, err)
	var order []string
	for _, g := range next.API("shop").Paths[0].Access.Grants {
		order = append(order, g.To.String()+" "+g.Actions.Letters())
	}
	if got := strings.Join(order, ", "); got != "members of Editors --U-, signed-in users CRUD, guests -R--, members of Admins ---D, members of Buyers -R--" {
		t.Errorf("the grants are %s", got)
	}
}

func TestTheMatrixOfAPathSaysWhyGroupsAreFixedAndGuestsOff(t *testing.T) {
	t.Parallel()
	b := shop(t)
	no := false
	b.Auth = &model.Auth{UnauthenticatedIdentitiesEnabled: &no}
	f := flow.New(b, flow.Task{API: "shop"}, "")
	answer(t, f, "path.path=/a")
	m := f.Matrix(0)
	if m.Path != "/a" || !m.GuestsOff || m.Fixed != "" || m.Before != nil {
		t.Errorf("with a pool without guests: %+v", m)
	}
	b.Layout = amplify.Layout
	m = flow.New(b, flow.Task{API: "shop", Path: "/items"}, "").Matrix(0)
	if m.GuestsOff || m.Fixed != "the Amplify CLI manages the groups of this project: amplify update auth" || m.Before == nil {
		t.Errorf("in a project of the Amplify CLI: %+v", m)
	}
}

func TestAFirstEnvironmentIsTakenInANewProjectOnly(t *testing.T) {
	t.Parallel()
	f := flow.New(&model.Backend{}, flow.Task{}, "shop")
	answer(t, f, "path.path=/a", "environments.new=dev")
	if _, err := f.Backend(); err == nil || err.Error() != "environment: dev exists already; choose another name, or update the existing one" {
		t.Errorf("a second dev of a new project: %v", err)
	}
	f = flow.New(&model.Backend{Project: model.Project{Name: "shop", ApplicationID: "a", Dialect: model.Neutral}}, flow.Task{}, "")
	answer(t, f, "path.path=/a", "environments.new=dev")
	if b, err := f.Backend(); err != nil || len(b.Environments) != 1 {
		t.Errorf("the first dev of a project: %v", err)
	}
}

func TestAPathIsCheckedUnlessItStaysAsItIs(t *testing.T) {
	t.Parallel()
	b := shop(t)
	odd := *b.API("shop").Paths[0]
	odd.Name = "/odd path"
	b.APIs[0].Paths[0] = &odd
	f := flow.New(b, flow.Task{API: "shop", Path: "/odd path"}, "")
	at := find(t, f, "path")
	for _, test := range []struct{ path, want string }{
		{"/odd path", ""}, {"/other path", `path: "/other path"`}, {"", "path: "}, {"/news", "path: /news exists already"}, {"/fine", ""},
	} {
		answer(t, f, "path.path="+test.path)
		switch err := f.Check(at); {
		case test.want == "" && err != nil, test.want != "" && (err == nil || !strings.HasPrefix(err.Error(), test.want)):
			t.Errorf("the path %q: %v, want %q", test.path, err, test.want)
		}
	}
}

func TestGroupsOfTheMatrixAreThoseOfAllPathsUnlessTheAmplifyCLIKeepsThem(t *testing.T) {
	t.Parallel()
	for _, kept := range []bool{false, true} {
		b := shop(t)
		if kept {
			b.Layout = amplify.Layout
		}
		b.Groups = []string{"Admins", "Editors"}
		b.APIs[0].Path("/items").Access = access.Access{Setting: access.Private}.With(member("Lost"), access.ActionSet(access.Read))
		f := flow.New(b, flow.Task{API: "shop", Path: "/items"}, "")
		m := f.Matrix(0)
		m.Groups = []string{"Readers", "Editors"}
		m.Access = access.Access{Setting: access.Private}.With(member("Readers"), access.ActionSet(access.Read)).With(member("Lost"), access.ActionSet(access.Read))
		f.SetMatrix(0, m)
		// The project gets a group after the answer, and keeps those that it has.
		b.Groups = append(b.Groups, "Late")
		want, named := []string{"Readers", "Editors", "Admins", "Late"}, []string{"Lost", "Readers"}
		if kept {
			want, named = []string{"Admins", "Editors", "Late"}, []string{"Lost"}
		}
		after := f.Matrix(0)
		if got := f.Groups(); !slices.Equal(got, want) || !slices.Equal(after.Groups, want) {
			t.Errorf("reserved by the Amplify CLI %v: the groups are %q, and in the matrix %q, want %q", kept, got, after.Groups, want)
		}
		if got := slices.Sorted(slices.Values(after.Access.Groups())); !slices.Equal(got, named) {
			t.Errorf("reserved by the Amplify CLI %v: the path names %q, want %q", kept, got, named)
		}
		// Without a group that is new, the entry of it goes, and that of one which the path had stays.
		m.Groups = []string{"Editors"}
		f.SetMatrix(0, m)
		if got := f.Matrix(0).Access.Groups(); !slices.Equal(got, []string{"Lost"}) {
			t.Errorf("reserved by the Amplify CLI %v: after that the path names %q", kept, got)
		}
	}
}
