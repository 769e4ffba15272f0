package cloud

import (
	"context"
	"io"

	"gatewright/cli/command"
	"gatewright/deploy/aws"
	"gatewright/model"
	"gatewright/project"
)

// Named returns the environment that --env names, if it is in AWS: then a command is about what
// runs there. It is nil for a command that is about the sandbox of this machine, which serves
// every environment too: without --env, and for an environment of this machine.
func Named(p *project.Project, flag command.EnvironmentFlag) (*model.Environment, error) {
	if flag == "" || p.Foreign() {
		return nil, nil
	}
	env, err := command.EnvironmentOf(p, flag.String())
	if err != nil || env.Provider != model.AWS {
		return nil, err
	}
	return env, nil
}

// Reach finds what runs of an environment in AWS. An interrupt ends the command.
func Reach(streams command.Streams, p *project.Project, env *model.Environment) (r *aws.Reached, err error) {
	err = Use(streams, func(ctx context.Context) (err error) {
		r, err = Provider(streams).Reach(ctx, p, env)
		return err
	})
	return r, err
}

// Use calls use with a context that ends at an interrupt; the command then ends with
// command.ExitInterrupted.
func Use(streams command.Streams, use func(context.Context) error) error {
	var ctx context.Context
	return command.Hold(streams, func(c context.Context) (io.Closer, error) {
		ctx = c
		return io.NopCloser(nil), nil
	}, func() error { return use(ctx) })
}

// NoteSandbox says that a command without --env is about the sandbox, though the chosen environment
// is in AWS, where it has others of what the command is about, such as "items".
func NoteSandbox(streams command.Streams, env *model.Environment, flag command.EnvironmentFlag, what string) {
	if flag == "" && env.Provider == model.AWS {
		command.Say(streams.Err, "note: these are the %s of the sandbox; for the ones in AWS give --env %s", what,
			model.ShellWord(env.Name))
	}
}
