package people

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy/people"
	"gatewright/internal/clock"
	"gatewright/internal/text/prose"
	"gatewright/model/access"
	"gatewright/project/answer"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
	"gatewright/tui/route"
)

// Bindings are the keys of a user or a group.
func (t *Tab) Bindings() []keys.Binding {
	r, ok := t.List.Row()
	if !ok {
		r = &row{of: t.source}
	}
	reads, out := t.board.ReadOnly(), t.unreachable()
	noUser := keys.When(!ok || r.kind != userRow, "put the cursor on a user")
	nobody := keys.When(!ok || r.kind != userRow && r.kind != groupRow, "put the cursor on a user or a group")
	locked := keys.When(r.kind == userRow && !r.user.Enabled, "the user is disabled: enable the user first")
	if locked == "" && r.kind == userRow && r.user.Status != people.UserConfirmed {
		locked = "the user cannot sign in: " + r.state
	}
	all := []keys.Binding{}
	if ok && r.kind == moreRow {
		all = append(all, t.more(r))
	} else if ok {
		all = append(all, t.board.ShowAll(r.name, t.describe(r)).Unless(nobody))
	}
	all = t.withElsewhere(all)
	toggle, about := "disable", "keep the user from signing in; earlier tokens are refused at once"
	if t.source.cloud != nil {
		about = "keep the user from signing in; credentials that were given already stay valid for up to an hour"
	}
	if r.kind == userRow && !r.user.Enabled {
		toggle, about = "enable", "let the user sign in again"
	}
	return append(all,
		keys.Add.Does("new user", "add a user, confirmed and with a password",
			func() tea.Cmd { return t.openForm(t.newUser(r)) }).Shown().Unless(reads, out),
		keys.Edit.Does("change", "change groups, password or state of the user",
			func() tea.Cmd { return t.change(r) }).Shown().Unless(reads, out, noUser),
		keys.Choose.Does(toggle, about, func() tea.Cmd { return t.enable(r, !r.user.Enabled) }).Shown().Unless(reads, out,
			noUser),
		keys.Call.Does("call as", "open the console with this user, or a member of this group, as the caller",
			func() tea.Cmd { return t.callAs(r) }).Shown().Unless(nobody, locked),
		keys.WhoMay.Does("ask", "ask whether the user, or a member of the group, may send a request",
			func() tea.Cmd { return t.ask(r) }).Shown().Unless(nobody),
		t.copying(r).Unless(nobody),
		keys.Remove.Does("remove", "remove the user for good; asks for the name",
			func() tea.Cmd { return t.remove(r) }).Shown().Unless(reads, out, noUser),
	)
}

// unreachable is why users cannot be changed; "" if they can.
func (t *Tab) unreachable() string {
	switch {
	case t.source.users == nil:
		return t.source.noPool
	case t.seen == nil:
		return "the users are being read"
	case t.seen.problem != "":
		return t.seen.problem
	case t.seen.unread && t.source.inCloud:
		return "the users of " + t.source.environment + " live in AWS: C shows them"
	case t.seen.unread:
		return "no sandbox is running"
	}
	return ""
}

// copying is the binding that copies a token of a user, or the name of a group.
func (t *Tab) copying(r *row) keys.Binding {
	if r.kind != userRow {
		return board.Copy(r.called)
	}
	why := keys.When(!r.user.Enabled, "the user is disabled, and gets no token")
	if t.source.cloud != nil {
		why = "AWS gives tokens only to users who sign in"
	}
	return keys.Copy.Does("copy token", "send an id token of the user to the terminal's clipboard; it is not shown",
		func() tea.Cmd { return t.copyToken(r) }).
		Shown().Unless(t.board.ReadOnly(), t.unreachable(), why)
}

// doing does something with a user of a source, which may not be the shown one any more, and reads
// the users again. In AWS, a guarded environment asks for its name before.
func (t *Tab) doing(from source, word string, do func(context.Context, *people.Users) (board.Deed, error)) tea.Cmd {
	return t.agreed(from, word, func() tea.Cmd { return t.does(from, word, do) })
}

