package people

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/cli/users"
	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project/answer"
	"gatewright/sandbox/logs"
)

func newUserPasswd(streams command.Streams) *cobra.Command {
	x := newUserCommand(streams)
	var password passwordFlags
	cmd := &cobra.Command{
		Use:   "passwd NAME",
		Short: "Change the password of a user",
		Long: "Change the password of a user; with --temporary the user must choose another at the next sign-in. All sessions of the user\n" +
			"end.\n" + passwordHelp,
		Example: "  gatewright user passwd emma\n  printf '%s' \"$PASSWORD\" | gatewright user passwd emma --password-stdin --temporary",
		Args:    command.Arguments("the NAME of a user"),
		RunE: func(_ *cobra.Command, args []string) error {
			name := args[0]
			return x.With(func() error { return password.read(streams, name, x.Pool.Definition) }, func() error {
				err := x.AskAbout(name, "AdminSetUserPassword", map[string]any{"Password": password.text, "Permanent": !password.temporary}, nil)
				if err != nil {
					return err
				}
				if err := command.PrintText(streams.Out, "user "+model.Quote(name)+" has a new password\n"); err != nil {
					return err
				}
				return password.print(streams)
			})
		},
	}
	cmd.Long = strings.TrimSuffix(cmd.Long, "\n")
	x.flags(cmd)
	password.add(cmd)
	return cmd
}

func newUserConfirm(streams command.Streams) *cobra.Command {
	x := newUserCommand(streams)
	cmd := &cobra.Command{
		Use:     "confirm NAME",
		Short:   "Confirm a sign-up without its code",
		Long:    "Confirm a sign-up without its code. The sandbox prints the codes; they are also in: gatewright logs " + logs.Identity,
		Example: "  gatewright user confirm emma",
		Args:    command.Arguments("the NAME of a user"),
		RunE: func(_ *cobra.Command, args []string) error {
			return x.With(nil, func() error { return x.confirm(args[0]) })
		},
	}
	x.flags(cmd)
	return cmd
}

func (x *userCommand) confirm(name string) error {
	user, err := x.Find(name)
	if err != nil {
		return err
	}
	switch user.Status {
	case deploy.UserConfirmed:
		return command.PrintText(x.Streams.Out, "user "+model.Quote(name)+" is confirmed already\n")
	case deploy.UserUnconfirmed:
	default:
		return &model.Problem{
			Of: users.Ref(name), Text: "was added with a temporary password, and needs no confirmation",
			Fix: "set a permanent one with: " + answer.UserCommand("passwd", name, x.EnvironmentWords()),
		}
	}
	if err := x.AskOn(user.Name, name, "AdminConfirmSignUp", map[string]any{}, nil); err != nil {
		return err
	}
	return command.PrintText(x.Streams.Out, "user "+model.Quote(name)+" is confirmed\n")
}

func newUserEnable(streams command.Streams) *cobra.Command {
	return newUserSwitch(streams, "enable", "Let a disabled user sign in again", "AdminEnableUser", "is enabled")
}

func newUserDisable(streams command.Streams) *cobra.Command {
	cmd := newUserSwitch(streams, "disable", "Keep a user from signing in", "AdminDisableUser", "is disabled")
	cmd.Long = "Keep a user from signing in. The user's tokens and credentials are refused from now on."
	return cmd
}

// newUserSwitch makes a command that calls one operation on a user.
func newUserSwitch(streams command.Streams, verb, short, operation, done string) *cobra.Command {
	x := newUserCommand(streams)
	cmd := &cobra.Command{
		Use:     verb + " NAME",
		Short:   short,
		Example: "  gatewright user " + verb + " emma",
		Args:    command.Arguments("the NAME of a user"),
		RunE: func(_ *cobra.Command, args []string) error {
			return x.With(nil, func() error {
				if err := x.AskAbout(args[0], operation, map[string]any{}, nil); err != nil {
					return err
				}
				return command.PrintText(streams.Out, "user "+model.Quote(args[0])+" "+done+"\n")
			})
		},
	}
	x.flags(cmd)
	return cmd
}

