package dialog_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/layout"
)

func threeQuestions(check func([]string) (int, error)) dialog.Dialog {
	return dialog.Form("May somebody?", []dialog.Question{
		{Name: "who", Value: "guest", Suggestions: []string{"guest", "authenticated", "group:Admins"}},
		{Name: "method", Value: "GET", Options: []string{"DELETE", "GET", "POST", "PUT"}, Hint: "a method"},
		{Name: "path", Hint: "as in a URL"},
	}, check, gives(func(values []string) tea.Msg { return filled(values) }))
}

func TestAFormGivesAValueForEachQuestion(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		keys []string
		want []string
	}{
		{[]string{"enter", "enter", "/", "x", "enter"}, []string{"guest", "GET", "/x"}},
		{[]string{"s", "tab", "right", "tab", "/", "enter"}, []string{"guests", "POST", "/"}},
		{[]string{"down", "left", "left", "down", "a", "enter"}, []string{"guest", "PUT", "a"}},
		{[]string{"tab", "p", "p", "enter", "enter"}, []string{"guest", "PUT", ""}},
		{[]string{"up", "a", "enter"}, []string{"guest", "GET", "a"}},
	} {
		got, ok := answer(threeQuestions(nil), test.keys...).(filled)
		if !ok || !slices.Equal(got, test.want) {
			t.Errorf("%v gives %q, want %q", test.keys, got, test.want)
		}
	}
	if action := answer(threeQuestions(nil), "x", "esc"); action != (nothing{}) {
		t.Errorf("esc gives %v", action)
	}
}

func TestAFormSuggestsValues(t *testing.T) {
	t.Parallel()
	d := threeQuestions(nil)
	next := tea.KeyPressMsg{Code: 'n', Mod: tea.ModCtrl}
	push(d, next)
	push(d, next)
	got, _ := answer(d, "enter", "enter", "enter").(filled)
	if !slices.Equal(got, []string{"group:Admins", "GET", ""}) {
		t.Errorf("after two suggestions it gives %q", got)
	}
}

func TestAFormShowsAnErrorBelowItsLine(t *testing.T) {
	t.Parallel()
	d := threeQuestions(func(values []string) (int, error) {
		if !strings.HasPrefix(values[2], "/") {
			return 2, errors.New("the path does not begin with /")
		}
		return 0, nil
	})
	if action := answer(d, "enter", "enter", "x", "enter"); action != nil {
		t.Fatalf("a wrong value ends the dialog with %v", action)
	}
	text := plainView(d, 80, 24)
	path, wrong := strings.Index(text, "path"), strings.Index(text, "error: the path does not begin with /")
	if wrong < path {
		t.Errorf("the error is not below its line in\n%s", text)
	}
	push(d, press("y"))
	if strings.Contains(plainView(d, 80, 24), "error:") {
		t.Error("typing does not take the error away")
	}
}

func TestAFormIsNeverLargerThanItsRectangle(t *testing.T) {
	t.Parallel()
	var questions []dialog.Question
	for range 30 {
		questions = append(questions, dialog.Question{Name: strings.Repeat("long name ", 5), Value: strings.Repeat("名", 40), Hint: strings.Repeat("hint ", 40)})
	}
	d := dialog.Form("Title", questions, func([]string) (int, error) { return 20, errors.New(strings.Repeat("wrong ", 30)) }, nil)
	for at := range 30 {
		for _, size := range [][2]int{{60, 15}, {30, 8}, {200, 60}} {
			lines := strings.Split(plainView(d, size[0], size[1]), "\n")
			if len(lines) > size[1] {
				t.Fatalf("at line %d there are %d lines in %v", at, len(lines), size)
			}
			for _, line := range lines {
				if layout.Width(line) > size[0] {
					t.Fatalf("a line has %d cells in %v", layout.Width(line), size)
				}
			}
			if !strings.Contains(strings.Join(lines, "\n"), "›") {
				t.Fatalf("at line %d in %v the cursor is out of view:\n%s", at, size, strings.Join(lines, "\n"))
			}
		}
		push(d, press("down"))
	}
}

