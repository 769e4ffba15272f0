// Package ship has the commands about deployments: status, push, pipeline-deploy and
// generate.
package ship

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/deploy"
	"gatewright/deploy/contract"
	"gatewright/deploy/index"
	"gatewright/deploy/local"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/diff"
	"gatewright/project"
	"gatewright/project/amplify"
	"gatewright/project/status"
)

// NewPush makes the command push.
func NewPush(streams command.Streams) *cobra.Command {
	var (
		env   command.EnvironmentFlag
		guard command.GuardFlag
		yes   bool
		watch bool
		hot   bool
		push  = pushCommand{streams: streams}
	)
	cmd := &cobra.Command{
		Use:   "push",
		Short: "Deploy an environment, and print its endpoints",
		Long: `Deploy an environment: show who may do more (▲) or less (▼) afterwards and what changes,
deploy it, print the endpoint of each API, and update the client configuration file.

In a terminal it asks first. Without a terminal it does not ask, and a guarded environment needs --confirm with its
name.

An environment of the provider aws is pushed to its account with CloudFormation. The archives and the template are
uploaded, the preview says who may do more, what is lost and what changes, and after your yes gatewright follows the
push. ctrl+c stops only the following; --watch follows again, from any machine. Without a terminal, such a push
needs --yes.

--hot gives the deployed functions of such an environment the code of their sources, within seconds and without a
question, and changes nothing else. It does not work for guarded environments. The next push brings the stack in
line.

An environment that was removed, or never pushed, is created. If the account already has tables, log groups or
user pools of it, the push is refused and lists them; --adopt adopts them, with all items, users and groups.`,
		Example: command.Examples("push", "push --env qa --dry-run --diff",
			"push --env prod --confirm prod", "push --env prod --watch",
			"push --env qa --yes --allow-destroy sessions", "push --env qa --hot", "push --env prod --adopt"),
		Args: command.Arguments(),
		RunE: func(*cobra.Command, []string) error {
			return command.WithProject(streams, func(p *project.Project) error {
				if err := deployable(p, "push"); err != nil {
					return err
				}
				e, err := command.EnvironmentOf(p, env.String())
				if err != nil {
					return err
				}
				if hot {
					if err := push.checkHot(e, watch); err != nil {
						return err
					}
					return (&cloudPush{pushCommand: &push, project: p, env: e}).hot()
				}
				if e.Provider == model.AWS {
					cloud := &cloudPush{
						pushCommand: &push, project: p, env: e, allow: allowTo(streams, yes || guard.Confirms(e)),
						consent: consentTo(streams, guard, yes), before: func() error { return consentable(streams, guard, yes, e) },
					}
					switch {
					case watch && push.adopts():
						return command.Misuse("--watch follows a running push, and adopts nothing; leave out --watch, " +
							"or --adopt and " +
							"--adopt-pool")
					case watch:
						return cloud.watch()
					}
					return push.finish(cloud.run())
				}
				if watch || push.adopts() || len(push.allowDestroy) > 0 {
					return command.Misuse("--watch, --adopt and --allow-destroy are for environments of AWS, and %s is deployed to "+
						"this machine", phrase.Quote(e.Name))
				}
				return push.run(p, e, func() error {
					if e.Guarded || yes {
						return guard.Allow(streams, e, "push it")
					}
					return confirm(streams, "push environment "+phrase.Quote(e.Name))
				})
			})
		},
	}
	env.Add(cmd, streams, "the environment (default: the chosen one)")
	push.add(cmd, streams)
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask; a push to AWS without a terminal needs this")
	cmd.Flags().BoolVar(&watch, "watch", false, "follow the push to AWS that is running; or say how the last ended")
	cmd.Flags().BoolVar(&hot, "hot", false, "change only the code of functions, in seconds")
	cmd.Flags().BoolVar(&push.adopt, "adopt", false,
		"adopt what AWS already has: tables, log groups and users of an environment that is created again")
	cmd.Flags().StringVar(&push.adoptPool, "adopt-pool", "",
		"the `ID` of the user pool to adopt; if several could be meant, without --adopt")
	guard.Add(cmd, streams)
	return cmd
}

// confirm asks whether to go on, if the command runs in a terminal.
func confirm(streams command.Streams, question string) error {
	if !command.Attended(streams) {
		return nil
	}
	typed, err := command.Ask(streams, question+"? [y/N] ")
	if err != nil {
		return err
	}
	if word := strings.ToLower(strings.TrimSpace(typed)); word != "y" && word != "yes" {
		return errors.New("nothing is pushed")
	}
	return nil
}

// pushCommand carries out a push, and reports it.
type pushCommand struct {
	streams                     command.Streams
	dryRun, diff, verbose, json bool
	// allowDestroy are the tables and pools that a push to AWS may replace or remove.
	allowDestroy []string
	// adopt says that what AWS has already is taken over, adoptPool which user pool.
	adopt     bool
	adoptPool string
}

