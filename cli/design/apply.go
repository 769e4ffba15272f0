package design

import (
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/model"
)

func newApply(streams command.Streams) *cobra.Command {
	var (
		write editFlags
		file  apiFlags
		name  string
	)
	cmd := &cobra.Command{
		Use:   "apply -f FILE",
		Short: "Make the project match a declared API",
		Long: "Make the project match an API that a cli-inputs.json (or an older api-params.json) declares. A missing API is added.\n" +
			"An existing one gets exactly the paths of the file; its other paths are removed and listed. Missing groups are added;\n" +
			"missing functions are created with --create-functions. No function is removed. A second run finds nothing to write.\n" +
			"--name names the API. Without it, the label is that of the folder if FILE is .../api/LABEL/cli-inputs.json, else that\n" +
			"of the project's only API.",
		Example: "  gatewright apply -f api/shop/cli-inputs.json --create-functions plain\n" +
			"  generate-api | gatewright apply -f - --name shop --dry-run --diff",
		Args: command.Arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if file.from == "" {
				return command.Misuse("apply needs -f FILE: a cli-inputs.json, or - for standard input")
			}
			if name == "" && cmd.Flags().Changed("name") {
				return command.Misuse("--name is empty; name the API")
			}
			api, problems, template, err := file.read(func() (string, error) { return declaredLabel(name, file.from, streams) }, streams)
			if err != nil {
				return err
			}
			return write.change(streams, func(e *edit) error {
				e.problems = problems
				if e.API(api.Label) != nil {
					return e.replaceAPI(api, template)
				}
				return e.addAPI(api, template)
			})
		},
	}
	cmd.Flags().StringVarP(&file.from, "file", "f", "", "the cli-inputs.json `FILE` that declares the API; - means standard input")
	_ = cmd.MarkFlagFilename("file", "json")
	addTemplate(cmd, &file.template, "create-functions", "create missing functions from this `TEMPLATE`: "+model.Either(model.Templates))
	cmd.Flags().StringVar(&name, "name", "", "the API's `LABEL`")
	_ = cmd.RegisterFlagCompletionFunc("name", command.CompleteValue(streams, model.KindAPI))
	write.Add(cmd)
	return cmd
}

// declaredLabel returns the label of the API that a file declares.
func declaredLabel(name, file string, streams command.Streams) (string, error) {
	if name != "" {
		return name, nil
	}
	if file != "-" {
		path := command.Absolute(file, streams)
		folder := filepath.Dir(path)
		known := []string{"cli-inputs.json", "api-params.json"}
		if slices.Contains(known, filepath.Base(path)) && filepath.Base(filepath.Dir(folder)) == "api" {
			return filepath.Base(folder), nil
		}
	}
	p, err := command.OpenProject(streams)
	if err != nil {
		return "", err
	}
	defer func() { _ = p.Close() }()
	switch apis := p.Backend.APIs; len(apis) {
	case 1:
		return apis[0].Label, nil
	case 0:
		return "", command.Misuse("apply needs --name LABEL: the project has no API yet, and the path of the file does not contain a label")
	default:
		labels := p.Backend.Names(model.KindAPI)
		return "", command.Misuse("apply needs --name LABEL: the project has several APIs, %s", model.QuoteList(labels))
	}
}
