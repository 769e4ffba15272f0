package inspect

import (
	"errors"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/project/read"
	"gatewright/project/validate"
)

// verdict is the report of validate.
type verdict struct {
	Valid    bool                    `json:"valid"`
	Errors   int                     `json:"errors"`
	Warnings int                     `json:"warnings"`
	Notes    int                     `json:"notes"`
	Problems []command.ProblemReport `json:"problems"`
}

// NewValidate makes the command validate.
func NewValidate(streams command.Streams) *cobra.Command {
	var (
		strict, verbose, asJSON bool
		cloud                   string
		env                     command.EnvironmentFlag
	)
	cmd := &cobra.Command{
		Use:   "validate [FILE...]",
		Short: "Check the project, or single files",
		Long: `Check every file of the project by its schema and by the rules between files. With FILE, check
single files, of any project; - is standard input.

Warnings of one rule about several paths of an API are one line with their number; -v prints each, and --json
reports each.

--for aws also checks what AWS accepts of the environments that it deploys, or of the one that --env names: names,
limits, regions, runtimes, and requests that AWS policies refuse although the project allows them. It needs no
network.`,
		Example: command.Examples("validate", "validate --strict", "validate --for aws --env prod",
			"validate amplify/backend/api/shop/cli-inputs.json client_config.json"),
		RunE: func(cmd *cobra.Command, files []string) error {
			if cloud == "" && cmd.Flags().Changed("for") {
				return command.Misuse("--for is empty; give --for aws")
			}
			if err := checkFor(cloud, env.String(), files); err != nil {
				return err
			}
			problems, err := validateFiles(streams, files, cloud != "", env.String())
			if err != nil {
				return err
			}
			return judge(problems, strict, verbose, asJSON, streams)
		},
	}
	cmd.Flags().BoolVar(&strict, "strict", false, "also fail on warnings")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "print each warning, even of the same rule")
	cmd.Flags().BoolVar(&asJSON, "json", false, "report as JSON")
	cmd.Flags().StringVar(&cloud, "for", "", "also check what a `CLOUD` accepts: aws")
	env.Add(cmd, streams, "the environment for --for (default: all in AWS)")
	_ = cmd.RegisterFlagCompletionFunc("for", cobra.FixedCompletions([]string{forAWS}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// checkFor checks the flags about a cloud.
func checkFor(cloud, env string, files []string) error {
	switch {
	case cloud != "" && cloud != forAWS:
		return command.Misuse("--for takes aws, not %s", phrase.Quote(cloud))
	case cloud != "" && len(files) > 0:
		return command.Misuse("--for %s checks the whole project; leave the files out", cloud)
	case cloud == "" && env != "":
		return command.Misuse("--env needs --for aws")
	}
	return nil
}

func validateFiles(streams command.Streams, files []string, cloud bool, env string) ([]*read.Problem, error) {
	if len(files) == 0 {
		var problems []*read.Problem
		err := command.ReadProject(streams, func(p *project.Project, root string) error {
			p.Root = root
			if journal.Unfinished(p.FS) {
				problems = append(problems, &read.Problem{
					File: journal.Folder + "/journal",
					Text: "a write of several files was interrupted, so some may be old and some new",
					Fix:  "finish or undo it with: gatewright status",
				})
			}
			problems = append(problems, validate.Project(p)...)
			if !cloud {
				return nil
			}
			more, err := cloudProblems(p, env, problems, streams)
			problems = append(problems, more...)
			return err
		})
		return problems, err
	}
	var problems []*read.Problem
	for _, name := range files {
		shown, data, err := command.ReadInput(name, streams)
		var problem *read.Problem
		switch {
		case errors.As(err, &problem):
			problems = append(problems, problem)
		case err != nil:
			return nil, err
		default:
			problems = append(problems, validate.File(shown, data)...)
		}
	}
	return problems, nil
}

func judge(problems []*read.Problem, strict, verbose, asJSON bool, streams command.Streams) error {
	v := verdict{Problems: command.ReportProblems(problems)}
	for _, p := range problems {
		switch p.Level {
		case model.Error:
			v.Errors++
		case model.Warning:
			v.Warnings++
		case model.Note:
			v.Notes++
		}
	}
	v.Valid = v.Errors == 0 && (!strict || v.Warnings == 0)
	if asJSON {
		if err := command.PrintJSON(streams.Out, v); err != nil {
			return err
		}
	} else {
		printProblems(problems, verbose, streams)
		word := "valid"
		if !v.Valid {
			word = "not valid"
		}
		command.Say(streams.Out, "%s: %s, %s, %s", word, phrase.Count(v.Errors, "error"), phrase.Count(v.Warnings, "warning"),
			phrase.Count(v.Notes, "note"))
	}
	if !v.Valid {
		return command.ExitFailed
	}
	return nil
}
