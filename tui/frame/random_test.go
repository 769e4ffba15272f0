package frame

import (
	"math/rand/v2"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/layout"
)

func TestRandomKeysAndSizesNeverBreakTheWindow(t *testing.T) {
	t.Parallel()
	const events, seed = 10_000, 20261121
	random := rand.New(rand.NewPCG(seed, 1))
	keys := strings.Fields("enter esc tab down up left backspace f1 pgdown space ? / q o r < s c i L p ctrl+p x y z é 名 0")
	s := start(t, "dark", 80, 24)
	w, h := 80, 24
	for i := range events {
		switch random.IntN(20) {
		case 0: // mostly small ones
			w, h = random.IntN(random.IntN(201)+1), random.IntN(random.IntN(201)+1)
			s.send(tea.WindowSizeMsg{Width: w, Height: h})
		case 1:
			s.send(tea.PasteMsg{Content: "pasted\x1b[2J\n名前"})
		case 2:
			s.send(tea.MouseClickMsg{X: random.IntN(220) - 10, Y: random.IntN(220) - 10})
		case 3:
			front := s.model.history.front().page.(*listPage)
			front.dirty = random.IntN(4) == 0
		default:
			s.send(key(keys[random.IntN(len(keys))]))
		}
		if s.quit {
			s.quit = false
			s.model.quit = quitting{}
		}
		if i%4 == 0 {
			checkWindow(t, s.model.View().Content, w, h, i)
		}
	}
}

func checkWindow(t *testing.T, content string, w, h, event int) {
	t.Helper()
	lines := strings.Split(content, "\n")
	if content != "" && len(lines) > h {
		t.Fatalf("event %d: %d lines in a window of %dx%d", event, len(lines), w, h)
	}
	for _, line := range lines {
		if layout.Width(line) > w {
			t.Fatalf("event %d: a line of %d cells in a window of %dx%d: %q", event, layout.Width(line), w, h, line)
		}
	}
}
