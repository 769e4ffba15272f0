package layout_test

import (
	"testing"

	"gatewright/tui/layout"
)

func TestTheWindowIsDividedByItsSize(t *testing.T) {
	t.Parallel()
	tests := []struct {
		w, h       int
		tooSmall   bool
		main, side layout.Rect
	}{
		{0, 0, true, layout.Rect{}, layout.Rect{}},
		{-3, -1, true, layout.Rect{}, layout.Rect{}},
		{20, 5, true, layout.Rect{W: 20, H: 5}, layout.Rect{}},
		{59, 15, true, layout.Rect{W: 59, H: 15}, layout.Rect{}},
		{60, 14, true, layout.Rect{W: 60, H: 14}, layout.Rect{}},
		{60, 15, false, layout.Rect{Y: 1, W: 60, H: 12}, layout.Rect{}},
		{80, 24, false, layout.Rect{Y: 1, W: 80, H: 21}, layout.Rect{}},
		{99, 24, false, layout.Rect{Y: 1, W: 99, H: 21}, layout.Rect{}},
		{100, 24, false, layout.Rect{Y: 1, W: 50, H: 21}, layout.Rect{X: 50, Y: 1, W: 50, H: 21}},
		{120, 40, false, layout.Rect{Y: 1, W: 60, H: 37}, layout.Rect{X: 60, Y: 1, W: 60, H: 37}},
		{200, 60, false, layout.Rect{Y: 1, W: 80, H: 57}, layout.Rect{X: 80, Y: 1, W: 120, H: 57}},
		{300, 100, false, layout.Rect{Y: 1, W: 80, H: 97}, layout.Rect{X: 80, Y: 1, W: 220, H: 97}},
	}
	for _, test := range tests {
		l := layout.For(test.w, test.h)
		if l.TooSmall != test.tooSmall || l.Main != test.main || l.Side != test.side {
			t.Errorf("%dx%d: too small %t, main %v, side %v", test.w, test.h, l.TooSmall, l.Main, l.Side)
		}
	}
}

func TestThePartsCoverTheWindowOnce(t *testing.T) {
	t.Parallel()
	for w := 0; w <= 220; w += 7 {
		for h := 0; h <= 70; h += 5 {
			l := layout.For(w, h)
			times := make([]int, w*h)
			for _, part := range []layout.Rect{l.Header, l.Main, l.Side, l.Status, l.Footer} {
				for y := part.Y; y < part.Y+part.H; y++ {
					for x := part.X; x < part.X+part.W; x++ {
						if !l.Size.Contains(x, y) {
							t.Fatalf("%dx%d: %v reaches out of the window", w, h, part)
						}
						times[y*w+x]++
					}
				}
			}
			for i, n := range times {
				if n != 1 {
					t.Fatalf("%dx%d: the cell %d,%d is in %d parts", w, h, i%w, i/w, n)
				}
			}
		}
	}
}

func TestTheBodyIsMainAndSide(t *testing.T) {
	t.Parallel()
	want := layout.Rect{X: 0, Y: 1, W: 120, H: 37}
	if body := layout.For(120, 40).Body(); body != want {
		t.Errorf("body is %v, want %v", body, want)
	}
}
