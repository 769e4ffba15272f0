package frame

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

func TestTypingTakesAllSingleKeys(t *testing.T) {
	s := start(t, "dark", 80, 24)
	s.press("/ q ? / o d")
	if got, want := s.page("items").filter, "q?/od"; got != want {
		t.Errorf("the field has %q, want %q", got, want)
	}
	if s.quit || len(s.model.dialogs) > 0 {
		t.Error("a key of the field did something else")
	}
	s.press("f1 s a v e d")
	s.shows("focus)")
}

func TestAKeyThatThePageDeclaresIsThePages(t *testing.T) {
	s := start(t, "dark", 80, 24)
	s.press("o / x esc")
	s.shows("List of orders")
	if s.page("orders").typing {
		t.Error("esc did not come to the page")
	}
	s.press("esc")
	s.hides("List of orders")
}

func TestADisabledKeySaysWhy(t *testing.T) {
	s := start(t, "dark", 80, 24)
	before := len(s.page("items").got)
	s.press("d")
	s.shows("warning: not available: there is no environment")
	if len(s.page("items").got) != before {
		t.Error("the page got the key")
	}
	s.shows("(d deploy)")
}

func TestTheFooterAndTheHelpAreMadeOfTheSameBindings(t *testing.T) {
	s := start(t, "dark", 80, 24)
	s.press("?")
	for _, b := range s.page("items").Keys() {
		s.shows(b.Help)
	}
	for _, global := range []string{"back to the page before (not now: ", "all keys", "quit from anywhere; "} {
		s.shows(global)
	}
	s.press("d e p l")
	s.shows("deploy the project (not now: there is no environment)")
	s.hides("show the orders")
	s.press("esc")
	footer := s.line(-1)
	for _, want := range []string{"↓ move", "/ filter", "o orders", "(d deploy)", "? help"} {
		if !strings.Contains(footer, want) {
			t.Errorf("no %q in the footer %q", want, footer)
		}
	}
}

func TestTheStatusLineIsClearedByAKey(t *testing.T) {
	s := start(t, "dark", 80, 24)
	s.press("s")
	s.shows("done: items is saved")
	s.press("down")
	s.hides("items is saved")
}

func TestANotePassesAndAnErrorStays(t *testing.T) {
	s := start(t, "dark", 80, 24)
	s.model.live = true
	tick := s.model.say(Info, "first")
	if tick == nil {
		t.Fatal("a note has no end")
	}
	first := s.model.status.count
	s.model.say(Info, "second")
	s.send(statusOver{first})
	s.shows("note: second")
	s.send(statusOver{s.model.status.count})
	s.hides("second")
	if s.model.say(Error, "disk full") != nil {
		t.Error("an error has an end")
	}
}

func TestALongErrorCanBeReadToItsEnd(t *testing.T) {
	s := start(t, "dark", 60, 15)
	s.run(Say(Error, "%s: the end", strings.Repeat("a long reason ", 10)))
	s.shows("the end")
	s.press("down")
	s.hides("reason")
	s.run(Say(Error, "%s", strings.Repeat("a long reason ", 100)))
	s.shows("› /items/1")
}

func TestTheStatusLineIsPlainText(t *testing.T) {
	s := start(t, "dark", 80, 24)
	s.run(Say(Error, "cannot read %s", "\x1b[2J\nx"))
	s.shows("error: cannot read ␛[2J␊x")
}

func TestADialogIsNotAnsweredByKeysTypedBeforeItWasSeen(t *testing.T) {
	s := start(t, "dark", 80, 24)
	clock := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	s.model.live, s.model.now = true, func() time.Time { return clock }
	_, cmd := s.model.Update(key("c"))
	s.model.Update(cmd())
	s.model.Update(key("enter")) // before the first View
	s.shows("Remove it?")
	clock = clock.Add(100 * time.Millisecond)
	s.press("enter")
	s.shows("Remove it?")
	clock = clock.Add(100 * time.Millisecond)
	s.press("enter")
	s.hides("Remove it?")
}

func TestTextTypedAheadIsNotLostInAFilter(t *testing.T) {
	s := start(t, "dark", 80, 24)
	s.model.Update(key("?"))
	s.model.Update(key("d"))
	s.model.Update(key("e"))
	s.shows("/ de")
}

func TestKeyReleasesDoNothing(t *testing.T) {
	s := start(t, "dark", 80, 24)
	s.send(tea.KeyReleaseMsg(key("o")))
	s.shows("/items/0")
}
