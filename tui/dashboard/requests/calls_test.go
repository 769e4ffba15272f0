package requests

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/flow/session"
	"gatewright/internal/text/prose"
	"gatewright/sandbox"
	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/board/boardtest"
	"gatewright/tui/frame/frametest"
)

func TestEachOrderOfRequestsAndEachColourIsByWhatItSays(t *testing.T) {
	t.Parallel()
	tab := begun(t)
	one, two, three, four := made(2), made(3), made(5), made(7)
	one.Took, two.Took, three.Took, four.Took = 2*time.Second, time.Millisecond, 3*time.Millisecond, time.Second
	two.Target, three.Target, four.Target = "/z", "/a", "/books/10"
	four.Breaches = []string{"it lacks a price"}
	rows := []*row{rowOf(one, noon), rowOf(two, noon), rowOf(three, noon), rowOf(four, noon)}
	want := map[string]string{"time": "2 3 5 7", "milliseconds": "2 7 5 3", "status": "3 5 2 7", "path": "5 7 2 3"}
	for _, sort := range tab.List.Sorts {
		sorted := slices.Clone(rows)
		if sort.Compare != nil {
			slices.SortStableFunc(sorted, sort.Compare)
		}
		var ids []string
		for _, r := range sorted {
			ids = append(ids, r.id)
		}
		if got := strings.Join(ids, " "); got != want[sort.Name] {
			t.Errorf("by %s the requests are %s, want %s", sort.Name, got, want[sort.Name])
		}
	}
	var tones strings.Builder
	for _, r := range rows {
		tones.WriteString(frametest.Toned(
			prose.Line{Tone: r.outcomeTone(), Text: r.id}, prose.Line{Tone: r.tookTone(), Text: r.took}, prose.Line{Tone: r.noteTone(), Text: r.note},
		) + "\n")
	}
	const drawn = `+2
?2000
.
!3
.1
!ended with an error: Error: "it broke"
?5
.3
.guests may not update under /books
?7
?1000
?breaks its contract
`
	if difference := cmp.Diff(drawn, tones.String()); difference != "" {
		t.Errorf("the tones differ (-want +got):\n%s", difference)
	}
}

// TestARefusedCallHasTheCommandsThatWouldAllowIt has also calls that need none, or that none helps.
func TestARefusedCallHasTheCommandsThatWouldAllowIt(t *testing.T) {
	t.Parallel()
	tab := begun(t)
	refused := made(5)
	refused.Target, refused.Path, refused.Who.Kind = "/books/5?limit=5", "/books/{isbn}", traffic.Guest
	member := refused
	member.Who = traffic.Who{Kind: traffic.Member, Groups: []string{"Admins"}, As: "members of Admins"}
	member.Method = "PUT"
	user := member
	user.Who.Kind, user.Who.Name, user.Who.Groups = traffic.User, "emma", []string{"Editors"}
	user.Method = "DELETE"
	allowed, nowhere, unknown := user, refused, refused
	allowed.Who.Allowed, nowhere.Path, unknown.Who.Kind = true, "", traffic.Unknown
	for name, of := range map[string]struct {
		call traffic.Call
		want string
	}{
		"guest": {refused, `gatewright update path shop '/books/{isbn}' --guest delete`}, "member": {member, `gatewright update path shop '/books/{isbn}' --group Admins=update,delete`}, "user": {user, `gatewright update path shop '/books/{isbn}' --group Editors=read,update,delete
gatewright user groups emma --add Admins`}, "allowed": {allowed, ""}, "nowhere": {nowhere, ""}, "unknown": {unknown, ""},
	} {
		got := strings.Join(tab.ways(rowOf(of.call, noon))(), "\n")
		if got != of.want {
			t.Errorf("for the call that is %s the commands are\n%s\nwant\n%s", name, got, of.want)
		}
	}
}

func TestARequestIsSentAgainToTheAPIOfItsEnvironment(t *testing.T) {
	t.Parallel()
	tab := begun(t)
	tab.board.Sandbox.Status.APIs = []sandbox.ServedAPI{
		{Environment: "dev", Label: "shop", Endpoint: "1"}, {Environment: "dev", Label: "admin", Endpoint: "2"}, {Environment: "prod", Label: "admin", Endpoint: "3"},
	}
	for of, want := range map[[2]string]string{{"dev", "shop"}: "1", {"dev", "admin"}: "2", {"prod", "admin"}: "3", {"prod", "shop"}: ""} {
		c := made(1)
		c.Environment, c.API = of[0], of[1]
		if api, ok := tab.served(traffic.Detail{Call: c}); api.Endpoint != want || ok != (want != "") {
			t.Errorf("%v is served at %q, %v", of, api.Endpoint, ok)
		}
	}
}

