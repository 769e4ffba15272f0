// Package layout divides the window into rectangles, and cuts, pads and wraps text for
// them. Its functions are pure, and count cells of the terminal, not bytes.
package layout

// MinWidth and MinHeight are the size in cells of the smallest window that pages are
// drawn in. A smaller window shows a notice instead.
const (
	MinWidth  = 60
	MinHeight = 15
)

// twoPanes is the least width of a window that has a side pane.
const twoPanes = 100

// widestMain is the greatest width of the main pane, so that its lines stay readable; the
// side pane gets the rest.
const widestMain = 80

// Rect is a part of the window in cells; 0,0 is its top left corner.
type Rect struct{ X, Y, W, H int }

// Empty reports whether the rectangle has no cell.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Contains reports whether the cell x, y of the window lies in the rectangle.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Layout is a window divided into its parts.
//
//	┌──────────── Header ────────────┐
//	├─────── Main ──────┬─── Side ───┤
//	│                   │            │
//	├──────────── Status ────────────┤
//	└──────────── Footer ────────────┘
//
// The parts do not overlap and together cover Size. Side is empty if the window has one
// pane. If TooSmall is true, Main is the whole window, and no page is drawn.
type Layout struct {
	Size                               Rect
	TooSmall                           bool
	Header, Main, Side, Footer, Status Rect
}

// For divides a window of w by h cells. A negative size counts as 0.
func For(w, h int) Layout {
	l := Layout{Size: Rect{W: max(w, 0), H: max(h, 0)}}
	if l.Size.W < MinWidth || l.Size.H < MinHeight {
		l.TooSmall = true
		l.Main = l.Size
		return l
	}
	l.Header = Rect{W: w, H: 1}
	l.Status = Rect{Y: h - 2, W: w, H: 1}
	l.Footer = Rect{Y: h - 1, W: w, H: 1}
	l.Main = Rect{Y: 1, W: w, H: h - 3}
	if w >= twoPanes {
		l.Main.W = min(w/2, widestMain)
		l.Side = Rect{X: l.Main.W, Y: 1, W: w - l.Main.W, H: h - 3}
	}
	return l
}

// Body is the page's area: Main and Side together.
func (l Layout) Body() Rect {
	return Rect{X: l.Main.X, Y: l.Main.Y, W: l.Main.W + l.Side.W, H: l.Main.H}
}
