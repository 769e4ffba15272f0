package dialog_test

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/flow/matrix"
	"gatewright/model/access"
	"gatewright/tui/dialog"
	"gatewright/tui/keys"
	"gatewright/tui/theme"
	"gatewright/tui/viewer"
	"gatewright/tui/widget"
)

// alone is a path without others around it.
func alone(m matrix.Matrix) matrix.Matrix { return m }

func TestAccessIsEditedUndoneAndGivenOn(t *testing.T) {
	t.Parallel()
	users := access.Principal{}
	before := access.Access{Setting: access.Private}.With(users, access.ActionSet(access.Read))
	var saved *matrix.Matrix
	reviewed := false
	d := dialog.Access("Who may do what under /a?", matrix.Matrix{Path: "/a", Access: before, Before: &before, Groups: []string{"Admins"}}, nil, alone, dialog.AccessThen{
		Keep: func(m matrix.Matrix) tea.Cmd {
			saved = &m
			return nil
		},
		Review: func(matrix.Matrix) tea.Cmd {
			reviewed = true
			return nil
		},
	})
	press := func(meanings ...keys.Meaning) string {
		for _, m := range meanings {
			m.Do(d.Bindings())
		}
		return d.View(theme.New(theme.None), 100, 30)
	}
	if view := press(keys.Choose); !strings.Contains(view, "▲ create and read") {
		t.Errorf("what is more open is not marked:\n%s", view)
	}
	if view := press(keys.Undo); strings.Contains(view, "▲ create") || !strings.Contains(view, "undid: signed-in users may create under /a") {
		t.Errorf("after undo it is marked still, or does not say what was undone:\n%s", view)
	}
	if view := press(keys.Redo); !strings.Contains(view, "▲ create and read") || !strings.Contains(view, "did again: signed-in users may create under /a") {
		t.Errorf("after redo it is not marked, or does not say so:\n%s", view)
	}
	press(keys.Undo)
	if view := press(keys.Right, keys.Choose, keys.Open); !strings.Contains(view, "this has to be fixed first") {
		t.Errorf("a path for nobody is taken:\n%s", view)
	}
	press(keys.Choose, keys.Left, keys.Choose)
	if view := press(keys.Back); !strings.Contains(view, "esc again drops the changes") {
		t.Errorf("esc drops the changes without a word:\n%s", view)
	}
	press(keys.Open)
	then, ended := d.Ended()
	if !ended || then == nil {
		t.Fatal("the dialog has not ended")
	}
	then()
	if reviewed {
		t.Error("it is reviewed although it was only staged")
	}
	if saved == nil || saved.Access.Allowed(users, access.Terms{}) != access.ActionSet(access.Create, access.Read) {
		t.Errorf("saved is %+v", saved)
	}
}

// editing is the access of /a for a group with an entry, one without, and one that was made here.
func editing(then dialog.AccessThen) (d dialog.Dialog, does func(meanings ...keys.Meaning) string) {
	access := access.Access{Setting: access.Private}.With(access.Principal{}, access.ActionSet(access.Read)).
		With(access.Principal{Kind: access.Group, Group: "Admins"}, access.ActionSet(access.Read, access.Delete))
	d = dialog.Access("t", matrix.Matrix{Path: "/a", Access: access, Before: &access, Groups: []string{"Admins", "Editors", "New"}, Made: []string{"New"}}, nil, alone, then)
	return d, func(meanings ...keys.Meaning) string {
		for _, m := range meanings {
			m.Do(d.Bindings())
		}
		return d.(dialog.Copier).Copied()
	}
}

// TestAChangeAfterAnUndoEndsWhatCouldBeDoneAgain walks through states: each is only reached by the
// changes that lead to it.
func TestAChangeAfterAnUndoEndsWhatCouldBeDoneAgain(t *testing.T) {
	t.Parallel()
	_, does := editing(dialog.AccessThen{})
	first := does()
	create := does(keys.Choose)
	createUpdate := does(keys.Right, keys.Right, keys.Choose)
	if back := does(keys.Undo, keys.Undo); back != first {
		t.Errorf("two changes undone are\n%s", back)
	}
	if again := does(keys.Redo); again != create {
		t.Errorf("one change done again is\n%s", again)
	}
	deletes := does(keys.Right, keys.Choose)
	if deletes == createUpdate || deletes == create {
		t.Fatalf("another change is\n%s", deletes)
	}
	if again := does(keys.Redo, keys.Redo); again != deletes {
		t.Errorf("what was undone before a change is done again:\n%s", again)
	}
	for i, want := range []string{create, first, first} {
		if back := does(keys.Undo); back != want {
			t.Errorf("undo %d is\n%s", i, back)
		}
	}
	if again := does(keys.Redo, keys.Redo, keys.Redo); again != deletes {
		t.Errorf("all done again is\n%s", again)
	}
}

