package livemap

import (
	"strings"
	"testing"
	"time"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/modeltest"
	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/board/boardtest"
	"gatewright/tui/theme"
)

// readTab is the map with a clock that stands still, and what reads a backend for an environment.
func readTab() (tab *Tab, now *time.Time, read func(*model.Backend, string)) {
	b, at := board.New("", nil, ""), noon
	b.Now = func() time.Time { return at }
	tab = New(b)
	b.SetFront(tab)
	return tab, &at, func(backend *model.Backend, env string) {
		b.Snap = boardtest.Snapshot(backend, env)
		tab.Read(&board.Reading{Snapshot: b.Snap})()
	}
}

func TestAPathThatWasAddedDrawsItselfOnce(t *testing.T) {
	t.Parallel()
	paths := []*access.Path{accesstest.Restricted("/books", "books"), accesstest.Restricted("/orders", "orders"), accesstest.Restricted("/loans", "loans")}
	tab, now, read := readTab()
	draw := func() string { return tab.chart.screen(120, 10) }
	read(modeltest.Backend(t, nil, paths[:2]...), "")
	if read(modeltest.Backend(t, nil, paths[:2]...), ""); tab.Moves(*now) != 0 {
		t.Error("what was there from the first draws itself")
	}
	before := draw()
	read(modeltest.Backend(t, nil, paths...), "")
	far := -1
	for range 12 {
		if tab.Moves(*now) != board.Frame {
			t.Fatalf("the next frame is after %s", tab.Moves(*now))
		}
		screen := draw()
		row := rowOf(t, screen, "/loans")
		if !strings.Contains(row, "ƒ loans") || strings.Contains(row, "▶") {
			t.Errorf("after %s it is %s", now.Sub(noon), row)
		}
		if n := strings.Count(row, "─"); n < far {
			t.Errorf("after %s it is shorter: %s", now.Sub(noon), row)
		} else {
			far = n
		}
		if rowOf(t, screen, "/books") != rowOf(t, before, "/books") {
			t.Errorf("another path moves: %s", rowOf(t, screen, "/books"))
		}
		*now = now.Add(board.Frame)
	}
	*now = noon.Add(400 * time.Millisecond)
	whole := New(board.New("", nil, "")).chart
	if whole.show(tab.chart.graph, nil); draw() != whole.screen(120, 10) || tab.Moves(*now) != 0 || far < 12 {
		t.Errorf("when it is over the map is\n%s\nwant\n%s", draw(), whole.screen(120, 10))
	}
}

func TestAnotherEnvironmentIsNoChange(t *testing.T) {
	t.Parallel()
	backend := boardtest.Library(t, "Admins", "Editors")
	backend.Environment("dev").APIs = []string{}
	tab, now, read := readTab()
	for _, env := range []string{"dev", "prod", "dev", "prod"} {
		if read(backend, env); tab.Moves(*now) != 0 || tab.board.Move() != nil {
			t.Errorf("in %s something moves", env)
		}
	}
}

func TestTheNewDigitsOfUsesStandOut(t *testing.T) {
	t.Parallel()
	tab, now, read := readTab()
	read(shop(t), "")
	th, told := theme.New(theme.None), noon
	row := func() string {
		return strings.Join(tab.chart.Draw(th, 160, 10, false), "\n")
	}
	tell := func(began time.Time, calls int) {
		batch := &board.Batch{Began: began, Anew: !began.Equal(told) || calls == 9}
		told = began
		batch.Totals = []traffic.UseCounts{{Function: "books", Resource: "table/books", Operation: "GetItem", Calls: calls}}
		tab.board.Followed = true
		tab.board.Told.Take(batch, *now)
		tab.Follow(batch)()
	}
	bright := func(when, want string) {
		t.Helper()
		if got := row(); want != "" && !strings.Contains(got, th.Fresh.Render(want)) || want == "" && strings.Contains(got, "\x1b[1;4") {
			t.Errorf("%s the map is\n%s\nand %q should stand out", when, got, want)
		}
	}
	tell(noon, 9)
	bright("at first", "")
	tell(noon, 10)
	bright("after another call", "1")
	*now = now.Add(time.Second)
	bright("a second later", "")
	tell(noon, 12)
	bright("after two more", "2")
	*now = now.Add(time.Second)
	tell(noon.Add(time.Hour), 1)
	bright("in another sandbox", "")
}