func newUserRemove(streams command.Streams) *cobra.Command {
	x := newUserCommand(streams)
	var confirm string
	cmd := &cobra.Command{
		Use:     "remove NAME --confirm NAME",
		Short:   "Remove a user",
		Long:    "Remove a user for good, with attributes, memberships and sessions. --confirm repeats the name.",
		Example: "  gatewright user remove emma --confirm emma",
		Args:    command.Arguments("the NAME of a user"),
		RunE: func(_ *cobra.Command, args []string) error {
			name := args[0]
			if confirm != name {
				return command.Misuse("a removed user cannot be restored; confirm with --confirm %s", model.ShellWord(name))
			}
			return x.With(nil, func() error {
				if err := x.AskAbout(name, "AdminDeleteUser", map[string]any{}, nil); err != nil {
					return err
				}
				return command.PrintText(streams.Out, "removed user "+model.Quote(name)+"\n")
			})
		},
	}
	x.flags(cmd)
	cmd.Flags().StringVar(&confirm, "confirm", "", "the `NAME` again, to confirm the removal")
	_ = cmd.RegisterFlagCompletionFunc("confirm", cobra.NoFileCompletions)
	return cmd
}

func newUserGroups(streams command.Streams) *cobra.Command {
	x := newUserCommand(streams)
	var add, remove []string
	cmd := &cobra.Command{
		Use:   "groups NAME",
		Short: "Show the groups of a user, or change them",
		Long: "Show the groups of a user in order of precedence, and the group that the user acts as. --add and --remove change the groups:\n" +
			"all of them, or none. A signed-in user acts as before until the session is refreshed, as in the cloud.",
		Example: "  gatewright user groups emma\n  gatewright user groups emma --add Editors --remove Readers",
		Args:    command.Arguments("the NAME of a user"),
		RunE: func(_ *cobra.Command, args []string) error {
			var more, less []string
			return x.With(func() (err error) {
				if more, err = x.parseGroups(add); err != nil {
					return err
				}
				if less, err = x.parseGroups(remove); err != nil {
					return err
				}
				for _, group := range more {
					if slices.Contains(less, group) {
						return command.Misuse("--add and --remove both name %s", model.Quote(group))
					}
				}
				return nil
			}, func() error { return x.join(args[0], more, less) })
		},
	}
	x.flags(cmd)
	cmd.Flags().StringArrayVar(&add, "add", nil, "add the user to the `GROUP`; may be given several times")
	cmd.Flags().StringArrayVar(&remove, "remove", nil, "remove the user from the `GROUP`; may be given several times")
	for _, flag := range []string{"add", "remove"} {
		_ = cmd.RegisterFlagCompletionFunc(flag, command.CompleteValue(streams, model.KindGroup))
	}
	return cmd
}

// join adds a user to groups and removes the user from others: all of them, or none.
func (x *userCommand) join(name string, more, less []string) error {
	if err := x.checkServed(slices.Concat(more, less)); err != nil {
		return err
	}
	user, err := x.Find(name)
	if err != nil {
		return err
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
		err := x.AskOn(user.Name, name, s.operation, map[string]any{"GroupName": s.group}, nil)
		if err == nil {
			continue
		}
		x.Context = context.WithoutCancel(x.Context)
		for _, done := range steps[:i] {
			_ = x.AskOn(user.Name, name, done.undo, map[string]any{"GroupName": done.group}, nil)
		}
		return err
	}
	if user, err = x.Find(name); err != nil {
		return err
	}
	if len(steps) > 0 && x.Held.Running() {
		command.Say(x.Streams.Err, "note: sessions of %s keep the earlier groups until they are refreshed", model.Quote(name))
	}
	return command.PrintText(x.Streams.Out, "groups of "+model.Quote(name)+": "+x.membership(user.Groups)+"\n")
}
