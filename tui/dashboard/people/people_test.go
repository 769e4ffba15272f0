package people

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy/deploytest"
	"gatewright/deploy/people"
	"gatewright/flow/session"
	"gatewright/project"
	"gatewright/sandbox/identity/userpool"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/board/boardtest"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
	"gatewright/tui/theme"
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
		keys.Order.Do(tab.List.Bindings())
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

func TestEachKeyOfAUserSaysWhyItDoesNothing(t *testing.T) {
	t.Parallel()
	user := func(change func(*userpool.User)) func(*Tab) {
		return func(tab *Tab) {
			change(&tab.seen.users[1])
			tab.seen.rows = rowsOf(tab.seen)
			tab.layOut()
			for i, r := range tab.List.Rows() {
				if r.kind == userRow && r.user.Name == "user00001" {
					tab.List.Move(i)
				}
			}
		}
	}
	kind := func(kind rowKind) func(*Tab) {
		return func(tab *Tab) {
			for i, r := range tab.List.Rows() {
				if r.kind == kind {
					tab.List.Move(i)
					return
				}
			}
		}
	}
	for _, of := range []struct {
		name, want string
		state      func(tab *Tab)
	}{
		{"a user", `enter show all*
a new user*
e change*
space disable*
c call as*
Q ask*
y,alt+y copy token*
d,delete remove*`, user(func(*userpool.User) {})},
		{"one that is disabled", `enter show all*
a new user*
e change*
space enable*
c call as: the user is disabled: enable the user first
Q ask*
y,alt+y copy token: the user is disabled, and gets no token
d,delete remove*`, user(func(u *userpool.User) { u.Enabled = false })},
		{"one that cannot sign in", `enter show all*
a new user*
e change*
space disable*
c call as: the user cannot sign in: not confirmed
Q ask*
y,alt+y copy token*
d,delete remove*`, user(func(u *userpool.User) { u.Status = "UNCONFIRMED" })},
		{"a group", `enter show all*
a new user*
e change: put the cursor on a user
space disable: put the cursor on a user
c call as*
Q ask*
y,alt+y copy
d,delete remove: put the cursor on a user`, kind(groupRow)},
		{"read only", `enter show all*
a new user: this dashboard is read-only: run gatewright instead
e change: this dashboard is read-only: run gatewright instead
space disable: this dashboard is read-only: run gatewright instead
c call as*
Q ask*
y,alt+y copy token: this dashboard is read-only: run gatewright instead
d,delete remove: this dashboard is read-only: run gatewright instead`, func(tab *Tab) { user(func(*userpool.User) {})(tab); tab.board.Session = nil }},
		{"no sandbox", `a new user: no sandbox is running
e change: no sandbox is running
space disable: no sandbox is running
c call as: put the cursor on a user or a group
Q ask: put the cursor on a user or a group
y,alt+y copy: there is nothing to copy
d,delete remove: no sandbox is running`, func(tab *Tab) {
			tab.seen.unread = true
			tab.seen.users = nil
			tab.seen.rows = rowsOf(tab.seen)
			tab.layOut()
		}},
		{"in AWS", `enter show all: put the cursor on a user or a group
C in AWS*
a new user: the users of dev live in AWS: C shows them
e change: the users of dev live in AWS: C shows them
space disable: the users of dev live in AWS: C shows them
c call as: put the cursor on a user or a group
Q ask: put the cursor on a user or a group
y,alt+y copy: there is nothing to copy
d,delete remove: the users of dev live in AWS: C shows them`, func(tab *Tab) { tab.seen.unread, tab.source.inCloud = true, true }},
		{"a problem", `enter show all: put the cursor on a user or a group
a new user: the file is damaged
e change: the file is damaged
space disable: the file is damaged
c call as: put the cursor on a user or a group
Q ask: put the cursor on a user or a group
y,alt+y copy: there is nothing to copy
d,delete remove: the file is damaged`, func(tab *Tab) { tab.seen.problem = "the file is damaged" }},
		{"before they are read", `a new user: the users are being read
e change: the users are being read
space disable: the users are being read
c call as: put the cursor on a user or a group
Q ask: put the cursor on a user or a group
y,alt+y copy: there is nothing to copy
d,delete remove: the users are being read`, func(tab *Tab) { tab.seen = nil; tab.List.SetRows(nil) }},
		{"no pool", `enter show all: put the cursor on a user or a group
a new user: there is no user pool
e change: there is no user pool
space disable: there is no user pool
c call as: put the cursor on a user or a group
Q ask: put the cursor on a user or a group
y,alt+y copy: there is nothing to copy
d,delete remove: there is no user pool`, func(tab *Tab) { tab.source.users, tab.source.noPool = nil, "there is no user pool" }},
	} {
		tab := many(t, 3)
		tab.board.Session = &session.Session{Editor: "vi"}
		of.state(tab)
		if got := boardtest.Keys(tab.Bindings()); got != of.want {
			t.Errorf("%s:\n%s\nwant\n%s", of.name, got, of.want)
		}
	}
}
