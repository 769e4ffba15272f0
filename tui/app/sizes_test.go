package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatewright/test/depth"
	"gatewright/tui/layout"
)

// TestEveryPlaceFitsEveryWindow draws every page in every mode in windows of many sizes, the
// smallest included, and of other sizes for each: no line is too long, and every frame that
// no dialog covers is closed.
func TestEveryPlaceFitsEveryWindow(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	const widths, heights = 141, 46
	sizes := depth.Rounds(12, 30, 30)
	for at, p := range slices.Concat(welcomes(t), wizards(), dashboards(t), consoles(t), lessons(t)) {
		if at%everyPlace != 0 {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			p.t = t
			p.begin()
			for i := range sizes {
				w, h := layout.MinWidth+(at*7+i*29)%widths, layout.MinHeight+(at*5+i*17)%heights
				p.term.Resize(w, h)
				p.term.Fits(fmt.Sprintf("%dx%d", w, h))
				if p.hasDialog() {
					continue
				}
				if fault := openFrame(p.term.Screen()); fault != "" {
					t.Fatalf("%dx%d: %s in\n%s", w, h, fault, p.term.Screen())
				}
			}
			p.term.Resize(wide, high)
		})
	}
}

// openFrame says which frame of a screen is not closed; "" if all are.
func openFrame(screen string) string {
	var cells [][]string
	for line := range strings.SplitSeq(screen, "\n") {
		var row []string
		for _, r := range line {
			row = append(row, string(r))
			for range ansi.StringWidth(string(r)) - 1 {
				row = append(row, "")
			}
		}
		cells = append(cells, row)
	}
	at := func(y, x int) string {
		if y >= len(cells) || x >= len(cells[y]) {
			return ""
		}
		return cells[y][x]
	}
	for _, corners := range [][5]string{{"┏", "┓", "┗", "┛", "┃"}, {"╭", "╮", "╰", "╯", "│"}} {
		for y, row := range cells {
			for left, cell := range row {
				if cell != corners[0] {
					continue
				}
				width := slices.Index(row[left:], corners[1])
				if width < 0 {
					return fmt.Sprintf("the frame from line %d, cell %d has no right end", y+1, left+1)
				}
				right, bottom := left+width, y+1
				for at(bottom, left) == corners[4] && at(bottom, right) == corners[4] {
					bottom++
				}
				if at(bottom, left) != corners[2] || at(bottom, right) != corners[3] {
					return fmt.Sprintf("the frame from line %d, cell %d is open at line %d", y+1, left+1, bottom+1)
				}
			}
		}
	}
	return ""
}
