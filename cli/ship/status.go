package ship

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"gatewright/cli/cloud"
	"gatewright/cli/command"
	"gatewright/model"
	"gatewright/project"
)

// statusCommand is one run of `status`.
type statusCommand struct {
	streams                 command.Streams
	env                     command.EnvironmentFlag
	verbose, exitCode, json bool
}

// NewStatus makes the command status.
func NewStatus(streams command.Streams) *cobra.Command {
	x := statusCommand{streams: streams}
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show what a push would change, and why",
		Long: "Show who may send more (▲) or fewer (▼) requests after a push, what a push would do to each resource of an\n" +
			"environment (Create, Update, Delete, No change) and why, compared with the last push, why a push would be refused,\n" +
			"and which fields the client configuration file lacks. -v shows everything, also the diffs of files.",
		Example: "  gatewright status -v\n  gatewright status --env prod --exit-code",
		Args:    command.Arguments(),
		RunE: func(*cobra.Command, []string) error {
			return command.WithProject(streams, func(p *project.Project) error {
				report, err := x.look(p)
				if err == nil && x.exitCode && report.Changed {
					return command.ExitDiffers
				}
				return err
			})
		},
	}
	x.env.Add(cmd, streams, "the environment (default: the chosen one)")
	cmd.Flags().BoolVarP(&x.verbose, "verbose", "v", false, "show every reason, and the files' differences")
	cmd.Flags().BoolVar(&x.exitCode, "exit-code", false, "exit 3 if a push would change something")
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
	e, err := command.SandboxEnvironment(p, x.env.String())
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
	text := report.text("status", x.verbose, x.verbose, command.WidthOf(out), command.Colors(out))
	if command.IsTerminal(out) {
		text += report.again(text, command.WidthOf(out), command.Colors(out))
	}
	return report, command.PrintColored(out, text)
}

// report compares with what is deployed. That of an environment of AWS is asked for there.
func (x *statusCommand) report(p *project.Project, e *model.Environment) (statusReport, error) {
	if e.Provider != model.AWS || p.Layout != project.Native {
		status, err := p.Status(e.Name)
		if err != nil {
			return statusReport{}, err
		}
		r := statusOf(p, status, x.verbose)
		if p.Layout == project.Native {
			r.Refused = refusalsOf(p, e, status.Was)
		}
		return r, nil
	}
	state, err := cloud.Provider(x.streams).Refresh(context.Background(), p, e)
	if err != nil {
		return statusReport{}, err
	}
	status, err := p.StatusAgainst(e, state.Deployment)
	if err != nil {
		return statusReport{}, err
	}
	r := statusOf(p, status, x.verbose)
	r.Refused = refusalsOf(p, e, status.Was)
	r.Provider, r.Account, r.Region, r.Note = string(model.AWS), state.Account, state.Region, state.Note
	return r, nil
}

// deployable returns an error for a project that the Amplify CLI deploys; instead is the
// Amplify CLI's command to run.
func deployable(p *project.Project, instead string) error {
	if p.Layout != project.Native {
		return errors.New("this is a project of the Amplify CLI, which deploys it; run: amplify " + instead)
	}
	return nil
}
