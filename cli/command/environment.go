package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/internal/text/phrase"
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
		return nil, Misuse("%s; give --env NAME, or choose one with: gatewright env use NAME; the environments are %s", err,
			EnvironmentNames(p))
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
	return phrase.QuoteList(p.Backend.Names(model.KindEnvironment))
}

// GuardFlag is the flag --confirm of commands that may change a guarded environment. Its
// value is the name of the environment.
type GuardFlag struct{ names []string }

// Add adds the flag to a command.
func (g *GuardFlag) Add(cmd *cobra.Command, streams Streams) {
	g.add(cmd, streams, "the `NAME` of the guarded environment, to confirm",
		func(e *model.Environment) bool { return e.Guarded })
}

// AddInCloud adds the flag to a command that changes what an environment has in AWS, such as
// "items".
func (g *GuardFlag) AddInCloud(cmd *cobra.Command, streams Streams, what string) {
	g.add(cmd, streams, "the `NAME` of an environment in AWS whose "+what+" may be changed",
		func(e *model.Environment) bool { return e.Provider == model.AWS })
}

// add adds the flag, which completes the names of some environments.
func (g *GuardFlag) add(cmd *cobra.Command, streams Streams, usage string, offers func(*model.Environment) bool) {
	cmd.Flags().StringArrayVar(&g.names, "confirm", nil, usage)
	_ = cmd.RegisterFlagCompletionFunc("confirm",
		func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, env := range ReadBackend(streams).Environments {
				if offers(env) && !slices.Contains(g.names, env.Name) {
					names = append(names, env.Name)
				}
			}
			return Offered(names, typed), cobra.ShellCompDirectiveNoFileComp
		})
}

// Confirms reports whether --confirm names the environment.
func (g *GuardFlag) Confirms(env *model.Environment) bool { return slices.Contains(g.names, env.Name) }

// AddWith adds the flag to a command that has another name confirmed with it, such as that of a
// user; see Take.
func (g *GuardFlag) AddWith(cmd *cobra.Command, usage string) {
	cmd.Flags().StringArrayVar(&g.names, "confirm", nil, usage)
	_ = cmd.RegisterFlagCompletionFunc("confirm", CompleteGiven)
}

// Take takes a name that is not an environment's out of the flag, once, and reports whether it was
// there.
func (g *GuardFlag) Take(name string) bool {
	at := slices.Index(g.names, name)
	if at >= 0 {
		g.names = slices.Delete(slices.Clone(g.names), at, at+1)
	}
	return at >= 0
}

// Allow returns nil if a command may change the environment: it is nil or not guarded,
// --confirm names it, or the user types its name when asked. what says what the command
// does to it, such as "remove it". Without a terminal nothing is asked.
func (g *GuardFlag) Allow(streams Streams, env *model.Environment, what string) error {
	if env == nil || !env.Guarded {
		return nil
	}
	return g.allow(streams, env, "is guarded", what)
}

// AllowInCloud is Allow for a command that changes what an environment has in AWS, such as items,
// guarded or not: it always asks. If --confirm names the environment, it says what the command
// does.
func (g *GuardFlag) AllowInCloud(streams Streams, env *model.Environment, what string) error {
	if g.Confirms(env) {
		Say(streams.Err, "confirmed: %s", what)
		return nil
	}
	return g.allow(streams, env, "is in AWS", what)
}

// allow asks for the name of an environment, unless --confirm gives it; is says why.
func (g *GuardFlag) allow(streams Streams, env *model.Environment, is, what string) error {
	if g.Confirms(env) {
		return nil
	}
	name := phrase.Quote(env.Name)
	if len(g.names) > 0 {
		return Misuse("environment %s %s, and --confirm names %s; to %s give --confirm %s", name, is,
			phrase.QuoteList(g.names), what, name)
	}
	if !Attended(streams) {
		return Misuse("environment %s %s; to %s give --confirm %s", name, is, what, name)
	}
	// A command that was interruptible before has no handler of the signal any more.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	typed, err := AskUntil(ctx, streams,
		fmt.Sprintf("environment %s %s, and this command would %s\ntype %s to continue: ", name, is, what, name))
	if err != nil {
		return err
	}
	if strings.TrimSpace(typed) != env.Name {
		return fmt.Errorf("environment %s %s, and its name was not typed; nothing was changed", name, is)
	}
	return nil
}
