package widget_test

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/widget"
)

// answered is a text of three parts, the last with JSON in JSON.
func answered() []prose.Line {
	lines := []prose.Line{{Tone: prose.Title, Text: "Answer"}, {Text: "200 OK after 3 ms"}, {Tone: prose.Title, Text: "Headers"}, {Text: "Content-Type: application/json"}}
	lines = append(lines, prose.Line{Tone: prose.Title, Text: "Body"})
	return append(lines, prose.InTone(prose.Code, "{", `  "list": [`, "    1,", "    2", "  ],", `  "who": {`, `    "name": "Ada, who wrote the first program of all"`, "  }", "}")...)
}

// TestAnOutlineFoldsSearchesAndScrolls presses keys on a text that is higher and wider than its
// rectangle. Each section has what is drawn, the position, the matches, and the lines at the cursor.
func TestAnOutlineFoldsSearchesAndScrolls(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, keys string }{
		{"begin", ""},
		{"down three", "down down down"},
		{"end", "G"},
		{"end and up", "G up up up up up up up up"},
		{"above the top", "down up up"},
		{"page", "pgdown"},
		{"page and back", "pgdown pgdown pgup"},
		{"half a page", "ctrl+d"},
		{"half a page from the end", "G ctrl+u"},
		{"next part", "n n"},
		{"last part", "n n n n"},
		{"part before", "G N N"},
		{"fold a part", "fold"},
		{"fold and unfold", "fold fold"},
		{"fold the last part", "n n fold"},
		{"fold around a line", "down down down down down down down fold"},
		{"fold in a fold", "n n down down fold up fold"},
		{"unfold the outer fold", "n n down down fold up fold fold"},
		{"search", "search:A"},
		{"search onwards", "search:a n n"},
		{"search beyond the last", "search:ada n n n"},
		{"search backwards", "G search:200 N"},
		{"search into a fold", "n n fold search:name"},
		{"search nothing", "search:zzz n"},
		{"search dropped", "search:ada search: n"},
		{"click", "down click:3"},
		{"click below the text", "click:30"},
		{"wheel down", "wheel"},
		{"replaced", "search:o down down replace"},
	} {
		var o widget.Outline
		o.Show(answered())
		draw := func() []string { return plain(o.Draw(dark, 30, 7, true)) }
		draw()
		for key := range strings.FieldsSeq(test.keys) {
			name, argument, _ := strings.Cut(key, ":")
			switch name {
			case "fold":
				o.Fold()
			case "search":
				o.Search(argument)
			case "click":
				var y int
				_, _ = fmt.Sscan(argument, &y)
				o.Click(y)
			case "wheel":
				o.Wheel(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
			case "replace":
				o.Show(append([]prose.Line{{Text: "one more"}}, answered()...))
			default:
				do(t, &o, key)
			}
			draw()
		}
		from, to := o.Range()
		got := fmt.Sprintf("%s\n\nposition %q, found %q, lines %d to %d\n", strings.Join(draw(), "\n"), o.Position(), o.Found(), from, to)
		frametest.Golden(t, "outline/"+test.name, got)
	}
}

func TestAnOutlineWithoutTextTakesEveryKey(t *testing.T) {
	t.Parallel()
	var o widget.Outline
	o.Fold()
	do(t, &o, "down", "up", "G", "g", "n", "N", "pgdown", "ctrl+u")
	if from, to := o.Range(); from != 0 || to != 0 || o.Line() != -1 || o.Search("x") != 0 || o.Found() != "0 matching lines" {
		t.Errorf("it has the lines %d to %d, the line %d, and %q", from, to, o.Line(), o.Found())
	}
}
