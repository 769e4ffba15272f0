package dashboard

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/tui/dashboard/board/boardtest"
)

// staging is a dashboard on the tab Access of a library that was pushed.
func staging(t *testing.T, w, h int) (*window, string) {
	t.Helper()
	dir := folderOf(t, boardtest.Library(t, "Admins", "Editors"))
	deployed(t, dir)
	return writable(t, dir, w, h).to("access"), dir
}

// backendOf reads a project.
func backendOf(t *testing.T, dir string) *model.Backend {
	t.Helper()
	p, err := project.Open(dir)
	must(t, err)
	defer func() { _ = p.Close() }()
	return p.Backend
}

func TestEditsOfSeveralPathsAreReviewedTogetherAndUndone(t *testing.T) {
	t.Parallel()
	w, dir := staging(t, 100, 30)
	was := get(t, apiFile(dir))
	// Guests may update /books, and signed-in users delete /books/{isbn}.
	w.press("down", "e", "up", "right", "right", "space", "enter").Shows("staged, not written: guests may update under /books", "·R··→·RU·", "▲●", "review 1 path", "staged access is not written")
	w.at("isbn").press("e", "right", "right", "right", "space", "enter").Shows("review 2 paths", "2 staged")
	if get(t, apiFile(dir)) != was {
		t.Fatal("it is written before the yes")
	}
	w.press("ctrl+s").Shows("Write this?", "access: 2 more open", "▲ guests may now update at /books (PUT /books)", "▲ signed-in users may now delete under /books/{isbn}", "update backend/api/shop/cli-inputs.json", `+          "update"`)
	w.press("enter").Shows("review 2 paths")
	w.press("ctrl+s").yes().Shows("done: changed the access of 2 paths", "undoes it").Hides("staged")
	router := backendOf(t, dir).Router("shop")
	if !router.Decide(access.Caller{}, "PUT", "/books").Allowed || !router.Decide(access.Caller{SignedIn: true}, "DELETE", "/books/1").Allowed {
		t.Error("it is decided as before")
	}
	w.press("u").Shows("undid: changed the access of 2 paths")
	if get(t, apiFile(dir)) != was {
		t.Error("undo leaves another file")
	}
}

func TestAnEditOfTheGroupsAloneIsCalledSo(t *testing.T) {
	t.Parallel()
	w, dir := staging(t, 100, 30)
	// The first group goes below the second.
	w.press("down", "e", "down", "J", "enter").Shows("staged, not written: ", "review the groups").Hides("0 paths")
	w.press("esc").Shows("The edits of the groups are not written").Hides("0 paths")
	w.press("enter", "ctrl+s").yes().Shows("done: changed the groups").Hides("0 paths")
	if got := backendOf(t, dir).Groups; !slices.Equal(got, []string{"Editors", "Admins"}) {
		t.Errorf("the groups are %q", got)
	}
}

func TestStagedEditsAreTakenBackOneByOneAndDroppedAfterAsking(t *testing.T) {
	t.Parallel()
	w, dir := staging(t, 100, 30)
	was := get(t, apiFile(dir))
	w.press("down", "e", "up", "right", "right", "space", "enter", "e", "up", "right", "right", "right", "space", "enter").Shows("·R··→·RUD")
	w.press("u").Shows("took back: guests may delete under /books", "·R··→·RU·")
	w.press("ctrl+y").Shows("did again: guests may delete", "·R··→·RUD")
	w.press("u", "u").Hides("→·R", "staged access")
	w.press("ctrl+s").Shows("not available: nothing is staged")
	w.press("ctrl+y", "esc").Shows("Drop the staged edits?")
	w.press("enter").Shows("·R··→·RU·")
	w.press("esc").yes().Hides("→·R", "staged access")
	w.press("u").Shows("not available: nothing was changed here yet")
	if get(t, apiFile(dir)) != was {
		t.Error("something was written")
	}
}

func TestOneGoesFromPathToPathWhileEditing(t *testing.T) {
	t.Parallel()
	w, _ := staging(t, 100, 30)
	w.press("down", "e", "up", "right", "right", "space", "n").Shows("Who may do what under /books/{isbn}?", "staged, not written: guests may update under /books")
	w.press("n").Shows("Who may do what under /news?")
	w.press("n").Shows("Who may do what under /news?")
	w.press("N", "N").Shows("Who may do what under /books?", "▲ U")
	w.press("N").Shows("Who may do what under /books?")
	w.press("enter").Shows("review 1 path", "·R··→·RU·")
}

func TestLeavingWithStagedEditsAsksFirst(t *testing.T) {
	t.Parallel()
	w, _ := staging(t, 100, 30)
	w.press("down", "e", "up", "right", "right", "space", "enter", "ctrl+c").Shows("Not written yet: ")
	w.press("esc").Shows("·R··→·RU·")
}