func TestAnEntryIsRemovedBeforeItsGroup(t *testing.T) {
	t.Parallel()
	_, does := editing(dialog.AccessThen{})
	rows := func(text string) (groups []string) {
		for line := range strings.Lines(text) {
			fields := strings.Fields(strings.NewReplacer("▲", " ", "▼", " ").Replace(line))
			if len(fields) > 5 && strings.Contains("Admins Editors New", fields[0]) {
				groups = append(groups, fields[0]+" "+strings.Join(fields[2:6], ""))
			}
		}
		return groups
	}
	for _, step := range []struct {
		meanings []keys.Meaning
		want     string
	}{
		{nil, "Admins ·R·D, Editors ·r··, New ·r··"},
		{[]keys.Meaning{keys.Down, keys.Remove}, "Admins ·r··, Editors ·r··, New ·r··"},
		// A group of the pool stays.
		{[]keys.Meaning{keys.Remove}, "Admins ·r··, Editors ·r··, New ·r··"},
		{[]keys.Meaning{keys.Down, keys.Down, keys.Choose}, "Admins ·r··, Editors ·r··, New CR··"},
		{[]keys.Meaning{keys.Remove}, "Admins ·r··, Editors ·r··, New ·r··"},
		{[]keys.Meaning{keys.Remove}, "Admins ·r··, Editors ·r··"},
		{[]keys.Meaning{keys.Undo, keys.Undo}, "Admins ·r··, Editors ·r··, New CR··"},
	} {
		if got := strings.Join(rows(does(step.meanings...)), ", "); got != step.want {
			t.Errorf("after %v the groups are %s, want %s", step.meanings, got, step.want)
		}
	}
}

