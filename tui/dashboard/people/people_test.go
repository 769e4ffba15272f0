package people

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy/deploytest"
	"gatewright/deploy/people"
	"gatewright/project"
	"gatewright/sandbox/identity/userpool"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/board/boardtest"
	"gatewright/tui/frame"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// run runs a command to its end.
func run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	if then, ok := cmd().(frame.ThenMsg); ok {
		run(then())
	}
}

func TestAChangeByAnotherProcessIsSeenWhileTheTabIsShown(t *testing.T) {
	t.Parallel()
	dir, backend := t.TempDir(), boardtest.Library(t, "Admins", "Editors")
	deploytest.Write(t, dir, backend)
	b := board.New(dir, nil, "")
	b.Snap = boardtest.Snapshot(backend, "dev")
	b.Snap.Root, b.Snap.Layout = dir, project.Native
	tab := New(b)
	tab.source = sourceOf(b.Snap, true, tab.mu)
	tab.polled.Store(&tab.source)
	poll := tab.Watches()[0].Poll
	if poll() != nil {
		t.Error("a tab that nobody sees is polled")
	}
	run(b.SetFront(tab))
	look := func() bool {
		msg := poll()
		if msg == nil {
			return false
		}
		run(msg.(frame.ThenMsg)())
		return true
	}
	look()
	if look() {
		t.Error("users that nobody changed are read again")
	}
	ctx := t.Context()
	for i, change := range []func(*people.Users) error{
		func(u *people.Users) error {
			_, err := u.Add(ctx, people.New{Name: "emma", Password: "correct-Horse-7"})
			return err
		},
		func(u *people.Users) error { return u.Enable(ctx, "emma", false) },
		func(u *people.Users) error { return u.Remove(ctx, "emma") },
	} {
		u, err := people.Of(backend, backend.Environment("dev"))
		must(t, err)
		must(t, u.Open(ctx, dir, 4280))
		must(t, change(u))
		must(t, u.Close())
		look()
		text := fmt.Sprint(drawn(tab))
		if got, want := strings.Contains(text, "emma"), i < 2; got != want {
			t.Errorf("after change %d emma is shown: %v\n%s", i, got, text)
		}
		if got, want := strings.Contains(text, "disabled"), i == 1; got != want {
			t.Errorf("after change %d a user is disabled: %v\n%s", i, got, text)
		}
		look() // reading may touch the file
		if look() {
			t.Errorf("after change %d reading the users looks like a change", i)
		}
	}
}

func drawn(t *Tab) []string { return t.List.Draw(theme.New(theme.None), 120, 20, true) }

// many is a tab with n users.
func many(t testing.TB, n int) *Tab {
	t.Helper()
	b := board.New("", nil, "")
	b.Snap = boardtest.Snapshot(boardtest.Library(t, "Admins", "Editors"), "dev")
	tab := New(b)
	tab.source = sourceOf(b.Snap, true, tab.mu)
	tab.seen = &reading{of: tab.source, groups: []string{"Admins", "Editors"}}
	for i := range n {
		u := userpool.User{Name: fmt.Sprintf("user%05d", i), Sub: fmt.Sprint(i), Status: "CONFIRMED", Enabled: i%7 != 0, Modified: time.Unix(int64(i), 0)}
		if i%3 == 0 {
			u.Groups = []string{"Admins", "Editors"}[i%2:]
		}
		tab.seen.users = append(tab.seen.users, u)
	}
	tab.seen.rows = rowsOf(tab.seen)
	tab.layOut()
	return tab
}

func TestUsersAreSortedWithinTheirPart(t *testing.T) {
	t.Parallel()
	tab := many(t, 50)
	for range 4 {
		rows := tab.List.Draw(theme.New(theme.None), 100, 60, true)
		text := strings.Join(rows, "\n")
		if strings.Index(text, "user00001") > strings.Index(text, "Admins   ") && strings.Index(text, "groups,") < strings.Index(text, "user00001") {
			t.Errorf("by %q users stand among groups:\n%s", tab.List.Sorted(), text)
		}
		widget.Order.Do(tab.List.Bindings())
	}
}

// BenchmarkPeople measures keys and a filter with many users.
func BenchmarkPeople(b *testing.B) {
	tab := many(b, 10_000)
	th := theme.New(theme.None)
	b.Run("key+view", func(b *testing.B) {
		steps := []int{1, -1}
		for i := 0; b.Loop(); i++ {
			tab.List.Move(steps[i%2])
			_, _ = tab.Bindings(), tab.Detail()
			_ = tab.List.Draw(th, 120, 40, true)
		}
	})
	b.Run("filter+view", func(b *testing.B) {
		for b.Loop() {
			for _, r := range "user9" {
				tab.List.Type(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
			_ = tab.List.Draw(th, 120, 40, true)
			tab.List.Unfilter()
		}
	})
}
