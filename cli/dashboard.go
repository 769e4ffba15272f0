package cli

import (
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"gatewright/model"
	"gatewright/project"
	"gatewright/tui/app"
	"gatewright/tui/dashboard"
)

func newDashboard(streams Streams) *cobra.Command {
	var (
		env     environmentFlag
		screens screenFlags
	)
	cmd := &cobra.Command{
		Use:   "dashboard",
		Short: "Look at the project on screens that follow its files",
		Long: "Look at the APIs, the environments, what a push would change, and the client configuration file, on screens that\n" +
			"follow the files. Nothing is written. With --accessible it prints what gatewright status does.",
		Example: "  gatewright dashboard --env prod",
		Args:    arguments(),
		RunE: func(*cobra.Command, []string) error {
			if err := screens.check(); err != nil {
				return err
			}
			if screens.accessible {
				return showStatus(streams, env)
			}
			if !hasScreen(streams) {
				return misuse("dashboard needs a terminal; gatewright status says the same in plain text")
			}
			if _, _, err := project.Find(streams.Dir); err != nil {
				return err
			}
			if name := env.String(); name != "" {
				if err := look(streams).Known(model.Ref{Kind: model.KindEnvironment, Name: name}); err != nil {
					return err
				}
			}
			// The screens take signals themselves: they have a terminal to put in order.
			signal.Reset(os.Interrupt)
			return app.Run(app.Options{
				Dir: streams.Dir, In: streams.In, Out: streams.Out, Environ: os.Environ(), Theme: screens.theme,
				Start: dashboard.Route{Environment: env.String()},
			})
		},
	}
	env.add(cmd, streams, "the environment that it begins with (default: the chosen one)")
	screens.add(cmd)
	return cmd
}
