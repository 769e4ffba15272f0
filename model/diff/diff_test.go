package diff_test

import (
	"fmt"
	"slices"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/diff"
	"gatewright/model/edit"
	"gatewright/model/modeltest"
)

// lines returns the differences other than NoChange, with their reasons.
func lines(was, now *model.Backend) []string {
	var all []string
	for _, d := range diff.Backends(was, now) {
		if d.Operation == diff.NoChange {
			continue
		}
		all = append(all, d.Operation.String()+" "+d.Of.String())
		for _, reason := range d.Reasons {
			all = append(all, "  "+reason)
		}
	}
	return all
}

// changed returns an edited copy of a backend.
func changed(t *testing.T, b *model.Backend, edit func(*model.Backend) error) *model.Backend {
	t.Helper()
	next, err := b.Edit(edit)
	modeltest.Must(t, err)
	return next
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

func table(name string, indexes ...model.Index) *model.Table {
	return &model.Table{Name: name, PartitionKey: model.Key{Name: "id", Type: model.StringKey}, Indexes: indexes}
}

// wholeBackend has things of every kind, as dev deploys it.
func wholeBackend(t *testing.T) *model.Backend {
	t.Helper()
	b := modeltest.Backend(t, []string{"Admins", "Editors"},
		accesstest.Open("/free", "f"),
		accesstest.Restricted("/items", "items", accesstest.ToUsers(access.Create, access.Read), accesstest.ToGuests(access.Read), accesstest.ToGroup("Admins", access.AllActions...)))
	modeltest.Must(t, edit.SetProject(b, model.Project{Name: "p", ApplicationID: "a", Dialect: model.Neutral}))
	modeltest.Must(t, edit.AddTable(b, table("items")))
	modeltest.Must(t, edit.AddTable(b, table("orders")))
	modeltest.Must(t, edit.AddFunction(b, modeltest.Function("spare")))
	length := 8
	modeltest.Must(t, edit.SetAuth(b, &model.Auth{MFAConfiguration: "NONE", PasswordPolicy: &model.PasswordPolicy{MinLength: &length}, UsernameAttributes: []string{"email"}}))
	modeltest.Must(t, edit.SetData(b, &model.Data{Region: "eu-west-1", URL: "https://a"}))
	modeltest.Must(t, edit.SetStorage(b, &model.Storage{BucketName: "files"}))
	modeltest.Must(t, edit.AddOutput(b, model.Outputs{"custom": map[string]any{"limit": 1, "list": []string{"a", "b"}}}))
	modeltest.Must(t, edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local}))
	return b.For(b.Environment("dev"))
}

func TestABackendThatWasNeverPushedIsCreated(t *testing.T) {
	t.Parallel()
	want := []string{
		"Create environment dev",
		"Create API shop", "  /free is new, served by f (open to everybody)", "  /items is new, served by items (guests: read; signed-in users: create, read; members of Admins: all)",
		"Create function f", "Create function items", "Create function spare",
		"Create table items", "Create table orders",
		"Create auth", "Create data", "Create storage", "Create output custom",
	}
	b := wholeBackend(t)
	same(t, "never pushed", lines(nil, b), want)
	for i, line := range want {
		switch {
		case line[:6] == "Create":
			want[i] = "Delete" + line[6:]
		case line == "  /free is new, served by f (open to everybody)":
			want[i] = "  /free is gone"
		default:
			want[i] = "  /items is gone"
		}
	}
	same(t, "all removed", lines(b, nil), want)
	same(t, "nothing", lines(nil, &model.Backend{}), nil)
}

func TestUnchangedResourcesAreListedToo(t *testing.T) {
	t.Parallel()
	b := wholeBackend(t)
	var got []string
	for _, d := range diff.Backends(b, b) {
		if d.Operation != diff.NoChange || d.Reasons != nil {
			t.Errorf("%s: %s %q", d.Of, d.Operation, d.Reasons)
		}
		got = append(got, d.Of.String())
	}
	same(t, "resources", got, []string{
		"environment dev", "API shop", "function f", "function items", "function spare", "table items", "table orders", "auth", "data", "storage", "output custom",
	})
}

