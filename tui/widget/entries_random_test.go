package widget_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/sandbox/logs"
	"gatewright/sandbox/logs/entry"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

func TestAnyKeysAndSizesLeaveALogDrawn(t *testing.T) {
	t.Parallel()
	lines := append(recorded(t, "node24"), recorded(t, "python")...)
	th := theme.New(theme.Dark)
	rapid.Check(t, func(t *rapid.T) {
		s := &shelf{}
		s.Source = entry.Source{Root: "/home/emma/day", Folder: "backend/function/trouble/src"}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			switch rapid.IntRange(0, 39).Draw(t, "what") {
			case 0, 1, 2, 3:
				from := rapid.IntRange(0, len(lines)-1).Draw(t, "from")
				s.Add(entry.Read(lines[from:min(len(lines), from+rapid.IntRange(0, 30).Draw(t, "many"))]))
			case 4:
				many := make([]logs.Line, 3*4096)
				for i := range many {
					many[i] = lines[i%len(lines)]
				}
				s.Add(entry.Read(many))
			default:
				s.keys(rapid.SampledFrom([]string{"up", "down", "pgup", "pgdown", "home", "end", "ctrl+u", "ctrl+d", "]", "[", "n", "N", "z", "enter", "*", "f", "y", "/", "a", "e", "esc", "backspace"}).Draw(t, "key"))
			}
			w, h := rapid.IntRange(1, 130).Draw(t, "w"), rapid.IntRange(1, 40).Draw(t, "h")
			drawn := s.Draw(th, w, h)
			if len(drawn) != h {
				t.Fatalf("at %dx%d there are %d lines", w, h, len(drawn))
			}
			if h >= 3 && s.Len() > 0 && !strings.Contains(s.view(w, h), "▌") {
				t.Fatalf("at %dx%d the cursor is not in view in\n%s", w, h, s.view(w, h))
			}
			for _, line := range drawn {
				if layout.Width(line) > max(w, 24) {
					t.Fatalf("at %dx%d a line takes %d: %q", w, h, layout.Width(line), line)
				}
			}
		}
	})
}
