package dashboard

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/tui/dashboard/board/boardtest"
)

// widened is a library that was pushed, and then opened in several ways: guests may update
// /books, the groups have another order, a path is gone and another one new.
func widened(t *testing.T) string {
	t.Helper()
	b := boardtest.Library(t, "Admins", "Editors")
	must(t, edit.AddPath(b, "shop", boardtest.Path("/old", access.Private, boardtest.Grant(access.Authenticated, "", access.Read))))
	must(t, edit.AddAPI(b, &access.API{Label: "press", Paths: []*access.Path{boardtest.Path("/quiet", access.Private, boardtest.Grant(access.Authenticated, "", access.Read))}}))
	dir := folderOf(t, b)
	deployed(t, dir)
	deploytest.Change(t, dir, func(b *model.Backend) error {
		must(t, edit.UpdatePath(b, "shop", "/books", boardtest.Path("/books", access.Protected, boardtest.Grant(access.Guest, "", access.Read, access.Update), boardtest.Grant(access.Authenticated, "", access.Read, access.Create))))
		must(t, edit.RemovePath(b, "shop", "/old"))
		must(t, edit.AddPath(b, "shop", boardtest.Path("/free", access.Open)))
		return edit.OrderGroups(b, []string{"Editors", "Admins"})
	})
	return dir
}

func TestWhatChangedSinceThePushLooksAsItsGolden(t *testing.T) {
	t.Parallel()
	dir := widened(t)
	for _, size := range [][2]int{{60, 15}, {80, 24}, {100, 30}, {120, 36}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			w := writable(t, dir, size[0], size[1]).to("access")
			at := func(name string) { w.Golden(fmt.Sprintf("%s_%dx%d", name, size[0], size[1])) }
			at("changes")
			w.press("v", "down")
			at("changes_alone")
			w.press("enter")
			at("changes_of_a_path")
			w.press("esc", "e", "up", "right", "right", "right", "space")
			at("changes_cells")
			w.press("enter")
			at("changes_staged")
			w.press("ctrl+s")
			at("changes_review")
			w.press("esc", "u", "p")
			at("changes_push")
		})
	}
}

func TestAPushWhoseDifferenceIsUnknownSaysSo(t *testing.T) {
	t.Parallel()
	dir := widened(t)
	snapshots, err := filepath.Glob(filepath.Join(dir, "*", "deployed", "dev", "snapshot-*"))
	if err != nil || len(snapshots) != 1 {
		t.Fatalf("there are the snapshots %q, %v", snapshots, err)
	}
	must(t, os.RemoveAll(snapshots[0]))
	w := writable(t, dir, 100, 30).to("access")
	w.press("v").Shows("not available: ", "is missing")
	w.press("p").Shows("Push environment dev", "▲ what this opens is unknown: ", "last push unknown")
}
