package widget_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/internal/text/prose"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

var dark = theme.New(theme.Dark)

// numbered returns lines that say their numbers, from and to included.
func numbered(from, to int) []prose.Line {
	var lines []prose.Line
	for i := from; i <= to; i++ {
		lines = append(lines, prose.Line{Text: fmt.Sprintf("line %d.", i)})
	}
	return lines
}

// pressed runs the action of a key; false if there is no binding for it.
func pressed(all []keys.Binding, key tea.KeyPressMsg, typing bool) bool {
	b, found := keys.Find(all, key, typing)
	if !found || b.Do == nil {
		return false
	}
	if b.Disabled == "" {
		b.Do()
	}
	return true
}

// do presses keys.
func do(t *testing.T, of interface{ Bindings() []keys.Binding }, keys ...string) {
	t.Helper()
	for _, key := range keys {
		if !pressed(of.Bindings(), press(key), false) {
			t.Fatalf("there is no binding for %s", key)
		}
	}
}

func plain(lines []string) []string {
	for i := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(lines[i]), " ")
	}
	return lines
}

func inView(t *testing.T, p *widget.Pager, first, last string) {
	t.Helper()
	lines := plain(p.Draw(dark, 40, 11))
	if len(lines) != 11 || lines[0] != first || lines[9] != last {
		t.Errorf("in view are %q, want %q to %q", lines, first, last)
	}
}

