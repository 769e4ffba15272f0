// Package people has the commands about the users of the pool: user and token.
package people

import (
	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/cli/users"
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
		cmd.ValidArgsFunction = users.Complete(x.Streams, &x.Env)
	}
}