func (t *Tab) does(from source, word string, do func(context.Context, *people.Users) (board.Deed, error)) tea.Cmd {
	asks := t.asksFirst(from)
	return t.board.Do(word, func(ctx context.Context) (deed board.Deed, err error) {
		err = from.with(ctx, func(u *people.Users) (err error) {
			deed, err = do(ctx, u)
			return err
		})
		if asks {
			deed.Back = nil // it would need the name again
		}
		if deed.After == nil {
			deed.After = t.look
		}
		return deed, err
	})
}

// back opens the users again to take something back.
func (s source) back(do func(context.Context, *people.Users) error) func(context.Context) error {
	return func(ctx context.Context) error {
		return s.with(ctx, func(u *people.Users) error { return do(ctx, u) })
	}
}

// errMeanwhile is why undo takes nothing back.
var errMeanwhile = errors.New("the user was changed meanwhile")

// same finds a user that must be the one with an id.
func same(ctx context.Context, u *people.Users, name, sub string) error {
	found, err := u.Find(ctx, name)
	if err == nil && found.Sub != sub {
		return errMeanwhile
	}
	return err
}

// enable lets a user sign in, or keeps the user from it.
func (t *Tab) enable(r *row, enabled bool) tea.Cmd {
	name, done := r.called, map[bool]string{true: "enabled ", false: "disabled "}[enabled]+r.name
	return t.doing(r.of, "changing "+r.name, func(ctx context.Context, u *people.Users) (board.Deed, error) {
		return board.Deed{Done: done, Back: r.of.back(func(ctx context.Context, u *people.Users) error {
			found, err := u.Find(ctx, name)
			if err == nil && (found.Sub != r.user.Sub || found.Enabled != enabled) {
				err = errMeanwhile
			}
			if err != nil {
				return err
			}
			return u.Enable(ctx, name, !enabled)
		})}, u.Enable(ctx, name, enabled)
	})
}

// The options of change.
const (
	changeGroups   = "groups"
	changePassword = "password"
	changeReset    = "reset"
	changeConfirm  = "confirm"
)

// change asks what to change about a user.
func (t *Tab) change(r *row) tea.Cmd {
	const notBack = "cannot be undone"
	noGroup := keys.When(len(t.seen.groups) == 0, "the pool has no group")
	confirmed := keys.When(r.user.Status != people.UserUnconfirmed, "nothing to confirm")
	unsent := keys.When(r.user.Status != people.UserConfirmed, "only a confirmed user has a password to reset")
	options := []prose.Option{
		{Key: changeGroups, Title: "groups", Detail: "choose the groups; u undoes it", Disabled: noGroup},
		{Key: changePassword, Title: "set a password", Detail: "ends all sessions; " + notBack},
		{Key: changeReset, Title: "reset the password", Detail: "a code is sent; " + notBack, Disabled: unsent},
		{Key: changeConfirm, Title: "confirm the sign-up", Detail: "without its code; " + notBack, Disabled: confirmed},
	}
	return frame.Open(dialog.Choose("Change "+r.name, options, "", func(key string) tea.Cmd {
		switch key {
		case changeGroups:
			return t.chooseGroups(r)
		case changePassword:
			return t.setPassword(r)
		case changeReset:
			return t.reset(r)
		}
		return t.doing(r.of, "confirming "+r.name, func(ctx context.Context, u *people.Users) (board.Deed, error) {
			_, err := u.Confirm(ctx, r.called)
			return board.Deed{Done: "confirmed " + r.name, Level: frame.Good}, err
		})
	}))
}

// chooseGroups asks for the groups of a user.
func (t *Tab) chooseGroups(r *row) tea.Cmd {
	var options []prose.Option
	for i, group := range t.seen.groups {
		options = append(options, prose.Option{Key: group, Title: group, Detail: ordinal(i+1) + " in the order"})
	}
	was := r.user.Groups
	return frame.Open(dialog.Several("Groups of "+r.name, options, was, nil, func(chosen []string) tea.Cmd {
		if slices.Equal(chosen, was) {
			return frame.Say(frame.Info, "the groups of %s stay as they are", r.name)
		}
		return t.setGroups(r, was, chosen)
	}))
}

