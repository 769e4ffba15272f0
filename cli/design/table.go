package design

import (
	"slices"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/flow/resource"
	"gatewright/model"
)

// tableFlags are the flags of a key-value table.
type tableFlags struct {
	partitionKey, sortKey string
	indexes               []string
}

func (f *tableFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.partitionKey, "partition-key", "", "the partition key, as `NAME:TYPE` such as id:string; types are string, number and binary")
	cmd.Flags().StringVar(&f.sortKey, "sort-key", "", "the sort key, as `NAME:TYPE`")
	cmd.Flags().StringArrayVar(&f.indexes, "index", nil, "a secondary index, as `NAME:KEY:TYPE[:SORTKEY:TYPE]`; may be given several times")
}

// parseKey parses NAME:TYPE, or NAME for a string.
func parseKey(flag, text string) (model.Key, error) {
	key, err := resource.ParseKey(text)
	return key, misuse(flag, err)
}

// set sets the values of the flags in a table. An index replaces the one of its name.
func (f *tableFlags) set(t *model.Table) error {
	for _, key := range []struct {
		flag, text string
		into       *model.Key
	}{{"partition-key", f.partitionKey, &t.PartitionKey}, {"sort-key", f.sortKey, &t.SortKey}} {
		if key.text == "" {
			continue
		}
		var err error
		if *key.into, err = parseKey(key.flag, key.text); err != nil {
			return err
		}
	}
	t.Indexes = slices.Clone(t.Indexes)
	for _, text := range f.indexes {
		index, err := resource.ParseIndex(text)
		if err != nil {
			return misuse("index", err)
		}
		t.Indexes = resource.SetIndex(t.Indexes, index)
	}
	return nil
}

func newAddTable(streams command.Streams) *cobra.Command {
	var (
		write editFlags
		flags tableFlags
	)
	cmd := &cobra.Command{
		Use:   "table NAME --partition-key KEY:TYPE",
		Short: "Add a key-value table",
		Example: "  gatewright add table items --partition-key id:string\n" +
			"  gatewright add table orders --partition-key customer:string --sort-key at:number --index byState:state:string:at:number",
		Args: command.Arguments("a NAME for the table"),
		RunE: func(_ *cobra.Command, args []string) error {
			if flags.partitionKey == "" {
				return command.Misuse("add table needs --partition-key KEY:TYPE such as id:string")
			}
			t := &model.Table{Name: args[0]}
			if err := flags.set(t); err != nil {
				return err
			}
			return write.change(streams, func(e *edit) error {
				e.describe("added", model.Ref{Kind: model.KindTable, Name: t.Name})
				return e.AddTable(t)
			})
		},
	}
	flags.add(cmd)
	write.Add(cmd)
	return cmd
}

func newUpdateTable(streams command.Streams) *cobra.Command {
	var (
		write   editFlags
		flags   tableFlags
		removed []string
	)
	cmd := &cobra.Command{
		Use:   "table NAME",
		Short: "Change the indexes of a table",
		Long: "Change the indexes of a table: --index adds one, or replaces the one of that name. The keys of an existing table\n" +
			"cannot change, because its items are stored under them.",
		Example: "  gatewright update table orders --index byState:state:string --remove-index byDate",
		Args:    command.Arguments("the NAME of a table"), ValidArgsFunction: command.CompleteNames(streams, model.KindTable),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !anyGiven(cmd, "partition-key", "sort-key", "index", "remove-index") {
				return noChangeGiven(cmd)
			}
			return write.change(streams, func(e *edit) error {
				e.describe("updated", model.Ref{Kind: model.KindTable, Name: args[0]})
				have := e.Table(args[0])
				if have == nil {
					return e.UpdateTable(&model.Table{Name: args[0]})
				}
				t := *have
				for _, name := range removed {
					at := resource.IndexNamed(t.Indexes, name)
					if at < 0 {
						return noSuchValue("remove-index", name, indexNames(have))
					}
					t.Indexes = slices.Delete(slices.Clone(t.Indexes), at, at+1)
				}
				if err := flags.set(&t); err != nil {
					return err
				}
				// An empty flag changes a key too, which the model refuses.
				if cmd.Flags().Changed("sort-key") && flags.sortKey == "" {
					t.SortKey = model.Key{}
				}
				if cmd.Flags().Changed("partition-key") && flags.partitionKey == "" {
					t.PartitionKey = model.Key{}
				}
				return e.UpdateTable(&t)
			})
		},
	}
	flags.add(cmd)
	cmd.Flags().StringArrayVar(&removed, "remove-index", nil, "remove the index `NAME`; may be given several times")
	_ = cmd.RegisterFlagCompletionFunc("remove-index", completeIndexes(streams))
	write.Add(cmd)
	return cmd
}

func indexNames(t *model.Table) []string {
	var names []string
	for _, i := range t.Indexes {
		names = append(names, i.Name)
	}
	return names
}

// completeIndexes completes the names of the indexes of a table, which the first argument
// names.
func completeIndexes(streams command.Streams) cobra.CompletionFunc {
	return command.CompleteOf(func(name string) []string {
		if t := command.ReadBackend(streams).Table(name); t != nil {
			return indexNames(t)
		}
		return nil
	})
}
