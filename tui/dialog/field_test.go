package dialog_test

import (
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/tui/dialog"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

func TestAFieldIsEditedAsPeopleExpect(t *testing.T) {
	tests := []struct{ keys, want string }{
		{"a b c", "abc"},
		{"a b left c", "acb"},
		{"a b home c", "cab"},
		{"a b home right c end d", "acbd"},
		{"a b backspace", "a"},
		{"a b home delete", "b"},
		{"backspace delete left right", ""},
		{"a b space c d ctrl+w", "ab "},
		{"a b space c d ctrl+left ctrl+k", "ab "},
		{"a b space c d home ctrl+right x", "abx cd"},
		{"a b left ctrl+u", "b"},
		{"名 前 left x", "名x前"},
	}
	for _, test := range tests {
		var f dialog.Field
		for _, key := range strings.Fields(test.keys) {
			f.Update(press(key))
		}
		if f.Value() != test.want {
			t.Errorf("%s: %q, want %q", test.keys, f.Value(), test.want)
		}
	}
}

func TestAFieldLeavesKeysThatAreNotItsOwn(t *testing.T) {
	var f dialog.Field
	for _, key := range []string{"enter", "esc", "tab", "up", "f1"} {
		if f.Update(press(key)) {
			t.Errorf("the field took %s", key)
		}
	}
	if f.Update(tea.KeyPressMsg{Code: 'x', Text: "x", Mod: tea.ModAlt}) {
		t.Error("the field took alt+x")
	}
}

func TestAPasteLosesItsControlCharacters(t *testing.T) {
	var f dialog.Field
	f.Update(tea.PasteMsg{Content: "it\x1b[31mems\r\n\u202e\tx"})
	if want := "it[31mems x"; f.Value() != want {
		t.Errorf("%q, want %q", f.Value(), want)
	}
	f.Update(tea.PasteMsg{Content: strings.Repeat("x", 1<<20)})
	if len(f.Value()) > 5000 {
		t.Errorf("the field took %d bytes", len(f.Value()))
	}
}

func FuzzAFieldShowsItsCursorInExactlyItsWidth(f *testing.F) {
	f.Add("名前 items", "abc", 5, 3)
	f.Add("", "placeholder", 1, 0)
	f.Fuzz(func(t *testing.T, text, placeholder string, w, left int) {
		w = max(w%80, 1)
		var field dialog.Field
		field.SetValue(text)
		for range left % 20 {
			field.Update(press("left"))
		}
		if strings.ContainsFunc(field.Value(), unicode.IsControl) {
			t.Errorf("%q has a control character", field.Value())
		}
		view := ansi.Strip(field.View(theme.New(theme.None), placeholder, w, true))
		if got := layout.Width(view); got != w {
			t.Errorf("%q is %d cells, want %d", view, got, w)
		}
		if x := field.CursorX(w); x < 0 || x >= w {
			t.Errorf("the cursor is at %d of %d", x, w)
		}
	})
}
