package dialog_test

import (
	"strings"
	"testing"

	"gatewright/tui/dialog"
	"gatewright/tui/layout"
)

func commands() dialog.Dialog {
	return dialog.Palette("p", "What is to be done?", []dialog.Command{
		{ID: "apis/a", Label: "add path", Help: "add a path to this API", Key: "a", Where: "apis"},
		{ID: "apis/x", Label: "remove", Help: "remove this path", Key: "x", Where: "apis", Disabled: "the project does not have it any more"},
		{ID: "link/0", Label: "the welcome", Where: "go to"},
	})
}

func TestAPaletteEndsWithWhatIsFound(t *testing.T) {
	tests := []struct {
		name string
		keys []string
		want dialog.Action
	}{
		{"the first", []string{"enter"}, dialog.Picked("apis/a")},
		{"by words of label and place", []string{"g", "o", " ", "w", "e", "l", "enter"}, dialog.Picked("link/0")},
		{"by the arrows", []string{"down", "down", "enter"}, dialog.Picked("link/0")},
		{"not what cannot be done", []string{"down", "enter"}, nil},
		{"nothing matches", []string{"z", "z", "enter"}, nil},
		{"left", []string{"esc"}, dialog.Cancelled{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := answer(commands(), test.keys...); got != test.want {
				t.Errorf("it ends with %#v, want %#v", got, test.want)
			}
		})
	}
}

func TestAPalettePutsWhatIsCalledSoFirst(t *testing.T) {
	d := dialog.Palette("p", "?", []dialog.Command{
		{ID: "1", Label: "difference", Help: "what a push would do"},
		{ID: "2", Label: "last push", Help: "show it"},
		{ID: "3", Label: "push and follow", Help: "push, then follow"},
		{ID: "4", Label: "push", Help: "push the environment"},
	})
	answer(d, "p", "u", "s", "h")
	for _, want := range []string{"4", "3", "2", "1"} {
		if got := answer(d, "enter"); got != dialog.Picked(want) {
			t.Errorf("%v comes where %s is wanted", got, want)
		}
		answer(d, "down")
	}
}

func TestAPaletteSaysKeysPlacesAndReasons(t *testing.T) {
	d := commands()
	if text := plainView(d, 80, 20); !strings.Contains(text, "› a  apis   add path    add a path to this API") || !strings.Contains(text, "x  apis   (remove)    remove this path") {
		t.Errorf("it shows\n%s", text)
	}
	d.Update(press("down"))
	if text := plainView(d, 80, 20); !strings.Contains(text, "not available: the project does not have it any more") {
		t.Errorf("on what cannot be done it shows\n%s", text)
	}
	for w := range 70 {
		for line := range strings.Lines(plainView(d, w, 12)) {
			if layout.Width(strings.TrimSuffix(line, "\n")) > w {
				t.Fatalf("in %d cells there is %q", w, line)
			}
		}
	}
}
