package inspect

import (
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/cloud"
	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
)

// environmentDiff is what `env diff` reports.
type environmentDiff struct {
	A    string `json:"a"`
	B    string `json:"b"`
	Same bool   `json:"same"`
	// Facts are the facts that differ, or all of them with --all.
	Facts []factDiff `json:"facts"`
	// Deployed is what differs in what their last pushes made; absent for a project that the
	// Amplify CLI deploys.
	Deployed *deployedDiff `json:"deployed,omitempty"`
}

// factDiff is a fact of two environments; nil if an environment does not have it.
type factDiff struct {
	Name   string  `json:"name"`
	A      *string `json:"a"`
	B      *string `json:"b"`
	Differ bool    `json:"differ"`
}

func newEnvDiff(streams command.Streams) *cobra.Command {
	var asJSON, exitCode, all bool
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Show two environments side by side",
		Long: `Show what differs between two environments, side by side: settings and endpoints, then what is
deployed in only one of them, and who may do what.

The settings are provider, region, account, branch, APIs, parameters, variables and overrides. What is deployed are
functions with their sources, tables and users. AWS is asked about an environment in AWS; if it cannot be asked,
what this machine last saw counts, and a note says so.`,
		Example: command.Examples("env diff dev prod", "env diff dev prod --all",
			"env diff dev prod --exit-code --json"),
		Args:              command.Arguments("an environment A", "another one, B"),
		ValidArgsFunction: command.CompleteNames(streams, model.KindEnvironment, model.KindEnvironment),
		RunE: func(_ *cobra.Command, args []string) error {
			return command.WithProject(streams, func(p *project.Project) error {
				cloud.Refresh(streams, p, p.Backend.Environment(args[0]), p.Backend.Environment(args[1]))
				diff, err := compareEnvironments(streams, p, args[0], args[1], all)
				if err != nil {
					return err
				}
				err = command.Print(streams.Out, asJSON, diff, diff.text)
				if err == nil && exitCode && !diff.Same {
					return command.ExitDiffers
				}
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "also show what is the same")
	cmd.Flags().BoolVar(&exitCode, "exit-code", false, "exit with 3 if they differ")
	cmd.Flags().BoolVar(&asJSON, "json", false, "report as JSON")
	return cmd
}

func compareEnvironments(
	streams command.Streams, p *project.Project, nameA, nameB string, all bool,
) (environmentDiff, error) {
	diff := environmentDiff{A: nameA, B: nameB, Same: true, Facts: []factDiff{}}
	var facts, endpoints [2][]project.Fact
	for i, name := range []string{nameA, nameB} {
		e, err := command.NamedEnvironment(p.Backend, name)
		if err != nil {
			return diff, err
		}
		described, err := describe(streams, p, e)
		if err != nil {
			return diff, err
		}
		facts[i], endpoints[i] = described.facts, described.addresses
	}
	for _, shared := range append(project.ShareFacts(facts[:]...), project.ShareFacts(endpoints[:]...)...) {
		f := factDiff{Name: shared.Name, A: shownIn(shared.Values[0]), B: shownIn(shared.Values[1]), Differ: shared.Differs()}
		diff.Same = diff.Same && !f.Differ
		if all || f.Differ {
			diff.Facts = append(diff.Facts, f)
		}
	}
	var err error
	if diff.Deployed, err = compareDeployed(streams, p, nameA, nameB); err != nil {
		return diff, err
	}
	diff.Same = diff.Same && diff.Deployed.same()
	return diff, nil
}

// shownIn returns the shown value of a fact; nil for no fact.
func shownIn(f *project.Fact) *string {
	if f == nil {
		return nil
	}
	return &f.Shown
}

// text returns the environments side by side, at most width cells wide; 0 means no limit.
func (d environmentDiff) text(width int) string {
	deployed := d.Deployed.text(width)
	if len(d.Facts) == 0 && deployed != "" {
		return deployed
	}
	if len(d.Facts) == 0 {
		return "no difference between " + phrase.Quote(d.A) + " and " + phrase.Quote(d.B) + "\n"
	}
	var b strings.Builder
	rows := [][]string{{"", phrase.Quote(d.A), phrase.Quote(d.B)}}
	for _, f := range d.Facts {
		rows = append(rows, []string{f.Name, factText(f.A), factText(f.B)})
	}
	command.WriteSideBySide(&b, width, rows)
	return b.String() + deployed
}

func factText(value *string) string {
	if value == nil {
		return "-"
	}
	return plainValue(*value)
}
