package ship

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"gatewright/cli/cloud"
	"gatewright/cli/command"
	"gatewright/deploy/aws"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/status"
	"gatewright/project/validate"
)

// statusCommand is one run of `status`.
type statusCommand struct {
	streams                 command.Streams
	env                     command.EnvironmentFlag
	verbose, exitCode, json bool
	// drift says that what is in the account is compared with the stack, too.
	drift bool
}

// NewStatus makes the command status.
func NewStatus(streams command.Streams) *cobra.Command {
	x := statusCommand{streams: streams}
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show what a push would change, and why",
		Long: `Show what a push would change: who may send more requests (▲) or fewer (▼), what happens to
each resource and why, what would refuse the push, and what the client configuration file lacks.

Each resource is compared with the last push: Create, Update, Delete or No change. -v shows everything, including
the diffs of files. With --drift, CloudFormation compares the account with the stack, which can take some minutes;
the code of functions, the template of the stack and who may do what are compared with the last push. Nothing is
changed.`,
		Example: command.Examples("status", "status -v", "status --env prod --drift --exit-code"),
		Args:    command.Arguments(),
		RunE: func(*cobra.Command, []string) error {
			return command.WithProject(streams, func(p *project.Project) error {
				report, err := x.look(p)
				if err == nil && x.exitCode && report.differs() {
					return command.ExitDiffers
				}
				return err
			})
		},
	}
	x.env.Add(cmd, streams, "the environment (default: the chosen one)")
	cmd.Flags().BoolVarP(&x.verbose, "verbose", "v", false, "show every reason, and the files' differences")
	cmd.Flags().BoolVar(&x.exitCode, "exit-code", false, "exit with 3 if something would change, or drifted")
	cmd.Flags().BoolVar(&x.drift, "drift", false, "also show what changed in AWS without a push")
	cmd.Flags().BoolVar(&x.json, "json", false, "report as JSON")
	return cmd
}

// ShowStatus prints the status of an environment, as `status` does.
func ShowStatus(streams command.Streams, env command.EnvironmentFlag) error {
	x := statusCommand{streams: streams, env: env}
	return command.WithProject(streams, func(p *project.Project) error {
		_, err := x.look(p)
		return err
	})
}

// look prints what a push would do.
func (x *statusCommand) look(p *project.Project) (statusReport, error) {
	e, err := command.EnvironmentOf(p, x.env.String())
	if err != nil {
		return statusReport{}, err
	}
	report, err := x.report(p, e)
	if err != nil {
		return statusReport{}, err
	}
	if x.json {
		return report, command.PrintJSON(x.streams.Out, report)
	}
	out := x.streams.Out
	text := report.text("status", x.verbose, x.verbose, command.WidthOf(out), x.streams.Colors(out))
	if command.IsTerminal(out) {
		text += report.again(text, command.WidthOf(out), x.streams.Colors(out))
	}
	return report, command.PrintColored(out, text)
}

// report compares with what is deployed. That of an environment of AWS is asked for there.
func (x *statusCommand) report(p *project.Project, e *model.Environment) (statusReport, error) {
	if e.Provider == model.AWS || p.Foreign() {
		for _, told := range slices.Concat(validate.OldRuntimes(p, time.Now()), validate.OtherLanguages(p)) {
			command.Say(x.streams.Err, "warning: %s", told)
		}
	}
	if e.Provider != model.AWS || p.Foreign() {
		if x.drift {
			return statusReport{},
				command.Misuse("--drift compares with AWS, and gatewright does not deploy environment %s to AWS; leave out "+
					"--drift",
					phrase.Quote(e.Name))
		}
		status, err := status.Of(p, e.Name)
		if err != nil {
			return statusReport{}, err
		}
		r := statusOf(x.streams, p, status, x.verbose)
		if !p.Foreign() {
			r.Refused = refusalsOf(p, e, status.Was)
		}
		return r, nil
	}
	state, reached, err := x.refresh(p, e)
	if err != nil {
		return statusReport{}, err
	}
	status, err := status.Against(p, e, state.Deployment)
	if err != nil {
		return statusReport{}, err
	}
	r := statusOf(x.streams, p, status, x.verbose)
	r.Refused = refusalsOf(p, e, status.Was)
	r.Provider, r.Account, r.Region, r.Note = string(model.AWS), state.Account, state.Region, state.Note
	if reached != nil {
		r.Drift, err = x.driftOf(reached)
	}
	return r, err
}

// refresh asks AWS what is deployed, and also reaches it for --drift.
func (x *statusCommand) refresh(p *project.Project, e *model.Environment) (aws.State, *aws.Reached, error) {
	if x.drift {
		return cloud.Provider(x.streams).RefreshReached(context.Background(), p, e)
	}
	state, err := cloud.Provider(x.streams).Refresh(context.Background(), p, e)
	return state, nil, err
}

// deployable returns an error for a project that the Amplify CLI deploys; instead is the
// Amplify CLI's command to run.
func deployable(p *project.Project, instead string) error {
	if p.Foreign() {
		return errors.New("this is an Amplify CLI project, which the Amplify CLI deploys; run: amplify " + instead)
	}
	return nil
}
