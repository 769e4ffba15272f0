package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/tui/app"
	"gatewright/tui/app/apptest"
	"gatewright/tui/route"
)

func TestAnEnvironmentIsSwitchedOnOnePageOnly(t *testing.T) {
	t.Parallel()
	dir := apptest.ChangedShop(t)
	unchanged := apptest.Unchanged(t, dir)
	term := apptest.OpenReadOnly(t, dir, "none", 80, 24, route.Dashboard{})
	term.Shows("environment dev  pushed 2026-03-01 12:00")
	term.Tab("apis").Keys("]").Shows("environment prod (guarded)  never pushed", "· not here")
	term.Keys("]").Shows("environment qa  never pushed", "branch release")
	term.Keys("]").Shows("environment dev").Keys("[").Shows("environment qa")
	term.Keys("E", "up", "enter").Shows("environment prod")
	unchanged()
	apptest.OpenReadOnly(t, dir, "none", 80, 24, route.Dashboard{Environment: "qa"}).Shows("environment qa")
	apptest.OpenReadOnly(t, dir, "none", 80, 24, route.Dashboard{Environment: "gone"}).Shows("environment dev", "warning: there is no environment gone")
}

func TestTheDashboardIsOpenedFromTheWelcomePage(t *testing.T) {
	t.Parallel()
	apptest.Open(t, apptest.Folder(t), "none", 80, 24, nil).Hides("Look at the project")
	term := apptest.Open(t, apptest.ChangedShop(t), "none", 80, 24, route.Welcome{})
	term.Keys("/", "look at", "enter", "enter").Shows("welcome › dashboard", "[1 Map]")
	term.Tab("apis").Shows("~ changed")
	term.Keys("/", "q", "esc", "esc").Shows("gatewright › welcome")
}

func TestAProjectOpensTheDashboardAndAnEmptyFolderTheWelcomePage(t *testing.T) {
	t.Parallel()
	apptest.Open(t, apptest.Folder(t), "none", 80, 24, nil).Shows("gatewright › welcome")
	term := apptest.Open(t, apptest.ChangedShop(t), "none", 80, 24, nil)
	term.Shows("gatewright › dashboard", "[1 Map]", "a add path")
	term.Keys("ctrl+p", "the welcome", "enter").Shows("dashboard › welcome", "Design another API")
	term.Keys("esc").Shows("[1 Map]")
}

func TestTheWizardReturnsToTheDashboard(t *testing.T) {
	t.Parallel()
	term := apptest.Open(t, apptest.ChangedShop(t), "none", 80, 24, nil)
	term.Keys("G", "a").Shows("dashboard › add a path", "Which path of the API shop?")
	term.Keys("/extra", "enter", "esc", "esc").Shows("[1 Map]", "draft saved ", "w resumes it")
	term.Keys("A").Shows("There is an unfinished draft", "Continue the draft", "Start over")
	term.Keys("esc", "w").Shows("/extra")
}

func TestAReadOnlyDashboardOpensNoSession(t *testing.T) {
	t.Parallel()
	dir := apptest.ChangedShop(t)
	apptest.Must(t, os.RemoveAll(filepath.Join(filepath.Dir(dir), "state")))
	unchanged := apptest.Unchanged(t, filepath.Dir(dir))
	apptest.OpenReadOnly(t, filepath.Join(dir, "backend", "api"), "none", 80, 24, route.Dashboard{}).Shows("environment dev")
	unchanged()
	if err := app.Run(app.Options{Dir: t.TempDir(), ReadOnly: true}); err == nil || !strings.Contains(err.Error(), "no project in this folder") {
		t.Errorf("without a project the error is %v", err)
	}
}

func TestAnInterruptedWriteIsReportedAndNotRepaired(t *testing.T) {
	t.Parallel()
	dir := apptest.ChangedShop(t)
	apptest.Put(t, dir, ".gatewright/journal/journal.json", "{")
	unchanged := apptest.Unchanged(t, dir)
	apptest.OpenReadOnly(t, dir, "none", 80, 24, route.Dashboard{}).Shows("a write is running, or was interrupted", "[1 Map]")
	unchanged()
}

func TestControlCharactersInFilesAreNotSentToTheTerminal(t *testing.T) {
	t.Parallel()
	dir := apptest.Written(t, apptest.Shop(t))
	apptest.Put(t, dir, "backend/environments/qa.json", `{"version": 1, "provider": "local", "branch": "x\u001b[2Jx", "parameters": {"pool": "\u001b]0;title\u0007"}}`)
	apptest.Put(t, dir, "client_config.json", "{\"version\": \"1\", \"\x1b[2J\": 1}")
	term := apptest.OpenReadOnly(t, dir, "none", 120, 40, route.Dashboard{Environment: "qa"})
	for range apptest.Tabs {
		if content := term.Model.View().Content; strings.Contains(content, "\x1b[2J") || strings.Contains(content, "\x1b]") {
			t.Errorf("a control sequence reaches the terminal in\n%q", content)
		}
		term.Keys(">")
	}
	term.Tab("environments").Shows("x␛[2Jx")
}

