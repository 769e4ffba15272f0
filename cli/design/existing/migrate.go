package existing

import (
	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/project/plan"
)

// NewMigrate makes the command migrate.
func NewMigrate(streams command.Streams) *cobra.Command {
	var write command.WriteFlags
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Convert older api-params.json files to cli-inputs.json",
		Long: `Write a cli-inputs.json for each API that only has an older api-params.json, remove the older
file, and show the diff.`,
		Example: command.Examples("migrate --dry-run", "migrate", "migrate --diff=false --json"),
		Args:    command.Arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := command.OpenProject(streams)
			if err != nil {
				return err
			}
			defer func() { _ = p.Close() }()
			planned, err := plan.Migrate(p)
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("diff") {
				write.Diff = !planned.Empty()
			}
			done := "every API has the newer format"
			if legacy := plan.Legacy(p); len(legacy) > 0 {
				done = "migrated " + phrase.QuoteList(legacy)
			}
			return write.Write(planned, done, nil, streams)
		},
	}
	write.Add(cmd)
	cmd.Flags().Lookup("diff").Usage = "show the unified diff of every file (always, unless --diff=false)"
	return cmd
}
