package console

import (
	"strings"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/flow/request"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/tui/route"
)

func TestAPickerOpensOnWhatIsChosen(t *testing.T) {
	t.Parallel()
	term := open(t, written(t, shop(t)), "none", 120, 40, Options{}, route.Console{Path: "/books/{isbn}"})
	for _, label := range []string{"Method", "Path", "API", "Environment", "Who calls"} {
		before := term.to(label).page.at.Form
		if term.keys("enter", "enter"); !term.page.at.Form.Equal(before) {
			t.Errorf("enter, enter on %s makes %+v of %+v", label, term.page.at.Form, before)
		}
	}
	term.to("Method").keys("enter").shows("delete; will be refused", "▌ GET")
}

func TestEachPathHasItsOwnFormAndAnswer(t *testing.T) {
	t.Parallel()
	deploytest.NeedNode(t)
	dir := written(t, shop(t))
	deploytest.Serve(t, dir)
	forms := new(request.Forms)
	term := open(t, dir, "none", 200, 60, Options{Forms: forms}, route.Console{Path: "/open"})
	term.to("Query").keys("enter", "limit=3", "enter", "c").shows("200 OK", `"limit": [`)
	term.to("Path").keys("enter", "/staff", "enter").shows("GET /staff, not signed", "nothing was sent to this path yet")
	if text := term.Screen(); strings.Contains(text, "limit=3") || strings.Contains(text, "200 OK") {
		t.Errorf("/staff shows what was sent to /open:\n%s", text)
	}
	term.to("Query").keys("enter", "staff=1", "enter")
	term.to("Path").keys("enter", "/open", "enter").shows("GET /open?limit=3, not signed", "200 OK", `"limit": [`)
	// A second page of the same run has the same forms; opening the first route again goes to
	// its path.
	other := open(t, dir, "none", 200, 60, Options{Forms: forms}, route.Console{Path: "/staff"})
	other.shows("GET /staff?staff=1, not signed", "nothing was sent to this path yet")
	other.to("Path").keys("enter", "/open", "enter").shows("GET /open?limit=3, not signed", "200 OK")
	other.page.Reopen()
	other.tell(nil)
	other.shows("GET /staff?staff=1, not signed", "nothing was sent to this path yet")
}

// What was typed for a path that is gone meanwhile must not be sent to another one.
func TestAFormIsNotThatOfAnotherPathAfterItsOwnIsGone(t *testing.T) {
	t.Parallel()
	dir := written(t, shop(t))
	term := open(t, dir, "none", 120, 40, Options{}, route.Console{Path: "/open"})
	term.to("Query").keys("enter", "secret=3", "enter")
	deploytest.Change(t, dir, func(b *model.Backend) error { return edit.RemovePath(b, "shop", "/open") })
	term.keys("ctrl+r")
	if at := term.page.at.Form; at.Path == "/open" || at.Path == "" || at.Query != "" {
		t.Errorf("the form is %+v:\n%s", at, term.Screen())
	}
}

// A DELETE that was not chosen is asked about, whatever filled it in.
func TestNothingThatDeletesIsSentUnlessItWasChosen(t *testing.T) {
	t.Parallel()
	deploytest.NeedNode(t)
	dir := written(t, shop(t))
	deploytest.Serve(t, dir)
	term := open(t, dir, "none", 120, 40, Options{}, route.Console{Path: "/open", Method: "DELETE"})
	term.keys("c").shows("Send DELETE?", "was filled in; you did not choose it", "DELETE /open").keys("enter")
	if term.page.at.Last != nil {
		t.Fatalf("enter on the question sent it:\n%s", term.Screen())
	}
	term.keys("c", "tab", "enter").shows("200 OK")
	// It is agreed to for this form only.
	term.to("Query").keys("enter", "a=1", "enter").keys("c").shows("200 OK")
	term.keys("H", "DELETE", "enter", "c").shows("Send DELETE?").keys("esc")
	term.to("Method").keys("enter", "GET", "enter", "c").shows("200 OK")
	term.to("Method").keys("enter", "DELETE", "enter", "c").shows(`"method": "DELETE"`)
	// Sending the last request again, while the form shows another one.
	term.to("Method").keys("enter", "GET", "enter", ".").shows("Send DELETE?")
}
