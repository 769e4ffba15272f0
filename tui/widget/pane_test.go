package widget_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/internal/text/prose"
	"gatewright/tui/widget"
)

// TestAPaneCutsItsTitleBeforeItLeavesOutItsRightEnd draws one pane in ever fewer cells.
func TestAPaneCutsItsTitleBeforeItLeavesOutItsRightEnd(t *testing.T) {
	t.Parallel()
	var all []string
	for _, of := range []struct {
		title, right string
		w            int
	}{{"Tables", "12 rows", 30}, {"Tables", "12 rows", 22}, {"Tables", "12 rows", 18}, {"Tables", "12 rows", 13}, {"Tables", "", 13}, {"", "12 rows", 18}, {"A long title of a pane", "x", 16}} {
		pane := widget.Pane{Title: of.title, Right: of.right}
		all = append(all, plain([]string{pane.Draw(dark, []string{"one", "a line that is too long for it"}, of.w, 4)})...)
	}
	name := "panes"
	got := strings.Join(all, "\n")
	if difference := cmp.Diff(panes, got); difference != "" {
		t.Errorf("the %s differ (-want +got):\n%s", name, difference)
	}
}

func TestAnEmptyLineOfProseStaysOne(t *testing.T) {
	t.Parallel()
	lines := widget.Prose(dark, []prose.Line{{Text: "one two"}, {}, {Text: "three"}, {}}, 5)
	if got := strings.Join(plain(lines), "|"); got != "one|two||three|" {
		t.Errorf("it is drawn as %q", got)
	}
	for h, want := range map[int]string{0: "", 1: "one t…", 2: "one|two t…", 3: "one|two|three", 5: "one|two|three||"} {
		if got := strings.Join(plain(widget.Detail(dark, prose.Plain, "one two three", 6, h)), "|"); got != want {
			t.Errorf("in %d lines it is %q, want %q", h, got, want)
		}
	}
}

const panes = `╭─ Tables ───────── 12 rows ─╮
│ one                        │
│ a line that is too long f… │
╰────────────────────────────╯
╭─ Tables ─ 12 rows ─╮
│ one                │
│ a line that is to… │
╰────────────────────╯
╭─ T… ─ 12 rows ─╮
│ one            │
│ a line that i… │
╰────────────────╯
╭─ Tables ──╮
│ one       │
│ a line t… │
╰───────────╯
╭─ Tables ──╮
│ one       │
│ a line t… │
╰───────────╯
╭────── 12 rows ─╮
│ one            │
│ a line that i… │
╰────────────────╯
╭─ A lon… ─ x ─╮
│ one          │
│ a line that… │
╰──────────────╯`
