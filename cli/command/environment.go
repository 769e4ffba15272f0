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

// EnvironmentFlag is the flag --env of commands that look at one environment or
// push it. It refuses to be empty: a script whose variable is not set must not
// mean whichever environment is chosen.
type EnvironmentFlag string

// String is the value as it is.
func (f *EnvironmentFlag) String() string { return string(*f) }

// Type is how help calls the value.
func (f *EnvironmentFlag) Type() string { return "ENV" }

// Set takes the value of the flag.
func (f *EnvironmentFlag) Set(value string) error {
	if value == "" {
		return errors.New("name an environment")
	}
	*f = EnvironmentFlag(value)
	return nil
}

// Add adds the flag to a command; usage says which environment it means.
func (f *EnvironmentFlag) Add(cmd *cobra.Command, streams Streams, usage string) {
	cmd.Flags().Var(f, "env", usage)
	_ = cmd.RegisterFlagCompletionFunc("env", CompleteValue(streams, model.KindEnvironment))
}

// EnvironmentOf is the environment that a command is about: the one that --env
// names, else the one chosen on this machine, else the only one there is.
func EnvironmentOf(p *project.Project, flag string) (*model.Environment, error) {
	env, err := p.Environment(flag)
	if errors.Is(err, project.ErrNotChosen) {
		return nil, Misuse("%s; give --env NAME, or choose one with: gatewright env use NAME; there is %s", err, EnvironmentNames(p))
	}
	return env, err
}

// NamedEnvironment is the environment of that name; the error has the nearest one.
func NamedEnvironment(b *model.Backend, name string) (*model.Environment, error) {
	if err := b.Known(model.Ref{Kind: model.KindEnvironment, Name: name}); err != nil {
		return nil, err
	}
	return b.Environment(name), nil
}

// EnvironmentNames lists the environments as a sentence does.
func EnvironmentNames(p *project.Project) string {
	return model.QuoteList(p.Backend.Names(model.KindEnvironment))
}

// SandboxEnvironment is the environment that a command of the sandbox is about.
func SandboxEnvironment(p *project.Project, flag string) (*model.Environment, error) {
	if p.Layout == project.Amplify && len(p.Backend.Environments) == 0 {
		return deploy.LiveEnvironment(p, flag)
	}
	return EnvironmentOf(p, flag)
}

// GuardFlag is the flag of every command that may change a guarded environment:
// its name, typed by somebody who means it.
type GuardFlag struct{ names []string }

// Add adds the flag to a command.
func (g *GuardFlag) Add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&g.names, "confirm", nil, "the `NAME` of a guarded environment, which says that it is meant")
	// The name is to be typed and not completed.
	_ = cmd.RegisterFlagCompletionFunc("confirm", cobra.NoFileCompletions)
}

// Allow lets a command go on with an environment: one that is not guarded (or
// nil), one that --confirm names, or one whose name somebody types when asked.
// what says what the command does to it, such as "remove it". Without a terminal
// nothing is asked, and the flag is missing.
func (g *GuardFlag) Allow(streams Streams, env *model.Environment, what string) error {
	if env == nil || !env.Guarded || slices.Contains(g.names, env.Name) {
		return nil
	}
	name := model.Quote(env.Name)
	if len(g.names) > 0 {
		return Misuse("environment %s is guarded, and --confirm says %s; to %s give --confirm %s", name, model.QuoteList(g.names), what, name)
	}
	if !Attended(streams) {
		return Misuse("environment %s is guarded; to %s give --confirm %s", name, what, name)
	}
	typed, err := Ask(streams, fmt.Sprintf("environment %s is guarded, and this would %s\ntype %s to go on: ", name, what, name))
	if err != nil {
		return err
	}
	if strings.TrimSpace(typed) != env.Name {
		return fmt.Errorf("environment %s is guarded and its name was not typed; nothing is done", name)
	}
	return nil
}
