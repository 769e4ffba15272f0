package cli

import (
	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/cli/screen"
	"gatewright/cli/ship"
	"gatewright/model"
	"gatewright/project"
	"gatewright/tui/app"
	"gatewright/tui/route"
)

func newDashboard(streams command.Streams) *cobra.Command {
	var (
		env     command.EnvironmentFlag
		screens screen.Flags
		live    bool
	)
	cmd := &cobra.Command{
		Use:   "dashboard",
		Short: "Show the project on screens that follow its files",
		Long: `Show APIs, functions, access, environments, tables and what a push would change, on screens that
follow the files and the running sandbox. They change nothing; the screens of 'gatewright' without a command do.

An environment in AWS is shown as this machine last saw it, and AWS is not asked. With --live, AWS is asked when the
environment is first shown and with ctrl+r; no file is written. --accessible prints the same as 'gatewright status'.`,
		Example: command.Examples("dashboard", "dashboard --env prod", "dashboard --env prod --live"),
		Args:    command.Arguments(),
		RunE: func(*cobra.Command, []string) error {
			if err := screens.Check(); err != nil {
				return err
			}
			if screens.Accessible {
				return ship.ShowStatus(streams, env)
			}
			if !screen.Available(streams) {
				return screen.NoTerminal(streams, "dashboard needs a terminal; for plain text run: gatewright status")
			}
			if _, _, err := project.Find(streams.Dir); err != nil {
				return err
			}
			if err := command.CheckName(streams, model.KindEnvironment, env.String()); err != nil {
				return err
			}
			return screens.Run(streams,
				app.Options{Dir: streams.Dir, Start: route.Dashboard{Environment: env.String()}, ReadOnly: true, Live: live})
		},
	}
	env.Add(cmd, streams, "the environment to show first (default: the chosen one)")
	cmd.Flags().BoolVar(&live, "live", false, "ask AWS about the environments in AWS")
	screens.Add(cmd, streams)
	return cmd
}
