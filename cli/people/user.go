// Package people has the commands about the users of the pool: user and token.
package people

import (
	"slices"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/cli/users"
	"gatewright/model"
)

// userCommand is one run of a command about the users of an environment's pool.
type userCommand struct {
	users.Session
	json bool
}

func newUserCommand(streams command.Streams) *userCommand {
	return &userCommand{Session: users.Session{Streams: streams}}
}

// NewUser makes the command user and those below it.
func NewUser(streams command.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "user",
		Short: "Show and change the users of the pool",
		Long: "Show and change the users of the sandbox's user pool, whether the sandbox runs or not. Each environment has its own users.\n" +
			"NAME is a user's name, address or sub. Users sign in through the public client libraries; gatewright token and\n" +
			"gatewright call --as need no password.",
	}
	return command.Group(cmd, newUserAdd(streams), newUserList(streams), newUserShow(streams), newUserPasswd(streams), newUserConfirm(streams),
		newUserEnable(streams), newUserDisable(streams), newUserGroups(streams), newUserRemove(streams))
}

func (x *userCommand) flags(cmd *cobra.Command) {
	x.Env.Add(cmd, x.Streams, "the environment (default: the chosen one)")
	if cmd.ValidArgsFunction == nil {
		// Completion does not open the sandbox's state to find users.
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
}

// checkServed returns an error if the pool, as the sandbox serves it, lacks one of the
// groups.
func (x *userCommand) checkServed(groups []string) error {
	for _, group := range groups {
		if !slices.Contains(x.Groups, group) {
			env := x.Pool.Environment
			return &model.Problem{
				Of: model.Ref{Kind: model.KindGroup, Name: group}, Text: "is not in environment " + model.Quote(env) + " as the sandbox serves it",
				Fix: "push the environment with: gatewright push --env " + model.ShellWord(env),
			}
		}
	}
	return nil
}
