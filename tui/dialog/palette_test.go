package dialog_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dialog"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
)

func commands() dialog.Dialog {
	welcome := keys.Action("the welcome", "", says(picked("the welcome"))).In("go to")
	return dialog.Palette("What do you want to do?", []keys.Binding{
		bound("a", "add path", "add a path to this API", "", "apis"),
		bound("x", "remove", "remove this path", "the project does not have it any more", "apis"),
		welcome,
	}, nil, nil)
}

func TestAPaletteRunsTheActionThatWasFound(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		keys []string
		want tea.Msg
	}{
		{"the first", []string{"enter"}, picked("add path")},
		{"by words of label and place", []string{"g", "o", " ", "w", "e", "l", "enter"}, picked("the welcome")},
		{"by the arrows", []string{"down", "down", "enter"}, picked("the welcome")},
		{"a disabled one", []string{"down", "enter"}, nil},
		{"nothing matches", []string{"z", "z", "enter"}, nil},
		{"left", []string{"esc"}, nothing{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := answer(commands(), test.keys...); got != test.want {
				t.Errorf("the dialog ends with %#v, want %#v", got, test.want)
			}
		})
	}
}

func TestAPaletteSortsMatchesOfTheNameFirst(t *testing.T) {
	t.Parallel()
	d := dialog.Palette("?", []keys.Binding{
		keys.Action("difference", "what a push would do", says(picked("1"))),
		keys.Action("last push", "show it", says(picked("2"))),
		keys.Action("push and follow", "push, then follow", says(picked("3"))),
		keys.Action("push", "push the environment", says(picked("4"))),
	}, nil, nil)
	answer(d, "p", "u", "s", "h")
	for _, want := range []string{"4", "3", "2", "1"} {
		if got := answer(d, "enter"); got != picked(want) {
			t.Errorf("got %v, want %s", got, want)
		}
		answer(d, "down")
	}
}

func TestAPaletteShowsKeysGroupsAndReasons(t *testing.T) {
	t.Parallel()
	d := commands()
	if text := plainView(d, 80, 20); !strings.Contains(text, "▌ a  apis   add path     add a path to this API") || !strings.Contains(text, "x  apis   (remove)     remove this path") {
		t.Errorf("the dialog shows\n%s", text)
	}
	push(d, press("down"))
	if text := plainView(d, 80, 20); !strings.Contains(text, "not available: the project does not have it any more") {
		t.Errorf("on a disabled action the dialog shows\n%s", text)
	}
	for w := range 70 {
		for line := range strings.Lines(plainView(d, w, 12)) {
			if layout.Width(strings.TrimSuffix(line, "\n")) > w {
				t.Fatalf("in %d cells there is %q", w, line)
			}
		}
	}
}
