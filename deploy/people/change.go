package people

import (
	"context"
	"slices"

	"gatewright/model"
	"gatewright/project/answer"
	"gatewright/sandbox/identity/userpool"
)

// Confirm confirms a sign-up without its code. done is false if that is not needed.
func (u *Users) Confirm(ctx context.Context, name string) (done bool, err error) {
	user, err := u.Find(ctx, name)
	if err != nil {
		return false, err
	}
	switch user.Status {
	case UserConfirmed:
		return false, nil
	case UserUnconfirmed:
		return true, u.AskOn(ctx, user.Name, name, "AdminConfirmSignUp", map[string]any{}, nil)
	}
	return false, &model.Problem{
		Of: Ref(name), Text: "was added with a temporary password, so it needs no confirmation",
		Fix: "set a permanent one with: " + answer.UserCommand("passwd", name, u.Flags),
	}
}

// Enable lets a user sign in, or keeps the user from it.
func (u *Users) Enable(ctx context.Context, name string, enabled bool) error {
	operation := "AdminDisableUser"
	if enabled {
		operation = "AdminEnableUser"
	}
	return u.AskAbout(ctx, name, operation, map[string]any{}, nil)
}

// SetPassword gives a user another password, which ends all sessions of the user. With
// temporary the user has to choose another one at the next sign-in.
func (u *Users) SetPassword(ctx context.Context, name, text string, temporary bool) error {
	return u.AskAbout(ctx, name, "AdminSetUserPassword", map[string]any{"Password": text, "Permanent": !temporary}, nil)
}

// ResetPassword makes a password useless: the user needs a code, which is sent to the user's
// address, to set another one. It ends all sessions of the user.
func (u *Users) ResetPassword(ctx context.Context, name string) error {
	return u.AskAbout(ctx, name, "AdminResetUserPassword", map[string]any{}, nil)
}

// Remove removes a user for good.
func (u *Users) Remove(ctx context.Context, name string) error {
	return u.AskAbout(ctx, name, "AdminDeleteUser", map[string]any{}, nil)
}

// Join adds a user to groups and removes the user from others: all of them, or none. It
// returns the user afterwards; changed is false if nothing had to change.
func (u *Users) Join(
	ctx context.Context, name string, more, less []string,
) (user userpool.User, changed bool, err error) {
	if err := u.CheckServed(slices.Concat(more, less)); err != nil {
		return user, false, err
	}
	if user, err = u.Find(ctx, name); err != nil {
		return user, false, err
	}
	type step struct{ operation, undo, group string }
	const enter, leave = "AdminAddUserToGroup", "AdminRemoveUserFromGroup"
	var steps []step
	for _, group := range more {
		if !slices.Contains(user.Groups, group) {
			steps = append(steps, step{enter, leave, group})
		}
	}
	for _, group := range less {
		if slices.Contains(user.Groups, group) {
			steps = append(steps, step{leave, enter, group})
		}
	}
	for i, s := range steps {
		err := u.AskOn(ctx, user.Name, name, s.operation, map[string]any{"GroupName": s.group}, nil)
		if err == nil {
			continue
		}
		after := context.WithoutCancel(ctx)
		for _, done := range steps[:i] {
			_ = u.AskOn(after, user.Name, name, done.undo, map[string]any{"GroupName": done.group}, nil)
		}
		return user, false, err
	}
	user, err = u.Find(ctx, name)
	return user, len(steps) > 0, err
}
