package widget_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/internal/text/prose"
	"gatewright/tui/keys"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// framed is a table for a pane, of the rows that are given.
func framed(rows ...string) *widget.Table[string] {
	t := &widget.Table[string]{
		Framed:  true,
		Columns: []widget.Column[string]{{Title: "name", Text: func(row string) string { return row }}},
		ID:      func(row string) string { return row },
		Sorts:   []widget.Sort[string]{{Name: "name"}, {Name: "age", Compare: strings.Compare}},
	}
	t.SetRows(rows)
	return t
}

func TestTheLegendSaysWhatTheLinesOfATableLeaveOut(t *testing.T) {
	t.Parallel()
	th := theme.New(theme.None)
	table := framed("one", "two", "three", "four")
	legend := func(w, h int) string {
		lines := table.Draw(th, 60, h, true)
		for _, line := range lines {
			if strings.Contains(line, " by ") || strings.Contains(line, "/ ") {
				t.Errorf("a line repeats the legend: %q", line)
			}
		}
		return strings.TrimSpace(ansi.Strip(table.Legend(th, w)))
	}
	if got := legend(50, 10); got != "4 rows" {
		t.Errorf("with all rows in view it says %q", got)
	}
	if got := legend(50, 2); got != "1 to 2 of 4" {
		t.Errorf("with two rows in view it says %q", got)
	}
	keys.Order.Do(table.Bindings())
	if got := legend(50, 10); got != "by age · 4 rows" {
		t.Errorf("in another order it says %q", got)
	}
	if got := legend(10, 10); got != "by age" {
		t.Errorf("in ten cells it says %q", got)
	}
	keys.Filter.Do(table.Bindings())
	for _, r := range "two" {
		table.Type(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	if got := legend(50, 10); !strings.HasPrefix(got, "/ two") || !strings.HasSuffix(got, "1 of 4") {
		t.Errorf("with a filter it says %q", got)
	}
}

func TestActionsAndMethodsHaveOneColourEverywhere(t *testing.T) {
	t.Parallel()
	th := theme.New(theme.Dark)
	for letter, method := range map[string]string{"C": "POST", "R": "GET", "U": "PATCH", "D": "DELETE"} {
		colour := func(drawn, text string) string {
			before, _, _ := strings.Cut(drawn, text)
			return before[strings.LastIndex(before, "\x1b["):]
		}
		inMatrix := colour(widget.DrawLetters(th, prose.Plain, "·"+letter+"·"), letter)
		inText := colour(widget.Words(th, prose.Muted, "send "+method+" /books"), method)
		if inMatrix != inText {
			t.Errorf("%s is drawn as %q, %s as %q", letter, inMatrix, method, inText)
		}
	}
	for _, text := range []string{"GETTING", "/GET", "A-DELETE", ""} {
		if got, want := widget.Words(th, prose.Plain, text), th.Base.Render(text); got != want {
			t.Errorf("%q is drawn as %q", text, got)
		}
	}
}