func TestDeletedResourcesAreSortedAmongTheOthers(t *testing.T) {
	t.Parallel()
	was, now := &model.Backend{}, &model.Backend{}
	for _, name := range []string{"aaa", "bbb", "ddd"} {
		modeltest.Must(t, edit.AddFunction(was, modeltest.Function(name)))
	}
	for _, name := range []string{"bbb", "ccc", "eee"} {
		modeltest.Must(t, edit.AddFunction(now, modeltest.Function(name)))
	}
	same(t, "functions", lines(was, now), []string{"Delete function aaa", "Create function ccc", "Delete function ddd", "Create function eee"})
}

func TestDiffExplainsAChangedPathByRoutesAndPermissions(t *testing.T) {
	t.Parallel()
	items := func(grants ...access.Grant) *access.Path { return accesstest.Restricted("/items", "f", grants...) }
	guestsUnderPrivate := items(accesstest.ToUsers(access.Read), accesstest.ToGuests(access.Read))
	guestsUnderPrivate.Access.Setting = access.Private
	usual := items(accesstest.ToUsers(access.Create, access.Read), accesstest.ToGuests(access.Read), accesstest.ToGroup("Admins", access.AllActions...))
	everything := items(accesstest.ToUsers(access.AllActions...), accesstest.ToGuests(access.AllActions...))
	for what, tt := range map[string]struct {
		was, now *access.Path
		want     []string
	}{
		"guests lose": {items(accesstest.ToGuests(access.Read, access.Update)), items(accesstest.ToGuests(access.Read)), []string{"/items: guests lose update"}},
		"a setting":   {guestsUnderPrivate, items(accesstest.ToUsers(access.Read), accesstest.ToGuests(access.Read)), []string{"/items: guests gain read"}},
		"everybody":   {items(accesstest.ToUsers(access.Read)), items(accesstest.ToUsers(access.Update)), []string{"/items: signed-in users gain update", "/items: signed-in users lose read"}},
		"a group":     {usual, items(append(slices.Clone(usual.Access.Grants[:2]), accesstest.ToGroup("Admins", access.Create, access.Read, access.Update))...), []string{"/items: members of Admins lose delete"}},
		"a group that is named": {
			items(accesstest.ToUsers(access.Read)), items(accesstest.ToUsers(access.Read), accesstest.ToGroup("Admins", access.Delete)),
			[]string{"/items: members of Admins gain delete", "/items: members of Admins lose read"},
		},
		"opened": {usual, accesstest.Open("/items", "f"), []string{"/items: is open to everybody now"}},
		"closed": {accesstest.Open("/items", "f"), usual, []string{
			"/items: is no longer open to everybody", "/items: guests lose create, update, delete", "/items: signed-in users lose update, delete",
		}},
		"closed to nobody":     {accesstest.Open("/items", "f"), everything, []string{"/items: is no longer open to everybody"}},
		"another function":     {accesstest.Open("/items", "f"), accesstest.Open("/items", "g"), []string{"/items: served by g instead of f"}},
		"function and access":  {items(accesstest.ToUsers(access.Read)), accesstest.Open("/items", "g"), []string{"/items: served by g instead of f", "/items: is open to everybody now"}},
		"an entry for nothing": {items(accesstest.ToUsers(access.Read)), guestsUnderPrivate, []string{"/items: is written differently; access stays the same"}},
		"an entry that repeats": {
			items(accesstest.ToUsers(access.Read)), items(accesstest.ToUsers(access.Read), accesstest.ToGroup("Admins", access.Read)),
			[]string{"/items: is written differently; access stays the same"},
		},
		"another order": {items(accesstest.ToUsers(access.Read), accesstest.ToGroup("A", access.Read), accesstest.ToGroup("B")), items(accesstest.ToGroup("B"), accesstest.ToUsers(access.Read), accesstest.ToGroup("A", access.Read)), nil},
		"another name":  {accesstest.Open("/old", "f"), accesstest.Open("/new", "f"), []string{"/new is new, served by f (open to everybody)", "/old is gone"}},
		"odd names":     {items(accesstest.ToGroup("A")), items(accesstest.ToGroup("A"), accesstest.ToGroup("\x1b[2J", access.Read)), []string{`/items: members of "\x1b[2J" gain read`}},
	} {
		api := func(p *access.Path) *model.Backend {
			return &model.Backend{Groups: []string{"A"}, APIs: []*access.API{accesstest.Shop(accesstest.Open("/first", "f"), p, accesstest.Open("/last", "f"))}}
		}
		var want []string
		if tt.want != nil {
			want = []string{"Update API shop"}
			for _, reason := range tt.want {
				want = append(want, "  "+reason)
			}
		}
		same(t, what, lines(api(tt.was), api(tt.now)), want)
	}
}

