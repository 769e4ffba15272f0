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
		{"partitionKey", "the partition key, as `NAME:TYPE`, such as id:string; types are string, number and binary", nil},
		{"sortKey", "the sort key, as `NAME:TYPE`", nil},
		{"indexes", "a secondary `INDEX`: NAME:KEY:TYPE[:SORTKEY:TYPE]; can be repeated", nil},
		{
			"triggers", "a `FUNCTION` that gets the table's changes; FUNCTION:OPTION,... with oldest, latest, " +
				"batch=N, window=SECONDS, attempts=N, bisect and failures; can be repeated",
			command.CompleteValue(streams, model.KindFunction),
		},
		{
			"streamView", "the `VIEW` of an item in a change: NEW_AND_OLD_IMAGES (the default), NEW_IMAGE, OLD_IMAGE " +
				"or KEYS_ONLY; empty for a stream only if there are triggers", nil,
		},
		{"timeToLive", "the `ATTRIBUTE` with the time an item expires; in seconds since 1970, empty for none", nil},
		{"pointInTimeRecovery", "let AWS keep backups of the last 35 days", nil},
		{"deletionProtection", "refuse to delete the table", nil},
		{
			"deletion", "`WHAT` happens when it leaves its stack: retain (the default), it stays in the account, or " +
				"delete", nil,
		},
		{"billing", "`HOW` the table is paid: on-demand (the default) or provisioned, with capacities", nil},
		{"readCapacity", "read capacity in `UNITS`; of a provisioned table and of each index", nil},
		{"writeCapacity", "write capacity in `UNITS`; of a provisioned table and of each index", nil},
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
		Long: `Add a key-value table. Its name is what functions and commands call it. The sandbox keeps it on
this machine; a push to AWS makes it a DynamoDB table.`,
		Example: command.Examples("add table items --partition-key id:string",
			"add table sessions --partition-key id:string --ttl expires",
			"add table orders --partition-key customer --sort-key at:number"),
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
		Short: "Change a table's indexes, triggers, expiry and billing",
		Long: `Change a table. --index adds an index or replaces the index of that name; --trigger does the same
with a function that gets the table's changes. The keys of a table cannot change, because its items are stored under
them.`,
		Example: command.Examples("update table orders --index byState:state:string",
			"update table orders --trigger audit:oldest,batch=10",
			"update table sessions --ttl expires --recovery"),
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
	cmd.Flags().StringArrayVar(&removed, "remove-index", nil, "remove the index `NAME`; can be repeated")
	_ = cmd.RegisterFlagCompletionFunc("remove-index",
		command.CompleteOf(namesIn(streams, model.KindTable, "indexes")))
	cmd.Flags().StringArrayVar(&without, "remove-trigger", nil,
		"no longer call `FUNCTION` with changes; can be repeated")
	_ = cmd.RegisterFlagCompletionFunc("remove-trigger",
		command.CompleteOf(namesIn(streams, model.KindTable, "triggers")))
	write.Add(cmd)
	return cmd
}
