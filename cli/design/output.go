package design

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/edit"
)

// outputFlags are the flags for the values of an output.
type outputFlags struct {
	from string
	sets []string
}

func (f *outputFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.from, "from", "", "a `FILE` with a JSON object of sections; - is standard input")
	_ = cmd.MarkFlagFilename("from", "json")
	cmd.Flags().StringArrayVar(&f.sets, "set", nil,
		"a value, as `PATH=VALUE`, such as storage.bucket_name=uploads; can be repeated")
	_ = cmd.RegisterFlagCompletionFunc("set", completePlaces)
}

const outputHelp = `PATH is a list of names with dots (custom.limits.pages) or a JSON pointer (/custom/a.b). VALUE is
JSON, or text. Fields have their neutral names, or the names that Amplify libraries read, which are
translated.`

func newAddOutput(streams command.Streams) *cobra.Command {
	var (
		write editFlags
		flags outputFlags
	)
	cmd := &cobra.Command{
		Use:   "output [NAME] (--from FILE | --set PATH=VALUE...)",
		Short: "Add values to the client configuration file",
		Long: `Add values to the client configuration file, in any of its sections or in custom. The method
addOutput does the same. Without NAME, the output is named after its first section.

` + outputHelp,
		Example: command.Examples("add output --set custom.supportMail=help@example.com",
			"add output uploads --set storage.bucket_name=shop-uploads", "add output maps --from geo.json"),
		Args: command.Optional("a NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !anyGiven(cmd, "from", "set") {
				return command.Misuse("add output needs --from FILE or --set PATH=VALUE; see: %s --help", cmd.CommandPath())
			}
			from, sets, err := flags.read(streams)
			if err != nil {
				return err
			}
			return write.change(streams, func(e *editing) error {
				values := model.Outputs{}
				if from != nil {
					values = from.values
				}
				if err := putAll(values, sets); err != nil {
					return err
				}
				e.noteKey(values)
				if len(args) == 1 {
					e.describe("added", model.Ref{Kind: model.KindOutput, Name: args[0]})
					return from.locate(edit.AddNamedOutput(e.Backend, args[0], values))
				}
				if err := edit.AddOutput(e.Backend, values); err != nil {
					return from.locate(unnamed(err))
				}
				for _, o := range e.Outputs {
					if e.project.Backend.Output(o.Name) == nil {
						e.describe("added", model.Ref{Kind: model.KindOutput, Name: o.Name})
					}
				}
				return nil
			})
		},
	}
	flags.add(cmd)
	write.Add(cmd)
	return cmd
}

func newUpdateOutput(streams command.Streams) *cobra.Command {
	var (
		write editFlags
		flags outputFlags
		unset []string
	)
	cmd := &cobra.Command{
		Use:   "output NAME (--from FILE | --set PATH=VALUE...)",
		Short: "Change the values of an output",
		Long: `Change the values of an output. --from replaces all values, then --unset removes single ones, then
--set sets single ones.

` + outputHelp,
		Example: command.Examples("update output custom --set custom.pageSize=50",
			"update output custom --unset custom.supportMail",
			"update output maps --from geo.json --dry-run --diff"),
		Args: command.Arguments("the NAME of an output"), ValidArgsFunction: command.CompleteNames(streams, model.KindOutput),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !anyGiven(cmd, "from", "set", "unset") {
				return noChangeGiven(cmd)
			}
			from, sets, err := flags.read(streams)
			if err != nil {
				return err
			}
			removed, err := parsePlaces(unset)
			if err != nil {
				return err
			}
			return write.change(streams, func(e *editing) error {
				e.describe("updated", model.Ref{Kind: model.KindOutput, Name: args[0]})
				have := e.Output(args[0])
				if have == nil {
					return edit.UpdateOutput(e.Backend, args[0], nil)
				}
				values, err := model.OutputsOf(have.Values)
				if err != nil {
					return fmt.Errorf("reading output %s: %w", phrase.Quote(have.Name), err)
				}
				if from != nil {
					values = from.values
				}
				for i, place := range removed {
					if !model.TakeAt(values, place) {
						return noSuchValue("unset", unset[i], leaves(values))
					}
				}
				if err := putAll(values, sets); err != nil {
					return err
				}
				if len(values) == 0 {
					return &model.Problem{
						Of: model.Ref{Kind: model.KindOutput, Name: have.Name}, Text: "would be empty",
						Fix: "to remove it run: gatewright remove output " + phrase.Quote(have.Name),
					}
				}
				e.noteKey(values)
				return from.locate(edit.UpdateOutput(e.Backend, args[0], values))
			})
		},
	}
	flags.add(cmd)
	cmd.Flags().StringArrayVar(&unset, "unset", nil, "remove the value at `PATH`; can be repeated")
	_ = cmd.RegisterFlagCompletionFunc("unset", command.CompleteOf(func(name string) []string {
		if o := command.ReadBackend(streams).Output(name); o != nil {
			return leaves(o.Values)
		}
		return nil
	}))
	write.Add(cmd)
	return cmd
}

// unnamed removes from a problem the name that the model gives to an output without one,
// if no section of the output is known.
func unnamed(err error) error {
	var problem *model.Problem
	if !errors.As(err, &problem) || problem.Of != (model.Ref{Kind: model.KindOutput, Name: string(model.KindOutput)}) {
		return err
	}
	own := *problem
	own.Of.Name = ""
	return &own
}

// noteKey notes that a key of the data API is written to a file.
func (e *editing) noteKey(values model.Outputs) {
	if key, ok := model.ValueAt(values, []string{"data", "api_key"}).(string); ok && key != model.APIKeyPlaceholder {
		e.note("the key of the data API goes into a file under version control; to keep it out give %s",
			model.APIKeyPlaceholder)
	}
}
