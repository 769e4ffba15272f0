package users

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"gatewright/cli/cloud"
	"gatewright/cli/command"
	"gatewright/deploy/people"
	"gatewright/project"
	"gatewright/project/answer"
	"gatewright/sandbox"
	"gatewright/sandbox/live"
)

// Complete completes the first argument of a command with the users of an environment.
func Complete(streams command.Streams, env *command.EnvironmentFlag) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		var users []string
		if len(args) == 0 {
			_ = command.ReadProject(streams, func(p *project.Project, root string) error {
				users = names(p, root, env.String())
				return nil
			})
		}
		return command.Offered(users, typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// CompleteWho completes WHO with everybody who can be named: guest, authenticated, the groups,
// the users of an environment, and others.
func CompleteWho(
	streams command.Streams, env *command.EnvironmentFlag, others ...string,
) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		words := append([]string{answer.GuestWord, answer.AuthenticatedWord}, others...)
		_ = command.ReadProject(streams, func(p *project.Project, root string) error {
			for _, group := range p.Backend.Groups {
				words = append(words, answer.GroupPrefix+group)
			}
			for _, name := range names(p, root, env.String()) {
				if who, err := answer.ParseWho(name, p.Backend); err != nil || who.User != name {
					name = answer.UserPrefix + name
				}
				words = append(words, name)
			}
			return nil
		})
		return command.Offered(words, typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// names are the names of the users of an environment, sorted; none if they cannot be read
// without waiting.
func names(p *project.Project, root, env string) []string {
	const patience = 300 * time.Millisecond
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	// Those in AWS would take requests, and are others.
	if named, err := cloud.Named(p, command.EnvironmentFlag(env)); err != nil || named != nil {
		return nil
	}
	e, err := command.EnvironmentOf(p, env)
	if err != nil {
		return nil
	}
	found, err := people.Of(p.Backend, e)
	if err != nil {
		return nil
	}
	users, err := sandbox.GlanceAtUsers(ctx, live.State(root), *found.Pool)
	if err != nil {
		return nil
	}
	var list []string
	for _, user := range users {
		list = append(list, people.ShownName(user.Name, user.Attributes))
	}
	slices.Sort(list)
	return list
}
