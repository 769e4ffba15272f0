package app

import (
	"fmt"
	"strings"
	"testing"

	"gatewright/tui/dashboard"
)

// stockedLibrary is the configured shop with tables, of which one has items.
func stockedLibrary(t testing.TB) string {
	t.Helper()
	dir := library(t)
	stocked(t, dir, 40)
	pushed(t, dir, "dev")
	return dir
}

func TestTablesAndTheirItemsLookAsTheirGoldens(t *testing.T) {
	dir := stockedLibrary(t)
	for _, size := range append([][2]int{{200, 60}}, sizes...) {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			term := open(t, dir, "none", size[0], size[1], dashboard.Route{}).tab("Tables")
			at := func(name string) { term.golden(fmt.Sprintf("tables_%s_%dx%d", name, size[0], size[1])) }
			at("folded")
			term.keys("down", "enter")
			at("unfolded")
			term.keys("down")
			at("item")
			term.keys("enter")
			at("whole_item")
			term.keys("esc", "E", "down", "down", "end", "x")
			at("edited_item")
		})
	}
}

func TestOutputsLookAsTheirGoldens(t *testing.T) {
	dir := configured(t)
	put(t, dir, "client_config.json", strings.Replace(readAll(t, dir, "client_config.json"), `"bucket_name": "uploads"`, `"bucket_name": 7`, 1))
	for _, size := range append([][2]int{{200, 60}}, sizes...) {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			term := open(t, dir, "none", size[0], size[1], dashboard.Route{}).tab("Outputs")
			at := func(name string) { term.golden(fmt.Sprintf("outputs_%s_%dx%d", name, size[0], size[1])) }
			term.at("bucket_name")
			at("problem")
			term.keys("esc", "D")
			at("other_dialect")
			term.keys("D", "S")
			at("snippet")
			term.keys("esc", "A", "more", "enter", `"limits": {"pages": 30}`)
			at("conflict")
		})
	}
}

// TestKeysOfTablesAndOutputsAreDrawnInTheirPlace presses the keys of both tabs in
// windows of many sizes.
func TestKeysOfTablesAndOutputsAreDrawnInTheirPlace(t *testing.T) {
	dir := stockedLibrary(t)
	for _, tab := range []string{"Tables", "Outputs"} {
		term := open(t, dir, "none", 130, 30, dashboard.Route{}).tab(tab)
		key := 0
		for w := 20; w < 160; w += 13 {
			term.resize(w, 8+w/5)
			for _, name := range []string{"down", "enter", "n", "x", "ctrl+s", "esc", "esc", "end", "E", "down", "a", "esc", "esc", "D", "S", "esc", "A", "enter", "{", "esc", "esc", "i", "esc"} {
				term.keys(name)
				checkWindow(t, term, key)
				key++
			}
		}
	}
}
