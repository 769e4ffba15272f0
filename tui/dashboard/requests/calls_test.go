package requests

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/prose"
	"gatewright/sandbox"
	"gatewright/sandbox/traffic"
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
