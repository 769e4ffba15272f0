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
		Short: "Make an API in the project match a file",
		Long: `Make an API match a file: a cli-inputs.json (or an older api-params.json), or an OpenAPI document.
A missing API is added. An existing API gets exactly the paths of the file. A second run finds nothing to write.

An existing API also gets exactly the binary media types of the file. Its other paths are removed and listed.
Missing groups are added; --create-functions creates missing functions. No function is removed.

--name names the API. Without it, the label is the folder's if FILE is .../api/LABEL/cli-inputs.json, and otherwise
the label of the project's only API. An OpenAPI document may have the label in x-gatewright-api; if the project has
no API, the label is made from the title.

` + documentHelp,
		Example: command.Examples("apply -f openapi.yaml --dry-run",
			"apply -f api/shop/cli-inputs.json --create-functions plain",
			"generate-api | gatewright apply -f - --name shop --dry-run --diff"),
		Args: command.Arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if file.from == "" {
				return command.Misuse("apply needs -f FILE: an OpenAPI document, a cli-inputs.json, or - for standard input")
			}
			if name == "" && cmd.Flags().Changed("name") {
				return command.Misuse("--name is empty; give --name LABEL")
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
		"the `FILE` to match: OpenAPI, or a cli-inputs.json; - is standard input")
	_ = cmd.MarkFlagFilename("file", "json", "yaml", "yml")
	file.documentFlags.add(cmd)
	cmd.Flags().StringVar(&function, "function", "", "the function `FN` for all paths; of an OpenAPI document")
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
		return "", command.Misuse("apply needs --name LABEL: the project has no API yet, and the file's path names none")
	default:
		labels := p.Backend.Names(model.KindAPI)
		return "", command.Misuse("apply needs --name LABEL: the project has several APIs, %s", phrase.QuoteList(labels))
	}
}
