// Package users gives commands access to the users of an environment's pool: in the
// running sandbox, or in its state folder.
package users

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"gatewright/cli/command"
	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/answer"
	"gatewright/sandbox"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool"
	poolwire "gatewright/sandbox/identity/wire"
	"gatewright/spelling"
)

// Session is a command's access to the users of an environment's pool.
type Session struct {
	Streams command.Streams
	Env     command.EnvironmentFlag
	// Others says that the command takes guest and authenticated in place of a user, too.
	Others bool

	Context context.Context
	Held    *sandbox.HeldUsers
	Pool    *pool.Pool
	// Groups are the groups of the pool, in order of precedence.
	Groups []string
}

// EnvironmentWords returns the flag --env for a proposed command; "" if it was not given.
func (x *Session) EnvironmentWords() string {
	if x.Env == "" {
		return ""
	}
	return " --env " + model.ShellWord(x.Env.String())
}

// With opens the users of the environment while use runs. It calls prepare before, which
// may be nil, and may ask a person: nobody else is kept from the users meanwhile.
func (x *Session) With(prepare, use func() error) error {
	return command.WithProject(x.Streams, func(p *project.Project) error {
		env, err := command.SandboxEnvironment(p, x.Env.String())
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

// Hold opens the users of the environment env while use runs.
func (x *Session) Hold(p *project.Project, env *model.Environment, use func() error) error {
	if err := x.FindPool(p, env); err != nil {
		return err
	}
	return x.open(p, use)
}

// FindPool finds the pool of an environment.
func (x *Session) FindPool(p *project.Project, env *model.Environment) error {
	var err error
	if x.Pool, err = deploy.PoolOf(p.Backend, env); err != nil {
		return err
	}
	if x.Pool == nil {
		return errors.New("the backend has no user pool; restrict a path with: gatewright update path API PATH --auth all, or add a group with: gatewright add group NAME")
	}
	x.Groups = x.Pool.Groups
	return nil
}

func (x *Session) open(p *project.Project, use func() error) error {
	state, err := deploy.MakeSandboxState(p.Root)
	if err != nil {
		return err
	}
	return command.Hold(x.Streams, func(ctx context.Context) (io.Closer, error) {
		x.Context = ctx
		address := fmt.Sprintf("http://127.0.0.1:%d", p.Backend.Project.Port())
		x.Held, err = sandbox.OpenUsers(ctx, state, *x.Pool, address, nil)
		return x.Held, err
	}, func() error {
		if err := x.asServed(); err != nil {
			return err
		}
		return use()
	})
}

// asServed replaces the groups by those that a running sandbox serves: it may serve the
// environment as it was pushed, not as it is in the working tree.
func (x *Session) asServed() error {
	if !x.Held.Running() {
		return nil
	}
	var groups []string
	for input := map[string]any{"Limit": deploy.ListLimit}; ; {
		var page struct {
			Groups    []struct{ GroupName string }
			NextToken string
		}
		if err := x.ask("ListGroups", input, &page); err != nil {
			return err
		}
		for _, g := range page.Groups {
			groups = append(groups, g.GroupName)
		}
		if input["NextToken"] = page.NextToken; page.NextToken == "" {
			break
		}
	}
	served := *x.Pool
	served.Groups = groups
	x.Pool, x.Groups = &served, groups
	return nil
}

// ask calls an operation of the pool; into may be nil.
func (x *Session) ask(operation string, input map[string]any, into any) error {
	return sandbox.Ask(x.Context, x.Held, operation, input, into)
}

// AskAbout calls an operation of the pool on the user that name finds. Errors of the pool
// are explained, see Explain.
func (x *Session) AskAbout(name, operation string, input map[string]any, into any) error {
	user, err := x.Find(name)
	if err != nil {
		return err
	}
	return x.AskOn(user.Name, name, operation, input, into)
}

// AskOn is AskAbout for the username of a user that was found by name.
func (x *Session) AskOn(user, name, operation string, input map[string]any, into any) error {
	input["Username"] = user
	return x.Explain(name, x.ask(operation, input, into))
}

// Ref returns the reference to a user in a problem.
func Ref(name string) model.Ref { return model.Ref{Kind: "user", Name: name} }

// The error codes of Cognito that Explain adds a fix to.
const (
	notFoundCode      = "UserNotFoundException"
	existsCode        = "UsernameExistsException"
	passwordCode      = "InvalidPasswordException"
	parameterCode     = "InvalidParameterException"
	notConfirmedCode  = "UserNotConfirmedException"
	notAuthorizedCode = "NotAuthorizedException"
)

// ExplainUnheld is Explain for a command that has not opened the users.
func (x *Session) ExplainUnheld(p *project.Project, env *model.Environment, name string, err error) error {
	var refused *poolwire.Error
	if errors.As(err, &refused) && refused.Code == notFoundCode {
		// The names of the pool are needed to propose the nearest one.
		return x.Hold(p, env, func() error { return x.notFound(name) })
	}
	return x.Explain(name, err)
}

// Explain turns an error of the pool into a problem of the user, with what to do.
func (x *Session) Explain(name string, err error) error {
	var refused *poolwire.Error
	if !errors.As(err, &refused) {
		return err
	}
	problem := &model.Problem{Of: Ref(name), Text: strings.TrimRight(strings.Join(strings.Fields(refused.Message), " "), "."), Cause: err}
	command := func(verb string) string { return answer.UserCommand(verb, name, x.EnvironmentWords()) }
	switch {
	case refused.Code == notFoundCode:
		return x.notFound(name)
	case refused.Code == existsCode:
		problem.Fix = "see that user with: " + command("show")
	case refused.Code == passwordCode:
		problem.Fix = "give another password"
	case refused.Code == parameterCode && strings.Contains(refused.Message, "did not conform to the schema"):
		problem.Fix = "give attributes with --email, --phone or --attribute NAME=VALUE"
	case strings.Contains(refused.Message, "FORCE_CHANGE_PASSWORD"), strings.Contains(refused.Message, "RESET_REQUIRED"):
		problem.Fix = "set a permanent password with: " + command("passwd")
	case refused.Code == notConfirmedCode:
		problem.Fix = "confirm the user with: " + command("confirm")
	case refused.Code == notAuthorizedCode && strings.Contains(refused.Message, "disabled"):
		problem.Fix = "enable the user with: " + command("enable")
	}
	return problem
}

// Find returns the user with a name, address or sub. The error proposes the nearest name.
func (x *Session) Find(name string) (userpool.User, error) {
	user, err := x.Held.User(x.Context, name)
	return user, x.Explain(name, err)
}

// List calls use for each page of users until use returns false: of all users, or of the
// members of a group.
func (x *Session) List(group string, use func([]deploy.User) (more bool)) error {
	return deploy.ListUsers(x.Context, x.Held, group, use)
}

// names returns the words that find a user, each with the name to show: shown names and
// addresses of the first users, for "did you mean".
func (x *Session) names() (map[string]string, error) {
	const most = 480
	names := make(map[string]string)
	count := 0
	err := x.List("", func(page []deploy.User) bool {
		for _, u := range page {
			attributes := u.Values()
			shown := deploy.ShownName(u.Username, attributes)
			names[shown] = shown
			if email := attributes["email"]; email != "" && names[email] == "" {
				names[email] = shown
			}
		}
		count += len(page)
		return count < most
	})
	return names, err
}

// notFound returns the problem of a user that does not exist, with the nearest name.
func (x *Session) notFound(name string) error {
	problem := &model.Problem{
		Of: Ref(name), Text: "not found in environment " + model.Quote(x.Pool.Environment), Cause: model.ErrUnknown,
		Fix: "list the users with: gatewright user list" + x.EnvironmentWords(),
	}
	near := ""
	if names, err := x.names(); err == nil {
		if x.Others {
			names[answer.GuestWord], names[answer.AuthenticatedWord] = answer.GuestWord, answer.AuthenticatedWord
		}
		near = names[spelling.Nearest(name, slices.Sorted(maps.Keys(names)))]
	}
	switch {
	case slices.Contains(x.Groups, name):
		problem.Fix = "a group is written " + model.Quote(answer.GroupPrefix+name)
	case near != "":
		problem.Fix = "did you mean " + model.Quote(near) + "?"
	}
	return problem
}
