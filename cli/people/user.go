// Package people has the commands about the users of the pool: user and token.
package people

import (
	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/cli/users"
	"gatewright/internal/text/phrase"
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
		Long: `Show and change the users of a pool: the sandbox's, running or not, or with --env an environment's
in AWS. Each environment has its own users.

A guarded environment in AWS asks for its name before a change, or takes it as --confirm NAME. NAME is a user's
name, email address or sub. Users sign in through the public client libraries; 'gatewright token' and 'gatewright
call --as' need no password.`,
	}
	return command.Group(cmd, newUserAdd(streams), newUserList(streams), newUserShow(streams), newUserPasswd(streams),
		newUserConfirm(streams),
		newUserEnable(streams), newUserDisable(streams), newUserGroups(streams), newUserRemove(streams))
}

func (x *userCommand) flags(cmd *cobra.Command) {
	x.Env.Add(cmd, x.Streams, "the environment (default: the chosen one)")
	if cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = users.Complete(x.Streams, &x.Env)
	}
}

// flagsOfChange are the flags of a command that changes users.
func (x *userCommand) flagsOfChange(cmd *cobra.Command) {
	x.flags(cmd)
	x.Guard.Add(cmd, x.Streams)
}

// changes says what the command does to a user.
func (x *userCommand) changes(what, name string) {
	x.Change = what + " user " + phrase.Quote(name)
}

// noteCredentials says that a user who is kept out of a pool in AWS may still have credentials.
// Those of an identity pool are valid for an hour
// (https://repost.aws/questions/QUl8Ul9iDrRt2qXkCeRV75Hg/how-to-increase-expiration-time-of-cognito-identity-pool-credentials).
func (x *userCommand) noteCredentials(name string) {
	if x.Users.InAWS() {
		command.Say(x.Streams.Err,
			"note: AWS credentials that %s already has stay valid until they expire, an hour after they were given",
			phrase.Quote(name))
	}
}
