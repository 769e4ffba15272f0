package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"gatewright/model"
	"gatewright/project"
)

// environmentFlag is the flag --env of commands that look at one environment or
// push it. It refuses to be empty: a script whose variable is not set must not
// mean whichever environment is chosen.
type environmentFlag string

// String is the value as it is.
func (f *environmentFlag) String() string { return string(*f) }

// Type is how help calls the value.
func (f *environmentFlag) Type() string { return "ENV" }

// Set takes the value of the flag.
func (f *environmentFlag) Set(value string) error {
	if value == "" {
		return errors.New("name an environment")
	}
	*f = environmentFlag(value)
	return nil
}

func (f *environmentFlag) add(cmd *cobra.Command, streams Streams, usage string) {
	cmd.Flags().Var(f, "env", usage)
	_ = cmd.RegisterFlagCompletionFunc("env", completeValue(streams, model.KindEnvironment))
}

// deployable refuses a project that another tool deploys; instead is what that
// tool does in the place of a command of ours.
func deployable(p *project.Project, instead string) error {
	if p.Layout != project.Native {
		return errors.New("this is a project of the Amplify CLI, which deploys it; run: amplify " + instead)
	}
	return nil
}

// environmentOf is the environment that a command is about: the one that --env
// names, else the one chosen on this machine, else the only one there is.
func environmentOf(p *project.Project, flag string) (*model.Environment, error) {
	env, err := p.Environment(flag)
	if errors.Is(err, project.ErrNotChosen) {
		return nil, misuse("%s; give --env NAME, or choose one with: gatewright env use NAME; there is %s", err, environmentNames(p))
	}
	return env, err
}

// namedEnvironment is the environment of that name; the error has the nearest one.
func namedEnvironment(p *project.Project, name string) (*model.Environment, error) {
	if err := p.Backend.Known(model.Ref{Kind: model.KindEnvironment, Name: name}); err != nil {
		return nil, err
	}
	return p.Backend.Environment(name), nil
}

// environmentNames lists the environments as a sentence does.
func environmentNames(p *project.Project) string {
	return model.QuoteList(p.Backend.Names(model.KindEnvironment))
}
