package users

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/deploy"
	"gatewright/deploy/people"
	"gatewright/project"
	"gatewright/project/answer"
	"gatewright/sandbox"
)

// Complete completes the first argument of a command with the users of an environment.
func Complete(streams command.Streams, env *command.EnvironmentFlag) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return command.Offered(names(streams, env.String()), typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// CompleteWho completes WHO with everybody who can be named: guest, authenticated, the groups,
// and the users of an environment.
func CompleteWho(streams command.Streams, env *command.EnvironmentFlag) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		backend := command.ReadBackend(streams)
		words := []string{answer.GuestWord, answer.AuthenticatedWord}
		for _, group := range backend.Groups {
			words = append(words, answer.GroupPrefix+group)
		}
		for _, name := range names(streams, env.String()) {
			if who, err := answer.ParseWho(name, backend); err != nil || who.User != name {
				name = answer.UserPrefix + name
			}
			words = append(words, name)
		}
		return command.Offered(words, typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// names are the names of the users of an environment, sorted; none if they cannot be read
// without waiting.
func names(streams command.Streams, env string) []string {
	const patience = 300 * time.Millisecond
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var list []string
	_ = command.ReadProject(streams, func(p *project.Project, root string) error {
		e, err := command.SandboxEnvironment(p, env)
		if err != nil {
			return err
		}
		found, err := people.Of(p.Backend, e)
		if err != nil {
			return err
		}
		users, err := sandbox.GlanceAtUsers(ctx, deploy.SandboxState(root), *found.Pool)
		for _, user := range users {
			list = append(list, deploy.ShownName(user.Name, user.Attributes))
		}
		return err
	})
	slices.Sort(list)
	return list
}
