package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"gatewright/model"
	"gatewright/project"
)

// verdict is what validate found.
type verdict struct {
	Valid    bool       `json:"valid"`
	Errors   int        `json:"errors"`
	Warnings int        `json:"warnings"`
	Notes    int        `json:"notes"`
	Problems []reported `json:"problems"`
}

func newValidate(streams Streams) *cobra.Command {
	var strict, asJSON bool
	cmd := &cobra.Command{
		Use:   "validate [FILE...]",
		Short: "Check the project, or single files",
		Long: "Check every file of the project by its schema and by the rules between them, or check the files given,\n" +
			"whatever project they belong to. - is standard input.",
		Example: "  gatewright validate --strict\n  gatewright validate amplify/backend/api/shop/cli-inputs.json client_config.json",
		RunE: func(_ *cobra.Command, files []string) error {
			problems, err := validate(streams, files)
			if err != nil {
				return err
			}
			return judge(problems, strict, asJSON, streams)
		},
	}
	cmd.Flags().BoolVar(&strict, "strict", false, "fail on warnings too")
	cmd.Flags().BoolVar(&asJSON, "json", false, "report as JSON")
	return cmd
}

func validate(streams Streams, files []string) ([]*project.Problem, error) {
	if len(files) == 0 {
		p, err := open(streams)
		if err != nil {
			return nil, err
		}
		defer func() { _ = p.Close() }()
		return p.Validate(), nil
	}
	var problems []*project.Problem
	for _, name := range files {
		shown, data, err := readInput(name, streams)
		var problem *project.Problem
		switch {
		case errors.As(err, &problem):
			problems = append(problems, problem)
		case err != nil:
			return nil, err
		default:
			problems = append(problems, project.ValidateFile(shown, data)...)
		}
	}
	return problems, nil
}

func judge(problems []*project.Problem, strict, asJSON bool, streams Streams) error {
	v := verdict{Problems: report(problems)}
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
		if err := printJSON(streams.Out, v); err != nil {
			return err
		}
	} else {
		for _, p := range problems {
			sayProblem(streams.Out, p)
		}
		word := "valid"
		if !v.Valid {
			word = "not valid"
		}
		say(streams.Out, "%s: %s, %s, %s", word, model.Count(v.Errors, "error"), model.Count(v.Warnings, "warning"), model.Count(v.Notes, "note"))
	}
	if !v.Valid {
		return ExitFailed
	}
	return nil
}
