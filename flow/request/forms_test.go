package request_test

import (
	"net/http"
	"testing"

	"gatewright/flow/request"
	"gatewright/sandbox/identity/identitypool"
)

func TestWhatWasTypedGoesAlongToAnotherAPIAndIsThereOnTheWayBack(t *testing.T) {
	t.Parallel()
	var forms request.Forms
	forms.At(request.Form{API: "shop", Path: "/books", Environment: "dev"})
	forms.At(request.Form{API: "shop", Path: "/first"})
	shop := forms.At(request.Form{API: "shop", Path: "/books"})
	shop.Form.Method, shop.Form.Query, shop.Form.Body = http.MethodPost, "limit=5", `{"title": "Emma"}`
	shop.Form.Headers, shop.Form.As = []string{"X-Trace: 1", ""}, identitypool.Signer{Group: "Editors"}
	next := shop.Form.Copy()
	next.API, next.Path, next.Below = "staff", "/people", ""
	staff := forms.Move(next)
	want := shop.Form.Copy()
	want.API, want.Path = "staff", "/people"
	if !staff.Form.Equal(want) || staff.Chosen {
		t.Errorf("the form is %+v, want %+v", staff.Form, want)
	}
	staff.Form.Body, staff.Form.Headers[0] = "", "X-Trace: 2"
	if shop.Form.Headers[0] != "X-Trace: 1" || forms.Last("shop") != "/books" {
		t.Errorf("the form that was left is %+v, of %s", shop.Form, forms.Last("shop"))
	}
	if again := forms.Move(shop.Form); again != shop || forms.Move(staff.Form).Form.Body != "" {
		t.Errorf("a form that was shown before is not as it was left: %+v", again.Form)
	}
	next.Path, next.Method = "/gone", http.MethodDelete
	if of := forms.Move(next); of.Form.Method != http.MethodGet || of.Form.Query != "limit=5" {
		t.Errorf("a method that deletes goes along: %+v", of.Form)
	}
}