func TestSeveralGivesTheMarkedItems(t *testing.T) {
	t.Parallel()
	items := []prose.Option{{Key: "email", Title: "email"}, {Key: "name", Title: "name"}, {Key: "phone", Title: "phone"}}
	atLeastOne := func(chosen []string) error {
		if len(chosen) == 0 {
			return errors.New("give at least one")
		}
		return nil
	}
	d := dialog.Several("Attributes", items, []string{"name"}, atLeastOne, gives(func(ids []string) tea.Msg { return chosen(ids) }))
	if text := plainView(d, 60, 15); !strings.Contains(text, "[ ] email") || !strings.Contains(text, "[x] name") {
		t.Errorf("at first the dialog shows\n%s", text)
	}
	if action := answer(d, "down", "space", "enter"); action != nil {
		t.Fatalf("nothing marked ends the dialog with %v", action)
	}
	if text := plainView(d, 60, 15); !strings.Contains(text, "error: give at least one") {
		t.Errorf("the error is not shown in\n%s", text)
	}
	got, _ := answer(d, "space", "p", "h", "space", "enter").(chosen)
	if !slices.Equal(got, []string{"name", "phone"}) {
		t.Errorf("it gives %q", got)
	}
}

func TestAHintIsNotCutOff(t *testing.T) {
	t.Parallel()
	d := dialog.Form("?", []dialog.Question{{Name: "who", Hint: "who asks", Suggestions: []string{
		"guest", "authenticated", "group:Administrators", "group:Editors", "group:Readers", "group:Visitors", "group:Librarians", "group:Students",
	}}}, nil, nil)
	text := plainView(d, 60, 20)
	if strings.Contains(text, "…") || !strings.Contains(text, "who asks; ctrl+n takes the next of 8 suggestions") {
		t.Errorf("the dialog shows\n%s", text)
	}
	if text := plainView(threeQuestions(nil), 60, 20); !strings.Contains(text, "ctrl+n takes guest, authenticated, group:Admins") {
		t.Errorf("with room the dialog shows\n%s", text)
	}
}

// TestTheRingsOfAFormGoRoundBothWays has three suggestions, four options and three lines.
func TestTheRingsOfAFormGoRoundBothWays(t *testing.T) {
	t.Parallel()
	next, prior := tea.KeyPressMsg{Code: 'n', Mod: tea.ModCtrl}, tea.KeyPressMsg{Code: 'n', Mod: tea.ModAlt}
	for _, test := range []struct {
		name string
		keys []tea.KeyPressMsg
		want []string
	}{
		{"one suggestion on", []tea.KeyPressMsg{next}, []string{"authenticated", "GET", ""}},
		{"suggestions round", []tea.KeyPressMsg{next, next, next}, []string{"guest", "GET", ""}},
		{"one suggestion back", []tea.KeyPressMsg{prior}, []string{"group:Admins", "GET", ""}},
		{"two suggestions back", []tea.KeyPressMsg{prior, prior}, []string{"authenticated", "GET", ""}},
		{"back of another text", []tea.KeyPressMsg{press("x"), prior}, []string{"group:Admins", "GET", ""}},
		{"on from another text", []tea.KeyPressMsg{press("x"), next}, []string{"guest", "GET", ""}},
		{"option on", []tea.KeyPressMsg{press("tab"), press("right")}, []string{"guest", "POST", ""}},
		{"options round", []tea.KeyPressMsg{press("tab"), press("right"), press("right"), press("right")}, []string{"guest", "DELETE", ""}},
		{"option back", []tea.KeyPressMsg{press("tab"), press("left"), press("left")}, []string{"guest", "PUT", ""}},
		{"a letter that two options have", []tea.KeyPressMsg{press("tab"), press("p")}, []string{"guest", "POST", ""}},
		{"lines round", []tea.KeyPressMsg{press("tab"), press("tab"), press("tab"), press("s")}, []string{"guests", "GET", ""}},
		{"line back", []tea.KeyPressMsg{press("shift+tab"), press("z")}, []string{"guest", "GET", "z"}},
		{"two lines back", []tea.KeyPressMsg{press("shift+tab"), press("shift+tab"), press("right")}, []string{"guest", "POST", ""}},
	} {
		d := threeQuestions(nil)
		for _, key := range test.keys {
			push(d, key)
		}
		// From whichever line, enter ends at the last one.
		var got filled
		for range 3 {
			if values, ok := answer(d, "enter").(filled); ok {
				got = values
				break
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s gives %q, want %q", test.name, got, test.want)
		}
	}
}
