// Package users gives commands access to the users of an environment's pool: in the
// running sandbox, in its state folder, or in AWS.
package users

import (
	"context"
	"io"

	"gatewright/cli/cloud"
	"gatewright/cli/command"
	"gatewright/deploy/people"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/answer"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/live"
	"gatewright/sandbox/state"
)

// Session is a command's access to the users of an environment's pool.
type Session struct {
	Streams command.Streams
	Env     command.EnvironmentFlag
	// Others says that the command takes guest and authenticated in place of a user, too.
	Others bool
	// Change says what the command does to the users, such as "add user emma"; "" for one that
	// only reads. Guard is how that is allowed in a guarded environment in AWS.
	Change string
	Guard  command.GuardFlag
	// Refused is why the command is for a sandbox only, by the environment; nil if it is not.
	Refused func(environment string) error

	Context context.Context
	env     *model.Environment
	// Users are those of the pool that FindPool found.
	Users *people.Users
}

// EnvironmentWords returns the flag --env for a proposed command; "" if it was not given.
func (x *Session) EnvironmentWords() string {
	if x.Env == "" {
		return ""
	}
	return " --env " + model.ShellWord(x.Env.String())
}

// With opens the users of the environment while use runs. It calls prepare before, which
// may be nil, and may ask a person: nobody else is kept from the users meanwhile. They are
// those in AWS if --env names an environment there.
func (x *Session) With(prepare, use func() error) error {
	return command.WithProject(x.Streams, func(p *project.Project) error {
		if env, err := cloud.Named(p, x.Env); err != nil {
			return err
		} else if env != nil {
			return x.inCloud(p, env, prepare, use)
		}
		env, err := command.EnvironmentOf(p, x.Env.String())
		if err != nil {
			return err
		}
		if err := x.FindPool(p, env); err != nil {
			return err
		}
		if prepare != nil {
			if err := prepare(); err != nil {
				return err
			}
		}
		return x.open(p, use)
	})
}

// inCloud opens the users of an environment in AWS. A guarded one asks for its name before
// anything else.
func (x *Session) inCloud(p *project.Project, env *model.Environment, prepare, use func() error) error {
	if x.Refused != nil {
		return x.Refused(env.Name)
	}
	if x.Change != "" {
		if err := x.Guard.Allow(x.Streams, env, x.Change); err != nil {
			return err
		}
	}
	err := cloud.Use(x.Streams, func(ctx context.Context) error {
		r, err := cloud.Provider(x.Streams).Reach(ctx, p, env)
		if err == nil {
			x.Users, err = people.InCloud(ctx, r)
		}
		return err
	})
	if err == nil && prepare != nil {
		err = prepare()
	}
	if err != nil {
		return err
	}
	return cloud.Use(x.Streams, func(ctx context.Context) error {
		x.Context = ctx
		return use()
	})
}

// Hold opens the users of the environment env while use runs.
func (x *Session) Hold(p *project.Project, env *model.Environment, use func() error) error {
	if err := x.FindPool(p, env); err != nil {
		return err
	}
	return x.open(p, use)
}

// FindPool finds the pool of an environment.
func (x *Session) FindPool(p *project.Project, env *model.Environment) error {
	x.env = env
	found, err := people.Of(p.Backend, env)
	if err != nil {
		return err
	}
	found.Flags = x.EnvironmentWords()
	if x.Others {
		found.Words = []string{answer.GuestWord, answer.AuthenticatedWord}
	}
	x.Users = found
	return nil
}

func (x *Session) open(p *project.Project, use func() error) error {
	return command.Hold(x.Streams, func(ctx context.Context) (io.Closer, error) {
		x.Context = ctx
		err := x.Users.Open(ctx, p.Root, p.Backend.Project.Port())
		if err == nil {
			command.SayWarnings(x.Streams.Err, state.Warnings(live.State(p.Root)))
		}
		if err == nil && !p.Foreign() && !x.Users.Running() {
			cloud.NoteSandbox(x.Streams, x.env, x.Env, "users")
		}
		return x.Users, err
	}, use)
}

// Done prints what was changed, once it is on the disk: closing the users may fail too.
func (x *Session) Done(text string) error {
	if err := x.Users.Close(); err != nil {
		return err
	}
	return command.PrintText(x.Streams.Out, text)
}

// ExplainUnheld explains an error of the pool to a command that has not opened the users.
func (x *Session) ExplainUnheld(p *project.Project, env *model.Environment, name string, err error) error {
	if people.IsUnknown(err) {
		// The names of the pool are needed to propose the nearest one.
		return x.Hold(p, env, func() error { return x.Users.NotFound(x.Context, name) })
	}
	return x.Users.Explain(x.Context, name, err)
}

// Find returns the user with a name, address or sub. The error proposes the nearest name.
func (x *Session) Find(name string) (userpool.User, error) { return x.Users.Find(x.Context, name) }

// List calls use for each page of users until use returns false: of all users, or of the
// members of a group.
func (x *Session) List(group string, use func([]people.User) (more bool)) error {
	return x.Users.List(x.Context, group, use)
}
