package widget_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/internal/text/prose"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

func TestAWindowOfLinesSaysHowManyAreAboveAndBelow(t *testing.T) {
	t.Parallel()
	lines := strings.Fields("0 1 2 3 4 5 6 7 8 9")
	for _, tt := range []struct {
		at, h int
		want  string
	}{
		{0, 10, "0|1|2|3|4|5|6|7|8|9"},
		{0, 11, "0|1|2|3|4|5|6|7|8|9"},
		{0, 9, "0|1|2|3|4|5|6|7|  ↓ 2 more"},
		{0, 4, "0|1|2|  ↓ 7 more"},
		{2, 4, "0|1|2|  ↓ 7 more"},
		{3, 4, "  ↑ 2 more|2|3|  ↓ 6 more"},
		{7, 4, "  ↑ 6 more|6|7|  ↓ 2 more"},
		{8, 4, "  ↑ 7 more|7|8|9"},
		{9, 4, "  ↑ 7 more|7|8|9"},
		{4, 1, "4"},
	} {
		part := widget.Window(theme.New(theme.None), lines, tt.at, tt.h)
		for i, line := range part {
			part[i] = strings.TrimRight(plain([]string{line})[0], " ")
		}
		if got := strings.Join(part, "|"); got != tt.want {
			t.Errorf("around %d in %d lines it is %s, want %s", tt.at, tt.h, got, tt.want)
		}
	}
	if strings.Join(lines, "") != "0123456789" {
		t.Errorf("the lines themselves are %q", lines)
	}
}

func TestChoicesStandBesideEachOtherAsTheyFit(t *testing.T) {
	t.Parallel()
	titles := []string{"one", "two", "three"}
	for _, tt := range []struct {
		chosen, w int
		want      string
	}{
		{0, 80, "▐one▌  two   three"},
		{2, 80, " one   two  ▐three▌"},
		{-1, 19, " one   two   three"},
		{1, 18, " one  ▐two▌| three"},
		{1, 11, " one  ▐two▌| three"},
		{1, 10, " one|▐two▌| three"},
		{1, 4, " on…|▐tw…| th…"},
	} {
		got := strings.Join(plain(widget.Choices(theme.New(theme.None), titles, nil, tt.chosen, false, tt.w)), "|")
		if got != tt.want {
			t.Errorf("choice %d in %d cells is %q, want %q", tt.chosen, tt.w, got, tt.want)
		}
	}
	th := theme.New(theme.Dark)
	want := th.Muted.Render(" one ") + "  " + th.Disabled.Strikethrough(true).Render("two") + "  " + th.Selected.Render("▐three▌")
	if diff := cmp.Diff([]string{want}, widget.Choices(th, titles, []bool{false, true}, 2, true, 80)); diff != "" {
		t.Errorf("the styles (-want +got):\n%s", diff)
	}
	if got := widget.Choices(th, titles[:1], []bool{true}, 0, false, 80)[0]; got != th.Accent.Render("▐one▌") {
		t.Errorf("without the keys, the chosen one is %q", got)
	}
}

func TestDetailsHaveExactlyTheirHeight(t *testing.T) {
	t.Parallel()
	th := theme.New(theme.None)
	for _, tt := range []struct {
		text string
		w, h int
		want []string
	}{
		{"one two three", 5, 0, nil},
		{"one two three", 5, 1, []string{"one …"}},
		{"one two three", 5, 2, []string{"one", "two …"}},
		{"one two three", 5, 3, []string{"one", "two", "three"}},
		{"one two", 20, 3, []string{"one two", "", ""}},
		{"\x1b[2J", 20, 1, []string{"␛[2J"}},
		{"ab", 0, 2, []string{"a", "b"}},
	} {
		if diff := cmp.Diff(tt.want, plain(widget.Detail(th, prose.Plain, tt.text, tt.w, tt.h))); diff != "" {
			t.Errorf("%q in %d by %d cells (-want +got):\n%s", tt.text, tt.w, tt.h, diff)
		}
	}
	lines := []prose.Line{{Text: "one two"}, {}, {Tone: prose.Code, Text: `{"a": 1}`}}
	if diff := cmp.Diff([]string{"one", "two", "", `{"a":`, "1}"}, plain(widget.Prose(th, lines, 5))); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"> a", "> "}, widget.Indent([]string{"a", ""}, "> ")); diff != "" {
		t.Errorf("indented (-want +got):\n%s", diff)
	}
}
