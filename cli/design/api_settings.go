package design

import (
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/flow/resource"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/diff"
	"gatewright/model/edit"
)

// mediaTypesFlag is the flag for the binary media types of an API.
const mediaTypesFlag = "binary-media-types"

// mediaTypes are the values of the flag for binary media types.
type mediaTypes []string

func (m *mediaTypes) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar((*[]string)(m), mediaTypesFlag, nil,
		"the media `TYPES` whose bodies are bytes, such as image/png,application/pdf or */*; '' "+
			"removes them")
	_ = cmd.RegisterFlagCompletionFunc(mediaTypesFlag, cobra.NoFileCompletions)
}

// list are the types in all values.
func (m mediaTypes) list() []string { return model.SplitList(strings.Join(m, ",")) }

// keepMediaTypes gives an API that a file declares the binary media types that it has, in a
// project of the Amplify CLI, where no cli-inputs.json has them.
func (e *editing) keepMediaTypes(api *access.API) {
	if have := e.API(api.Label); !e.HasMediaTypes() && have != nil {
		api.BinaryMediaTypes = have.BinaryMediaTypes
	}
}

// corsFlags are the flags of the settings of an API.
func corsFlags(streams command.Streams) []fieldFlag {
	return []fieldFlag{
		{
			"origins", "the `ORIGIN` of pages that may call, such as https://app.example; can be repeated; '' is " +
				"every origin", nil,
		},
		{
			"environments", "an environment's own origins: `ENV=ORIGINS`, separated by commas; can be repeated; ENV= " +
				"removes them", command.CompleteValue(streams, model.KindEnvironment),
		},
		{
			"methods", "a `METHOD` that pages may send (default: all); can be repeated; '' is all",
			command.CompleteWords(access.Methods...),
		},
		{"headers", "another `HEADER` that pages may send; can be repeated; '' removes them", nil},
		{
			"exposedHeaders", "a `HEADER` that pages may read; in API Gateway's own responses; can be repeated; '' removes " +
				"them", nil,
		},
		{"credentials", "let pages send cookies; only from origins that are named", nil},
		{"maxAge", "how many `SECONDS` a browser caches this: 1 to 86400 (default 5)", nil},
		{"handler", "let functions handle OPTIONS; unsigned, instead of API Gateway", nil},
	}
}

// setCORS gives an API the settings of the flags.
func (e *editing) setCORS(cmd *cobra.Command, label string) error {
	e.describe("updated", model.Ref{Kind: model.KindAPI, Name: label})
	var next access.CORS
	have := e.API(label)
	if have != nil {
		next = model.Copied(have.CORS)
	}
	for _, row := range next.Fields() {
		if err := checkValues(cmd, row.Flag); err != nil {
			return err
		}
	}
	if err := setFields(cmd, &next); err != nil {
		return err
	}
	for _, in := range next.Environments {
		if len(in.Origins) == 0 {
			resource.EntriesOf(&next.Environments).Remove(in.Environment)
		}
	}
	if err := edit.SetCORS(e.Backend, label, next); err != nil {
		return err
	}
	if changes := diff.CORSChanges(e.project.Backend.API(label), e.API(label)); changes != nil {
		e.done += ": " + strings.Join(changes, ", ")
	}
	return nil
}

// setMediaTypes replaces the binary media types of an API.
func (e *editing) setMediaTypes(label string, types []string) error {
	of := model.Ref{Kind: model.KindAPI, Name: label}
	if err := edit.SetBinaryMediaTypes(e.Backend, label, types); err != nil {
		return err
	}
	now := e.API(label)
	e.done, e.already = "updated "+of.String()+": it "+diff.BinaryMediaTypeChange(e.project.Backend.API(label), now),
		of.String()+" has "+now.BinaryWords()
	return nil
}
