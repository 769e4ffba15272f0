package apis

import (
	"fmt"
	"strings"
	"testing"

	"gatewright/flow/draft"
	"gatewright/flow/session"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/diff"
	"gatewright/project"
	"gatewright/project/amplify"
	"gatewright/project/status"
	"gatewright/sandbox"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/board/boardtest"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

func path(name, function string) *access.Path {
	return &access.Path{Name: name, Function: function, Access: access.Access{Setting: access.Open}}
}

func backend(apis ...*access.API) *model.Backend { return &model.Backend{APIs: apis} }

func api(label string, paths ...*access.Path) *access.API {
	return &access.API{Label: label, Paths: paths}
}

// drawnRows are rows as text: mark, name, endpoints, reasons.
func drawnRows(rows []*row) string {
	var b strings.Builder
	for _, r := range rows {
		_, word, _ := strings.Cut(r.mark.Line().Text, " ")
		_, _ = fmt.Fprintln(&b, strings.Join(strings.Fields(strings.Join([]string{word + ":", strings.TrimSpace(r.name()), r.url, r.proxy, strings.Join(r.reasons, "; ")}, " ")), " "))
	}
	return b.String()
}

func TestPathsAreMarkedByWhatAPushWouldDo(t *testing.T) {
	t.Parallel()
	env := &board.Environment{Environment: &model.Environment{Name: "dev", APIs: []string{"gone", "new", "shop"}}, Record: &project.Record{
		APIs: []project.Endpoint{{API: "shop", URL: "http://h/1/dev"}, {API: "gone", URL: "http://h/2/dev"}},
	}}
	now := backend(
		api("shop", path("/b", "f"), path("/new", "f"), path("/a", "g"), path("/", "f"), path("/moved", "g")),
		api("elsewhere", path("/", "f")), api("new", path("/", "f")))
	then := backend(api("shop", path("/b", "f"), path("/a", "g"), path("/old", "f"), path("/", "f"), path("/moved", "f")), api("gone", path("/x", "f")))
	s := &board.Snapshot{Backend: now, Env: env}
	s.Status.Resources = []status.Resource{{Difference: diff.Difference{
		Of: model.Ref{Kind: model.KindFunction, Name: "g"}, Operation: diff.ToUpdate, Reasons: []string{"src/index.js changed"},
	}}}
	want := `not here: elsewhere 1 path
not here: /
removed: gone 1 path http://h/2/dev
removed: /x http://h/2/dev/x http://h/2/dev/x/{proxy+}
new: new 1 path
new: /
changed: shop 5 paths http://h/1/dev
no change: / http://h/1/dev/ http://h/1/dev/{proxy+}
function: /a http://h/1/dev/a http://h/1/dev/a/{proxy+} src/index.js changed
no change: /b http://h/1/dev/b http://h/1/dev/b/{proxy+}
changed: /moved http://h/1/dev/moved http://h/1/dev/moved/{proxy+} /moved: served by g instead of f
new: /new
removed: /old http://h/1/dev/old http://h/1/dev/old/{proxy+}
`
	if got := drawnRows(rowsOf(s, then)); got != want {
		t.Errorf("the rows are\n%s\nwant\n%s", got, want)
	}
	s.Status.Problem = "a file cannot be read"
	for _, r := range rowsOf(s, nil) {
		if r.mark != board.Unknown && r.mark != board.Absent {
			t.Errorf("%s%s is marked %q though nothing was compared", r.label, r.path, r.mark.Line().Text)
		}
	}
}

func TestAPathWhoseRequestsBelowAreTakenHasNoProxyEndpoint(t *testing.T) {
	t.Parallel()
	env := &board.Environment{Environment: &model.Environment{Name: "dev"}, Record: &project.Record{APIs: []project.Endpoint{{API: "shop", URL: "http://h"}}}}
	b := backend(api("shop", path("/book", "f"), path("/book/{isbn}", "g"), path("/{proxy+}", "f")))
	rows := rowsOf(&board.Snapshot{Backend: b, Env: env}, b)
	if r := rows[1]; r.url != "http://h/book" || r.proxy != "" || r.takenBy != "/book/{isbn}" {
		t.Errorf("the row of /book is %+v", r)
	}
	if r := rows[2]; r.url != "http://h/book/{isbn}" || r.proxy != "http://h/book/{isbn}/{proxy+}" || r.takenBy != "" {
		t.Errorf("the row of /book/{isbn} is %+v", r)
	}
	if r := rows[3]; r.url != "http://h/{proxy+}" || r.proxy != "" {
		t.Errorf("the row of the reserved path is %+v", r)
	}
}

func TestTheEndpointsOfThePushAndOfTheSandboxAreBothShown(t *testing.T) {
	t.Parallel()
	shop := api("shop", path("/a", "f"), path("/new", "f"))
	s := &board.Snapshot{Backend: backend(shop), Env: &board.Environment{Environment: &model.Environment{Name: "prod"}, Record: &project.Record{
		APIs: []project.Endpoint{{API: "shop", URL: "http://h:1/x/prod"}},
	}}}
	s.Status.Was = backend(api("shop", path("/a", "f")))
	tab := New(board.New("", nil, ""))
	tab.board.Snap = s
	tab.Read(&board.Reading{Snapshot: s})()
	tab.board.Sandbox = &board.Observed{Running: true, Status: sandbox.Status{Environment: "dev", APIs: []sandbox.ServedAPI{
		{Environment: "dev", Label: "shop", Endpoint: "http://h:2/y/dev"}, {Environment: "prod", Label: "shop", Endpoint: "http://h:2/x/prod"},
	}}}
	tab.Observe(tab.board.Sandbox)()
	for i, want := range []string{"http://h:2/x/prod", "http://h:2/x/prod/a", "/new"} {
		if got := tab.copied(tab.List.Rows()[i]); got != want {
			t.Errorf("of row %d %s is copied, want %s", i, got, want)
		}
	}
	if all := fmt.Sprint(tab.describe(tab.List.Rows()[1])); !strings.Contains(all, "the last push of prod had http://h:1/x/prod/a") {
		t.Errorf("the details of the path are %s", all)
	}
}

func TestColumnsFitWhateverTheWindow(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 70)
	s := &board.Snapshot{Backend: backend(api("shop", path("/"+long, "function-"+long)))}
	s.Backend.Functions = []*model.Function{{Name: "function-" + long}}
	s.Env = &board.Environment{Environment: &model.Environment{Name: "dev"}, Record: &project.Record{APIs: []project.Endpoint{{API: "shop", URL: "http://127.0.0.1:4280/1/dev"}}}}
	s.Status.Was = s.Backend
	tab := New(board.New("", nil, ""))
	tab.board.Snap = s
	tab.Read(&board.Reading{Snapshot: s})()
	for w := layout.MinWidth - 4; w < 400; w++ {
		lines := tab.List.Draw(theme.New(theme.None), w, 10, true)
		for _, line := range lines {
			if n := layout.Width(line); n > w {
				t.Fatalf("in %d cells a line has %d: %q", w, n, line)
			}
		}
		for _, want := range []string{"/xx", "=", "function", "open to ever"} {
			if !strings.Contains(lines[len(lines)-1], want) {
				t.Fatalf("in %d cells %q is not in %q", w, want, lines[len(lines)-1])
			}
		}
	}
}

