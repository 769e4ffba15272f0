package design

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/model"
)

// outputFlags are the flags of what one addOutput call is given.
type outputFlags struct {
	from string
	sets []string
}

func (f *outputFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.from, "from", "", "the `FILE` of a JSON object of sections; - is standard input")
	_ = cmd.MarkFlagFilename("from", "json")
	cmd.Flags().StringArrayVar(&f.sets, "set", nil, "a value, as `PATH=VALUE` such as storage.bucket_name=uploads; may be given several times")
	_ = cmd.RegisterFlagCompletionFunc("set", completePlaces)
}

const outputHelp = "PATH has dots between its names (custom.limits.pages), or is a JSON pointer (/custom/a.b). VALUE is JSON, else a text.\n" +
	"Fields have the specification's words, or those of the dialect amplify, which are translated.\n"

func newAddOutput(streams command.Streams) *cobra.Command {
	var (
		write editFlags
		flags outputFlags
	)
	cmd := &cobra.Command{
		Use:   "output [NAME] (--from FILE | --set PATH=VALUE...)",
		Short: "Add values to the client configuration file (addOutput)",
		Long: "Add values to the client configuration file, as the method addOutput does: any of its sections, or arbitrary values\n" +
			"under custom. Without NAME the output is named for its first section.\n" + outputHelp,
		Example: "  gatewright add output --set custom.supportMail=help@example.com --set custom.pageSize=20\n" +
			"  gatewright add output uploads --set storage.cloud_region=eu-west-1 --set storage.bucket_name=shop-uploads\n" +
			"  gatewright add output maps --from geo.json",
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
					e.said("added", model.Ref{Kind: model.KindOutput, Name: args[0]})
					return from.locate(e.AddNamedOutput(args[0], values))
				}
				if err := e.AddOutput(values); err != nil {
					return from.locate(unnamed(err))
				}
				for _, o := range e.Outputs {
					if e.from.Backend.Output(o.Name) == nil {
						e.said("added", model.Ref{Kind: model.KindOutput, Name: o.Name})
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
		Use:   "output NAME (--from FILE | --set PATH=VALUE | --unset PATH)...",
		Short: "Change the values of an output",
		Long: "Change the values of an output: --set changes single ones, --unset takes them away, --from replaces all.\n" +
			"Of several, --from comes first, then --unset, then --set.\n" +
			outputHelp,
		Example: "  gatewright update output custom --set custom.pageSize=50 --unset custom.supportMail\n" +
			"  gatewright update output maps --from geo.json",
		Args: command.Arguments("the NAME of an output"), ValidArgsFunction: command.CompleteNames(streams, model.KindOutput),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !anyGiven(cmd, "from", "set", "unset") {
				return nothingGiven(cmd)
			}
			from, sets, err := flags.read(streams)
			if err != nil {
				return err
			}
			taken, err := parsePlaces(unset)
			if err != nil {
				return err
			}
			return write.change(streams, func(e *editing) error {
				e.said("updated", model.Ref{Kind: model.KindOutput, Name: args[0]})
				have := e.Output(args[0])
				if have == nil {
					return e.UpdateOutput(args[0], nil)
				}
				values, err := model.OutputsOf(have.Values)
				if err != nil {
					return fmt.Errorf("reading output %s: %w", model.Quote(have.Name), err)
				}
				if from != nil {
					values = from.values
				}
				for i, place := range taken {
					if !model.TakeAt(values, place) {
						return notThere("unset", unset[i], leaves(values))
					}
				}
				if err := putAll(values, sets); err != nil {
					return err
				}
				if len(values) == 0 {
					return &model.Problem{
						Of: model.Ref{Kind: model.KindOutput, Name: have.Name}, Text: "would be empty",
						Fix: "remove it with: gatewright remove output " + model.Quote(have.Name),
					}
				}
				e.noteKey(values)
				return from.locate(e.UpdateOutput(args[0], values))
			})
		},
	}
	flags.add(cmd)
	cmd.Flags().StringArrayVar(&unset, "unset", nil, "take the value at `PATH` away; may be given several times")
	_ = cmd.RegisterFlagCompletionFunc("unset", command.CompleteOf(func(name string) []string {
		if o := command.ReadBackend(streams).Output(name); o != nil {
			return leaves(o.Values)
		}
		return nil
	}))
	write.Add(cmd)
	return cmd
}

// unnamed is a refusal of an output that was given no name, without the one that
// the model gives an output of no known section.
func unnamed(err error) error {
	var problem *model.Problem
	if !errors.As(err, &problem) || problem.Of != (model.Ref{Kind: model.KindOutput, Name: string(model.KindOutput)}) {
		return err
	}
	own := *problem
	own.Of.Name = ""
	return &own
}

// noteKey says where a key of the data API goes.
func (e *editing) noteKey(values model.Outputs) {
	if key, ok := model.ValueAt(values, []string{"data", "api_key"}).(string); ok && key != model.APIKeyPlaceholder {
		e.note("the key of the data API stands in a file that is committed; give %s instead to keep it out", model.APIKeyPlaceholder)
	}
}
