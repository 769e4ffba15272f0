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

// newUserCommand is a run that has its streams.
func newUserCommand(streams command.Streams) *userCommand {
	return &userCommand{Session: users.Session{Streams: streams}}
}

// NewUser makes the command user and those below it.
func NewUser(streams command.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "user",
		Short: "Look at the users of the pool, and change them",
		Long: "Look at the users of the sandbox's user pool, and change them: through the sandbox that runs, or in what it keeps. Each\n" +
			"environment has users of its own. NAME is a user's name, address or sub. They sign in as the public client libraries do;\n" +
			"gatewright token and gatewright call --as need no password.",
	}
	return command.Group(cmd, newUserAdd(streams), newUserList(streams), newUserShow(streams), newUserPasswd(streams), newUserConfirm(streams),
		newUserEnable(streams), newUserDisable(streams), newUserGroups(streams), newUserRemove(streams))
}

func (x *userCommand) flags(cmd *cobra.Command) {
	x.Env.Add(cmd, x.Streams, "the environment (default: the chosen one)")
	if cmd.ValidArgsFunction == nil {
		// Who is there is in the sandbox's state, which completion leaves alone.
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
}

// serves refuses groups that the pool lacks as it is served.
func (x *userCommand) serves(groups []string) error {
	for _, group := range groups {
		if !slices.Contains(x.Groups, group) {
			env := x.Pool.Environment
			return &model.Problem{
				Of: model.Ref{Kind: model.KindGroup, Name: group}, Text: "the sandbox serves environment " + model.Quote(env) + " without it",
				Fix: "push it with: gatewright push --env " + model.ShellWord(env),
			}
		}
	}
	return nil
}
