package frame

import (
	"fmt"
	"strings"
	"testing"
)

// trail is the names of the pages from the first one to the one in front.
func (s *screen) trail() string {
	var names []string
	for _, p := range s.model.history.trail {
		names = append(names, p.route.(listRoute).name)
	}
	return strings.Join(names, " ")
}

func (s *screen) trailIs(want string) {
	s.t.Helper()
	if got := s.trail(); got != want {
		s.t.Errorf("the trail is %q, want %q", got, want)
	}
}

// isDraft picks the pages whose name begins with draft.
func isDraft(r Route) bool { return strings.HasPrefix(r.(listRoute).name, "draft") }

func TestGoOnShowsTheDraftThatWasShownLast(t *testing.T) {
	t.Parallel()
	s := start(t, "none", 80, 24)
	for _, name := range []string{"draft1", "draft2", "draft3", "draft4", "orders"} {
		s.run(Go(listRoute{name}))
		s.page(name).dirty = name != "draft4"
	}
	s.run(Go(listRoute{"draft2"}))
	s.run(GoBack())
	s.trailIs("items draft1")
	s.run(Go(listRoute{"items"}))
	s.run(GoOn(isDraft, listRoute{"new"}))
	s.trailIs("items draft1")
	s.page("draft1").dirty = false
	s.run(GoOn(isDraft, listRoute{"new"}))
	s.trailIs("items draft1 draft2")
	s.page("draft2").dirty = false
	s.run(GoOn(isDraft, listRoute{"new"}))
	s.trailIs("items draft1 draft2 draft3")
	s.page("draft3").dirty = false
	s.run(GoOn(isDraft, listRoute{"new"}))
	s.trailIs("items draft1 draft2 draft3 new")
}

func TestGoAnewDropsThePagesThatAreAlike(t *testing.T) {
	t.Parallel()
	s := start(t, "none", 80, 24)
	for _, name := range []string{"draft1", "orders", "draft2"} {
		s.run(Go(listRoute{name}))
		s.page(name).dirty = true
	}
	// A page that cannot be made drops nothing.
	s.run(GoAnew(brokenRoute{}, isDraft))
	s.shows("error: showing Broken: its file is gone")
	s.trailIs("items draft1 orders draft2")
	s.run(GoOn(isDraft, listRoute{"new"}))
	s.trailIs("items draft1 orders draft2")

	s.run(GoAnew(listRoute{"draft1"}, isDraft))
	s.trailIs("items orders draft1")
	if n := len(s.pages["draft1"]); n != 2 || s.pages["draft1"][1].dirty {
		t.Errorf("the page was made %d times, want anew", n)
	}
	s.run(GoOn(isDraft, listRoute{"new"}))
	s.trailIs("items orders draft1 new")
	s.run(GoOn(func(r Route) bool { return r == listRoute{"orders"} }, listRoute{"new"}))
	s.trailIs("items orders")
}

// TestTheOldestIdlePagesAreDropped keeps those that are on the trail or have unsaved work, however
// old they are, and of the others as many as there is room for.
func TestTheOldestIdlePagesAreDropped(t *testing.T) {
	t.Parallel()
	s := start(t, "none", 80, 24)
	visit := func(name string) {
		s.run(Go(listRoute{name}))
		s.run(GoBack())
	}
	visit("unsaved")
	s.page("unsaved").dirty = true
	const visited = maxIdlePages + 2
	for i := range visited {
		visit(fmt.Sprint("p", i))
	}
	visit("p2") // The oldest that is left becomes the newest.
	visit("one more")
	var made []string
	for i := range visited {
		if visit(fmt.Sprint("p", i)); len(s.pages[fmt.Sprint("p", i)]) == 2 {
			made = append(made, fmt.Sprint("p", i))
		}
		if i == 3 {
			break
		}
	}
	if got := strings.Join(made, " "); got != "p0 p1 p3" {
		t.Errorf("made again were %q", got)
	}
	if visit("unsaved"); len(s.pages["unsaved"]) != 1 || len(s.pages["items"]) != 1 {
		t.Error("a page with unsaved work or on the trail was dropped")
	}
}