// TestTheEndOfAccessGivesTheMatrixToOneOnly tries each way to leave, with a change and without.
func TestTheEndOfAccessGivesTheMatrixToOneOnly(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		changed bool
		keys    []keys.Meaning
		want    string
	}{
		{"stage", true, []keys.Meaning{keys.Open}, "kept read, create"},
		{"stage without a change", false, []keys.Meaning{keys.Open}, "nothing"},
		{"review", true, []keys.Meaning{keys.Save}, "reviewed read, create"},
		{"review without a change", false, []keys.Meaning{keys.Save}, "reviewed read"},
		{"next", true, []keys.Meaning{keys.NextMatch}, "next read, create"},
		{"prior", false, []keys.Meaning{keys.PriorMatch}, "prior read"},
		{"leave", false, []keys.Meaning{keys.Back}, "nothing"},
		{"leave a change", true, []keys.Meaning{keys.Back}, "open"},
		{"leave a change twice", true, []keys.Meaning{keys.Back, keys.Back}, "nothing"},
		{"leave what was undone", true, []keys.Meaning{keys.Undo, keys.Back}, "nothing"},
		{"a warning ends with a change", true, []keys.Meaning{keys.Back, keys.Right, keys.Choose, keys.Back}, "open"},
	} {
		got := "nothing"
		gives := func(what string) func(matrix.Matrix) tea.Cmd {
			return func(m matrix.Matrix) tea.Cmd {
				got = what + " read"
				if m.Access.Allowed(access.Principal{}, access.Terms{}).Has(access.Create) {
					got += ", create"
				}
				return nil
			}
		}
		d, does := editing(dialog.AccessThen{Keep: gives("kept"), Review: gives("reviewed"), Next: gives("next"), Prior: gives("prior")})
		if test.changed {
			does(keys.Choose)
		}
		does(test.keys...)
		if then, ended := d.Ended(); !ended {
			got = "open"
		} else if then != nil {
			then()
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestWhatOtherPathsTakeIsToldAfterEachEdit has neighbours that depend on what users may do.
func TestWhatOtherPathsTakeIsToldAfterEachEdit(t *testing.T) {
	t.Parallel()
	users := access.Principal{}
	around := func(m matrix.Matrix) matrix.Matrix {
		m.Around = []string{"/b takes " + m.Access.Allowed(users, access.Terms{}).String() + " from it"}
		return m
	}
	access := access.Access{Setting: access.Private}.With(users, access.ActionSet(access.Read))
	d := dialog.Access("Who may do what\x1b?", matrix.Matrix{Path: "/a", Access: access, Before: &access}, nil, around, dialog.AccessThen{})
	th := theme.New(theme.Dark)
	for _, step := range []struct {
		does []keys.Meaning
		want []string
	}{
		{nil, []string{"Who may do what␛?", "/b takes read from it"}},
		{[]keys.Meaning{keys.Choose}, []string{"/b takes create, read from it"}},
		{[]keys.Meaning{keys.Right, keys.Right, keys.Choose}, []string{"/b takes create, read, update from it"}},
		{[]keys.Meaning{keys.Undo}, []string{"/b takes create, read from it", "undid: signed-in users may update under /a"}},
		{[]keys.Meaning{keys.Redo}, []string{"/b takes create, read, update from it", "did again: signed-in users may update under /a"}},
	} {
		for _, m := range step.does {
			m.Do(d.Bindings())
		}
		view := d.View(th, 110, 30)
		for _, want := range step.want {
			if !strings.Contains(ansi.Strip(view), want) {
				t.Errorf("after %v there is no %q in\n%s", step.does, want, ansi.Strip(view))
			}
		}
	}
	for _, said := range []struct {
		does []keys.Meaning
		want string
	}{
		{nil, th.Good.Render("did again: signed-in users may update under /a")},
		{[]keys.Meaning{keys.Back}, th.Warning.Render("! nothing of this is staged: esc again drops the changes")},
	} {
		for _, m := range said.does {
			m.Do(d.Bindings())
		}
		if view := d.View(th, 110, 30); !strings.Contains(view, strings.TrimSuffix(said.want, ansi.ResetStyle)) {
			t.Errorf("after %v there is no %q in\n%q", said.does, said.want, view)
		}
	}
	// Undo shows the cell that differs, wherever the cursor is.
	keys.Choose.Do(d.Bindings())
	keys.Down.Do(d.Bindings())
	keys.Undo.Do(d.Bindings())
	keys.Choose.Do(d.Bindings())
	if view := ansi.Strip(d.View(th, 110, 30)); !strings.Contains(view, "/b takes create, read from it") {
		t.Errorf("after undo the cursor is not on the cell that came back:\n%s", view)
	}
}

func TestAMatrixIsQuietButForTheRowOfTheViewer(t *testing.T) {
	t.Parallel()
	users, admins := access.Principal{}, access.Principal{Kind: access.Group, Group: "Admins"}
	of := access.Access{Setting: access.Private}.With(users, access.ActionSet(access.Read)).With(admins, access.EveryAction)
	m := matrix.Matrix{Path: "/a", Access: of, Before: &of, Groups: []string{"Admins", "Editors"}}
	dark := theme.New(theme.Dark)
	for name, draw := range map[string]func(as *viewer.Viewer) string{
		"edited": func(as *viewer.Viewer) string {
			return dialog.Access("t", m, as, alone, dialog.AccessThen{}).View(dark, 100, 30)
		},
		"read": func(as *viewer.Viewer) string { return strings.Join(widget.MatrixLines(dark, m, as, 90), "\n") },
	} {
		bright := func(as *viewer.Viewer) (who []string) {
			for line := range strings.SplitSeq(draw(as), "\n") {
				words := strings.Fields(strings.Trim(ansi.Strip(line), "│▌ "))
				for _, letter := range []string{dark.Action(access.Read).Bold(true).Render("R"), dark.Action(access.Read).Render("r")} {
					if strings.Contains(line, letter) && len(words) > 1 {
						who = append(who, words[0])
					}
				}
			}
			return who
		}
		if all := bright(nil); !slices.Equal(all, []string{"signed-in", "Admins", "Editors"}) {
			t.Errorf("%s: bright to everybody are %v", name, all)
		}
		if one := bright(viewer.SignedIn("Editors")); !slices.Equal(one, []string{"Editors"}) {
			t.Errorf("%s: bright to members of Editors are %v", name, one)
		}
	}
}
