package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
)

// EnvironmentFlag is the flag --env of commands that inspect or push one environment. An
// empty value is an error: a script whose variable is not set must not get the chosen
// environment instead.
type EnvironmentFlag string

// String returns the value.
func (f *EnvironmentFlag) String() string { return string(*f) }

// Type returns the word that help uses for the value.
func (f *EnvironmentFlag) Type() string { return "ENV" }

// Set sets the value of the flag.
func (f *EnvironmentFlag) Set(value string) error {
	if value == "" {
		return errors.New("name an environment")
	}
	*f = EnvironmentFlag(value)
	return nil
}

// Add adds the flag to a command; usage is its help.
func (f *EnvironmentFlag) Add(cmd *cobra.Command, streams Streams, usage string) {
	cmd.Flags().Var(f, "env", usage)
	_ = cmd.RegisterFlagCompletionFunc("env", CompleteValue(streams, model.KindEnvironment))
}

// EnvironmentOf returns the environment for a command: the one that --env names, else the
// one chosen on this machine, else the project's only one.
func EnvironmentOf(p *project.Project, flag string) (*model.Environment, error) {
	env, err := p.Environment(flag)
	if errors.Is(err, project.ErrNotChosen) {
		return nil, Misuse("%s; give --env NAME, or choose one with: gatewright env use NAME; the environments are %s", err, EnvironmentNames(p))
	}
	return env, err
}

// NamedEnvironment returns the environment of that name. The error suggests the nearest name.
func NamedEnvironment(b *model.Backend, name string) (*model.Environment, error) {
	if err := b.Known(model.Ref{Kind: model.KindEnvironment, Name: name}); err != nil {
		return nil, err
	}
	return b.Environment(name), nil
}

// EnvironmentNames lists the names of the environments for a sentence.
func EnvironmentNames(p *project.Project) string {
	return model.QuoteList(p.Backend.Names(model.KindEnvironment))
}

// SandboxEnvironment returns the environment for a command that uses the sandbox. An Amplify
// CLI project may have none yet, or several of which none is chosen.
func SandboxEnvironment(p *project.Project, flag string) (*model.Environment, error) {
	if p.Layout == project.Amplify {
		return deploy.LiveEnvironment(p, flag)
	}
	return EnvironmentOf(p, flag)
}

// GuardFlag is the flag --confirm of commands that may change a guarded environment. Its
// value is the name of the environment.
type GuardFlag struct{ names []string }

// Add adds the flag to a command.
func (g *GuardFlag) Add(cmd *cobra.Command, streams Streams) {
	cmd.Flags().StringArrayVar(&g.names, "confirm", nil, "the `NAME` of a guarded environment that may be changed")
	_ = cmd.RegisterFlagCompletionFunc("confirm", func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		var guarded []string
		for _, env := range ReadBackend(streams).Environments {
			if env.Guarded && !slices.Contains(g.names, env.Name) {
				guarded = append(guarded, env.Name)
			}
		}
		return Offered(guarded, typed), cobra.ShellCompDirectiveNoFileComp
	})
}

// Confirms reports whether --confirm names the environment.
func (g *GuardFlag) Confirms(env *model.Environment) bool { return slices.Contains(g.names, env.Name) }

// Allow returns nil if a command may change the environment: it is nil or not guarded,
// --confirm names it, or the user types its name when asked. what says what the command
// does to it, such as "remove it". Without a terminal nothing is asked.
func (g *GuardFlag) Allow(streams Streams, env *model.Environment, what string) error {
	if env == nil || !env.Guarded || slices.Contains(g.names, env.Name) {
		return nil
	}
	name := model.Quote(env.Name)
	if len(g.names) > 0 {
		return Misuse("environment %s is guarded, and --confirm names %s; to %s give --confirm %s", name, model.QuoteList(g.names), what, name)
	}
	if !Attended(streams) {
		return Misuse("environment %s is guarded; to %s give --confirm %s", name, what, name)
	}
	typed, err := Ask(streams, fmt.Sprintf("environment %s is guarded, and this command would %s\ntype %s to continue: ", name, what, name))
	if err != nil {
		return err
	}
	if strings.TrimSpace(typed) != env.Name {
		return fmt.Errorf("environment %s is guarded, and its name was not typed; nothing was changed", name)
	}
	return nil
}
