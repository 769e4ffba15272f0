package widget

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"gatewright/internal/text/prose"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

func TestColoursDoNotChangeTheTextOfALine(t *testing.T) {
	t.Parallel()
	th := theme.New(theme.Dark)
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.OneOf(rapid.StringMatching(`[ {}\[\]:,"\\a-c1-3]{0,40}`), rapid.String()).Draw(t, "line")
		if plain := prose.Printable(line); ansi.Strip(JSON(th, plain)) != plain {
			t.Fatalf("%q is drawn as %q", plain, ansi.Strip(JSON(th, plain)))
		}
	})
}

func TestRowsBreakAtSpacesAndKeepAllCharacters(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		line string
		w    int
		want string
	}{
		{"", 5, ""},
		{"abcde", 5, "abcde"},
		{"abcdef", 5, "abcde|f"},
		{"abc def", 5, "abc |def"},
		{"a bcdefg", 5, "a bcd|efg"},
		{"abcde fg", 5, "abcde| fg"},
		{"    abcd", 5, "    |abcd"},
		{"名前名前", 5, "名前|名前"},
		{"👩‍💻👩‍💻e\u0301x", 2, "👩‍💻|👩‍💻|e\u0301x"},
		{"名a", 1, "名|a"},
	} {
		var got []string
		at := 0
		for _, end := range rows(row.line, row.w) {
			got = append(got, row.line[at:end])
			at = end
		}
		if strings.Join(got, "|") != row.want {
			t.Errorf("%q in %d cells is %q, want %q", row.line, row.w, got, row.want)
		}
	}
}

// fileText generates texts with long lines, wide characters, characters of several runes,
// and lines that are like each other.
var fileText = rapid.Custom(func(t *rapid.T) string {
	line := rapid.OneOf(
		rapid.SampledFrom([]string{"", "/* a", "b */ c", "x = `a ${b(1)}", "const name = \"Books\";", "const name = \"名前 👩\u200d💻 e\u0301\";", "}"}),
		rapid.StringMatching("[ab1(\"`/* \u0301\ufe0f\u200d名👩\t]{0,60}"),
		rapid.StringN(0, 40, 200),
	)
	return strings.Join(rapid.SliceOfN(line, 0, 30).Draw(t, "lines"), "\n")
})

func TestADiffShowsAllTextInItsCells(t *testing.T) {
	t.Parallel()
	kinds := []theme.Kind{theme.Dark, theme.Light, theme.HighContrast, theme.None}
	rapid.Check(t, func(t *rapid.T) {
		th := theme.New(rapid.SampledFrom(kinds).Draw(t, "theme"))
		change := journal.Change{Path: rapid.SampledFrom([]string{"a.js", "a.py", "a.json", "a"}).Draw(t, "path")}
		if change.Existed = rapid.Bool().Draw(t, "existed"); change.Existed {
			change.Old = []byte(fileText.Draw(t, "old"))
		}
		change.New = []byte(fileText.Draw(t, "new"))
		var d Diff
		d.Show(project.FileDiff(change))
		w := rapid.IntRange(2, 90).Draw(t, "w")
		whole := d.Draw(th, w, 10_000)
		if d.more || d.file.Binary || len(d.file.Lines) == 0 {
			return
		}
		g := d.gutter(w)
		at := 0
		for i, line := range d.file.Lines {
			text := ""
			for range d.height(i) {
				row := whole[at]
				if layout.Width(row) > w {
					t.Fatalf("in %d cells there is %q", w, row)
				}
				text += string([]rune(ansi.Strip(row))[g.width:])
				at++
			}
			if line.Tone == prose.Changed {
				continue
			}
			want, _ := d.shown(line)
			if d.open(line) {
				want += layout.Cut("no line break at the end", w-g.width)
			}
			if text != want {
				t.Fatalf("in %d cells, line %d is %q, want %q", w, i+1, text, want)
			}
		}
		if at != len(whole) {
			t.Fatalf("there are %d rows, and %d of lines", len(whole), at)
		}

		// Every page is a part of the whole.
		h := rapid.IntRange(2, 12).Draw(t, "h")
		if d.Draw(th, w, h); !d.more {
			return
		}
		for top := range len(whole) - h + 2 {
			if page := d.Draw(th, w, h); !slices.Equal(page[:h-1], whole[top:top+h-1]) {
				t.Fatalf("in %dx%d, after %d lines down the page is\n%q\nwant\n%q", w, h, top, page[:h-1], whole[top:top+h-1])
			}
			d.Scroll(1)
		}
		end := d.at
		if d.Scroll(1 << 20); d.at != end {
			t.Fatalf("the end is at %v and %v", end, d.at)
		}
		for range len(whole) {
			d.Scroll(-1)
		}
		if d.at != (place{}) {
			t.Fatalf("the beginning is at %v", d.at)
		}
	})
}
