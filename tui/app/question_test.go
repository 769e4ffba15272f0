package app_test

import (
	"os"
	"testing"
	"time"

	"gatewright/tui/app/apptest"
	"gatewright/tui/frame"
	"gatewright/tui/route"
)

// held is the program with a clock, in which keys are held down.
type held struct {
	*apptest.Terminal
	now time.Time
}

func openHeld(t *testing.T, dir string, start frame.Route) *held {
	t.Helper()
	h := &held{now: time.Date(2026, 11, 25, 13, 20, 41, 0, time.UTC)}
	h.Terminal = apptest.Clocked(t, dir, 100, 30, start, func() time.Time { return h.now })
	return h
}

// press presses keys, each some time after the one before.
func (h *held) press(pause time.Duration, names ...string) {
	for _, name := range names {
		h.now = h.now.Add(pause)
		h.Keys(name)
	}
}

func TestAHeldKeyNeitherPushesNorWrites(t *testing.T) {
	t.Parallel()
	dir := apptest.ChangedShop(t)
	unchanged := apptest.Unchanged(t, dir)
	for i, tab := range apptest.Tabs {
		for j, key := range []string{"p", "d", "enter", "ctrl+s"} {
			if (i+j)%everyPlace != 0 && key != "p" {
				continue
			}
			h := openHeld(t, dir, route.Dashboard{})
			h.Tab(tab)
			for range 12 {
				h.press(33*time.Millisecond, key)
			}
			if unchanged(); t.Failed() {
				t.Fatalf("%s, %s:\n%s", tab, key, h.Screen())
			}
		}
	}
	h := openHeld(t, dir, route.Dashboard{})
	h.press(time.Second, "p", "p")
	h.Shows("done: pushed dev")
}

func TestTheKeyThatOpensTheReviewOfAWizardDoesNotWrite(t *testing.T) {
	t.Parallel()
	dir := apptest.Folder(t)
	h := openHeld(t, dir, route.Wizard{Start: route.FromSample})
	h.press(time.Second, "ctrl+s")
	h.press(120*time.Millisecond, "ctrl+s", "ctrl+s", "pgdown", "pgdown", "ctrl+s")
	h.Shows("Review", "ctrl+s …")
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Fatalf("there is %v", entries)
	}
	h.press(time.Second, "ctrl+s")
	h.Shows("Written")
}
