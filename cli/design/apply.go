package design

import (
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/internal/openapi"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// NewApply makes the command apply.
func NewApply(streams command.Streams) *cobra.Command {
	var (
		write    editFlags
		file     apiFlags
		name     string
		function string
	)
	cmd := &cobra.Command{
		Use:   "apply -f FILE",
		Short: "Make the project match a declared API",
		Long: "Make the project match an API that a cli-inputs.json (or an older api-params.json) declares. A missing API " +
			"is added.\n" +
			"An existing one gets exactly the paths and binary media types of the file; its other paths are removed and " +
			"listed.\n" +
			"Missing groups are added; missing functions are created with --create-functions. No function is removed. A " +
			"second run\n" +
			"finds nothing to write.\n" +
			"--name names the API. Without it, the label is that of the folder if FILE is .../api/LABEL/cli-inputs.json, else " +
			"that\n" +
			"of the project's only API. For a document of OpenAPI it is that in x-gatewright-api, else that of the only API; " +
			"if the\n" +
			"project has none, it is made of the title.\n" +
			documentHelp,
		Example: "  gatewright apply -f api/shop/cli-inputs.json --create-functions plain\n" +
			"  gatewright apply -f openapi.yaml --dry-run\n" +
			"  generate-api | gatewright apply -f - --name shop --dry-run --diff",
		Args: command.Arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if file.from == "" {
				return command.Misuse("apply needs -f FILE: a cli-inputs.json, a document of OpenAPI, or - for standard input")
			}
			if name == "" && cmd.Flags().Changed("name") {
				return command.Misuse("--name is empty; name the API")
			}
			d, err := file.read(func(d *openapi.Document) (string, error) { return declaredLabel(name, file.from, d, streams) },
				function, streams)
			if err != nil {
				return err
			}
			return write.change(streams, func(e *editing) error {
				api, err := d.in(e)
				if err != nil {
					return err
				}
				e.keepMediaTypes(api)
				if e.API(api.Label) != nil {
					return e.replaceAPI(api, d.template)
				}
				return e.addAPI(api, d.template)
			})
		},
	}
	cmd.Flags().StringVarP(&file.from, "file", "f", "",
		"the `FILE` that declares the API: a cli-inputs.json, or a document of OpenAPI; - means standard input")
	_ = cmd.MarkFlagFilename("file", "json", "yaml", "yml")
	file.documentFlags.add(cmd)
	cmd.Flags().StringVar(&function, "function", "",
		"the handler function `FN` that serves all paths of a document of OpenAPI")
	_ = cmd.RegisterFlagCompletionFunc("function", command.CompleteValue(streams, model.KindFunction))
	addTemplate(cmd, &file.template, "create-functions",
		"create missing functions from this `TEMPLATE`: "+phrase.Either(model.Templates))
	cmd.Flags().StringVar(&name, "name", "", "the API's `LABEL`")
	_ = cmd.RegisterFlagCompletionFunc("name", command.CompleteValue(streams, model.KindAPI))
	write.Add(cmd)
	return cmd
}

// declaredLabel returns the label of the API that a file declares; document is nil if that is
// a cli-inputs.json.
func declaredLabel(name, file string, document *openapi.Document, streams command.Streams) (string, error) {
	if name != "" {
		return name, nil
	}
	if document != nil && document.Label != "" {
		return document.Label, nil
	}
	if file != "-" {
		path := command.Absolute(file, streams)
		folder := filepath.Dir(path)
		known := []string{"cli-inputs.json", "api-params.json", "openapi.json"}
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
		if document != nil {
			return model.SuggestName(document.Title, "api"), nil
		}
		return "", command.Misuse("apply needs --name LABEL: the project has no API yet, and the path of the file does not " +
			"contain a label")
	default:
		labels := p.Backend.Names(model.KindAPI)
		return "", command.Misuse("apply needs --name LABEL: the project has several APIs, %s", phrase.QuoteList(labels))
	}
}