func TestAnEditThatBringsBackWhatWasIsNotStaged(t *testing.T) {
	t.Parallel()
	w, _ := staging(t, 100, 30)
	w.press("down", "e", "up", "right", "right", "space", "enter").Shows("1 staged")
	w.press("e", "up", "right", "right", "space", "enter").Hides("1 staged", "staged access")
	w.press("u").Shows("1 staged")
}

func TestGroupsThatAreAddedAndOrderedAreStagedWithThePaths(t *testing.T) {
	t.Parallel()
	w, dir := staging(t, 100, 30)
	w.press("down", "e", "a", "Readers", "enter", "right", "right", "space", "shift+up", "enter").Shows("Readers", "staged, not written")
	w.at("isbn").press("e").Shows("Readers          2")
	w.press("esc", "ctrl+s").Shows("Write this?", "Readers")
	w.yes()
	if got := strings.Join(backendOf(t, dir).Groups, " "); got != "Admins Readers Editors" {
		t.Errorf("the groups are %s", got)
	}
}

func TestStagedEditsAreLaidOnFilesThatSomebodyElseChanged(t *testing.T) {
	t.Parallel()
	outside := func(dir, path string, grants ...access.Grant) {
		deploytest.Change(t, dir, func(b *model.Backend) error {
			return edit.UpdatePath(b, "shop", path, boardtest.Path(path, access.Protected, grants...))
		})
	}
	guests, users := boardtest.Grant(access.Guest, "", access.Delete), boardtest.Grant(access.Authenticated, "", access.Create, access.Read)
	for name, of := range map[string]struct {
		changed []access.Grant
		keys    []string
		want    string
	}{
		"another entry":           {[]access.Grant{guests, users}, nil, "guests: delete; signed-in users: create, read, update"},
		"the same, theirs stays":  {[]access.Grant{boardtest.Grant(access.Authenticated, "", access.Delete)}, []string{"t"}, ""},
		"the same, what I staged": {[]access.Grant{boardtest.Grant(access.Authenticated, "", access.Delete)}, []string{"k"}, "signed-in users: create, read, update"},
	} {
		w, dir := staging(t, 100, 30)
		w.press("down", "e").press("up", "up", "up", "down", "down", "right", "right", "space", "enter").Shows("1 staged")
		outside(dir, "/books", of.changed...)
		if w.read(); of.keys != nil {
			w.Shows("Both changed signed-in users under /books", "yours: everything but delete", "outside: delete").Keys(of.keys...)
		}
		if of.want == "" {
			w.Hides("1 staged")
			continue
		}
		w.press("ctrl+s").Shows("Write this?")
		w.yes()
		if got := backendOf(t, dir).API("shop").Path("/books").Access.String(); got != of.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestAnOpenReviewIsOfTheFilesOfNow(t *testing.T) {
	t.Parallel()
	w, dir := staging(t, 100, 60)
	w.press("down", "e", "up", "right", "right", "space", "ctrl+s").Shows("Write this?", "guests may now update").Hides("may now delete", "removed")
	deploytest.Change(t, dir, func(b *model.Backend) error { return edit.RemovePath(b, "shop", "/books") })
	w.tell(w.page.board.Read)
	w.Shows("Write this?").Keys("tab", "enter").Shows("no longer exists")
	deploytest.Change(t, dir, func(b *model.Backend) error {
		return edit.AddPath(b, "shop", boardtest.Path("/books", access.Protected, boardtest.Grant(access.Guest, "", access.Read), boardtest.Grant(access.Authenticated, "", access.Create, access.Read)))
	})
	w.read().Keys("ctrl+s").Shows("Write this?", "guests may now update")
	deploytest.Change(t, dir, func(b *model.Backend) error { return edit.AddGroup(b, "Clerks") })
	w.tell(w.page.board.Read)
	w.Shows("Write this?", "guests may now update", "auth changed outside")
	w.yes().Shows("changed the access of path /books")
	if b := backendOf(t, dir); len(b.Groups) != 3 || b.API("shop").Path("/books").Access.String() != "guests: read, update; signed-in users: create, read" {
		t.Errorf("it is %v, %v", b.Groups, b.API("shop").Path("/books").Access)
	}
}

func TestTheAccessOfAPathIsKeptAsTestsWhichTellWhatBreaksThem(t *testing.T) {
	t.Parallel()
	w, dir := staging(t, 100, 30)
	w.press("down", "t").Shows("Add which access tests?", "[x] everybody may read under /books except under /books/{isbn}")
	w.press("enter").Shows("Write these tests?", "create access.test.json")
	w.yes().Shows("done: added ")
	text := get(t, filepath.Join(dir, "access.test.json"))
	if !strings.Contains(text, `"everybody may read under /books except under /books/{isbn}"`) {
		t.Errorf("the file is\n%s", text)
	}
	w.press("e", "up", "right", "right", "space", "enter").Shows("staged, not written: guests may update under /books")
	w.press("ctrl+s").Shows("Write this?", "! breaks the access test", "as a guest is allowed: guests may update")
}
