package inspect

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/cloud"
	"gatewright/cli/command"
	"gatewright/cli/users"
	"gatewright/deploy/people"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/project/answer"
	"gatewright/project/plan"
)

// canCommand is one run of `can`.
type canCommand struct {
	streams command.Streams
	env     command.EnvironmentFlag
	api     string
	json    bool
	// inAWS says that what is in force in AWS is asked.
	inAWS bool
}

// NewCan makes the command can.
func NewCan(streams command.Streams) *cobra.Command {
	x := canCommand{streams: streams}
	cmd := &cobra.Command{
		Use:   "can WHO METHOD PATH",
		Short: "Say whether a caller may send a request, and why",
		Long: `Say whether a caller may send a request, by which rule, and if not, what would allow it. It reads
the definition in the working tree; with --live, AWS decides. The exit code is 0 for yes and 1 for no.

` + command.WhoHelp + ` group:A,B is a member of several groups. unsigned is a caller without credentials, whose request nobody signs. With --env and an environment in AWS, the groups of a user are those of its pool in AWS.

Without --api the request goes to the API that has the path. No sandbox needs to run.

With --live, what is in force in AWS decides: the methods as they are served, resource policies, roles with all
their policies, groups. Each difference from the last push is shown, and from the working tree if that differs. The
exit code is 3 if AWS does not decide as the last push says, for this or another request. It does not read what an
organization denies its accounts, or who has an API key.

For all callers and paths at once: gatewright routes --access`,
		Example: command.Examples("can guest GET /books", "can group:Editors DELETE /books/978-0",
			"can guest DELETE /books/1 --env prod --live", "can emma@example.com POST /books --env qa",
			"can group:Editors,Readers PUT /books --json"),
		Args:              command.Arguments("WHO", "a METHOD", "a PATH"),
		ValidArgsFunction: x.complete,
		RunE: func(_ *cobra.Command, args []string) error {
			return x.run(args[0], strings.ToUpper(args[1]), args[2])
		},
	}
	x.env.Add(cmd, streams, "the environment of the APIs and users (default: the chosen one)")
	cmd.Flags().StringVar(&x.api, "api", "", "the `LABEL` of the API (default: the one that has the path)")
	cmd.Flags().BoolVar(&x.inAWS, "live", false, "ask the policies in force in AWS; compare them with the definition")
	cmd.Flags().BoolVar(&x.json, "json", false, "report as JSON")
	_ = cmd.RegisterFlagCompletionFunc("api", command.CompleteValue(streams, model.KindAPI))
	return cmd
}

// complete completes the caller, the method and the path.
func (x *canCommand) complete(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return users.CompleteWho(x.streams, &x.env, answer.UnsignedWord)(cmd, args, typed)
	}
	return command.CompleteTarget(x.streams, x.api, args[1:], typed)
}

func (x *canCommand) run(text, method, path string) error {
	target, _, err := command.Target(method, path)
	if err != nil {
		return err
	}
	return command.WithProject(x.streams, func(p *project.Project) error {
		who, err := command.ParseWho(text, p.Backend)
		if x.inAWS && (err == nil || errors.Is(err, model.ErrUnknown)) {
			return x.live(p, text, method, target)
		}
		if err != nil {
			return err
		}
		q := answer.Question{
			Backend: p.Backend, Method: method, Path: target, Chosen: x.api != "", Older: plan.Legacy(p),
			Environment: x.env.String(),
		}
		env, err := x.environment(p, who)
		if err != nil {
			return err
		}
		if q.Caller, err = x.caller(p, env, who); err != nil {
			return err
		}
		if q.APIs, err = x.apis(p, env); err != nil {
			return err
		}
		a, err := q.Answer()
		if err != nil {
			return command.QuestionError(err)
		}
		err = command.Print(x.streams.Out, x.json, a, func(width int) string { return answerText(a.Words(), width) })
		if err == nil && !a.Allowed {
			err = command.ExitFailed
		}
		return err
	})
}

// environment returns the environment of the question. It is nil, for any, if none is chosen
// and the caller is not a user: only users belong to one environment.
func (x *canCommand) environment(p *project.Project, w answer.Who) (*model.Environment, error) {
	if w.User != "" || x.env != "" {
		return command.EnvironmentOf(p, x.env.String())
	}
	return p.CurrentEnvironment(), nil
}

// caller returns the caller w. A user is read from the pool: with --env and an environment that is
// deployed to AWS, from the one there.
func (x *canCommand) caller(p *project.Project, env *model.Environment, w answer.Who) (*answer.Caller, error) {
	if w.User == "" {
		return answer.CallerOf(w, p.Backend), nil
	}
	away, err := cloud.Named(p, x.env)
	if err != nil {
		return nil, err
	}
	if away != nil {
		reached, err := cloud.Reach(x.streams, p, away)
		if err == nil {
			return x.liveCaller(context.Background(), reached, w, p.Backend)
		}
		if !errors.Is(err, project.ErrNeverDeployed) {
			return nil, err
		}
	}
	var c *answer.Caller
	session := users.Session{Streams: x.streams, Env: x.env, Others: true}
	err = session.Hold(p, env, func() error {
		user, err := session.Find(w.User)
		if err != nil {
			return err
		}
		c = answer.UserCaller(w, user.Groups, user.Enabled, user.Status != people.UserUnconfirmed, x.env.String())
		return nil
	})
	return c, err
}

// apis returns the APIs that the request may go to.
func (x *canCommand) apis(p *project.Project, env *model.Environment) ([]*access.API, error) {
	has := func(api *access.API) bool { return env == nil || env.Has(api.Label) }
	if x.api != "" {
		if err := p.Backend.Known(model.Ref{Kind: model.KindAPI, Name: x.api}); err != nil {
			return nil, err
		}
		if api := p.Backend.API(x.api); has(api) {
			return []*access.API{api}, nil
		}
		return nil, env.CheckHas(x.api)
	}
	apis := slices.DeleteFunc(slices.Clone(p.Backend.APIs), func(api *access.API) bool { return !has(api) })
	switch {
	case len(p.Backend.APIs) == 0:
		return nil, errors.New("there is no API; add one with: gatewright add api")
	case len(apis) == 0:
		return nil, &model.Problem{
			Of: model.Ref{Kind: model.KindEnvironment, Name: env.Name}, Text: "has no API",
			Fix: "give it one with: gatewright update env " + phrase.Quote(env.Name) + " --api LABEL",
		}
	}
	return apis, nil
}

// answerText returns an answer as text.
func answerText(w answer.Words, width int) string {
	var b strings.Builder
	b.WriteString(command.Folded("", w.Sentence, width))
	command.WriteColumns(&b, "  ", width, w.Facts)
	for _, note := range w.Notes {
		b.WriteString(command.Folded("", note, width))
	}
	for _, line := range []string{w.Question, w.Lead} {
		if line != "" {
			b.WriteString(line + "\n")
		}
	}
	for _, line := range w.Commands {
		b.WriteString("  " + line + "\n")
	}
	return b.String()
}
