package layout_test

import (
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatewright/internal/text/prose"
	"gatewright/tui/layout"
)

func TestALetterAndItsAccentBecomeOneCharacter(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"cafe\u0301":                       "caf\u00e9",
		"\x1b[1mzoe\u0308\x1b[m │":         "\x1b[1mzo\u00eb\x1b[m │",
		"日本語 🎉 ที่นี่":                     "日本語 🎉 ที่นี่",
		"A\u030angstro\u0308m 日本 \x1b[31m": "\u00c5ngstr\u00f6m 日本 \x1b[31m",
	} {
		got := layout.Composed(text)
		if got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
		if before, after := layout.Width(text), layout.Width(got); before != after {
			t.Errorf("%q has %d cells, and then %d", text, before, after)
		}
	}
}

func TestSignsHaveTheCellsThatBubbleTeaGivesThem(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"\u26a0\ufe0f low", "\u2714\ufe0f done", "\u2139\ufe0f note", "\u2764\ufe0f", "👩‍💻 名前", "👍🏽"} {
		safe := prose.Printable(text)
		if got, want := layout.Width(safe), ansi.StringWidthWc(safe); got != want {
			t.Errorf("%q is laid out in %d cells, and drawn in %d", text, got, want)
		}
	}
}