func TestAccessIsEditedInItsTab(t *testing.T) {
	t.Parallel()
	dir := apptest.ChangedShop(t)
	term := apptest.Open(t, dir, "none", 100, 30, nil)
	term.Keys("4", "/", "books", "enter", "g", "j").Shows("e edit cells").Keys("e")
	term.Shows("Who may do what under /books?", "[·]").Keys("space").Shows("▲[C]", "esc leave").Keys("u").Hides("▲[C]").Shows("[·]").Keys("space", "esc").Shows("esc again drops the changes")
	term.Keys("enter").Hides("Write this?").Shows("staged, not written", "▼●", "ctrl+s review 1 path")
	term.Keys("ctrl+s").Shows("Write this?", "▲ API shop: signed-in users may now create", "update backend/api/shop/cli-inputs.json").Keys("tab", "enter").Shows("done: changed the access of path /books of the API shop")
	router := apptest.Project(t, dir).Backend.Router("shop")
	if d := router.Decide(access.Caller{SignedIn: true}, "POST", "/books"); !d.Allowed {
		t.Errorf("it is decided: %s", d.Reason())
	}
	term.Keys("u").Shows("undid: changed the access of path /books")
}

func TestTheHeadCountsThePathsThatAreMoreOpenThanPushed(t *testing.T) {
	t.Parallel()
	dir := apptest.ChangedShop(t)
	term := apptest.Open(t, dir, "none", 100, 30, nil)
	pushed := apptest.Shop(t)
	// count counts the paths that serve somebody now who was refused then, and the other
	// ones that refuse somebody now whom they served.
	count := func() (more, less int) {
		now, names := apptest.Project(t, dir).Backend, make(map[[2]string]bool)
		for _, api := range slices.Concat(now.APIs, pushed.APIs) {
			for _, p := range api.Paths {
				names[[2]string{api.Label, p.Name}] = true
			}
		}
		allowed := func(b *model.Backend, api string, who access.Caller, method, raw string) bool {
			router := b.Router(api)
			return router != nil && router.Decide(who, method, raw).Allowed
		}
		for name := range names {
			api, raw := name[0], strings.NewReplacer("{proxy+}", "x", "{", "", "}", "").Replace(name[1])
			gained, lost := false, false
			for _, who := range []access.Caller{{}, {SignedIn: true}, {SignedIn: true, Groups: []string{"Admins"}}} {
				for _, method := range []string{"GET", "POST", "PUT", "DELETE"} {
					then, today := allowed(pushed, api, who, method, raw), allowed(now, api, who, method, raw)
					gained, lost = gained || today && !then, lost || then && !today
				}
			}
			switch {
			case gained:
				more++
			case lost:
				less++
			}
		}
		return more, less
	}
	check := func() {
		t.Helper()
		more, less := count()
		want := fmt.Sprintf("▲ %s more open, ▼ %d less", phrase.Count(more, "path"), less)
		if more == 0 {
			want = fmt.Sprintf("▼ %s less open than pushed", phrase.Count(less, "path"))
		}
		if less == 0 || !strings.Contains(term.Screen(), want) {
			t.Errorf("%q is not in\n%s", want, term.Screen())
		}
	}
	check()
	term.Keys("4", "/", "isbn", "enter", "g", "j", "e", "space", "ctrl+s", "tab", "enter").Shows("done: changed the access of path /books/{isbn}")
	check()
	term.Keys("esc", "/", "position", "enter", "g", "j", "e", "k", "k", "left", "ctrl+s", "tab", "enter").Shows("done: changed")
	check()
}

func TestThePushAndTheSandboxHaveTheirKeysOnEveryTab(t *testing.T) {
	t.Parallel()
	term := apptest.Open(t, apptest.ChangedShop(t), "none", 100, 30, nil)
	for _, tab := range []string{"apis", "access", "tables", "activity"} {
		term.Tab(tab).Keys("p").Shows("Push environment dev").Keys("esc", "?", "sandbox").Shows("run the project on this machine until the program ends").Keys("esc", "esc")
	}
	term.Keys("2", "ctrl+p", "push the environment").Shows("push the environment  ", " 1 of ")
}
