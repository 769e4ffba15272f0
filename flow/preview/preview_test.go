package preview_test

import (
	"strings"
	"testing"

	"gatewright/flow/preview"
	"gatewright/model"
	"gatewright/prose"
)

func text(lines []prose.Line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

var guarded = &model.Path{Name: "/book/{isbn}", Function: "books", Access: model.Access{Setting: model.Protected}.
	With(model.Principal{}, model.ActionSet(model.Create, model.Read)).
	With(model.Principal{Kind: model.Guest}, model.ActionSet(model.Read)).
	With(model.Principal{Kind: model.Group, Group: "Admins"}, model.EveryAction)}

func TestRoutesShowMainAndProxyResourcesAndAccess(t *testing.T) {
	api := &model.API{Label: "shop", Paths: []*model.Path{guarded, {Name: "/book", Access: model.Access{Setting: model.Open}}}}
	want := `/book
  ANY OPTIONS -> no function yet
  /{proxy+} the same, at any depth
  open to everybody
  /book/{isbn}
    ANY OPTIONS -> books
    /{proxy+} the same, at any depth
    signed-in users: create, read; members of Admins: all; guests: read
`
	if got := text(preview.Routes(api)); got != want {
		t.Errorf("the routes are\n%s", got)
	}
}

func TestTheMatrixReadsWithoutColour(t *testing.T) {
	want := `                   create  read  update  delete
guests             -       x     -       -
signed-in users    x       x     -       -
members of Admins  x       x     x       x
`
	if got := text(preview.Matrix(guarded)); got != want {
		t.Errorf("the matrix is\n%s", got)
	}
}
