package design

import (
	"slices"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/flow/document"
	"gatewright/internal/openapi/adopt"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// documentFlags are the flags for a document of OpenAPI or Swagger.
type documentFlags struct{ group string }

func (f *documentFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.group, "group-paths", string(adopt.FirstSegment),
		"`HOW` to group an OpenAPI document's paths: first-segment, or none")
	_ = cmd.RegisterFlagCompletionFunc("group-paths", command.CompleteWords(command.Words(adopt.Groupings)...))
}

// check refuses a value that is no grouping.
func (f *documentFlags) check() error {
	if !slices.Contains(command.Words(adopt.Groupings), f.group) {
		return command.Misuse("--group-paths takes %s, not %s", phrase.Either(adopt.Groupings), phrase.Quote(f.group))
	}
	return nil
}

const documentHelp = `An OpenAPI document has version 3.0 to 3.2, or is Swagger 2.0, in JSON or YAML. Its paths with the
same first segment and the same security become one path with one function; --group-paths none
makes one path of each. Missing functions get names from their paths, and source from the template
plain or that of --create-functions. --function names one function for all paths, which an Amplify
CLI project needs. What the document closes stays closed: a security scheme means signed-in users.
What is lost is listed. The document becomes the contract of the API.`

// adopt makes the API of a document, adds the functions that it needs, and keeps the document
// as its contract.
func (e *editing) adopt(d *declared, label string) (*access.API, error) {
	adopted, err := document.Adopt(e.Backend, d.document,
		adopt.Options{Label: label, Grouping: adopt.Grouping(d.group), Function: d.function})
	if err != nil {
		return nil, err
	}
	api := adopted.API
	e.contractOf, e.contract = label, d.document.Contract()
	lost := document.Losses(d.document.Name, adopted.Losses)
	e.document = &command.DocumentReport{
		Routes: routes(adopted), Lost: command.ReportProblems(lost),
		Shown: document.ShownLosses(lost),
	}
	return api, e.addFunctionsOf(adopted, d.template)
}

// addFunctionsOf adds the functions that an API needs and the project does not have.
func (e *editing) addFunctionsOf(adopted *adopt.Adopted, template model.Template) error {
	missing := document.Missing(e.Backend, adopted.API)
	switch {
	case len(missing) == 0:
		return nil
	case !e.Defines(model.KindFunction):
		return document.NoFunctions(missing)
	case template == "":
		template = model.Plain
	}
	notes := e.notes
	for _, name := range missing {
		if err := e.addMissingFunction(name, template); err != nil {
			return err
		}
	}
	const few = 3
	if len(missing) > few {
		e.notes = notes
		e.note("added %s from the template %s: %s", phrase.Count(len(missing), "function"), template.Title(),
			phrase.QuoteList(missing))
	}
	return nil
}

// routes lists the paths of an API that was made of a document.
func routes(adopted *adopt.Adopted) []command.RouteReport {
	list := make([]command.RouteReport, len(adopted.Paths))
	for i, p := range adopted.Paths {
		list[i] = command.RouteReport{
			Path: p.Name, Function: p.Function, Access: p.Access.String(), Items: p.Items,
			Operations: p.Operations,
		}
	}
	return list
}
