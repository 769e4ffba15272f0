package console

import (
	"strings"
	"testing"

	"gatewright/tui/route"
)

func TestTheConsoleOpensWithARequestThatWasSent(t *testing.T) {
	t.Parallel()
	term := open(t, written(t, shop(t)), "none", 120, 40, Options{}, route.Console{API: "shop", Method: "PUT", Environment: "dev", Filled: route.Filled{
		Target: "/books/97%208/cover?limit=3", Headers: "X-Trace: 1\nAuthorization: Bearer hidden\nX-Other: 2", Body: `{"a":1}`, As: "group:Editors",
	}})
	term.shows("Path         /books/{isbn}", "{isbn}       97%208", "Below it     /cover", "Query        limit=3", "Method       PUT", "X-Trace: 1", "X-Other: 2", `{"a":1}`, "a member of Editors")
	if strings.Contains(term.Screen(), "hidden") {
		t.Errorf("the form has a credential:\n%s", term.Screen())
	}
	term = open(t, written(t, shop(t)), "none", 120, 40, Options{}, route.Console{API: "shop", Filled: route.Filled{Target: "/nowhere"}})
	term.shows("warning: path: no path of the API shop serves \"GET /nowhere\"")
}
