package dashboard

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/edit"
	accesstab "gatewright/tui/dashboard/access"
	"gatewright/tui/dashboard/apis"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/board/boardtest"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

func TestAccessIsEditedOnlyWithASession(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, boardtest.Library(t, "Admins", "Editors"))
	opened(t, dir, 80, 24).to("access").press("down", "e").Shows("not available: this dashboard is read-only")
	w := writable(t, dir, 80, 24).to("access")
	w.press("e").Shows("not available: put the cursor on a path")
	w.press("down", "e").Shows("Who may do what under /books?")
}

func TestEveryWindowIsFilledAndNotMore(t *testing.T) {
	t.Parallel()
	var groups []string
	for i := range 30 {
		groups = append(groups, fmt.Sprintf("a-group-with-a-long-name-%02d", i))
	}
	w := opened(t, folderOf(t, boardtest.Library(t, append(groups, "Admins", "Editors")...)), 80, 24)
	rapid.Check(t, func(r *rapid.T) {
		width, height := rapid.IntRange(layout.MinWidth, 240).Draw(r, "w"), rapid.IntRange(layout.MinHeight, 70).Draw(r, "h")
		w.Resize(width, height)
		w.press("esc", "esc", fmt.Sprint(rapid.IntRange(1, len(w.page.tabs)).Draw(r, "tab")))
		for range rapid.IntRange(0, 6).Draw(r, "keys") {
			w.press(rapid.SampledFrom([]string{"down", "up", "end", "right", "left", "o", "g", "tab", "z", "/", "a", "enter"}).Draw(r, "key"))
		}
		lines := strings.Split(w.Screen(), "\n")
		if len(lines) != height {
			r.Fatalf("in %dx%d there are %d lines:\n%s", width, height, len(lines), w.Screen())
		}
		for i, line := range lines[:height-2] {
			if n := layout.Width(line); n != width {
				r.Fatalf("in %dx%d line %d has %d cells: %q", width, height, i, n, line)
			}
		}
	})
}

func TestTheMatrixOfAPathSaysWhatOtherPathsTakeAfterEachEdit(t *testing.T) {
	t.Parallel()
	w := writable(t, folderOf(t, boardtest.Library(t, "Admins", "Editors")), 100, 30).to("access")
	w.press("down", "e").Shows("POST on /books alone, not below it", "/books/{isbn} has its own rule below /books", "lose create")
	w.press("space").Shows("/books/{isbn} has its own rule below /books").Hides("lose create")
	w.Keys("u").Shows("undid: ", "lose create")
}

// TestAColumnThatChangedStaysInView changes what the last of eight groups may do.
func TestAColumnThatChangedStaysInView(t *testing.T) {
	t.Parallel()
	groups := []string{"Admins", "Editors", "Readers", "Clerks", "Buyers", "Sellers", "Auditors", "Support"}
	dir := folderOf(t, boardtest.Library(t, groups...))
	deployed(t, dir)
	change := func(actions ...access.Action) {
		deploytest.Change(t, dir, func(b *model.Backend) error {
			path := *b.API("shop").Path("/books")
			path.Access = path.Access.With(access.Principal{Kind: access.Group, Group: "Support"}, access.ActionSet(actions...))
			return edit.UpdatePath(b, "shop", "/books", &path)
		})
	}
	change(access.Create)
	w := writable(t, dir, 80, 24).to("access")
	w.Shows("path → 5 ", "Support", "cr··→C···")
	change(access.Create, access.Read, access.Delete)
	w.read().Shows("path → 5 ", "Support", "cr··→CR·D")
	w.press("right", "right").Shows("path ← 2 → 2 ", "Support", "cr··→CR·D")
	w.Resize(120, 36)
	w.Shows("Auditors", "Support", "cr··→CR·D")
}

// TestTheTabsAPIsAndAccessAgree: what the tab Access marks as changed, the tab APIs never calls
// unchanged.
func TestTheTabsAPIsAndAccessAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		was, now := accesstest.Sides(t)
		b := board.New("", nil, "")
		b.Snap = boardtest.Snapshot(now, "dev")
		reading := &board.Reading{Snapshot: b.Snap}
		reading.Status.Was = was
		found, complete := access.Compare(was.Gate(), now.Gate())
		reading.Status.Access, reading.Status.MoreAccess = found, !complete
		drawn := func(tab board.Tab) map[string]string {
			tab.Read(reading)()
			lines, api := make(map[string]string), ""
			for _, line := range tab.Table().Draw(theme.New(theme.None), 200, 500, true) {
				words := strings.Fields(strings.Trim(ansi.Strip(line), "▌ "))
				switch {
				case len(words) > 2 && strings.HasPrefix(words[2], "path"):
					api = words[0]
				case len(words) > 0 && strings.HasPrefix(words[0], "/"):
					lines[api+" "+words[0]] = line
				}
			}
			return lines
		}
		listed := drawn(apis.New(b))
		for at, line := range drawn(accesstab.New(b)) {
			if mark := listed[at]; strings.ContainsAny(line, "▲▼") && strings.Contains(mark, "= no change") {
				t.Fatalf("%s is\n%s\nin Access, and in APIs\n%s", at, line, mark)
			}
		}
	})
}
