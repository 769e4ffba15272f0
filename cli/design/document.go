package design

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cfn"
	"gatewright/cli/command"
	"gatewright/model"
	"gatewright/openapi"
	"gatewright/openapi/adopt"
	"gatewright/project"
)

// documentFlags are the flags for a document of OpenAPI or Swagger.
type documentFlags struct{ group string }

func (f *documentFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.group, "group-paths", string(adopt.FirstSegment), "which paths of a document of OpenAPI become one, as `HOW`: first-segment, or none, which makes one for each")
	_ = cmd.RegisterFlagCompletionFunc("group-paths", command.CompleteWords(command.Words(adopt.Groupings)...))
}

// check refuses a value that is no grouping.
func (f *documentFlags) check() error {
	if !slices.Contains(command.Words(adopt.Groupings), f.group) {
		return command.Misuse("--group-paths takes %s, not %s", model.Either(adopt.Groupings), model.Quote(f.group))
	}
	return nil
}

const documentHelp = "FILE may also be a document of OpenAPI 3.0 to 3.2 or Swagger 2.0, in JSON or YAML. Paths of the document with the same first\n" +
	"segment and the same security become one path with one function; --group-paths none makes one of each. Missing functions get\n" +
	"names from their paths and are made from the template plain, or from that of --create-functions; --function names one\n" +
	"that serves all paths, which an Amplify CLI project needs. What a document closes stays closed: what names a security\n" +
	"scheme is for signed-in users. What is lost is listed. The document is kept beside the API, as its contract."

// readDocument reads a document if a text seems to be one; nil if it does not.
func readDocument(name string, text []byte) (*openapi.Document, error) {
	if !openapi.Is(text) {
		return nil, nil
	}
	d, err := openapi.Read(name, text)
	var fault *cfn.SyntaxError
	if errors.As(err, &fault) {
		return nil, &project.Problem{File: name, Line: fault.Line, Column: fault.Column, Text: fault.Text}
	}
	return d, err
}

// adopt makes the API of a document, adds the functions that it needs, and keeps the document
// as its contract.
func (e *edit) adopt(d *declared, label string) (*model.API, error) {
	have := e.API(label)
	options := adopt.Options{Label: label, Grouping: adopt.Grouping(d.group), Function: d.function}
	if have != nil {
		options.Have = func(path string) string {
			if p := have.Path(path); p != nil {
				return p.Function
			}
			return ""
		}
	}
	if !e.AmplifyCLI {
		options.Taken = model.Among(e.Names(model.KindFunction))
	}
	adopted, err := adopt.Adopt(d.document, options)
	if err != nil {
		return nil, &project.Problem{File: d.document.Name, Text: err.Error()}
	}
	api := adopted.API
	if have != nil && api.BinaryMediaTypes == nil {
		api.BinaryMediaTypes = have.BinaryMediaTypes
	}
	if e.AmplifyCLI {
		api.BinaryMediaTypes = nil
		e.keepMediaTypes(api)
	}
	e.contractOf, e.contract = label, d.document.Contract()
	lost := losses(d.document.Name, adopted.Losses)
	e.document = &command.DocumentReport{Routes: routes(adopted), Lost: command.ReportProblems(lost), Shown: shownLosses(lost)}
	return api, e.addFunctionsOf(adopted, d.template)
}

// addFunctionsOf adds the functions that an API needs and the project does not have.
func (e *edit) addFunctionsOf(adopted *adopt.Adopted, template model.Template) error {
	var missing []string
	for _, name := range adopted.API.Functions() {
		if e.Function(name) == nil {
			missing = append(missing, name)
		}
	}
	switch {
	case len(missing) == 0:
		return nil
	case e.AmplifyCLI:
		return &project.Problem{
			Text: "the project has no function " + model.QuoteList(missing) + ", and functions of an Amplify CLI project are made by the Amplify CLI",
			Fix:  "name one that serves all paths with --function, or make them with: amplify add function",
		}
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
		e.note("added %s from the template %s: %s", model.Count(len(missing), "function"), template.Title(), model.QuoteList(missing))
	}
	return nil
}

// losses returns what a document loses as notes at its places.
func losses(name string, lost []adopt.Loss) []*project.Problem {
	notes := make([]*project.Problem, len(lost))
	for i, l := range lost {
		notes[i] = &project.Problem{
			File: name, Line: l.Line, Column: l.Column, Pointer: l.Pointer, Text: l.Text, Fix: l.Fix, Level: model.Note, Rule: string(l.Rule),
		}
	}
	return notes
}

// shownLosses returns the losses that a report for people has: of many of one rule the first,
// and how many more there are. They have no pointers, which repeat the path.
func shownLosses(lost []*project.Problem) []*project.Problem {
	// That methods go in pairs is the same each time.
	each := func(rule string) int {
		if rule == string(adopt.Pair) {
			return 1
		}
		return 3
	}
	count := make(map[string]int)
	for _, l := range lost {
		count[l.Rule]++
	}
	var shown []*project.Problem
	seen := make(map[string]int)
	for _, l := range lost {
		most := each(l.Rule)
		if seen[l.Rule]++; seen[l.Rule] > most {
			continue
		}
		one := *l
		one.Pointer = ""
		if more := count[l.Rule] - most; seen[l.Rule] == most && more > 0 {
			one.Fix = strings.TrimPrefix(one.Fix+"; ", "; ") + "and " + strconv.Itoa(more) + " more like this, which --json lists"
		}
		shown = append(shown, &one)
	}
	return shown
}

// routes lists the paths of an API that was made of a document.
func routes(adopted *adopt.Adopted) []command.RouteReport {
	list := make([]command.RouteReport, len(adopted.Paths))
	for i, p := range adopted.Paths {
		list[i] = command.RouteReport{Path: p.Name, Function: p.Function, Access: p.Access.String(), Items: p.Items, Operations: p.Operations}
	}
	return list
}
