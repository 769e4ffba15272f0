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
		Long: "Make the project match an API that a cli-inputs.json (or an older api-params.json) declares: an API that is missing\n" +
			"is added, one that is there gets exactly those paths, and paths that the file does not have are removed, and named.\n" +
			"Groups that it names and the project lacks are added; functions are made with --create-functions, and none is removed.\n" +
			"A second run finds nothing to write.\n" +
			"The API is the one that --name says, else that of the folder when FILE is .../api/LABEL/cli-inputs.json, else the\n" +
			"project's only one.",
		Example: "  gatewright apply -f api/shop/cli-inputs.json --create-functions plain\n" +
			"  generate-api | gatewright apply -f - --name shop --dry-run --diff",
		Args: command.Arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if file.from == "" {
				return command.Misuse("apply needs -f FILE, a cli-inputs.json, or - for standard input")
			}
			if name == "" && cmd.Flags().Changed("name") {
				return command.Misuse("--name is empty; name the API")
			}
			api, problems, template, err := file.read(func() (string, error) { return declaredLabel(name, file.from, streams) }, streams)
			if err != nil {
				return err
			}
			return write.change(streams, func(e *editing) error {
				e.problems = problems
				if e.API(api.Label) != nil {
					return e.replaceAPI(api, template)
				}
				return e.addAPI(api, template)
			})
		},
	}
	cmd.Flags().StringVarP(&file.from, "file", "f", "", "the `FILE` that declares the API, a cli-inputs.json; - is standard input")
	_ = cmd.MarkFlagFilename("file", "json")
	addTemplate(cmd, &file.template, "create-functions", "make functions that are missing, from this `TEMPLATE`: express, crud or plain")
	cmd.Flags().StringVar(&name, "name", "", "the API's `LABEL`")
	_ = cmd.RegisterFlagCompletionFunc("name", command.CompleteValue(streams, model.KindAPI))
	write.Add(cmd)
	return cmd
}

// declaredLabel is the label of the API that a file declares.
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
		return "", command.Misuse("apply needs --name LABEL: the project has no API yet, and the name of the file does not say one")
	default:
		labels := p.Backend.Names(model.KindAPI)
		return "", command.Misuse("apply needs --name LABEL: the project has several APIs, %s", model.QuoteList(labels))
	}
}
