package design

import (
	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/model"
	"gatewright/project"
)

func newUpdateProject(streams command.Streams) *cobra.Command {
	var (
		write                     editFlags
		name, id, region, dialect string
		port                      command.Number
	)
	cmd := &cobra.Command{
		Use:   "project",
		Short: "Change the project's name, application id, default region, dialect or sandbox port",
		Long: "Change what the project as a whole says: a flag that is given replaces the value, and what no flag names stays.\n" +
			"Another dialect brings the client configuration file into its words and under its name. Another application id\n" +
			"gives each environment another stack and other endpoints, from its next push on.",
		Example: "  gatewright update project --region eu-west-1 --dialect amplify\n  gatewright update project --app-id d1life --sandbox-port 4300",
		Args:    command.Arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !anyGiven(cmd, "name", "app-id", "region", "dialect", "sandbox-port") {
				return nothingGiven(cmd)
			}
			return write.change(streams, func(e *editing) error {
				e.said("updated", model.Ref{Kind: model.KindProject})
				p := e.Project
				given := cmd.Flags().Changed
				if given("name") {
					p.Name = name
				}
				if given("app-id") {
					p.ApplicationID = id
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
				e.noteApplicationID(p.ApplicationID)
				return e.SetProject(p)
			})
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "the project's `NAME`")
	cmd.Flags().StringVar(&id, "app-id", "", "the application `ID`, which stacks and endpoints are named from")
	cmd.Flags().StringVar(&region, "region", "", "the default `REGION` of its environments")
	cmd.Flags().StringVar(&dialect, "dialect", "", "the `WORDS` of the client configuration file: neutral or amplify")
	cmd.Flags().Var(&port, "sandbox-port", "the `PORT` of the sandbox (default 4280)")
	_ = cmd.RegisterFlagCompletionFunc("dialect", command.CompleteWords(command.Words(model.Dialects)...))
	write.Add(cmd)
	return cmd
}

// noteApplicationID says which deployments are found under the application id
// that the project had, and not under its next one.
func (e *editing) noteApplicationID(next string) {
	was := e.from.Backend.Project.ApplicationID
	if was == next || e.from.Layout != project.Native {
		return
	}
	var pushed []string
	for _, env := range e.Environments {
		// One that cannot be read is found under no id.
		if record, err := project.ReadRecord(e.from.Root, env.Name); err == nil && record.ApplicationID != next {
			pushed = append(pushed, env.Name)
		}
	}
	if len(pushed) > 0 {
		e.note("what was pushed as application %s is not found as %s, and gets other endpoints; push again: %s",
			model.Quote(was), model.Quote(next), model.QuoteList(pushed))
	}
}