func TestAPagerScrolls(t *testing.T) {
	t.Parallel()
	var p widget.Pager
	p.Show(numbered(1, 100))
	inView(t, &p, "line 1.", "line 10.")
	for _, row := range []struct{ keys, first, last string }{
		{"down", "line 2.", "line 11."},
		{"pgdown", "line 12.", "line 21."},
		{"ctrl+d", "line 17.", "line 26."},
		{"ctrl+u up", "line 11.", "line 20."},
		{"pgup pgup", "line 1.", "line 10."},
		{"G", "line 91.", "line 100."},
		{"down pgdown", "line 91.", "line 100."},
		{"g", "line 1.", "line 10."},
	} {
		do(t, &p, strings.Fields(row.keys)...)
		inView(t, &p, row.first, row.last)
	}
	p.Wheel(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	inView(t, &p, "line 4.", "line 13.")
	if lines := plain(p.Draw(dark, 40, 11)); lines[10] != "4 to 13 of 100 lines" {
		t.Errorf("it says %q", lines[10])
	}
	if all := p.Draw(dark, 40, 100); len(all) != 100 {
		t.Errorf("in a higher rectangle %d lines are drawn", len(all))
	}
}

func TestAPagerFollowsTheEndUntilAPersonScrollsAway(t *testing.T) {
	t.Parallel()
	p := widget.Pager{Follows: true}
	p.Follow()
	p.Append(numbered(1, 30)...)
	inView(t, &p, "line 21.", "line 30.")
	p.Append(numbered(31, 40)...)
	inView(t, &p, "line 31.", "line 40.")
	do(t, &p, "up")
	p.Append(numbered(41, 60)...)
	inView(t, &p, "line 30.", "line 39.")
	if p.Following() {
		t.Error("it follows")
	}
	for _, key := range []string{"f", "G", "pgdown"} {
		do(t, &p, "g", key)
		if key == "pgdown" {
			do(t, &p, strings.Fields(strings.Repeat("pgdown ", 9))...)
		}
		if !p.Following() {
			t.Errorf("after %s it does not follow", key)
		}
	}
	p.Append(numbered(61, 61)...)
	inView(t, &p, "line 52.", "line 61.")

	var still widget.Pager
	still.Show(numbered(1, 30))
	inView(t, &still, "line 1.", "line 10.")
	do(t, &still, "G")
	still.Append(numbered(31, 40)...)
	inView(t, &still, "line 21.", "line 30.")
}

func TestDroppingTheFirstLinesDoesNotMoveTheView(t *testing.T) {
	t.Parallel()
	for _, chunks := range [][]int{{1, 7, 92}, {500}} {
		var p widget.Pager
		p.Show(numbered(1, 5000))
		inView(t, &p, "line 1.", "line 10.")
		p.Scroll(2999)
		inView(t, &p, "line 3000.", "line 3009.")
		for i, from := 0, 5001; from <= 6000; i++ {
			chunk := chunks[i%len(chunks)]
			p.Append(numbered(from, from+chunk-1)...)
			from += chunk
		}
		if p.Len() != 5000 {
			t.Errorf("by %v: %d lines are kept", chunks, p.Len())
		}
		inView(t, &p, "line 3000.", "line 3009.")
		do(t, &p, "g")
		inView(t, &p, "line 1001.", "line 1010.")
		do(t, &p, "G")
		inView(t, &p, "line 5991.", "line 6000.")
		p.Append(numbered(1, 12_000)...)
		do(t, &p, "g")
		inView(t, &p, "line 7001.", "line 7010.")
	}
}

func TestAPagerGoesFromPartToPart(t *testing.T) {
	t.Parallel()
	part := func(name string) []prose.Line {
		return append([]prose.Line{{Tone: prose.Title, Text: name}}, numbered(1, 19)...)
	}
	var p widget.Pager
	p.Show(slices.Concat(part("a"), part("b")))
	inView(t, &p, "a", "line 9.")
	p.Append(part("c")...) // after a Draw
	do(t, &p, "n")
	inView(t, &p, "b", "line 9.")
	do(t, &p, "n")
	inView(t, &p, "c", "line 9.")
	do(t, &p, "n", "down", "N")
	inView(t, &p, "c", "line 9.")
	do(t, &p, "N", "N", "N")
	inView(t, &p, "a", "line 9.")
	p.Append(numbered(1, 4950)...) // drops half of part a
	inView(t, &p, "line 10.", "line 19.")
	do(t, &p, "n")
	inView(t, &p, "b", "line 9.")
	do(t, &p, "n")
	inView(t, &p, "c", "line 9.")
}

func TestAPagerFitsItsRectangle(t *testing.T) {
	t.Parallel()
	var p widget.Pager
	p.Show(append(numbered(1, 30), prose.Line{Tone: prose.Code, Text: `{"name": "` + strings.Repeat("名前 ", 40) + `"}`}, prose.Line{}))
	for w := -3; w < 30; w++ {
		for h := -3; h < 40; h++ {
			lines := p.Draw(dark, w, h)
			if len(lines) > max(h, 1) {
				t.Fatalf("in %dx%d there are %d lines", w, h, len(lines))
			}
			for _, line := range lines {
				if layout.Width(line) > max(w, 1) {
					t.Fatalf("in %dx%d there is %q", w, h, line)
				}
			}
			p.Scroll(h)
		}
	}
}

func TestThePagerDoesNotUseTheSliceThatItReturned(t *testing.T) {
	t.Parallel()
	var p widget.Pager
	p.Show(numbered(1, 3))
	lines := p.Draw(dark, 40, 11)
	_ = append(lines, "not of the text")
	p.Append(numbered(4, 4)...)
	if lines := plain(p.Draw(dark, 40, 11)); lines[3] != "line 4." {
		t.Errorf("it has %q", lines)
	}
}

func BenchmarkAppendingALineToALongLog(b *testing.B) {
	p := widget.Pager{Follows: true}
	p.Follow()
	p.Append(numbered(1, 5000)...)
	line := prose.Line{Text: strings.Repeat("a word ", 12)}
	for b.Loop() {
		p.Append(line)
		_ = p.Draw(dark, 120, 40)
	}
}

func TestALineAboutWhatIsOpenedIsUnseenUntilItsEndWasInView(t *testing.T) {
	t.Parallel()
	long := "▲ " + strings.Repeat("opened ", 3)
	text := append(append([]prose.Line{{Text: long}}, numbered(1, 9)...), prose.Line{Text: long}, prose.Line{Text: "▲ end"})
	shown := widget.Pager{Hang: 2}
	shown.Show(text)
	var drawn widget.Pager
	drawn.ShowDrawn(func(t *theme.Theme, _ int) []string {
		return []string{t.Wider.Render("▲ opened opened"), "  " + t.Wider.Render("opened"), "1", "2", "3", "4", "5", "▲ opened", "  opened", "▲ end"}
	})
	for name, p := range map[string]*widget.Pager{"lines": &shown, "drawn": &drawn} {
		for i, step := range []struct {
			h, scroll, want int
		}{{1, 0, 3}, {4, 0, 2}, {4, 99, 0}} {
			p.Scroll(step.scroll)
			p.Draw(dark, 20, step.h)
			if got := p.Unseen(); got != step.want {
				t.Errorf("%s: after step %d, %d lines are unseen, want %d", name, i, got, step.want)
			}
		}
	}
	shown.Show(numbered(1, 9))
	shown.Draw(dark, 20, 4)
	if got := shown.Unseen(); got != 0 {
		t.Errorf("%d lines of a text that opens nothing are unseen", got)
	}
}

func TestALineMayBeDrawnInItsOwnWay(t *testing.T) {
	t.Parallel()
	var p widget.Pager
	p.Instead = func(_ *theme.Theme, line prose.Line, w int) []string {
		if line.Text != "b" {
			return nil
		}
		return []string{"\x1b[7m" + strings.Repeat("=", w) + "\x1b[m", "GET"}
	}
	p.Show([]prose.Line{{Text: "a"}, {Tone: prose.Title, Text: "b"}, {Text: "c"}})
	got := strings.Join(p.Draw(theme.New(theme.Dark), 5, 9)[1:3], "\n")
	if got != "\x1b[7m=====\x1b[m\nGET" || p.Text() != "a\nb\nc" {
		t.Errorf("it is drawn as\n%q, and its text is %q", got, p.Text())
	}
}
