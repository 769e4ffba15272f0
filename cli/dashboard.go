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
	)
	cmd := &cobra.Command{
		Use:   "dashboard",
		Short: "Show the project on screens that follow its files",
		Long: "Show the APIs, the functions, the access, the environments, the tables, the client configuration file, the\n" +
			"definitions and what a push would change, on screens that follow the files and the running sandbox. Nothing can be\n" +
			"changed; on the screens of gatewright without a command it can. --accessible prints the same as gatewright status.",
		Example: "  gatewright dashboard --env prod",
		Args:    command.Arguments(),
		RunE: func(*cobra.Command, []string) error {
			if err := screens.Check(); err != nil {
				return err
			}
			if screens.Accessible {
				return ship.ShowStatus(streams, env)
			}
			if !screen.Available(streams) {
				return command.Misuse("dashboard needs a terminal; gatewright status prints the same as plain text")
			}
			if _, _, err := project.Find(streams.Dir); err != nil {
				return err
			}
			if err := command.CheckName(streams, model.KindEnvironment, env.String()); err != nil {
				return err
			}
			return screens.Run(streams, app.Options{Dir: streams.Dir, Start: route.Dashboard{Environment: env.String()}, ReadOnly: true})
		},
	}
	env.Add(cmd, streams, "the environment to show first (default: the chosen one)")
	screens.Add(cmd)
	return cmd
}
