package apis

import (
	"testing"

	"gatewright/internal/text/prose"
	"gatewright/model/access"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/board/boardtest"
	"gatewright/tui/frame"
	"gatewright/tui/viewer"
)

func TestAPathIsQuietIfTheViewerMaySendNothing(t *testing.T) {
	t.Parallel()
	backend := boardtest.Library(t, "Admins", "Editors")
	b := board.New("", nil, "")
	b.Context, b.Snap = &frame.Context{}, boardtest.Snapshot(backend, "dev")
	tab, router := New(b), backend.Router("shop")
	tab.show(rowsOf(b.Snap, nil))
	quiet := 0
	for _, v := range []*viewer.Viewer{nil, new(viewer.Viewer), viewer.SignedIn(), viewer.SignedIn("Editors", "Admins"), {User: "emma", Caller: access.Caller{SignedIn: true, Groups: []string{"Editors"}}}} {
		b.Context.Viewer = v
		tab.SeeAgain()
		for _, r := range tab.List.Rows() {
			if r.isAPI() {
				continue
			}
			allowed := v == nil
			for _, method := range []string{"POST", "GET", "PUT", "DELETE"} {
				allowed = allowed || router.Decide(v.Caller, method, access.ExamplePath([]string{r.path})).Allowed
			}
			tone := tab.List.Columns[0].Tone(r)
			if (tone == prose.Muted) == allowed {
				t.Errorf("%s is in tone %d for %s, and a request is allowed: %t", r.path, tone, v.Name(), allowed)
			}
			if tone == prose.Muted {
				quiet++
			}
		}
	}
	if quiet != 1 {
		t.Errorf("%d paths were quiet, want that with no guests alone", quiet)
	}
}
