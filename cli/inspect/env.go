package inspect

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project"
)

// NewEnv makes the command env and those below it.
func NewEnv(streams command.Streams) *cobra.Command {
	return command.Group(&cobra.Command{Use: "env", Short: "Show environments, and choose one"},
		newEnvList(streams), newEnvShow(streams), newEnvUse(streams), newEnvDiff(streams))
}

func newEnvList(streams command.Streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the environments; * marks the chosen one",
		Example: command.Examples("env list", "env list --json", "env list --json | jq -r '.[].name'"),
		Args:    command.Arguments(),
		RunE: func(*cobra.Command, []string) error {
			return command.WithProject(streams, func(p *project.Project) error {
				list := []environment{}
				for _, e := range p.Backend.Environments {
					described, err := describe(streams, p, e)
					if err != nil {
						return err
					}
					list = append(list, described.public())
				}
				return command.Print(streams.Out, asJSON, list,
					func(width int) string { return listEnvironments(p.Backend, list, width) })
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "report as JSON")
	return cmd
}

func listEnvironments(in *model.Backend, list []environment, width int) string {
	if len(list) == 0 {
		return "the project has no environment; add one with: " + in.Adding(model.KindEnvironment) + "\n"
	}
	rows := [][]string{{"  Name", "Provider", "Region", "Branch", "Guarded", "APIs", "Last pushed"}}
	for _, e := range list {
		mark := "  "
		if e.Current {
			mark = "* "
		}
		apis := "all"
		switch {
		case len(e.APIs) == 0:
			apis = "none"
		case !e.AllAPIs:
			apis = phrase.QuoteList(e.APIs)
		}
		rows = append(rows, []string{
			mark + phrase.Quote(e.Name), string(e.Provider), phrase.Quote(e.Region), phrase.Quote(e.Branch),
			prose.YesNo(e.Guarded),
			apis, e.pushed(),
		})
	}
	var b strings.Builder
	command.WriteTable(&b, "", width, rows)
	return b.String()
}

func newEnvShow(streams command.Streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show [NAME]",
		Short: "Show everything about an environment",
		Long: `Show everything about an environment: where it is deployed, its APIs, parameters, variables and
overrides, and its endpoints.`,
		Example:           command.Examples("env show", "env show prod", "env show prod --json"),
		Args:              command.Optional("a NAME"),
		ValidArgsFunction: command.CompleteNames(streams, model.KindEnvironment),
		RunE: func(_ *cobra.Command, args []string) error {
			return command.WithProject(streams, func(p *project.Project) error {
				e, err := shownEnvironment(p, args)
				if err != nil {
					return err
				}
				described, err := describe(streams, p, e)
				if err != nil {
					return err
				}
				return command.Print(streams.Out, asJSON, described.public(), described.text)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "report as JSON")
	return cmd
}

// shownEnvironment returns the environment that is named, else the chosen one, else the only
// one.
func shownEnvironment(p *project.Project, args []string) (*model.Environment, error) {
	if len(args) > 0 {
		return command.NamedEnvironment(p.Backend, args[0])
	}
	env, err := p.Environment("")
	if errors.Is(err, project.ErrNotChosen) {
		return nil, command.Misuse("%s; show one with: gatewright env show NAME; there is %s", err,
			command.EnvironmentNames(p))
	}
	return env, err
}
