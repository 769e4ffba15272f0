package flow_test

import (
	"strings"
	"testing"

	"gatewright/flow/preview"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

func plain(lines []prose.Line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

var guarded = &access.Path{Name: "/book/{isbn}", Function: "books", Access: access.Access{Setting: access.Protected}.
	With(access.Principal{}, access.ActionSet(access.Create, access.Read)).
	With(access.Principal{Kind: access.Guest}, access.ActionSet(access.Read)).
	With(access.Principal{Kind: access.Group, Group: "Admins"}, access.EveryAction)}

func TestRoutesShowMainAndProxyResourcesAndAccess(t *testing.T) {
	t.Parallel()
	api := &access.API{Label: "shop", Paths: []*access.Path{guarded, {Name: "/book", Access: access.Access{Setting: access.Open}}}}
	want := `/book
  ANY OPTIONS -> no function yet
  /{proxy+} the same, at any depth
  open to everybody
  /book/{isbn}
    ANY OPTIONS -> books
    /{proxy+} the same, at any depth
    guests: read; signed-in users: create, read; members of Admins: all
`
	if got := plain(preview.Routes(api)); got != want {
		t.Errorf("the routes are\n%s", got)
	}
}

func TestTheOverviewSaysWhatWillBe(t *testing.T) {
	t.Parallel()
	was := &model.Backend{Project: model.Project{Name: "x", ApplicationID: "a", Dialect: model.Neutral}, Groups: []string{"Admins"}}
	var err error
	must := func(e error) {
		if err == nil {
			err = e
		}
	}
	must(edit.AddFunction(was, &model.Function{Name: "books", Runtime: model.NodeJS}))
	must(edit.AddAPI(was, &access.API{Label: "shop", Paths: []*access.Path{guarded}}))
	next, editErr := was.Edit(func(b *model.Backend) error {
		must(edit.AddGroup(b, "Editors"))
		must(edit.AddTable(b, &model.Table{Name: "orders", PartitionKey: model.Key{Name: "customer", Type: model.StringKey}, SortKey: model.Key{Name: "order", Type: model.NumberKey}}))
		must(edit.AddFunction(b, &model.Function{Name: "orders", Runtime: model.NodeJS, Template: model.CRUD, Table: "orders"}))
		must(edit.AddPath(b, "shop", &access.Path{Name: "/orders", Function: "orders", Access: access.Access{Setting: access.Private}.With(access.Principal{}, access.EveryAction)}))
		changed := *guarded
		changed.Access = guarded.Access.With(access.Principal{Kind: access.Guest}, access.ActionSet(access.Read, access.Delete))
		return edit.UpdatePath(b, "shop", guarded.Name, &changed)
	})
	must(editErr)
	if err != nil {
		t.Fatal(err)
	}
	want := `/book/{isbn}: function books, which exists
  guests may read and delete
  signed-in users may create and read
  members of Admins may do everything
  members of Editors may create and read, as signed-in users
  ▲ /book/{isbn} lets guests delete, and not signed-in users
/orders: new function orders, CRUD function for DynamoDB-style key-value table, on the table orders
  guests may do nothing
  signed-in users may do everything
  members of Admins may do everything, as signed-in users
  members of Editors may do everything, as signed-in users
table orders: partition key customer (string), sort key order (number)
group Editors
▲ guests may now delete under /book/{isbn} (DELETE /book/1)
`
	if got := plain(preview.OverviewOf(was, next, "").Lines()); got != want {
		t.Errorf("the overview is\n%s\nwant\n%s", got, want)
	}
}
