package design

import (
	"strings"

	"github.com/spf13/cobra"

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
		"the media types whose bodies are bytes, as `TYPES` such as image/png,application/pdf or */*; '' removes them")
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
