package frame

import (
	"errors"
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestQuittingWithoutUnsavedWorkQuitsAtOnce(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"q", "ctrl+c"} {
		s := start(t, "dark", 80, 24)
		s.press(name)
		if !s.quit {
			t.Errorf("%s did not quit", name)
		}
	}
}

func TestQLeavesThePageAndThenTheProgram(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.press("o down q")
	s.shows("/items/0")
	s.hides("List of orders")
	if s.quit {
		t.Fatal("the first q left the program")
	}
	s.page("items").dirty = true
	s.press("o q q")
	s.shows("Quit now?")
	s.press("esc")
	s.page("items").dirty = false
	s.press("q")
	if !s.quit {
		t.Error("the last q did not leave the program")
	}
}

func TestQuittingWithUnsavedWorkAsks(t *testing.T) {
	t.Parallel()
	tests := []struct {
		keys string
		quit bool
		log  []string
	}{
		{"q", false, nil},
		{"ctrl+c", false, nil},
		{"ctrl+c ctrl+c", true, nil},
		{"q ctrl+c", true, nil},
		{"ctrl+c esc ctrl+c", false, nil},
		{"q esc", false, nil},
		{"q c", false, nil},
		{"q s", true, []string{"save items"}},
		{"q enter", true, []string{"save items"}},
		{"q d", true, []string{"discard items"}},
	}
	for _, test := range tests {
		s := start(t, "dark", 80, 24)
		s.page("items").dirty = true
		s.press(test.keys)
		if s.quit != test.quit || !slices.Equal(s.log, test.log) {
			t.Errorf("%s: quit %t, did %q", test.keys, s.quit, s.log)
		}
	}
}

func TestQuittingAsksForUnsavedWorkOfPagesBehindToo(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.page("items").dirty = true
	s.press("o")
	s.page("orders").dirty = true
	s.press("ctrl+c")
	s.shows("Not saved: List of items, List of orders.")
	s.press("s")
	slices.Sort(s.log)
	if want := []string{"save items", "save orders"}; !s.quit || !slices.Equal(s.log, want) {
		t.Errorf("quit %t, did %q", s.quit, s.log)
	}
}

// plainPage is a page without drafts.
type plainPage struct{ Page }

func TestSavingIsNotOfferedIfOnePageHasNoDrafts(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.page("items").dirty = true
	s.press("o")
	s.page("orders").dirty = true
	s.model.history.front().page = plainPage{s.page("orders")}
	s.press("ctrl+c")
	s.hides("Save draft")
	s.shows("[›Cancel‹]")
	s.press("enter")
	if s.quit {
		t.Error("enter lost the work")
	}
	s.press("ctrl+c d")
	if !s.quit {
		t.Error("discarding did not quit")
	}
}

func TestADraftThatCannotBeSavedKeepsTheProgramOpen(t *testing.T) {
	t.Parallel()
	for name, setUp := range map[string]func(*listPage){
		"saving the draft of List of items: disk full":            func(p *listPage) { p.saveErr = errors.New("disk full") },
		"saving the draft of List of items: the page did not say": func(p *listPage) { p.answer = loadedMsg{"x"} },
	} {
		s := start(t, "dark", 80, 24)
		s.page("items").dirty = true
		setUp(s.page("items"))
		s.press("q s")
		if s.quit {
			t.Errorf("%s: quit", name)
		}
		s.shows("error: " + name)
		s.page("items").saveErr, s.page("items").answer = nil, nil
		s.press("q s")
		if !s.quit {
			t.Errorf("%s: saving the draft the second time does not quit", name)
		}
	}
}

func TestOneDraftOfTwoThatFailsKeepsTheProgramOpen(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.page("items").dirty = true
	s.page("items").saveErr = errors.New("disk full")
	s.press("o")
	s.page("orders").dirty = true
	s.press("ctrl+c s")
	if s.quit {
		t.Error("quit, and one draft is lost")
	}
}

func TestSecondCtrlCQuitsWhileADraftIsSaved(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.page("items").dirty = true
	s.press("q")
	s.model.Update(key("s")) // its command is not run: the draft is still being saved
	s.press("ctrl+c")
	if !s.quit {
		t.Error("ctrl+c did not quit")
	}
}

func TestTheHeaderSaysThatWorkIsNotSaved(t *testing.T) {
	t.Parallel()
	s := start(t, "none", 80, 24)
	s.hides("not saved")
	s.page("items").dirty = true
	s.shows("not saved")
}

func TestATooSmallWindowLosesNothingAndCanBeQuit(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.press("down o down c")
	s.send(tea.WindowSizeMsg{Width: 40, Height: 10})
	s.shows("needs 60x15, has 40x10")
	s.press("down enter r")
	s.send(tea.WindowSizeMsg{Width: 100, Height: 30})
	s.shows("Remove it?")
	s.press("esc")
	s.shows("› /orders/1")
	s.page("orders").dirty = true
	s.send(tea.WindowSizeMsg{Width: 40, Height: 10})
	s.press("ctrl+c")
	s.shows("ctrl+c again")
	s.press("ctrl+c")
	if !s.quit {
		t.Error("the second ctrl+c did not quit")
	}
}
