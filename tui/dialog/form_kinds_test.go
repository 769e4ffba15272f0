package dialog_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dialog"
)

// kinds is a form with a line of each kind.
func kinds(check func([]string) (int, error)) dialog.Dialog {
	return dialog.Form("Kinds", []dialog.Question{
		{Name: "name", Value: "books", Fixed: "a name stays"},
		{Name: "groups", Options: []string{"Admins", "Editors", "Readers"}, Several: true, Value: "Editors"},
		{Name: "variables", List: true, Value: "A=1", Suggestions: []string{"B=2", "C=3"}},
		{Name: "runtime", Options: []string{"nodejs", "go"}},
		{Name: "template", Options: []string{"express", "plain"}, OptionsIf: func(values []string, option string) bool { return option == "plain" || values[3] == "nodejs" }},
		{Name: "password", Masked: true},
		{Name: "again", Masked: true, If: func(values []string) bool { return values[5] != "" }},
	}, check, gives(func(values []string) tea.Msg { return filled(values) }))
}

func TestAFormTakesSeveralOptionsListsAndTextsThatAreNotShown(t *testing.T) {
	t.Parallel()
	d := kinds(nil)
	answer(d, "space", "right", "space", "space", "left")
	if view := plainView(d, 80, 24); !strings.Contains(view, "‹ [x] Admins ›  Admins, Editors") {
		t.Errorf("the options are drawn as\n%s", view)
	}
	answer(d, "tab", "enter", "X", "=", "1", "enter")
	push(d, tea.KeyPressMsg{Code: 'n', Mod: tea.ModCtrl})
	answer(d, "tab", "g", "tab", "tab", "s", "e", "c")
	if view := plainView(d, 80, 24); strings.Contains(view, "sec") || !strings.Contains(view, "***") || !strings.Contains(view, "again") {
		t.Errorf("the password is drawn as\n%s", view)
	}
	answer(d, "tab", "s", "e", "c")
	got, ok := answer(d, "enter").(filled)
	want := filled{"books", "Admins\nEditors", "A=1\nX=1\nB=2", "go", "plain", "sec", "sec"}
	if !ok || !slices.Equal(got, want) {
		t.Errorf("the form gives %q, want %q", got, want)
	}
}

func TestEnterDoesNotPassAnOptionThatWasLookedForAndIsNotMarked(t *testing.T) {
	t.Parallel()
	d := kinds(nil)
	answer(d, "right", "right", "enter")
	if view := plainView(d, 80, 24); !strings.Contains(view, "space marks Readers; enter again goes on") || !strings.Contains(view, "› groups     ‹ [ ] Readers ›") {
		t.Fatalf("enter leaves\n%s", view)
	}
	answer(d, "enter")
	if view := plainView(d, 80, 24); strings.Contains(view, "enter again") || !strings.Contains(view, "› variables") {
		t.Errorf("a second enter leaves\n%s", view)
	}
	answer(d, "shift+tab", "space", "enter")
	if view := plainView(d, 80, 24); !strings.Contains(view, "groups     Editors, Readers") || !strings.Contains(view, "› variables") {
		t.Errorf("after space it is\n%s", view)
	}
}

func TestAFixedLineOfAFormSaysWhyItStays(t *testing.T) {
	t.Parallel()
	d := kinds(nil)
	answer(d, "up", "x")
	if view := plainView(d, 80, 24); !strings.Contains(view, "› name       books") || !strings.Contains(view, "a name stays") {
		t.Errorf("the fixed line is drawn as\n%s", view)
	}
}

func TestTheArrowsLeaveAListAtItsEnds(t *testing.T) {
	t.Parallel()
	d := kinds(nil)
	answer(d, "tab", "enter", "B", "up", "up")
	if view := plainView(d, 80, 24); !strings.Contains(view, "› groups") {
		t.Errorf("above the first entry the cursor is not on the line before:\n%s", view)
	}
	answer(d, "down", "down", "down")
	if view := plainView(d, 80, 24); !strings.Contains(view, "› runtime") {
		t.Errorf("below the last entry the cursor is not on the line after:\n%s", view)
	}
}

func TestALineThatIsNotAskedIsSkippedAndNotRefused(t *testing.T) {
	t.Parallel()
	d := kinds(func(values []string) (int, error) { return 6, errors.New("it differs") })
	answer(d, "up", "up", "enter")
	if view := plainView(d, 80, 24); strings.Contains(view, "again") || !strings.Contains(view, "it differs") {
		t.Errorf("the form shows\n%s", view)
	}
}

func TestAFormOfEveryKindFitsEveryWindow(t *testing.T) {
	t.Parallel()
	d := kinds(nil)
	for _, size := range []struct{ w, h int }{{80, 24}, {60, 15}, {30, 10}, {12, 5}, {4, 2}} {
		for range 8 {
			view := d.View(themed(), size.w, size.h)
			if w, h := measured(view); w > size.w || h > size.h {
				t.Errorf("at %v the form is %d by %d", size, w, h)
			}
			answer(d, "tab")
		}
	}
}
