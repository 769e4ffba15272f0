package widget_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/matrix"
	"gatewright/model/access"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/widget"
)

// staff is a path with three groups, of which one has an entry, and one that only the path names.
func staff() matrix.Matrix {
	group := func(name string) access.Principal { return access.Principal{Kind: access.Group, Group: name} }
	access := access.Access{Setting: access.Private}.With(access.Principal{Kind: access.Authenticated}, access.ActionSet(access.Read)).
		With(group("Editors"), access.ActionSet(access.Create, access.Update)).With(group("Gone\x1b[2J"), access.ActionSet(access.Delete))
	return matrix.Matrix{Path: "/books", Access: access, Before: &access, Groups: []string{"Admins", "Editors", "Viewers"}, Made: []string{"Viewers"}}
}

// TestAMatrixIsEditedByKeys presses keys. Each section has what is drawn and what was told.
func TestAMatrixIsEditedByKeys(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, keys string }{
		{"begin", ""},
		{"mode", "up up"},
		{"above the mode", "up up up up"},
		{"next mode", "]"},
		{"next mode twice", "] ]"},
		{"mode before", "["},
		{"beyond the last mode", "] ] ] ["},
		{"mode by space", "up up space"},
		{"mode by space goes round", "up up space space"},
		{"mode by right", "up up right"},
		{"action taken", "space"},
		{"action given", "right right space"},
		{"right of the last action", "right right right right right space"},
		{"left of the first action", "left space"},
		{"whole row", "*"},
		{"whole row of a group", "down down *"},
		{"whole row taken from a group", "down down * *"},
		{"first group", "down space"},
		{"group up", "down down K"},
		{"group up twice", "down down down K K"},
		{"group above the first", "down K"},
		{"group down", "down J"},
		{"group below the last", "down down down J"},
		{"group of the path alone", "down down down down space"},
		{"add line", "down down down down down down"},
		{"groups typed", "a type:Buyers,Sellers"},
		{"groups added", "a type:Buyers,Sellers enter"},
		{"groups given up", "a type:Buyers esc"},
		{"group that is there", "a type:Admins enter"},
		{"remove", "down down d"},
		{"remove on no group", "d"},
	} {
		var told []string
		var m widget.Matrix
		m.Change = func(to matrix.Matrix) tea.Cmd {
			told = append(told, "changed: "+to.Access.String()+"; "+strings.Join(to.Groups, ", "))
			return nil
		}
		m.AskToRemove = func(group string) tea.Cmd {
			told = append(told, "asked to remove "+group)
			return nil
		}
		m.Typed = func(names string) tea.Cmd {
			told = append(told, fmt.Sprintf("typed %q", names))
			return nil
		}
		m.Show(staff())
		for key := range strings.FieldsSeq(test.keys) {
			if text, ok := strings.CutPrefix(key, "type:"); ok {
				m.Update(tea.PasteMsg{Content: text})
			} else if !pressed(m.Bindings(), press(key), m.Typing()) && key != "up" && key != "down" {
				t.Fatalf("%s: there is no binding for %s", test.name, key)
			} else if by := map[string]int{"up": -1, "down": 1}[key]; by != 0 {
				m.Down(by)
			}
		}
		who, action, ok := m.Cell()
		got := fmt.Sprintf("%s\n\ncell %q %v %v, on add %v\n", strings.Join(plain(m.Draw(dark, 70, 20, true)), "\n"), who, action, ok, m.OnAdd())
		frametest.Golden(t, "matrix/"+test.name, got+strings.Join(append(told, ""), "\n"))
	}
}

// TestAMatrixIsDrawnAtEverySize cuts it, and draws it where it is only read.
func TestAMatrixIsDrawnAtEverySize(t *testing.T) {
	t.Parallel()
	var m widget.Matrix
	m.Show(staff())
	m.Down(2)
	for _, size := range [][2]int{{120, 20}, {56, 12}, {56, 7}, {34, 20}} {
		got := strings.Join(plain(m.Draw(dark, size[0], size[1], true)), "\n") + "\n"
		frametest.Golden(t, fmt.Sprintf("matrix_%dx%d", size[0], size[1]), got)
	}
	many := staff()
	for i := range 6 {
		many.Groups = append(many.Groups, fmt.Sprint("Team ", i))
	}
	for _, w := range []int{80, 40} {
		frametest.Golden(t, fmt.Sprintf("matrix/read in %d cells", w), strings.Join(plain(widget.MatrixLines(dark, many, nil, w)), "\n")+"\n")
	}
}

func TestAGroupThatIsCalledAsOtherCallersIsToldApart(t *testing.T) {
	t.Parallel()
	m := staff()
	m.Groups = []string{"guests", "signed-in users", "Editors"}
	var names []string
	for _, line := range plain(widget.MatrixLines(dark, m, nil, 90))[1:6] {
		names = append(names, strings.TrimSpace(line[:30]))
	}
	if want := []string{"guests", "signed-in users", "members of guests", `members of "signed-in users"`, "Editors"}; !slices.Equal(names, want) {
		t.Errorf("the callers are %q, want %q", names, want)
	}
}

// TestTheCursorOfAMatrixGoesToWhatChanged is what undo and redo need.
func TestTheCursorOfAMatrixGoesToWhatChanged(t *testing.T) {
	t.Parallel()
	was := staff()
	group := func(name string) access.Principal { return access.Principal{Kind: access.Group, Group: name} }
	must := func(m matrix.Matrix, err error) matrix.Matrix {
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	added, _, err := was.AddGroups("Buyers, Sellers")
	for name, test := range map[string]struct {
		now  matrix.Matrix
		want string
	}{
		"another mode":    {was.NextMode(1), "no cell"},
		"two actions":     {must(was.Set(group("Editors"), access.ActionSet(access.Read, access.Update))), "members of Editors create"},
		"the last action": {must(was.Toggle(group("Viewers"), access.Delete)), "members of Viewers delete"},
		"a group moved":   {must(was.Move("Viewers", -1)), "members of Viewers create"},
		"groups added":    {must(added, err), "members of Buyers create"},
		"nothing":         {was, "signed-in users create"},
	} {
		var m widget.Matrix
		m.Show(test.now)
		m.ToChange(was)
		got := "no cell"
		if who, action, ok := m.Cell(); ok {
			got = fmt.Sprintf("%s %s", who, action)
		}
		if got != test.want {
			t.Errorf("after %s the cursor is on %q, want %q", name, got, test.want)
		}
	}
}
