package app_test

import (
	"strings"
	"testing"

	"gatewright/flow"
	"gatewright/tui/app/apptest"
	"gatewright/tui/frame"
	"gatewright/tui/route"
)

// header is the first line of the window.
func header(term *apptest.Terminal) string {
	first, _, _ := strings.Cut(term.Screen(), "\n")
	return strings.TrimSpace(first)
}

func TestTheHeaderOfEveryPageCountsTheProblemsOfTheProject(t *testing.T) {
	t.Parallel()
	dir := broken(t)
	pages := map[string]frame.Route{
		"dashboard": route.Dashboard{}, "console": route.Console{API: "shop", Path: "/items"}, "welcome": route.Welcome{},
		"wizard": route.Wizard{Task: flow.Task{API: "shop"}},
	}
	for name, page := range pages {
		for _, size := range [][2]int{{60, 15}, {80, 24}, {120, 36}} {
			term := apptest.Open(t, dir, "none", size[0], size[1], page)
			if got := header(term); !strings.HasSuffix(got, "! 1 error, 4 warnings") && !strings.HasSuffix(got, "! 1") {
				t.Errorf("the header of the %s in %d columns is %q", name, size[0], got)
			}
		}
	}
	term := apptest.Open(t, dir, "none", 80, 24, route.Dashboard{})
	for _, tab := range apptest.Tabs {
		if got := header(term.Tab(tab)); !strings.HasSuffix(got, "! 1 error, 4 warnings") {
			t.Errorf("the header of the tab %s is %q", tab, got)
		}
	}
	// What a person corrects is no longer counted.
	apptest.Put(t, dir, "backend/function/books/function.json", `{"version": 1, "runtime": "nodejs", "handler": "index.handler"}`)
	if got := header(&apptest.Terminal{Terminal: term.Keys("ctrl+r")}); strings.Contains(got, "error") || !strings.HasSuffix(got, "warnings") {
		t.Errorf("after the file was corrected the header is %q", got)
	}
}

func TestTheHeaderSaysNothingWithoutAProject(t *testing.T) {
	t.Parallel()
	term := apptest.Open(t, apptest.Folder(t), "none", 80, 24, route.Welcome{})
	if got := header(term); got != "gatewright › welcome" {
		t.Errorf("the header is %q", got)
	}
}

func TestScreensThatOnlyReadSaySoInTheHeaderAtEverySize(t *testing.T) {
	t.Parallel()
	dir := broken(t)
	for _, page := range []frame.Route{route.Dashboard{}, route.Console{API: "shop", Path: "/items"}} {
		for _, size := range [][2]int{{60, 15}, {80, 24}, {200, 60}} {
			term := apptest.OpenReadOnly(t, dir, "none", size[0], size[1], page)
			if got := header(term); !strings.HasSuffix(got, "  read-only") {
				t.Errorf("in %d columns the header is %q", size[0], got)
			}
		}
	}
	if got := header(apptest.Open(t, dir, "none", 80, 24, route.Dashboard{})); strings.Contains(got, "read-only") {
		t.Errorf("where one can write the header is %q", got)
	}
}
