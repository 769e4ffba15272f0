package widget_test

import (
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

func TestAFieldIsEditedByKeys(t *testing.T) {
	t.Parallel()
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
		var f widget.Field
		for _, key := range strings.Fields(test.keys) {
			f.Update(press(key))
		}
		if f.Value() != test.want {
			t.Errorf("%s: %q, want %q", test.keys, f.Value(), test.want)
		}
	}
}

func TestAFieldIgnoresOtherKeys(t *testing.T) {
	t.Parallel()
	var f widget.Field
	for _, key := range []string{"enter", "esc", "tab", "up", "f1", "ctrl+v"} {
		if f.Update(press(key)) {
			t.Errorf("the field took %s", key)
		}
	}
	if f.Update(tea.KeyPressMsg{Code: 'x', Text: "x", Mod: tea.ModAlt}) {
		t.Error("the field took alt+x")
	}
	if f.Update("a message") {
		t.Error("the field took a message")
	}
}

func TestAPasteLosesItsControlCharacters(t *testing.T) {
	t.Parallel()
	var f widget.Field
	f.Update(tea.PasteMsg{Content: "it\x1b[31mems\r\n\u202e\tx"})
	if want := "it[31mems x"; f.Value() != want {
		t.Errorf("%q, want %q", f.Value(), want)
	}
	f.Update(tea.PasteMsg{Content: strings.Repeat("x", 1<<20)})
	if len(f.Value()) > 5000 {
		t.Errorf("the field took %d bytes", len(f.Value()))
	}
}

func TestTheCursorOfAFieldIsAReversedCell(t *testing.T) {
	t.Parallel()
	th := theme.New(theme.None)
	var f widget.Field
	f.SetValue("a名b")
	for _, want := range []string{" ", "b", "名", "a"} {
		if view := f.View(th, "", 10, true); !strings.Contains(view, th.Cursor.Render(want)) {
			t.Errorf("no cursor on %q in %q", want, view)
		}
		if view := f.View(th, "", 10, false); strings.Contains(view, "\x1b") {
			t.Errorf("without the focus it is %q", view)
		}
		f.Update(press("left"))
	}
	f.SetValue("")
	if view := f.View(th, "name", 10, true); !strings.Contains(view, th.Cursor.Render("n")) {
		t.Errorf("no cursor on the placeholder in %q", view)
	}
}

func FuzzAFieldShowsItsCursorInExactlyItsWidth(f *testing.F) {
	f.Add("名前 items", "abc", 5, 3)
	f.Add("", "placeholder", 1, 0)
	f.Add("名", "", 1, 1)
	f.Fuzz(func(t *testing.T, text, placeholder string, w, left int) {
		w = max(w%80, 1)
		var field widget.Field
		field.SetValue(text)
		for range left % 20 {
			field.Update(press("left"))
		}
		if strings.ContainsFunc(field.Value(), unicode.IsControl) {
			t.Errorf("%q has a control character", field.Value())
		}
		th := theme.New(theme.None)
		for _, focused := range []bool{true, false} {
			view := field.View(th, placeholder, w, focused)
			if got := layout.Width(ansi.Strip(view)); got != w {
				t.Errorf("%q is %d cells, want %d", view, got, w)
			}
			if strings.Contains(view, "\x1b[7m") != focused {
				t.Errorf("with the focus %t it is %q", focused, view)
			}
		}
	})
}

func TestAWordThatIsTheLastCharacterIsDeleted(t *testing.T) {
	t.Parallel()
	var f widget.Field
	f.SetValue("ab")
	f.Update(tea.KeyPressMsg{Code: tea.KeyLeft})
	f.Update(tea.KeyPressMsg{Code: 'd', Mod: tea.ModAlt})
	if f.Value() != "a" {
		t.Errorf("%q is left", f.Value())
	}
}
