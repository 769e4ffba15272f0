package people

import (
	"slices"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/deploy/people"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox/logs"
)

func newUserPasswd(streams command.Streams) *cobra.Command {
	x := newUserCommand(streams)
	var password passwordFlags
	cmd := &cobra.Command{
		Use:   "passwd NAME",
		Short: "Change a user's password",
		Long: `Change the password of a user. All sessions of the user end. With --temporary the user must choose
another password at the next sign-in.

` + passwordHelp,
		Example: command.Examples("user passwd emma", "user passwd emma --temporary",
			"pass show emma | gatewright user passwd emma --password-stdin"),
		Args: command.Arguments("the NAME of a user"),
		RunE: func(_ *cobra.Command, args []string) error {
			name := args[0]
			x.changes("change the password of", name)
			return x.With(func() error { return password.read(streams, name, x.Users.Pool.Definition) }, func() error {
				if err := x.Users.SetPassword(x.Context, name, password.text, password.temporary); err != nil {
					return err
				}
				if err := x.Done("user " + phrase.Quote(name) + " has a new password\n"); err != nil {
					return err
				}
				return password.print(streams)
			})
		},
	}
	x.flagsOfChange(cmd)
	password.add(cmd)
	return cmd
}

func newUserConfirm(streams command.Streams) *cobra.Command {
	x := newUserCommand(streams)
	cmd := &cobra.Command{
		Use:   "confirm NAME",
		Short: "Confirm a sign-up without its code",
		Long: `Confirm a sign-up without its code. The sandbox prints the codes; they are also in: gatewright
logs ` + logs.Identity,
		Example: command.Examples("user confirm emma", "user confirm emma@example.com --env qa",
			"user confirm emma --env prod --confirm prod"),
		Args: command.Arguments("the NAME of a user"),
		RunE: func(_ *cobra.Command, args []string) error {
			x.changes("confirm", args[0])
			return x.With(nil, func() error { return x.confirm(args[0]) })
		},
	}
	x.flagsOfChange(cmd)
	return cmd
}

func (x *userCommand) confirm(name string) error {
	done, err := x.Users.Confirm(x.Context, name)
	switch {
	case err != nil:
		return err
	case !done:
		return x.Done("user " + phrase.Quote(name) + " is confirmed already\n")
	}
	return x.Done("user " + phrase.Quote(name) + " is confirmed\n")
}

func newUserEnable(streams command.Streams) *cobra.Command {
	return newUserSwitch(streams, "enable", "Let a disabled user sign in again", true)
}

func newUserDisable(streams command.Streams) *cobra.Command {
	cmd := newUserSwitch(streams, "disable", "Keep a user from signing in", false)
	cmd.Long = "Keep a user from signing in. From now on the user's tokens and credentials are refused."
	return cmd
}

// newUserSwitch makes a command that lets a user sign in, or keeps the user from it.
func newUserSwitch(streams command.Streams, verb, short string, enabled bool) *cobra.Command {
	x := newUserCommand(streams)
	cmd := &cobra.Command{
		Use:   verb + " NAME",
		Short: short,
		Example: command.Examples("user "+verb+" emma", "user "+verb+" emma@example.com --env qa",
			"user "+verb+" emma --env prod --confirm prod"),
		Args: command.Arguments("the NAME of a user"),
		RunE: func(_ *cobra.Command, args []string) error {
			x.changes(verb, args[0])
			return x.With(nil, func() error {
				if err := x.Users.Enable(x.Context, args[0], enabled); err != nil {
					return err
				}
				if !enabled {
					x.noteCredentials(args[0])
				}
				return x.Done("user " + phrase.Quote(args[0]) + " is " + verb + "d\n")
			})
		},
	}
	x.flagsOfChange(cmd)
	return cmd
}

func newUserRemove(streams command.Streams) *cobra.Command {
	x := newUserCommand(streams)
	cmd := &cobra.Command{
		Use:   "remove NAME --confirm NAME",
		Short: "Remove a user",
		Long: `Remove a user permanently, with attributes, memberships and sessions. --confirm repeats the name;
for a guarded environment in AWS, give it a second time with the name of the environment.`,
		Example: command.Examples("user remove emma --confirm emma",
			"user remove emma --confirm emma --env qa",
			"user remove emma --confirm emma --env prod --confirm prod"),
		Args: command.Arguments("the NAME of a user"),
		RunE: func(_ *cobra.Command, args []string) error {
			name := args[0]
			if !x.Guard.Take(name) {
				return command.Misuse("a removed user cannot be restored; confirm with --confirm %s", model.ShellWord(name))
			}
			x.changes("remove", name)
			return x.With(nil, func() error {
				if err := x.Users.Remove(x.Context, name); err != nil {
					return err
				}
				x.noteCredentials(name)
				return x.Done("removed user " + phrase.Quote(name) + "\n")
			})
		},
	}
	x.flags(cmd)
	x.Guard.AddWith(cmd, "the `NAME` again, to confirm; also that of a guarded environment in AWS")
	return cmd
}

func newUserGroups(streams command.Streams) *cobra.Command {
	x := newUserCommand(streams)
	var add, remove []string
	cmd := &cobra.Command{
		Use:   "groups NAME",
		Short: "Show or change a user's groups",
		Long: `Show the groups of a user in order of precedence, and the group that the user acts as. --add and
--remove change the groups: all of them, or none. A signed-in user acts as before until the session is refreshed, as
in the cloud.`,
		Example: command.Examples("user groups emma", "user groups emma --add Editors --remove Readers",
			"user groups emma --add Editors --env qa"),
		Args: command.Arguments("the NAME of a user"),
		RunE: func(_ *cobra.Command, args []string) error {
			var more, less []string
			if len(add)+len(remove) > 0 {
				x.changes("change the groups of", args[0])
			}
			return x.With(func() (err error) {
				if more, err = x.parseGroups(add); err != nil {
					return err
				}
				if less, err = x.parseGroups(remove); err != nil {
					return err
				}
				for _, group := range more {
					if slices.Contains(less, group) {
						return command.Misuse("--add and --remove both name %s", phrase.Quote(group))
					}
				}
				return nil
			}, func() error { return x.join(args[0], more, less) })
		},
	}
	x.flagsOfChange(cmd)
	cmd.Flags().StringArrayVar(&add, "add", nil, "add the user to the `GROUP`; can be repeated")
	cmd.Flags().StringArrayVar(&remove, "remove", nil, "remove the user from the `GROUP`; can be repeated")
	for _, flag := range []string{"add", "remove"} {
		_ = cmd.RegisterFlagCompletionFunc(flag, command.CompleteValue(streams, model.KindGroup))
	}
	return cmd
}

// join adds a user to groups and removes the user from others: all of them, or none.
func (x *userCommand) join(name string, more, less []string) error {
	user, changed, err := x.Users.Join(x.Context, name, more, less)
	if err != nil {
		return err
	}
	if changed && x.Users.Running() {
		command.Say(x.Streams.Err,
			"note: sessions of %s keep the earlier groups until they are refreshed", phrase.Quote(name))
	}
	return x.Done("groups of " + phrase.Quote(name) + ": " + people.MembershipWords(x.Users.Pool, user.Groups) + "\n")
}