func TestTheOrderOfPathsIsNoChange(t *testing.T) {
	t.Parallel()
	one := modeltest.Backend(t, nil, accesstest.Open("/a", "f"), accesstest.Open("/b", "f"), accesstest.Open("/c", "f"))
	two := modeltest.Backend(t, nil, accesstest.Open("/c", "f"), accesstest.Open("/a", "f"), accesstest.Open("/b", "f"))
	same(t, "another order", lines(one, two), nil)
}

func TestDiffCountsThePathsOfALargeNewAPI(t *testing.T) {
	t.Parallel()
	api := accesstest.Shop()
	for i := range 13 {
		api.Paths = append(api.Paths, accesstest.Open(fmt.Sprintf("/p%d", i), "f"))
	}
	b := &model.Backend{APIs: []*access.API{api}}
	got := diff.Backends(nil, b)[0].Reasons
	if len(got) != 14 || got[0] != "13 paths" || got[13] != "/p12 is new, served by f (open to everybody)" {
		t.Errorf("reasons are %q", got)
	}
	api.Paths = api.Paths[:12]
	if got := diff.Backends(nil, b)[0].Reasons; len(got) != 12 || got[0] != "/p0 is new, served by f (open to everybody)" {
		t.Errorf("reasons are %q", got)
	}
}

func TestAnOperationIsAWordForPeopleAndOneForPrograms(t *testing.T) {
	t.Parallel()
	for operation, want := range map[diff.Operation][2]string{
		diff.NoChange: {"No change", `"no-change"`}, diff.ToCreate: {"Create", `"create"`}, diff.ToUpdate: {"Update", `"update"`}, diff.ToDelete: {"Delete", `"delete"`},
	} {
		if got := [2]string{operation.String(), modeltest.DumpValue(t, operation)}; got != want {
			t.Errorf("%d is %q", operation, got)
		}
	}
}

func TestAChangeOfBinaryMediaTypesIsADifference(t *testing.T) {
	t.Parallel()
	with := func(types ...string) *model.Backend {
		b := modeltest.Backend(t, nil, accesstest.Open("/a", "f"))
		modeltest.Must(t, edit.SetBinaryMediaTypes(b, "shop", types))
		return b
	}
	for _, c := range []struct {
		was, now *model.Backend
		want     []string
	}{
		{with(), with("image/png"), []string{"Update API shop", "  has the binary media type image/png, and had none"}},
		{with("image/png"), with("image/png", "application/pdf"), []string{"Update API shop", "  has the binary media types image/png, application/pdf instead of image/png"}},
		{with("image/png", "image/gif"), with(), []string{"Update API shop", "  has no binary media types now, and had image/png, image/gif: every body is text"}},
		{with("image/png", "image/gif"), with("image/gif", "image/png"), nil},
	} {
		same(t, "the difference", lines(c.was, c.now), c.want)
	}
	if got := lines(nil, with("image/png")); !slices.Contains(got, "  has the binary media type image/png") {
		t.Errorf("a new API: %q", got)
	}
}
