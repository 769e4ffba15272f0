package design

import (
	"slices"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/flow/resource"
	"gatewright/model"
	"gatewright/model/edit"
)

// tableFlags are the flags of a key-value table.
func tableFlags(streams command.Streams) []fieldFlag {
	return []fieldFlag{
		{"partitionKey", "the partition key, as `NAME:TYPE` such as id:string; types are string, number and binary", nil},
		{"sortKey", "the sort key, as `NAME:TYPE`", nil},
		{"indexes", "a secondary index, as `NAME:KEY:TYPE[:SORTKEY:TYPE]`; may be given several times", nil},
		{
			"triggers", "a function that is called with the changes, as `FUNCTION[:OPTION,...]`; options are oldest, latest, " +
				"batch=N, window=SECONDS, attempts=N, bisect and failures; may be given several times",
			command.CompleteValue(streams, model.KindFunction),
		},
		{
			"streamView", "what a change has of an item, `VIEW`: NEW_AND_OLD_IMAGES (the default), NEW_IMAGE, OLD_IMAGE or " +
				"KEYS_ONLY; empty for a stream only if there are triggers", nil,
		},
		{
			"timeToLive", "the `ATTRIBUTE` with the time after which an item is deleted, a number of seconds since 1970; empty " +
				"for none", nil,
		},
		{"pointInTimeRecovery", "have AWS keep backups of every moment of the last 35 days", nil},
		{"deletionProtection", "have the table refuse to be deleted", nil},
		{
			"deletion", "what becomes of the table when it leaves its stack: `retain` (the default), it stays in the account, or " +
				"delete", nil,
		},
		{"billing", "how the table is paid: `on-demand` (the default) or provisioned, with capacities", nil},
		{"readCapacity", "the `UNITS` of read capacity of a provisioned table, and of each of its indexes", nil},
		{"writeCapacity", "the `UNITS` of write capacity of a provisioned table, and of each of its indexes", nil},
	}
}

// parseKey parses NAME:TYPE, or NAME for a string.
func parseKey(flag, text string) (model.Key, error) {
	key, err := resource.ParseKey(text)
	return key, misuse(flag, err)
}

func newAddTable(streams command.Streams) *cobra.Command {
	var write editFlags
	cmd := &cobra.Command{
		Use:   "table NAME --partition-key KEY:TYPE",
		Short: "Add a key-value table",
		Example: "  gatewright add table items --partition-key id:string\n" +
			"  gatewright add table orders --partition-key customer:string --sort-key at:number --index " +
			"byState:state:string:at:number\n" +
			"  gatewright add table sessions --partition-key id:string --ttl expires",
		Args: command.Arguments("a NAME for the table"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flag("partition-key").Value.String() == "" {
				return command.Misuse("add table needs --partition-key KEY:TYPE such as id:string")
			}
			t := &model.Table{Name: args[0]}
			if err := setFields(cmd, t); err != nil {
				return err
			}
			return write.change(streams, func(e *editing) error {
				e.describe("added", model.Ref{Kind: model.KindTable, Name: t.Name})
				return edit.AddTable(e.Backend, t)
			})
		},
	}
	addFieldFlags(cmd, &model.Table{}, tableFlags(streams))
	write.Add(cmd)
	return cmd
}

func newUpdateTable(streams command.Streams) *cobra.Command {
	var (
		write            editFlags
		removed, without []string
	)
	cmd := &cobra.Command{
		Use:   "table NAME",
		Short: "Change a table: its indexes, its triggers, how long items stay",
		Long: "Change a table: --index adds an index, or replaces the one of that name, and --trigger does so with a " +
			"function that is\n" +
			"called with the table's changes. The keys of an existing table cannot change, because its items are stored under " +
			"them.",
		Example: "  gatewright update table orders --index byState:state:string --remove-index byDate\n" +
			"  gatewright update table orders --trigger audit:oldest,batch=10",
		Args: command.Arguments("the NAME of a table"), ValidArgsFunction: command.CompleteNames(streams, model.KindTable),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !fieldsGiven(cmd, &model.Table{}) && !anyGiven(cmd, "remove-index", "remove-trigger") {
				return noChangeGiven(cmd)
			}
			return write.change(streams, func(e *editing) error {
				e.describe("updated", model.Ref{Kind: model.KindTable, Name: args[0]})
				have := e.Table(args[0])
				if have == nil {
					return edit.UpdateTable(e.Backend, &model.Table{Name: args[0]})
				}
				t := *have
				triggers, indexes := resource.EntriesOf(&t.Triggers), resource.EntriesOf(&t.Indexes)
				names, functions := indexes.Names(), triggers.Names()
				for _, name := range removed {
					if !indexes.Remove(name) {
						return noSuchValue("remove-index", name, names)
					}
				}
				for _, function := range without {
					if !triggers.Remove(function) && !slices.Contains(functions, function) {
						return noSuchValue("remove-trigger", function, functions)
					}
				}
				// An empty flag changes a key too, which the model refuses.
				if cmd.Flags().Changed("billing") {
					t.ReadCapacity, t.WriteCapacity = 0, 0 // those of before go with it
				}
				if err := setFields(cmd, &t); err != nil {
					return err
				}
				return edit.UpdateTable(e.Backend, &t)
			})
		},
	}
	addFieldFlags(cmd, &model.Table{}, tableFlags(streams))
	cmd.Flags().StringArrayVar(&removed, "remove-index", nil, "remove the index `NAME`; may be given several times")
	_ = cmd.RegisterFlagCompletionFunc("remove-index",
		command.CompleteOf(namesIn(streams, model.KindTable, "indexes")))
	cmd.Flags().StringArrayVar(&without, "remove-trigger", nil,
		"no longer call `FUNCTION` with the changes; may be given several times")
	_ = cmd.RegisterFlagCompletionFunc("remove-trigger",
		command.CompleteOf(namesIn(streams, model.KindTable, "triggers")))
	write.Add(cmd)
	return cmd
}
