package cli

import (
	"github.com/spf13/cobra"

	"gatewright/model"
)

func newUpdateProject(streams Streams) *cobra.Command {
	var (
		write                 writeFlags
		name, region, dialect string
		port                  number
	)
	cmd := &cobra.Command{
		Use:   "project",
		Short: "Change the project's name, default region, dialect or sandbox port",
		Long: "Change what the project as a whole says: a flag that is given replaces the value, and what no flag names stays.\n" +
			"Another dialect brings the client configuration file into its words and under its name.",
		Example: "  gatewright update project --region eu-west-1 --dialect amplify\n  gatewright update project --sandbox-port 4300",
		Args:    arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !anyGiven(cmd, []string{"name", "region", "dialect", "sandbox-port"}) {
				return nothingGiven(cmd)
			}
			return write.change(streams, func(e *editing) error {
				e.said("updated", model.Ref{Kind: model.KindProject})
				p := e.Project
				given := cmd.Flags().Changed
				if given("name") {
					p.Name = name
				}
				if given("region") {
					p.Region = region
				}
				if given("dialect") {
					p.Dialect = model.Dialect(dialect)
				}
				if given("sandbox-port") {
					p.SandboxPort = int(port)
				}
				return e.SetProject(p)
			})
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "the project's name")
	cmd.Flags().StringVar(&region, "region", "", "the default region of its environments")
	cmd.Flags().StringVar(&dialect, "dialect", "", "the words of the client configuration file: neutral or amplify")
	cmd.Flags().Var(&port, "sandbox-port", "the `PORT` of the sandbox (default 4280)")
	_ = cmd.RegisterFlagCompletionFunc("dialect", completeWords(dialectWords()...))
	write.add(cmd)
	return cmd
}