// setGroups gives a user other groups.
func (t *Tab) setGroups(r *row, was, next []string) tea.Cmd {
	name := r.called
	return t.doing(r.of, "changing "+r.name, func(ctx context.Context, u *people.Users) (board.Deed, error) {
		user, _, err := u.Join(ctx, name, without(next, was), without(was, next))
		now := user.Groups
		done := "groups of " + r.name + ": " + prose.PrintableStart(people.MembershipWords(u.Pool, now))
		return board.Deed{Done: done, Back: r.of.back(func(ctx context.Context, u *people.Users) error {
			found, err := u.Find(ctx, name)
			if err == nil && (found.Sub != user.Sub || !slices.Equal(found.Groups, now)) {
				err = errMeanwhile
			}
			if err == nil {
				_, _, err = u.Join(ctx, name, without(was, now), without(now, was))
			}
			return err
		})}, err
	})
}

// without are the elements of a list that another list lacks.
func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
}

// reset makes the password of a user useless.
func (t *Tab) reset(r *row) tea.Cmd {
	text := r.name +
		" is signed out everywhere, and cannot sign in before setting another password with a code. The code is sent to " +
		"the user's address; a sandbox shows it in the tab Activity.\nThis cannot be undone."
	return frame.Open(dialog.Sure("Reset the password of "+r.name+"?", text, "Reset", func() tea.Cmd {
		return t.doing(r.of, "resetting "+r.name, func(ctx context.Context, u *people.Users) (board.Deed, error) {
			return board.Deed{Done: "the password of " + r.name + " is reset", Level: frame.Good}, u.ResetPassword(ctx, r.called)
		})
	}))
}

// remove removes a user after the name was typed.
func (t *Tab) remove(r *row) tea.Cmd {
	text := r.name +
		" is removed for good, with attributes, memberships and sessions. This cannot be undone; space disables a user " +
		"instead."
	return frame.Open(dialog.Agree("Remove user "+r.name+"?", text, "Remove", r.called, func() tea.Cmd {
		return t.doing(r.of, "removing "+r.name, func(ctx context.Context, u *people.Users) (board.Deed, error) {
			if err := same(ctx, u, r.called, r.user.Sub); err != nil {
				return board.Deed{}, err
			}
			return board.Deed{Done: "removed user " + r.name, Level: frame.Good}, u.Remove(ctx, r.called)
		})
	}))
}

// copyToken sends a token of a user to the clipboard. Only its duration is said.
func (t *Tab) copyToken(r *row) tea.Cmd {
	return t.doing(r.of, "making a token", func(ctx context.Context, u *people.Users) (board.Deed, error) {
		tokens, err := u.Tokens(ctx, r.called)
		if err != nil {
			return board.Deed{}, err
		}
		lasts := time.Duration(tokens.ExpiresIn) * time.Second
		done := fmt.Sprintf("an id token of %s was sent to the clipboard: valid for %s, until %s", r.name, clock.Age(lasts),
			clock.Moment(time.Now().Add(lasts)))
		token := tokens.ID
		return board.Deed{
			Done: done, Level: frame.Good,
			After: func() tea.Cmd { return tea.Batch(frame.ToClipboard(token), t.look()) },
		}, nil
	})
}

// callAs opens the console with a user, or a member of a group, as the caller.
func (t *Tab) callAs(r *row) tea.Cmd {
	who := identitypool.Signer{User: r.called}
	if r.kind == groupRow {
		who = identitypool.Signer{Group: r.called}
	}
	return frame.Go(route.Console{Environment: t.board.Wanted(), Filled: route.Filled{As: call.Signer(who)}})
}

// ask asks what a user, or a member of a group, may do. Users are known to the question while
// a sandbox runs; else it is asked for the groups.
func (t *Tab) ask(r *row) tea.Cmd {
	who := answer.GroupPrefix + r.called
	switch {
	case r.kind == userRow && t.board.Sandbox.Runs() && t.board.ReadOnly() == "":
		who = answer.UserPrefix + r.called
	case r.kind == userRow && len(r.user.Groups) == 0:
		who = answer.AuthenticatedWord
	case r.kind == userRow:
		who = answer.GroupPrefix + access.FirstGroup(t.seen.groups, r.user.Groups)
	}
	return t.questions.Ask(t.seen.groups, who, "", "")
}
