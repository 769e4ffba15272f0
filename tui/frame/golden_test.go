package frame

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/frame/frametest"
)

// golden compares what is drawn with a golden, where an escape character is written as ␛.
func golden(t *testing.T, name, drawn string) {
	t.Helper()
	frametest.Golden(t, name, strings.ReplaceAll(drawn, "\x1b", "␛")+"\n")
}

func TestTheWindowMatchesItsGoldens(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ w, h int }{{60, 15}, {80, 24}, {120, 40}} {
		for _, theme := range []string{"dark", "light", "none"} {
			s := start(t, theme, size.w, size.h)
			s.press("down")
			golden(t, fmt.Sprintf("page-%dx%d-%s", size.w, size.h, theme), s.model.View().Content)
		}
	}
}

func TestDialogsMatchTheirGoldens(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string]string{
		"confirm": "c tab", "input": "i n a m e", "choose": "L", "choose-disabled": "L down",
		"help": "?", "help-filtered": "? p u s h", "help-nothing": "? z z z",
	} {
		for _, theme := range []string{"dark", "none"} {
			s := start(t, theme, 60, 15)
			s.press(keys)
			golden(t, name+"-60x15-"+theme, s.model.View().Content)
		}
		s := start(t, "none", 120, 40)
		s.press(keys)
		golden(t, name+"-120x40-text", s.view())
	}
}

func TestTheQuitDialogMatchesItsGolden(t *testing.T) {
	t.Parallel()
	s := start(t, "none", 80, 24)
	s.page("items").dirty = true
	s.press("q")
	golden(t, "quit-80x24-text", s.view())
	s.press("s")
}

func TestTheStatusLineMatchesItsGoldens(t *testing.T) {
	t.Parallel()
	for name, level := range map[string]StatusLevel{"note": Info, "done": Good, "warning": Warn, "error": Error} {
		s := start(t, "dark", 60, 15)
		s.run(Say(level, "cannot write api/items: permission denied; %s", strings.Repeat("a long reason ", 4*int(level))))
		golden(t, "status/"+name+"-60x15-dark", s.model.View().Content)
	}
}

func TestALongTrailIsCut(t *testing.T) {
	t.Parallel()
	s := start(t, "none", 60, 15)
	s.run(Go(listRoute{"a name that is rather long"}))
	golden(t, "header/short-60-text", s.line(0))
	s.run(Go(listRoute{strings.Repeat("名前", 40)}))
	golden(t, "header/long-60-text", s.line(0))
}

func TestASmallWindowMatchesItsGoldens(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	for _, size := range []struct{ w, h int }{{40, 10}, {59, 40}, {10, 3}} {
		s.send(tea.WindowSizeMsg{Width: size.w, Height: size.h})
		golden(t, fmt.Sprintf("small-%dx%d-text", size.w, size.h), s.view())
	}
}
