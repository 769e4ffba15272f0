package frame

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/keys"
)

func TestTypingTakesAllSingleKeys(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.press("/ q ? / o d")
	if got, want := s.page("items").filter, "q?/od"; got != want {
		t.Errorf("the field has %q, want %q", got, want)
	}
	if s.quit || len(s.model.dialogs) > 0 {
		t.Error("a key of the field did something else")
	}
	s.press("f1 l o s t")
	s.shows("focus)")
}

func TestAKeyThatThePageBindsReachesThePage(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.press("o / x esc")
	s.shows("List of orders")
	if s.page("orders").typing {
		t.Error("esc did not reach the page")
	}
	if s.page("orders").filter != "x" {
		t.Error("a typed character did not reach the page")
	}
	s.press("esc")
	s.hides("List of orders")
}

func TestADisabledKeySaysWhy(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	before := len(s.page("items").got)
	s.press("p")
	s.shows("warning: not available: there is no environment")
	if len(s.page("items").got) != before || len(s.page("items").did) > 0 {
		t.Error("the page did something")
	}
	if footer := s.line(-1); strings.Contains(footer, "push") {
		t.Errorf("the footer has a disabled action: %q", footer)
	}
	s.press("? p u s h")
	s.shows("(p)")
}

func TestTheFooterAndTheHelpAreMadeOfTheSameBindings(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 120, 50)
	s.press("?")
	for _, b := range s.page("items").Bindings() {
		s.shows(b.Describe())
	}
	for _, everywhere := range []string{"go back to the previous page (not now: ", "show all keys", "quit from anywhere; "} {
		s.shows(everywhere)
	}
	s.press("p u s h")
	s.shows("push the project (not now: there is no environment)")
	s.hides("show the orders")
	s.press("esc")
	footer := s.line(-1)
	for _, want := range []string{"↓ move", "/ filter", "o orders", "? keys"} {
		if !strings.Contains(footer, want) {
			t.Errorf("no %q in the footer %q", want, footer)
		}
	}
}

func TestTheFooterOffersTheHelpWhereverItFits(t *testing.T) {
	t.Parallel()
	s := start(t, "none", 60, 15)
	for _, keys := range []string{"", "/", "x"} {
		s.press(keys)
		if footer := strings.TrimRight(s.line(-1), " "); !strings.HasSuffix(footer, " keys") {
			t.Errorf("after %q the footer is %q", keys, footer)
		}
	}
}

func TestTheStatusLineIsClearedByAKey(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.press("s")
	s.shows("done: items is saved")
	s.press("down")
	s.hides("items is saved")
}

func TestANoteDisappearsAndAnErrorStays(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.model.live = true
	tick := s.model.say(Info, "first")
	if tick == nil {
		t.Fatal("a note has no timer")
	}
	first := s.model.status.count
	s.model.say(Info, "second")
	s.model.expire(first)
	s.shows("note: second")
	s.model.expire(s.model.status.count)
	s.hides("second")
	if s.model.say(Error, "disk full") != nil {
		t.Error("an error has a timer")
	}
}

func TestALongErrorCanBeReadToItsEnd(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 60, 15)
	s.run(Say(Error, "%s: the end", strings.Repeat("a long reason ", 10)))
	s.shows("the end")
	s.press("down")
	s.hides("reason")
	s.run(Say(Error, "%s", strings.Repeat("a long reason ", 100)))
	s.shows("› /items/1")
}

func TestTheStatusLineIsPlainText(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.run(Say(Error, "cannot read %s", "\x1b[2J\nx"))
	s.shows("error: cannot read ␛[2J␊x")
}

func TestTextTypedAheadIsNotLostInAFilter(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.model.Update(key("?"))
	s.model.Update(key("d"))
	s.model.Update(key("e"))
	s.shows("/ de")
}

func TestAKeyWithoutABindingDoesNothing(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	p := s.page("items")
	views, got := p.views, len(p.got)
	s.press("x Z ctrl+q")
	if p.views != views || len(p.got) != got {
		t.Errorf("the page was drawn %d times and got %v", p.views-views, p.got[got:])
	}
}

func TestAKeyOfSeveralBindingsRunsTheFirstEnabledOne(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.press("o /")
	s.press("esc") // leaves the page's filter; the next esc is the frame's
	s.shows("List of orders")
	s.press("esc")
	s.hides("List of orders")
}

func TestThePaletteRunsWhatItLists(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 120, 40)
	s.press("ctrl+p")
	s.shows("show the orders")
	s.hides("move in the list of rows")
	s.press("o r d e r s enter")
	s.shows("› List of orders")
	s.press("ctrl+p p u s h enter")
	s.shows("not available: there is no environment")
	s.press("esc ctrl+p s u s p")
	s.shows("go to the shell; fg")
	s.press("enter")
	s.shows("not available: no shell with job control started gatewright")
}

// commandsPage has Commands, and keeps the slice that it returns.
type commandsPage struct {
	*listPage
	commands []keys.Binding
}

func (p *commandsPage) Commands() []keys.Binding { return p.commands }

func TestThePaletteDoesNotChangeTheSliceOfCommands(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 120, 40)
	did := 0
	commands := make([]keys.Binding, 1, 200)
	commands[0] = keys.Action("elsewhere", "do it elsewhere", keys.NoCmd(func() { did++ }))
	s.model.history.front().page = &commandsPage{s.page("items"), commands}
	for i := range 3 {
		s.press("ctrl+p e l s e w h e r e enter")
		if did != i+1 {
			t.Fatalf("after %d times it was done %d times", i+1, did)
		}
	}
	if extra := commands[:2][1]; extra.Label() != "" {
		t.Errorf("the page's slice has %q", extra.Label())
	}
}

func TestKeyReleasesDoNothing(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.send(tea.KeyReleaseMsg(key("o")))
	s.shows("/items/0")
}
