package sandbox

import (
	"slices"
	"testing"

	"gatewright/sandbox/function"
)

func TestWhatIsPreparedIsKnownUntilItIsReady(t *testing.T) {
	t.Parallel()
	var passed []string
	p := new(preparations)
	notify := p.watch(func(e Event) { passed = append(passed, e.Text) })
	say := func(name, kind, text string, want ...Preparing) {
		t.Helper()
		notify(Event{Kind: kind, Environment: "dev", Function: name, Text: text})
		if got := p.list(); !slices.Equal(got, want) {
			t.Errorf("after %q: %v, want %v", text, got, want)
		}
	}
	books := Preparing{"dev", "books", "installing packages (npm ci)"}
	say("books", function.EventInstall, "installing packages (npm ci)", books)
	orders := Preparing{"dev", "orders", "building the program (go build)"}
	say("orders", function.EventBuild, "building the program (go build)", books, orders)
	books.Text = "installing packages: 7 downloads in 2 s"
	say("books", function.EventInstall, books.Text, books, orders)
	say("books", function.EventInstall, "packages are installed in 3 s", orders)
	say("orders", function.EventWarning, "go build failed")
	say("orders", function.EventReady, "a worker waits")
	if len(passed) != 6 {
		t.Errorf("%d events were passed on", len(passed))
	}
}
