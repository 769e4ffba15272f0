package app_test

import (
	"strings"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/tui/app/apptest"
	"gatewright/tui/dashboard/board/boardtest"
	"gatewright/tui/route"
)

func TestEveryPageShowsAsWhomOneLooksUntilItIsLeft(t *testing.T) {
	t.Parallel()
	dir := apptest.Written(t, boardtest.Library(t, "Admins", "Editors"))
	term := apptest.Open(t, dir, "none", 100, 30, route.Dashboard{})
	header := func(want string, is bool) {
		t.Helper()
		if line, _, _ := strings.Cut(term.Screen(), "\n"); strings.Contains(line, want) != is {
			t.Errorf("the header is %q", line)
		}
	}
	term.Tab("apis").Hides(" may ").Keys("@").Shows("View as whom?", "▌ guests", "the first in the order of precedence").Keys("enter")
	header(" as guests ", true)
	term.Shows("may ", "2/3", "/books         ", "·R··").Keys("down", "down").Shows("guests may not send POST, GET, HEAD")
	term.Keys("@").Shows("▌ everybody", "leave: viewing as guests").Keys("several", "enter", "space", "down", "space", "enter")
	term.Shows("members of Admins and Editors act as Admins, the first in the order of precedence")
	for _, size := range [][2]int{{60, 15}, {80, 24}, {120, 36}} {
		term.Resize(size[0], size[1])
		header(map[bool]string{true: " as Admins+Editors ", false: " as members of Admins and Editors "}[size[0] == 60], true)
	}
	// The column of the group that decides is the first, and that of a path without an entry for it has small letters.
	term.Tab("access").Shows("public    Admins  guests  signed-in  Editors").Shows("cr··")
	term.At("isbn").Keys("e").Shows("Who may do what").Keys("esc")
	term.Tab("functions").Shows("may ", "CRUD")
	// The console calls as the first group, unless a caller is chosen by hand.
	term.Tab("apis").At("books").Keys("c").Shows("a member of Admins, signed", "allowed: signed-in users may read under /books")
	header(" as members of Admins and Editors ", true)
	term.Keys("@", "guests", "enter").Shows("nobody: no credentials")
	header(" as guests ", true)
	term.Keys("@", "enter")
	header(" as ", false)
}

func TestTheMatrixOfTheWizardSaysWhatTheViewerMay(t *testing.T) {
	t.Parallel()
	term := apptest.Open(t, apptest.Written(t, boardtest.Library(t, "Admins", "Editors")), "none", 120, 36, route.Dashboard{})
	term.Tab("apis").At("isbn").Keys("@", "group editors", "enter", "e", "enter", "enter")
	term.Shows(" as members of Editors ", "members of Editors may read and update")
}

func TestAGroupThatIsGoneIsLeft(t *testing.T) {
	t.Parallel()
	dir := apptest.Written(t, boardtest.Library(t, "Admins", "Editors", "Readers"))
	term := apptest.Open(t, dir, "none", 100, 30, route.Dashboard{})
	term.Keys("@", "group readers", "enter").Shows(" as members of Readers ")
	deploytest.Change(t, dir, func(b *model.Backend) error {
		return edit.Remove(b, model.Ref{Kind: model.KindGroup, Name: "Readers"}, false)
	})
	term.Keys("ctrl+r").Shows("no longer viewing as members of Readers: there is no group Readers").Hides(" as members of Readers   ")
}
