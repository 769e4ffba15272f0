package welcome_test

import (
	"os"
	"path/filepath"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/tui/frame"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/route"
	"gatewright/tui/welcome"
)

func TestTheWelcomePageFollowsTheFiles(t *testing.T) {
	t.Parallel()
	dir := shop(t)
	context, s := new(frame.Context), in(t, dir)
	page := welcome.New(context, s)
	term := frametest.Open(t, frame.New(frame.Options{
		Start: route.Welcome{}, Context: context, Theme: "none", Env: []string{"TERM=xterm-256color"},
		Make: func(frame.Route) (frame.Page, error) { return page, nil },
	}), 120, 36)
	watch := page.Watches()[0]
	look := func() *frametest.Terminal {
		if news := watch.Poll(); news != nil {
			term.Run(frame.Announce(news))
		}
		return term
	}
	look().Hides("outside")
	deploytest.Change(t, dir, func(b *model.Backend) error {
		return edit.AddPath(b, "bookshop", &access.Path{Name: "/status", Function: "health", Access: access.Access{Setting: access.Open}})
	})
	look().Shows("/status ", "bookshop /status changed outside: ▲ everybody may now do everything under /status")

	file := filepath.Join(dir, "backend", "api", "bookshop", "cli-inputs.json")
	text, err := os.ReadFile(file)
	must(t, err)
	must(t, os.WriteFile(file, text[:len(text)/2], 0o644))
	look().Shows("/status ", "cli-inputs.json", "the last version that was read stays")
	must(t, os.WriteFile(file, text, 0o644))
	look().Shows("/status ")

	// Between the question and the yes the files change again.
	term.Keys("G", "d").Shows("Remove path /status")
	deploytest.Change(t, dir, func(b *model.Backend) error {
		return edit.AddPath(b, "bookshop", &access.Path{Name: "/more", Function: "health", Access: access.Access{Setting: access.Private}.With(access.Principal{}, access.ActionSet(access.Read))})
	})
	term.Keys("tab", "enter").Shows("Remove path /status", "nothing was removed yet: bookshop /more changed outside: ▲ signed-in users may now read")
	term.Keys("tab", "enter").Shows("done: removed path /status", "/more ").Hides("  /status ")
}
