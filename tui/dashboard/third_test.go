package dashboard

import (
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/board"
)

// called is a window on a project whose sandbox told of some calls: of forty of guests, each fourth refused,
// and of one of a user that used a table.
func called(t *testing.T, w, h int) *window {
	win := writable(t, widened(t), w, h)
	at := time.Date(2026, 3, 1, 13, 0, 0, 0, time.UTC)
	var calls []traffic.Call
	for i := range 40 {
		c := traffic.Call{
			Kind: traffic.Request, Number: uint64(i + 1), Time: at.Add(time.Duration(i) * time.Second), Took: 3 * time.Millisecond, Environment: "dev",
			API: "shop", Path: "/books", Method: "GET", Target: fmt.Sprintf("/books/%d", i), Status: 200, Function: "f",
			Who: traffic.Who{Kind: traffic.Guest, As: "guests", Allowed: true},
		}
		if i%4 == 3 {
			c.Method, c.Function, c.Status, c.Who.Allowed = "DELETE", "", 403, false
		}
		calls = append(calls, c)
	}
	last := calls[0]
	last.Number, last.Time, last.Target, last.Path = 41, at.Add(time.Minute), "/news", "/news"
	last.Who = traffic.Who{Kind: traffic.User, Name: "emma", As: "members of Editors", Allowed: true}
	win.tell(func() tea.Cmd {
		b := win.page.board
		b.Followed = true
		b.Told.Take(&board.Batch{Moment: traffic.Moment{Calls: append(calls, last)}}, at)
		return nil
	})
	return win
}

func TestAWideWindowHasAThirdPane(t *testing.T) {
	t.Parallel()
	w := called(t, 160, 45)
	w.press("down", "down", "down").Golden("third_apis_160x45")
	w.Shows("calls of /books", "13:00:39 DELETE /books/39 x 403", "1 to ").Hides("/news 200")
	w.press("tab", "down").Shows("━ /books ━", "─ calls of /books ─").Keys("tab", "down", "down").Shows("━ calls of /books ━", "3 to ").Hides("13:00:38 GET")
	w.press("tab").Shows("━ APIs ━", "─ calls of /books ─").Keys("shift+tab").Shows("━ calls of /books ━").Keys("shift+tab").Shows("━ /books ━")
	w.press("esc").Shows("━ APIs ━")
	w.Send(tea.MouseClickMsg{X: 120, Y: 35, Button: tea.MouseLeft})
	w.Shows("━ calls of /books ━")
	w.Send(tea.MouseWheelMsg{X: 120, Y: 35, Button: tea.MouseWheelDown})
	w.Shows("6 to ")
	w.Resize(149, 45)
	w.Hides("calls of /books").Shows("━ /books ━").Keys("tab").Shows("━ APIs ━").Keys("tab", "tab").Shows("━ APIs ━")
	w.Resize(200, 60)
	w.press("1").Golden("third_map_200x60")
	w.to("functions").Shows("calls and log of f", "13:01:00 GET /news 200", "emma (Editors)")
	w.to("tables").press("tab", "tab").Shows("━ Tables ━")
}

// TestTheThirdPaneFitsEveryWindow also looks that each call which the details name in a window without
// such a pane is in a window with one.
func TestTheThirdPaneFitsEveryWindow(t *testing.T) {
	t.Parallel()
	w := called(t, 149, 60)
	for at, tab := range w.page.tabs {
		w.press("1")
		for range at {
			w.press(">")
		}
		for _, size := range [][2]int{{150, 15}, {151, 24}, {155, 27}, {170, 40}, {240, 61}} {
			w.Resize(size[0], size[1])
			w.press("down", "tab", "tab")
			w.Fits(fmt.Sprintf("%s in %dx%d", tab.Name(), size[0], size[1]))
			w.press("esc")
		}
	}
	w.Resize(149, 60)
	w.press("1").Shows("13:01:00 GET /news 200")
	w.Resize(150, 60)
	w.Shows("─ requests ─", "13:01:00 GET /news 200")
}
