package layout_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"gatewright/internal/text/prose"
	"gatewright/tui/layout"
)

// TestWidthAgreesWithTheANSILibrary compares Width with the slower ansi.StringWidth.
func TestWidthAgreesWithTheANSILibrary(t *testing.T) {
	t.Parallel()
	parts := []string{
		"a", "plain text", "─", "│", "╭", "…", "›", "‹", "≠", "·", "←", "↓", "é", "e\u0301", "│\u0301", "…\ufe0f", "\u200d", "\ufe0f", "名", "👩‍👩‍👧", "🇩🇪",
		"\x1b[m", "\x1b[1;38;2;1;2;3m", "\x1b[38:2::1:2:3m", "\x1b[2J", "\x1b[", "\x1b", "\x1b]0;title\x07", "\x1b[1", "\t", "\x07", "\x7f", "\u0600", "\xff", "\u00a0", "ｱ", "\u0e33",
	}
	rapid.Check(t, func(t *rapid.T) {
		line := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 8).Draw(t, "parts"), "")
		if rapid.Bool().Draw(t, "any") {
			line += rapid.String().Draw(t, "more")
		}
		if got, want := layout.Width(line), ansi.StringWidth(line); got != want {
			t.Fatalf("%q has %d cells, want %d", line, got, want)
		}
	})
}

func TestALineIsCutByCellsWithAnEllipsis(t *testing.T) {
	t.Parallel()
	tests := []struct {
		line string
		w    int
		want string
	}{
		{"short", 10, "short"},
		{"exactly", 7, "exactly"},
		{"too long", 5, "too …"},
		{"名前名前", 5, "名前…"},
		{"名前名前", 4, "名…"},
		{"any", 0, ""},
		{"any", -1, ""},
	}
	for _, test := range tests {
		if got := layout.Cut(test.line, test.w); got != test.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", test.line, test.w, got, test.want)
		}
	}
}

func TestABlockIsAsLargeAsItsRectangle(t *testing.T) {
	t.Parallel()
	text := "one\n\x1b[1mbold and left open\nthree\nfour"
	block := layout.Block(text, 6, 3)
	lines := strings.Split(block, "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines, want 3: %q", len(lines), block)
	}
	for _, line := range lines {
		if layout.Width(line) != 6 {
			t.Errorf("%q is %d cells wide, want 6", line, layout.Width(line))
		}
	}
	if !strings.Contains(lines[1], "\x1b[m") {
		t.Errorf("the style of %q runs on into the next line", lines[1])
	}
}

func TestABoxLiesOverTextWithoutMovingIt(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, box, want string }{
		{"in the middle", "abcdef\nghijkl", "XY", "abcdef\nghXYkl"},
		{"over a short line", "a\nb", "XY", "a\nb XY"},
		{"over half of a wide character", "ab\n名名名", "XY", "ab\n名XY名"},
		{"over two halves", "ab\na名名b", "XY", "ab\na XY b"},
	}
	for _, test := range tests {
		got := strings.ReplaceAll(layout.Over(test.text, test.box, 2, 1), "\x1b[m", "")
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestBlocksStandSideBySide(t *testing.T) {
	t.Parallel()
	if got, want := layout.Beside("ab\ncd", "1\n2"), "ab1\ncd2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := layout.Beside("ab", ""), "ab"; got != want {
		t.Errorf("beside nothing: %q, want %q", got, want)
	}
}

func FuzzClipStaysInItsRectangle(f *testing.F) {
	f.Add("名前\nplain", "box", 3, 2)
	f.Add("\x1b[31mred", "\x1b[1mb", 1, 1)
	f.Add("", "", 0, 0)
	f.Fuzz(func(t *testing.T, text, box string, w, h int) {
		w, h = w%100, h%50
		clipped := layout.Clip(text, w, h)
		checkSize(t, clipped, w, h)
		if w > 2 && h > 1 {
			over := layout.Over(layout.Block(prose.Printable(text), w, h), layout.Clip(prose.Printable(box), w-2, h-1), 1, 1)
			checkSize(t, over, w, h)
		}
	})
}

func checkSize(t *testing.T, text string, w, h int) {
	t.Helper()
	lines := strings.Split(text, "\n")
	if text != "" && len(lines) > h {
		t.Errorf("%d lines in a height of %d: %q", len(lines), h, text)
	}
	for _, line := range lines {
		if got := layout.Width(line); got > max(w, 0) {
			t.Errorf("%q is %d cells in a width of %d", line, got, w)
		}
	}
}

func TestAPathIsCutInItsMiddle(t *testing.T) {
	t.Parallel()
	tests := []struct {
		line string
		w    int
		want string
	}{
		{"/books/{isbn}", 13, "/books/{isbn}"},
		{"/users/{user}/orders", 12, "/users…rders"},
		{"/users", 4, "/us…"},
		{"名前名前名前", 9, "名前…名前"},
	}
	for _, test := range tests {
		if got := layout.CutMiddle(test.line, test.w); got != test.want || layout.Width(got) > test.w {
			t.Errorf("CutMiddle(%q, %d) = %q, want %q", test.line, test.w, got, test.want)
		}
	}
}

func TestTheOptionsOfACommandAreNotBroken(t *testing.T) {
	t.Parallel()
	text := "run: gatewright update auth --user-verification-types email -- DynamoDB-style"
	for w := 26; w < 80; w++ {
		lines := layout.Wrap(text, w)
		if got := strings.Fields(strings.Join(lines, " ")); !slices.Equal(got, strings.Fields(text)) {
			t.Errorf("in %d cells it is %q", w, lines)
		}
	}
}
