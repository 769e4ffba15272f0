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
	indexes, triggers     []string
	stream                string
}

func (f *tableFlags) add(cmd *cobra.Command, streams command.Streams) {
	cmd.Flags().StringVar(&f.partitionKey, "partition-key", "",
		"the partition key, as `NAME:TYPE` such as id:string; types are string, number and binary")
	cmd.Flags().StringVar(&f.sortKey, "sort-key", "", "the sort key, as `NAME:TYPE`")
	cmd.Flags().StringArrayVar(&f.indexes, "index", nil,
		"a secondary index, as `NAME:KEY:TYPE[:SORTKEY:TYPE]`; may be given several times")
	cmd.Flags().StringArrayVar(&f.triggers, "trigger", nil,
		"a function that is called with the changes, as `FUNCTION[:OPTION,...]`; options are oldest, latest, batch=N, "+
			"window=SECONDS, attempts=N, bisect and failures; may be given several times")
	cmd.Flags().StringVar(&f.stream, "stream", "",
		"what a change has of an item, `VIEW`: NEW_AND_OLD_IMAGES (the default), NEW_IMAGE, OLD_IMAGE or KEYS_ONLY; empty "+
			"for a stream only if there are triggers")
	_ = cmd.RegisterFlagCompletionFunc("trigger", command.CompleteValue(streams, model.KindFunction))
	_ = cmd.RegisterFlagCompletionFunc("stream", command.CompleteWords(model.StreamViews...))
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
	for _, text := range f.triggers {
		trigger, err := resource.ParseStreamTrigger(text)
		if err != nil {
			return misuse("trigger", err)
		}
		t.Triggers = resource.SetStreamTrigger(t.Triggers, trigger)
	}
	if f.stream != "" {
		t.StreamView = f.stream
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
			"  gatewright add table orders --partition-key customer:string --sort-key at:number --index " +
			"byState:state:string:at:number",
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
	flags.add(cmd, streams)
	write.Add(cmd)
	return cmd
}

func newUpdateTable(streams command.Streams) *cobra.Command {
	var (
		write   editFlags
		flags   tableFlags
		removed []string
		without []string
	)
	cmd := &cobra.Command{
		Use:   "table NAME",
		Short: "Change the indexes and the triggers of a table",
		Long: "Change the indexes and the triggers of a table: --index adds an index, or replaces the one of that name, " +
			"and --trigger\n" +
			"does so with a function that is called with the table's changes. The keys of an existing table cannot change, " +
			"because\n" +
			"its items are stored under them.",
		Example: "  gatewright update table orders --index byState:state:string --remove-index byDate\n" +
			"  gatewright update table orders --trigger audit:oldest,batch=10",
		Args: command.Arguments("the NAME of a table"), ValidArgsFunction: command.CompleteNames(streams, model.KindTable),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !anyGiven(cmd, "partition-key", "sort-key", "index", "remove-index", "trigger", "remove-trigger", "stream") {
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
				for _, function := range without {
					if have.Trigger(function) == nil {
						return noSuchValue("remove-trigger", function, streamTriggerNames(have))
					}
					t.Triggers = slices.DeleteFunc(slices.Clone(t.Triggers),
						func(s model.StreamTrigger) bool { return s.Function == function })
				}
				if err := flags.set(&t); err != nil {
					return err
				}
				if cmd.Flags().Changed("stream") && flags.stream == "" {
					t.StreamView = ""
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
	flags.add(cmd, streams)
	cmd.Flags().StringArrayVar(&removed, "remove-index", nil, "remove the index `NAME`; may be given several times")
	_ = cmd.RegisterFlagCompletionFunc("remove-index", completeIndexes(streams))
	cmd.Flags().StringArrayVar(&without, "remove-trigger", nil,
		"no longer call `FUNCTION` with the changes; may be given several times")
	_ = cmd.RegisterFlagCompletionFunc("remove-trigger", command.CompleteOf(func(name string) []string {
		return streamTriggerNames(command.ReadBackend(streams).Table(name))
	}))
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

// streamTriggerNames are the functions that a table calls, which may be nil.
func streamTriggerNames(t *model.Table) []string {
	if t == nil {
		return nil
	}
	var names []string
	for _, trigger := range t.Triggers {
		names = append(names, trigger.Function)
	}
	return names
}
