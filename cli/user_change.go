package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/model"
	"gatewright/project/answer"
	"gatewright/sandbox/logs"
)

func newUserPasswd(streams Streams) *cobra.Command {
	x := newUsersCommand(streams)
	var password passwordFlags
	cmd := &cobra.Command{
		Use:   "passwd NAME",
		Short: "Give a user another password",
		Long: "Give a user another password, which stays; with --temporary the user is asked for another at the next sign-in. Who is signed\n" +
			"in as the user is signed out.\n" + passwordHelp,
		Example: "  gatewright user passwd emma\n  printf '%s' \"$PASSWORD\" | gatewright user passwd emma --password-stdin --temporary",
		Args:    arguments("the NAME of a user"),
		RunE: func(_ *cobra.Command, args []string) error {
			name := args[0]
			return x.with(func() error { return password.read(streams, name, x.pool.Definition) }, func() error {
				err := x.about(name, "AdminSetUserPassword", map[string]any{"Password": password.text, "Permanent": !password.temporary}, nil)
				if err != nil {
					return err
				}
				if err := printText(streams.Out, "user "+model.Quote(name)+" has another password\n"); err != nil {
					return err
				}
				return password.tell(streams)
			})
		},
	}
	cmd.Long = strings.TrimSuffix(cmd.Long, "\n")
	x.flags(cmd)
	password.add(cmd)
	return cmd
}

func newUserConfirm(streams Streams) *cobra.Command {
	x := newUsersCommand(streams)
	cmd := &cobra.Command{
		Use:     "confirm NAME",
		Short:   "Confirm a sign-up without its code",
		Long:    "Confirm a sign-up without its code. The codes themselves are shown by the sandbox, and by: gatewright logs " + logs.Identity,
		Example: "  gatewright user confirm emma",
		Args:    arguments("the NAME of a user"),
		RunE: func(_ *cobra.Command, args []string) error {
			return x.with(nil, func() error { return x.confirm(args[0]) })
		},
	}
	x.flags(cmd)
	return cmd
}

func (x *usersCommand) confirm(name string) error {
	user, err := x.find(name)
	if err != nil {
		return err
	}
	switch user.Status {
	case "CONFIRMED":
		return printText(x.streams.Out, "user "+model.Quote(name)+" is confirmed already\n")
	case unconfirmed:
	default:
		return &model.Problem{
			Of: userRef(name), Text: "was made with a temporary password, and needs no confirmation",
			Fix: "give one that stays with: " + answer.UserCommand("passwd", name, x.envWords()),
		}
	}
	if err := x.on(user.Name, name, "AdminConfirmSignUp", map[string]any{}, nil); err != nil {
		return err
	}
	return printText(x.streams.Out, "user "+model.Quote(name)+" is confirmed\n")
}

func newUserEnable(streams Streams) *cobra.Command {
	return newUserSwitch(streams, "enable", "Let a user sign in again who was disabled", "AdminEnableUser", "is enabled")
}

func newUserDisable(streams Streams) *cobra.Command {
	cmd := newUserSwitch(streams, "disable", "Let a user sign in no more", "AdminDisableUser", "is disabled")
	cmd.Long = "Let a user sign in no more. Tokens and credentials that the user has are refused from now on."
	return cmd
}

// newUserSwitch is a command that does one thing to a user.
func newUserSwitch(streams Streams, verb, short, operation, done string) *cobra.Command {
	x := newUsersCommand(streams)
	cmd := &cobra.Command{
		Use:     verb + " NAME",
		Short:   short,
		Example: "  gatewright user " + verb + " emma",
		Args:    arguments("the NAME of a user"),
		RunE: func(_ *cobra.Command, args []string) error {
			return x.with(nil, func() error {
				if err := x.about(args[0], operation, map[string]any{}, nil); err != nil {
					return err
				}
				return printText(streams.Out, "user "+model.Quote(args[0])+" "+done+"\n")
			})
		},
	}
	x.flags(cmd)
	return cmd
}

func newUserRemove(streams Streams) *cobra.Command {
	x := newUsersCommand(streams)
	var confirm string
	cmd := &cobra.Command{
		Use:     "remove NAME --confirm NAME",
		Short:   "Remove a user",
		Long:    "Remove a user for good, with attributes, memberships and sessions. --confirm has the name again.",
		Example: "  gatewright user remove emma --confirm emma",
		Args:    arguments("the NAME of a user"),
		RunE: func(_ *cobra.Command, args []string) error {
			name := args[0]
			if confirm != name {
				return misuse("a user that is removed does not come back; give --confirm %s", model.ShellWord(name))
			}
			return x.with(nil, func() error {
				if err := x.about(name, "AdminDeleteUser", map[string]any{}, nil); err != nil {
					return err
				}
				return printText(streams.Out, "removed user "+model.Quote(name)+"\n")
			})
		},
	}
	x.flags(cmd)
	cmd.Flags().StringVar(&confirm, "confirm", "", "the `NAME` again, which says that it is meant")
	_ = cmd.RegisterFlagCompletionFunc("confirm", cobra.NoFileCompletions)
	return cmd
}

func newUserGroups(streams Streams) *cobra.Command {
	x := newUsersCommand(streams)
	var add, remove []string
	cmd := &cobra.Command{
		Use:   "groups NAME",
		Short: "Show the groups of a user, or change them",
		Long: "Show the groups of a user in order of precedence, and whom the user acts as; --add and --remove change them, all of it or\n" +
			"nothing. Who is signed in acts as before until the session is refreshed, as in the cloud.",
		Example: "  gatewright user groups emma\n  gatewright user groups emma --add Editors --remove Readers",
		Args:    arguments("the NAME of a user"),
		RunE: func(_ *cobra.Command, args []string) error {
			var more, less []string
			return x.with(func() (err error) {
				if more, err = x.memberOf(add); err != nil {
					return err
				}
				if less, err = x.memberOf(remove); err != nil {
					return err
				}
				for _, group := range more {
					if slices.Contains(less, group) {
						return misuse("--add and --remove both name %s", model.Quote(group))
					}
				}
				return nil
			}, func() error { return x.join(args[0], more, less) })
		},
	}
	x.flags(cmd)
	cmd.Flags().StringArrayVar(&add, "add", nil, "make the user a member of the `GROUP`; may be given several times")
	cmd.Flags().StringArrayVar(&remove, "remove", nil, "take the user out of the `GROUP`; may be given several times")
	for _, flag := range []string{"add", "remove"} {
		_ = cmd.RegisterFlagCompletionFunc(flag, completeValue(streams, model.KindGroup))
	}
	return cmd
}

// join brings a user into groups and out of others: all, or none.
func (x *usersCommand) join(name string, more, less []string) error {
	if err := x.serves(slices.Concat(more, less)); err != nil {
		return err
	}
	user, err := x.find(name)
	if err != nil {
		return err
	}
	type step struct{ operation, back, group string }
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
		err := x.on(user.Name, name, s.operation, map[string]any{"GroupName": s.group}, nil)
		if err == nil {
			continue
		}
		x.ctx = context.WithoutCancel(x.ctx)
		for _, done := range steps[:i] {
			_ = x.on(user.Name, name, done.back, map[string]any{"GroupName": done.group}, nil)
		}
		return err
	}
	if user, err = x.find(name); err != nil {
		return err
	}
	if len(steps) > 0 && x.held.Running() {
		say(x.streams.Err, "note: who is signed in as %s acts as before until the session is refreshed", model.Quote(name))
	}
	return printText(x.streams.Out, "groups of "+model.Quote(name)+": "+x.membership(user.Groups)+"\n")
}
