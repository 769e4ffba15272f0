package dashboard

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gatewright/test/depth"
	"gatewright/tui/layout"
	"gatewright/tui/widget"
)

// TestAWiderWindowNeverShowsLess compares what the rows of each tab show in windows of all
// widths: no text of a cell gets shorter when the window gets one cell wider, no column goes,
// and no title of a column is cut into nonsense.
func TestAWiderWindowNeverShowsLess(t *testing.T) {
	depth.WithoutRace(t)
	w := writable(t, fullProject(t), 40, 36)
	for at, tab := range w.page.tabs {
		w.press("1")
		for range at {
			w.press(">")
		}
		if tab.Name() == "Map" {
			continue // it has no columns of cells; its own test is in its package
		}
		spy, ok := tab.Table().(interface{ Shown() []widget.ShownColumn })
		if !ok {
			t.Fatalf("%s cannot be asked", tab.Name())
		}
		heights := []int{15, 24, 36, 60}
		some := depth.Rounds(1, len(heights), len(heights))
		for _, h := range slices.Concat(heights, heights)[at%len(heights):][:some] {
			var before []widget.ShownColumn
			// In the usual depth only the narrow windows, in which columns come and go, are of all widths.
			step := 1
			for width := layout.MinWidth; width <= 240; width += step {
				if width > 110 {
					step = depth.Rounds(9, 1, 1)
				}
				w.Resize(width, h)
				now := spy.Shown()
				if before != nil {
					if problem := less(before, now); problem != "" {
						t.Errorf("%s in %dx%d: %s\n%s", tab.Name(), width, h, problem, w.Screen())
						break
					}
				}
				before = now
			}
		}
	}
}

// less says what columns show less than before; "" if none does.
func less(before, now []widget.ShownColumn) string {
	for i, c := range before {
		if i >= len(now) {
			return fmt.Sprintf("column %q is gone", c.Title)
		}
		if now[i].Shows < c.Shows {
			return fmt.Sprintf("column %q shows %d cells, and %d in one less", c.Title, now[i].Shows, c.Shows)
		}
		if title := now[i].Drawn; title != "" && title != now[i].Title && !strings.HasSuffix(title, "…") {
			return fmt.Sprintf("the title %q is %q", now[i].Title, title)
		}
	}
	return ""
}
