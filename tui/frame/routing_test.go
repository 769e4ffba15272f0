package frame

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dialog"
	"gatewright/tui/theme"
)

func TestComingBackFindsThePageAsItWasLeft(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.press("down down o")
	s.shows("List of items › List of orders")
	s.press("down esc")
	s.shows("› /items/2")
	s.press("o")
	s.shows("› /orders/1")
	if len(s.pages["orders"]) != 1 {
		t.Errorf("the page of orders was made %d times", len(s.pages["orders"]))
	}
}

func TestNoPageIsOnTheTrailTwice(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.press("down o")
	s.run(Go(listRoute{"items"}))
	s.shows("› /items/1")
	s.hides("List of orders")
	s.press("o")
	s.run(Replace(listRoute{"items"}))
	if n := len(s.model.history.trail); n != 1 {
		t.Errorf("the trail has %d pages, want 1", n)
	}
}

func TestBackOnTheFirstPageSaysSoAndStays(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.run(GoBack())
	s.shows("note: this is the first page; ctrl+c quits")
	s.press("esc")
	s.shows("/items/0")
	if s.quit {
		t.Error("esc ended the program")
	}
}

func TestReplaceDropsThePage(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.press("o down r")
	s.shows("List of items › List of replaced")
	s.press("esc o")
	s.shows("› /orders/0")
	if len(s.pages["orders"]) != 2 {
		t.Errorf("the page of orders was made %d times, want 2", len(s.pages["orders"]))
	}
}

func TestReplaceByTheSameRouteMakesANewPage(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.press("down")
	s.run(Replace(listRoute{"items"}))
	s.shows("› /items/0")
}

func TestTheOldPageStaysIfTheNewOneCannotBeMade(t *testing.T) {
	t.Parallel()
	for _, to := range []Route{brokenRoute{}, sliceRoute{[]string{"a"}}, nil} {
		s := start(t, "dark", 80, 24)
		s.press("down")
		s.run(Go(to))
		s.shows("error: showing ")
		s.shows("› /items/1")
		s.run(Replace(to))
		s.shows("› /items/1")
		s.press("o esc")
		s.shows("› /items/1")
	}
}

func TestAFirstPageThatCannotBeMadeShowsWhyAndCanBeQuit(t *testing.T) {
	t.Parallel()
	s := &screen{t: t, model: New(Options{Start: brokenRoute{}})}
	s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	s.shows("error: showing Broken: the frame has no page maker")
	s.press("? esc q")
	if !s.quit {
		t.Error("q did not quit")
	}
}

func TestKeysReachOnlyThePageInFront(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.press("o")
	before := len(s.page("items").got)
	s.press("/ x")
	s.send(tea.PasteMsg{Content: "text"})
	for _, msg := range s.page("items").got[before:] {
		switch msg.(type) {
		case tea.KeyPressMsg, tea.PasteMsg:
			t.Errorf("the page behind got %v", msg)
		}
	}
	got := s.page("orders").got
	if last := got[len(got)-1]; last != (tea.PasteMsg{Content: "text"}) {
		t.Errorf("the page in front got %v", last)
	}
}

func TestTheResultOfADialogReachesThePageThatOpenedIt(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.press("c")
	s.shows("Remove it?")
	s.run(Go(listRoute{"orders"}))
	s.press("r")
	if got := s.page("items").last(); got != "removed" {
		t.Errorf("the owner got %v", got)
	}
	for _, msg := range s.page("orders").got {
		if msg == "removed" {
			t.Error("another page got the result")
		}
	}
	s.hides("Remove it?")
}

func TestDialogsAreStacked(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.press("i")
	s.run(Open(dialog.Confirm("Second", "text")))
	s.shows("Second")
	s.press("esc")
	s.shows("New name")
	s.press("a b enter")
	if got := s.page("items").last(); got != "ab" {
		t.Errorf("the owner got %v", got)
	}
	s.shows("/items/0")
}

func TestADialogOfTheSameTitleIsNotOpenedTwice(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.model.Update(Open(dialog.Confirm("Remove it?", "text"))())
	s.run(Open(dialog.Confirm("Remove it?", "Again")))
	s.run(Open(nil))
	s.press("esc")
	s.hides("Again")
	s.hides("Remove it?")
}

func TestThePageUnderADialogGetsNoKeys(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.press("c down o down esc")
	s.shows("› /items/0")
	if did := s.page("items").did; len(did) != 1 {
		t.Errorf("the page did %v", did)
	}
}

func TestOldPagesAreDroppedButNeverUnsavedOnes(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.run(Go(listRoute{"unsaved"}))
	s.page("unsaved").dirty = true
	s.run(GoBack())
	for i := range 2 * maxIdlePages {
		s.run(Go(listRoute{fmt.Sprint("p", i)}))
		s.run(GoBack())
	}
	if n := len(s.model.history.visited); n != maxIdlePages+2 {
		t.Errorf("%d pages are in memory, want %d, the first one and the unsaved one", n, maxIdlePages)
	}
	s.run(Go(listRoute{"p0"}))
	s.run(Go(listRoute{"unsaved"}))
	s.page("unsaved")
	if n := len(s.pages["p0"]); n != 2 {
		t.Errorf("the oldest page was made %d times, want 2", n)
	}
}

func TestTheTerminalsBackgroundChoosesTheTheme(t *testing.T) {
	t.Parallel()
	s := start(t, "auto", 80, 24)
	s.send(tea.BackgroundColorMsg{Color: theme.New(theme.HighContrast).Foreground})
	if kind := s.model.context.Theme.Kind; kind != theme.Light {
		t.Errorf("a white background has the theme %s", kind)
	}
	s.send(tea.BackgroundColorMsg{Color: theme.New(theme.HighContrast).Background})
	if kind := s.model.context.Theme.Kind; kind != theme.Dark {
		t.Errorf("a black background has the theme %s", kind)
	}
	s.send(tea.BackgroundColorMsg{})
}

func TestTheThemeIsChosenByNameAndEnvironment(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, env string
		kind      theme.Kind
		auto      bool
	}{
		{"auto", "", theme.Dark, true},
		{"", "", theme.Dark, true},
		{"light", "", theme.Light, false},
		{"light", "NO_COLOR=1", theme.None, false},
		{"auto", "NO_COLOR=1", theme.None, false},
		{"auto", "NO_COLOR=", theme.Dark, true},
		{"high-contrast", "TERM=dumb", theme.None, false},
	}
	for _, test := range tests {
		kind, auto, err := initialTheme(test.name, []string{"A=b", test.env})
		if kind != test.kind || auto != test.auto || err != nil {
			t.Errorf("%q with %q: %s, auto %t, %v", test.name, test.env, kind, auto, err)
		}
	}
	if _, _, err := initialTheme("blue", nil); err == nil || !strings.Contains(err.Error(), "high-contrast") {
		t.Errorf("an unknown theme: %v", err)
	}
}

func TestMouseCoordinatesAreRelativeToThePage(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	s.send(tea.MouseClickMsg{X: 5, Y: 3})
	got := s.page("items").got
	if last := got[len(got)-1]; last != (tea.MouseClickMsg{X: 5, Y: 2}) {
		t.Errorf("got %v", last)
	}
	s.send(tea.MouseClickMsg{X: 5, Y: 23})
	if len(s.page("items").got) != len(got) {
		t.Error("the page got a click on the footer")
	}
}
