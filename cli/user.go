package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/answer"
	"gatewright/sandbox"
	"gatewright/sandbox/identity/pool"
	poolwire "gatewright/sandbox/identity/wire"
)

// usersCommand is one run of a command about the users of an environment's pool.
type usersCommand struct {
	userSession
	json bool
}

// newUsersCommand is a run that has its streams.
func newUsersCommand(streams Streams) *usersCommand {
	return &usersCommand{userSession: userSession{streams: streams}}
}

// userSession is what a command has to do with the users of an environment's pool.
type userSession struct {
	streams Streams
	env     environmentFlag
	// others says that a guest or somebody without a name may be meant as well.
	others bool

	ctx  context.Context
	held *sandbox.HeldUsers
	pool *pool.Pool
	// groups are those of the pool, in order of precedence.
	groups []string
}

// newUser is the command group about the users of the pool.
func newUser(streams Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "user",
		Short: "Look at the users of the pool, and change them",
		Long: "Look at the users of the sandbox's user pool, and change them: through the sandbox that runs, or in what it keeps. Each\n" +
			"environment has users of its own. NAME is a user's name, address or sub. They sign in as the public client libraries do;\n" +
			"gatewright token and gatewright call --as need no password.",
	}
	return groupOf(cmd, withoutFiles(newUserAdd(streams), newUserList(streams), newUserShow(streams), newUserPasswd(streams), newUserConfirm(streams),
		newUserEnable(streams), newUserDisable(streams), newUserGroups(streams), newUserRemove(streams))...)
}

func (x *usersCommand) flags(cmd *cobra.Command) {
	x.env.add(cmd, x.streams, "the environment (default: the chosen one)")
	if cmd.ValidArgsFunction == nil {
		// Who is there is in the sandbox's state, which completion leaves alone.
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
}

// envWords are the words of --env for another command, if it was given.
func (x *userSession) envWords() string {
	if x.env == "" {
		return ""
	}
	return " --env " + model.ShellWord(x.env.String())
}

// with holds the users of the environment while use works with them; prepare, which
// may be nil, is what takes a person's time before.
func (x *userSession) with(prepare, use func() error) error {
	return reading(x.streams, func(p *project.Project) error {
		env, err := sandboxEnvironment(p, x.env.String())
		if err != nil {
			return err
		}
		if err := x.of(p, env); err != nil {
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

// hold is with for an environment that is known.
func (x *userSession) hold(p *project.Project, env *model.Environment, use func() error) error {
	if err := x.of(p, env); err != nil {
		return err
	}
	return x.open(p, use)
}

// of finds the pool of an environment.
func (x *userSession) of(p *project.Project, env *model.Environment) error {
	var err error
	if x.pool, err = deploy.PoolOf(p.Backend, env); err != nil {
		return err
	}
	if x.pool == nil {
		return errors.New("the backend has no user pool; restrict a path with: gatewright update path API PATH --auth all, or add a group with: gatewright add group NAME")
	}
	x.groups = x.pool.Groups
	return nil
}

func (x *userSession) open(p *project.Project, use func() error) error {
	state, err := deploy.MakeSandboxState(p.Root)
	if err != nil {
		return err
	}
	return holding(x.streams, func(ctx context.Context) (io.Closer, error) {
		x.ctx = ctx
		address := fmt.Sprintf("http://127.0.0.1:%d", p.Backend.Project.Port())
		x.held, err = sandbox.OpenUsers(ctx, state, *x.pool, address, nil)
		return x.held, err
	}, func() error {
		if err := x.asServed(); err != nil {
			return err
		}
		return use()
	})
}

// asServed takes the groups of the pool that a running sandbox serves: it may be as
// it was pushed, and not as the working tree has it.
func (x *userSession) asServed() error {
	if !x.held.Running() {
		return nil
	}
	var groups []string
	for input := map[string]any{"Limit": mostAtOnce}; ; {
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
	served := *x.pool
	served.Groups = groups
	x.pool, x.groups = &served, groups
	return nil
}

// serves refuses groups that the pool lacks as it is served.
func (x *usersCommand) serves(groups []string) error {
	for _, group := range groups {
		if !slices.Contains(x.groups, group) {
			env := x.pool.Environment
			return &model.Problem{
				Of: model.Ref{Kind: model.KindGroup, Name: group}, Text: "the sandbox serves environment " + model.Quote(env) + " without it",
				Fix: "push it with: gatewright push --env " + model.ShellWord(env),
			}
		}
	}
	return nil
}

// ask does one operation of the pool; into may be nil.
func (x *userSession) ask(operation string, input map[string]any, into any) error {
	return sandbox.Ask(x.ctx, x.held, operation, input, into)
}

// about is ask for an operation on a user whom a person called name; refusals say
// what to do.
func (x *userSession) about(name, operation string, input map[string]any, into any) error {
	user, err := x.find(name)
	if err != nil {
		return err
	}
	return x.on(user.Name, name, operation, input, into)
}

// on is about for a user who is known.
func (x *userSession) on(user, name, operation string, input map[string]any, into any) error {
	input["Username"] = user
	return x.explain(name, x.ask(operation, input, into))
}

// userRef names a user in a problem.
func userRef(name string) model.Ref { return model.Ref{Kind: "user", Name: name} }

// The codes of refusals that have words of their own here.
const (
	notFoundCode      = "UserNotFoundException"
	existsCode        = "UsernameExistsException"
	passwordCode      = "InvalidPasswordException"
	parameterCode     = "InvalidParameterException"
	notConfirmedCode  = "UserNotConfirmedException"
	notAuthorizedCode = "NotAuthorizedException"
)

// explainOf is explain for a command that does not hold the users.
func (x *userSession) explainOf(p *project.Project, env *model.Environment, name string, err error) error {
	var refused *poolwire.Error
	if errors.As(err, &refused) && refused.Code == notFoundCode {
		// Who may have been meant is known to the pool.
		return x.hold(p, env, func() error { return x.notFound(name) })
	}
	return x.explain(name, err)
}

// explain says what the pool refused in one line, and what to do.
func (x *userSession) explain(name string, err error) error {
	var refused *poolwire.Error
	if !errors.As(err, &refused) {
		return err
	}
	problem := &model.Problem{Of: userRef(name), Text: strings.TrimRight(strings.Join(strings.Fields(refused.Message), " "), "."), Cause: err}
	command := func(verb string) string { return answer.UserCommand(verb, name, x.envWords()) }
	switch {
	case refused.Code == notFoundCode:
		return x.notFound(name)
	case refused.Code == existsCode:
		problem.Fix = "see who that is with: " + command("show")
	case refused.Code == passwordCode:
		problem.Fix = "give another password"
	case refused.Code == parameterCode && strings.Contains(refused.Message, "did not conform to the schema"):
		problem.Fix = "give attributes with --email, --phone or --attribute NAME=VALUE"
	case strings.Contains(refused.Message, "FORCE_CHANGE_PASSWORD"), strings.Contains(refused.Message, "RESET_REQUIRED"):
		problem.Fix = "give a password that stays with: " + command("passwd")
	case refused.Code == notConfirmedCode:
		problem.Fix = "let the user in with: " + command("confirm")
	case refused.Code == notAuthorizedCode && strings.Contains(refused.Message, "disabled"):
		problem.Fix = "let the user in with: " + command("enable")
	}
	return problem
}