func TestEachKeyOfAPathSaysWhyItDoesNothing(t *testing.T) {
	t.Parallel()
	for _, of := range []struct {
		name, want string
		state      func(tab *Tab, s *board.Snapshot)
	}{
		{"an API", `enter show all*
a add path*
e settings*
d,delete remove*
c console*
ctrl+e source: put the cursor on a path
v difference*
w resume: there is no draft
A new API
i from OpenAPI
W window
y,alt+y copy`, nil},
		{"a path", `enter show all*
a add path*
e edit path*
d,delete remove*
c console*
ctrl+e source*
v difference*
w resume: there is no draft
A new API
i from OpenAPI
W window
y,alt+y copy`, func(tab *Tab, _ *board.Snapshot) { tab.List.Move(1) }},
		{"a path without its function", `enter show all*
a add path*
e edit path*
d,delete remove*
c console*
ctrl+e source: the project has no such function
v difference*
w resume: there is no draft
A new API
i from OpenAPI
W window
y,alt+y copy`, func(tab *Tab, s *board.Snapshot) { tab.List.Move(1); s.Backend.Functions = nil }},
		{"a path of the last push", `enter show all*
a add path: the project no longer has it
e edit path: the project no longer has it
d,delete remove: the project no longer has it
c console: the project no longer has it
ctrl+e source: the project no longer has it
v difference*
w resume: there is no draft
A new API
i from OpenAPI
W window
y,alt+y copy`, func(tab *Tab, _ *board.Snapshot) {
			tab.List.Show(idOf(model.Ref{Kind: model.KindPath, API: "shop", Name: "/old"}))
		}},
		{"an API of the Amplify CLI", `enter show all*
a add path*
e settings: its settings are in the template of the Amplify CLI
d,delete remove*
c console*
ctrl+e source: put the cursor on a path
v difference*
w resume: there is no draft
A new API
i from OpenAPI
W window
y,alt+y copy`, func(_ *Tab, s *board.Snapshot) { s.Backend.Layout = amplify.Layout }},
		{"read only", `enter show all*
a add path: this dashboard is read-only: run gatewright instead
e edit path: this dashboard is read-only: run gatewright instead
d,delete remove: this dashboard is read-only: run gatewright instead
c console*
ctrl+e source: this dashboard is read-only: run gatewright instead
v difference*
w resume: this dashboard is read-only: run gatewright instead
A new API: this dashboard is read-only: run gatewright instead
i from OpenAPI: this dashboard is read-only: run gatewright instead
W window
y,alt+y copy`, func(tab *Tab, _ *board.Snapshot) { tab.board.Session = nil; tab.List.Move(1) }},
		{"a draft", `enter show all*
a add path*
e settings*
d,delete remove*
c console*
ctrl+e source: put the cursor on a path
v difference*
w resume*
A new API
i from OpenAPI
W window
y,alt+y copy`, func(tab *Tab, _ *board.Snapshot) { tab.board.Draft = new(draft.Draft) }},
		{"none", `A new API*
i from OpenAPI*
w resume: there is no draft`, func(tab *Tab, _ *board.Snapshot) { tab.List.SetRows(nil) }},
	} {
		tab := New(board.New("", &session.Session{Editor: "vi"}, ""))
		now := backend(api("shop", path("/b", "f")))
		now.Functions = []*model.Function{{Name: "f"}}
		s := &board.Snapshot{Backend: now, Env: &board.Environment{Environment: &model.Environment{Name: "dev"}, Record: new(project.Record)}}
		tab.board.Snap = s
		tab.List.SetRows(rowsOf(s, backend(api("shop", path("/old", "f")))))
		if of.state != nil {
			of.state(tab, s)
		}
		if got := boardtest.Keys(tab.Bindings()); got != of.want {
			t.Errorf("%s:\n%s\nwant\n%s", of.name, got, of.want)
		}
	}
}