// adopts reports whether a flag asks to take over what AWS has.
func (x *pushCommand) adopts() bool { return x.adopt || x.adoptPool != "" }

func (x *pushCommand) add(cmd *cobra.Command, streams command.Streams) {
	cmd.Flags().BoolVar(&x.dryRun, "dry-run", false, "push nothing; report what would be pushed")
	cmd.Flags().BoolVar(&x.diff, "diff", false, "show the diffs of files that change")
	cmd.Flags().BoolVarP(&x.verbose, "verbose", "v", false, "show every reason, resource and endpoint")
	cmd.Flags().BoolVar(&x.json, "json", false, "report as JSON")
	cmd.Flags().StringArrayVar(&x.allowDestroy, "allow-destroy", nil,
		"a table `NAME` whose data AWS may lose; auth for the user pool")
	_ = cmd.RegisterFlagCompletionFunc("allow-destroy",
		func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return command.Offered(append(command.ReadBackend(streams).Names(model.KindTable), string(model.KindAuth)), typed),
				cobra.ShellCompDirectiveNoFileComp
		})
}

// run pushes an environment if allow lets it, and prints the report.
func (x *pushCommand) run(p *project.Project, e *model.Environment, allow func() error) error {
	return x.finish(x.push(p, e, allow))
}

// finish prints the report of a push.
func (x *pushCommand) finish(report *pushReport, err error) error {
	if report == nil {
		return err
	}
	if x.json {
		return errors.Join(command.PrintJSON(x.streams.Out, report), err)
	}
	return errors.Join(report.print(x), err)
}

// push pushes an environment. The report is nil if only the error is to be printed.
func (x *pushCommand) push(p *project.Project, e *model.Environment, allow func() error) (*pushReport, error) {
	index := index.OfUserIn(x.streams.Getenv)
	provider, err := deploy.ProviderOf(e, index)
	if err != nil {
		return nil, err
	}
	target := contract.Target{Project: p, Environment: e, Now: time.Now()}
	wanted, err := local.Preview(target, nil)
	if err != nil {
		return nil, err
	}
	status, err := x.status(p, e)
	if err != nil {
		return nil, err
	}
	changes := statusOf(x.streams, p, status, x.diff)
	changes.Waiting = nil
	changes.Resources = changedOnly(changes.Resources)
	report := newPushReport(p, status.Environment, changes)
	report.DryRun, report.diff = x.dryRun, x.diff
	if !command.Attended(x.streams) && report.Changed && !x.dryRun {
		// Without a terminal there is no question, so a refusal comes before the report.
		if err := allow(); err != nil {
			return nil, err
		}
		allow = func() error { return nil }
	}
	if !x.json {
		// The changes are shown before the question.
		if err := x.preview(changes.text("push", x.verbose, x.diff, command.WidthOf(x.streams.Out),
			x.streams.Colors(x.streams.Out)), changes, report.Changed); err != nil {
			return nil, err
		}
	}
	switch {
	case x.dryRun:
		return report, report.plan(target, wanted)
	case !report.Changed:
		return report, report.refresh(p, *status.Deployed, index)
	}
	if err := allow(); err != nil {
		return nil, err
	}
	record, err := provider.Push(context.Background(), target, report.add)
	if record.Stack == "" {
		return nil, err
	}
	report.pushed(p, record)
	return report, err
}

// preview prints what a push would do; if a question follows, also once more what that opens.
func (x *pushCommand) preview(text string, changes statusReport, changed bool) error {
	out := x.streams.Out
	if changed && !x.dryRun && command.Attended(x.streams) {
		text += changes.again(text, command.WidthOf(out), x.streams.Colors(out))
	}
	return command.PrintColored(out, text)
}

// changedOnly leaves out the resources that do not change.
func changedOnly(all []statusResource) []statusResource {
	return slices.DeleteFunc(all, func(r statusResource) bool { return r.Operation == diff.NoChange })
}

// status returns what the push changes. If the last push cannot be read, everything is new.
func (x *pushCommand) status(p *project.Project, e *model.Environment) (status.Status, error) {
	state, err := status.Of(p, e.Name)
	if err == nil || errors.Is(err, project.ErrDeploying) || errors.Is(err, amplify.ErrKept) {
		return state, err
	}
	now := p.Backend.For(e)
	access, complete := access.Compare(access.Gate{Terms: now.Terms()}, now.Gate())
	state = status.Status{Environment: e, Access: access, MoreAccess: !complete}
	for _, d := range diff.Backends(nil, now) {
		state.Resources = append(state.Resources, status.Resource{Difference: d})
	}
	return state, nil
}
