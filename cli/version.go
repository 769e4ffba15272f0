package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
)

// Version is the program's version. The build of a release sets it.
var Version = "0.1.0-dev"

// versions is the report of the command version.
type versions struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func newVersion() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Show the version of gatewright",
		Example: "  gatewright version --json",
		Args:    command.Arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := versions{Version: Version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
			if info, ok := debug.ReadBuildInfo(); ok {
				for _, s := range info.Settings {
					if s.Key == "vcs.revision" {
						v.Revision = s.Value
					}
				}
			}
			return command.Print(cmd.OutOrStdout(), asJSON, v, func(int) string {
				return fmt.Sprintf("gatewright %s (%s, %s)\n", v.Version, v.Go, v.Platform)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "report as JSON")
	return cmd
}
