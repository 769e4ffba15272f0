package design

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/edit"
)

func newAddGroup(streams command.Streams) *cobra.Command {
	var write editFlags
	cmd := &cobra.Command{
		Use:   "group NAME",
		Short: "Add a group to the user pool, last in precedence",
		Long: `Add a group to the user pool, last in the order of precedence. A user in several groups acts as a
member of the first.

To change the order: gatewright update group`,
		Example: command.Examples("add group Editors", "add group Admins --dry-run", "add group Readers --json"),
		Args:    command.Arguments("a NAME for the group"),
		RunE: func(_ *cobra.Command, args []string) error {
			return write.change(streams, func(e *editing) error {
				e.describe("added", model.Ref{Kind: model.KindGroup, Name: args[0]})
				return edit.AddGroup(e.Backend, args[0])
			})
		},
	}
	write.Add(cmd)
	return cmd
}

// orderFlags are the flags that change the order of precedence.
type orderFlags struct {
	order       []string
	first, last bool
	before      string
}

func newUpdateGroup(streams command.Streams) *cobra.Command {
	var (
		write editFlags
		flags orderFlags
	)
	cmd := &cobra.Command{
		Use:   "group (--order A,B,C | NAME --before OTHER)",
		Short: "Change the groups' order of precedence",
		Long: `Change the order of precedence of the user pool's groups: a user in several groups acts as a
member of the first. --order lists every group; the other flags move one.`,
		Example: command.Examples("update group --order Admins,Editors,Readers",
			"update group Editors --before Readers", "update group Admins --first"),
		ValidArgsFunction: command.CompleteNames(streams, model.KindGroup),
		RunE: func(cmd *cobra.Command, args []string) error {
			given := cmd.Flags().Changed
			ways := 0
			for _, flag := range []string{"order", "first", "last", "before"} {
				if given(flag) {
					ways++
				}
			}
			switch {
			case ways == 0:
				return command.Misuse("update group needs --order A,B,C, or a NAME with --first, --last or --before OTHER")
			case ways > 1:
				return command.Misuse("update group takes only one of --order A,B,C, --first, --last and --before OTHER")
			case given("order"):
				if err := command.Arguments()(cmd, args); err != nil {
					return err
				}
			default:
				if err := command.Arguments("the NAME of a group")(cmd, args); err != nil {
					return err
				}
			}
			return write.change(streams, func(e *editing) error {
				e.done, e.already = "updated the order of groups", "the groups are in this order"
				order, err := flags.newOrder(e.Backend, args)
				if err != nil {
					return err
				}
				return edit.OrderGroups(e.Backend, order)
			})
		},
	}
	cmd.Flags().StringArrayVar(&flags.order, "order", nil,
		"every `GROUP` in the new order; separated by commas; can be repeated")
	cmd.Flags().BoolVar(&flags.first, "first", false, "move the group to the first place")
	cmd.Flags().BoolVar(&flags.last, "last", false, "move the group to the last place")
	cmd.Flags().StringVar(&flags.before, "before", "", "move the group before the group `OTHER`")
	_ = cmd.RegisterFlagCompletionFunc("before", command.CompleteValue(streams, model.KindGroup))
	_ = cmd.RegisterFlagCompletionFunc("order",
		func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			return command.CompleteList(command.ReadBackend(streams).Names(model.KindGroup))(cmd, args, typed)
		})
	write.Add(cmd)
	return cmd
}

// newOrder returns all groups in the order that the flags ask for.
func (f *orderFlags) newOrder(b *model.Backend, args []string) ([]string, error) {
	if len(args) == 0 {
		var order []string
		for _, text := range f.order {
			// The name of a group may contain a comma.
			if slices.Contains(b.Groups, text) {
				order = append(order, text)
				continue
			}
			for name := range strings.SplitSeq(text, ",") {
				order = append(order, strings.TrimSpace(name))
			}
		}
		return order, nil
	}
	name := args[0]
	if err := b.Known(model.Ref{Kind: model.KindGroup, Name: name}); err != nil {
		return nil, err
	}
	rest := slices.DeleteFunc(slices.Clone(b.Groups), func(g string) bool { return g == name })
	at := 0
	switch {
	case f.last:
		at = len(rest)
	case f.before == name:
		return nil, command.Misuse("--before takes a group other than %s itself", phrase.Quote(name))
	case !f.first:
		if err := b.Known(model.Ref{Kind: model.KindGroup, Name: f.before}); err != nil {
			return nil, err
		}
		at = slices.Index(rest, f.before)
	}
	return slices.Insert(rest, at, name), nil
}