func TestEachKeyOfACallSaysWhyItDoesNothing(t *testing.T) {
	t.Parallel()
	fine := made(1)
	invoked, timed, nowhere, mocked := fine, fine, fine, fine
	invoked.Kind, timed.Kind, nowhere.API, nowhere.Function, mocked.Function = traffic.Invoke, traffic.Schedule, "", "", ""
	for _, of := range []struct {
		name, want string
		state      func(tab *Tab)
	}{
		{"a request", `enter everything*
c console*
. send again*
y,alt+y curl*
space pause*
a keep event
v compare: its time was not measured
L log
W window`, func(tab *Tab) { tab.take([]*row{rowOf(fine, noon)}) }},
		{"a request, read only", `enter everything*
c console*
. send again*
y,alt+y curl*
space pause*
a keep event: this dashboard is read-only: run gatewright instead
v compare: its time was not measured
L log
W window`, func(tab *Tab) { tab.board.Session = nil; tab.take([]*row{rowOf(fine, noon)}) }},
		{"a call of a function", `enter everything*
c console*
. send again: a call through Lambda's API sends no request to an API
y,alt+y curl: a call through Lambda's API sends no request to an API
space pause*
a keep event
v compare: its time was not measured
L log
W window`, func(tab *Tab) { tab.take([]*row{rowOf(invoked, noon)}) }},
		{"a schedule", `enter everything*
c console*
. send again: a schedule sends no request
y,alt+y curl: a schedule sends no request
space pause*
a keep event
v compare: its time was not measured
L log
W window`, func(tab *Tab) { tab.take([]*row{rowOf(timed, noon)}) }},
		{"an unknown address", `enter everything*
c console*
. send again: no API has this address
y,alt+y curl: no API has this address
space pause*
a keep event: no function was called
v compare: its time was not measured
L log
W window`, func(tab *Tab) { tab.take([]*row{rowOf(nowhere, noon)}) }},
		{"a mocked answer, held", `enter everything*
c console*
. send again*
y,alt+y curl*
space go on*
a keep event: no function was called
v compare: its time was not measured
L log
W window`, func(tab *Tab) { tab.take([]*row{rowOf(mocked, noon)}); tab.held = true }},
		{"missing calls", `enter everything: there is no request
c console*
. send again: there is no request
y,alt+y curl: there is no request
space pause*
a keep event: there is no request
v compare: there is no request
L log: there is no request
W window`, func(tab *Tab) { tab.take([]*row{rowOf(fine, noon)}); tab.take(came(7, 7, noon)); tab.List.Move(1) }},
		{"no sandbox any more", `enter everything: the sandbox that remembers it has ended
c console*
. send again: the sandbox that remembers it has ended
y,alt+y curl: the sandbox that remembers it has ended
space pause*
a keep event: the sandbox that remembers it has ended
v compare: its time was not measured
L log: the sandbox that remembers it has ended
W window`, func(tab *Tab) { tab.take([]*row{rowOf(fine, noon)}); tab.board.Sandbox = &board.Observed{} }},
		{"no call yet", `enter everything: there is no request
c console*
. send again: there is no request
y,alt+y curl: there is no request
space pause: there is no request
a keep event: there is no request
v compare: there is no request
L log: there is no request
W window`, func(tab *Tab) { tab.read, tab.board.Followed = true, true }},
		{"before they are read", `enter everything: the requests are not read yet
c console*
. send again: the requests are not read yet
y,alt+y curl: the requests are not read yet
space pause: the requests are not read yet
a keep event: the requests are not read yet
v compare: the requests are not read yet
L log: the requests are not read yet
W window`, func(tab *Tab) { tab.board.Followed = true }},
	} {
		tab := begun(t)
		tab.board.Session, tab.board.Sandbox.Client = &session.Session{Editor: "vi"}, new(sandbox.Client)
		of.state(tab)
		if got := boardtest.Keys(tab.Bindings()); got != of.want {
			t.Errorf("%s:\n%s\nwant\n%s", of.name, got, of.want)
		}
	}
}
