package items

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project/read"
	"gatewright/sandbox/table/attribute"
)

func newTableScan(streams command.Streams) *cobra.Command {
	x := &tableCommand{streams: streams}
	var limit int
	cmd := &cobra.Command{
		Use:   "scan TABLE",
		Short: "Print a table's items, one per line",
		Example: command.Examples("table scan books", "table scan books --env prod --limit 10",
			"table scan books --limit 10 --json | jq '.items[].title'"),
		Args: command.Arguments("the name of a TABLE"),
		RunE: func(_ *cobra.Command, args []string) error {
			if limit < 0 {
				return command.Misuse("--limit takes 1 or more, not %d", limit)
			}
			return x.with(args[0], func() error { return x.print(limit) })
		},
	}
	x.flags(cmd)
	cmd.Flags().IntVar(&limit, "limit", 0, "at most `N` items (default: all)")
	cmd.Flags().BoolVar(&x.json, "json", false, "print one JSON object with the list of items")
	return cmd
}

func (x *tableCommand) print(limit int) error {
	if !x.json {
		return x.all().Scan(x.ctx, limit, func(item attribute.Item) error {
			return command.PrintText(x.streams.Out, string(item.AppendPlain(nil))+"\n")
		})
	}
	list := []json.RawMessage{}
	err := x.all().Scan(x.ctx, limit, func(item attribute.Item) error {
		list = append(list, item.AppendPlain(nil))
		return nil
	})
	if err != nil {
		return err
	}
	return command.PrintJSON(x.streams.Out, struct {
		Table string            `json:"table"`
		Items []json.RawMessage `json:"items"`
	}{x.name, list})
}

func newTableGet(streams command.Streams) *cobra.Command {
	x := &tableCommand{streams: streams}
	cmd := &cobra.Command{
		Use:   "get TABLE KEY [SORTKEY]",
		Short: "Print one item of a table",
		Long:  "Print one item of a table. The exit code is 1 if no item has the key.",
		Example: command.Examples("table get books 978-0", "table get orders 17 2026-11-01",
			"table get books 978-0 --env prod"),
		Args: cobra.RangeArgs(0, 3),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := keyArguments(args); err != nil {
				return err
			}
			return x.with(args[0], func() error { return x.get(args[1:]) })
		},
	}
	x.flags(cmd)
	return cmd
}

// keyArguments checks that a table and a key are given.
func keyArguments(args []string) error {
	if len(args) < 2 {
		return command.Misuse("give the name of a TABLE and the KEY of an item")
	}
	return nil
}

func (x *tableCommand) get(words []string) error {
	key, err := x.key(words)
	if err != nil {
		return err
	}
	item, err := x.all().Get(x.ctx, key)
	if err != nil {
		return err
	}
	if item == nil {
		return fmt.Errorf("table %s has no item with the key %s", phrase.Quote(x.definition.Name), key.AppendPlain(nil))
	}
	var text bytes.Buffer
	if err := json.Indent(&text, item.AppendPlain(nil), "", "  "); err != nil {
		return err
	}
	return command.PrintText(x.streams.Out, text.String()+"\n")
}

func newTablePut(streams command.Streams) *cobra.Command {
	x := &tableCommand{streams: streams, change: func() (string, error) { return "write 1 item into", nil }}
	cmd := &cobra.Command{
		Use:   "put TABLE ITEM",
		Short: "Write one item into a table",
		Long: `Write one item into a table. It replaces the item with the same key. ITEM is JSON, @FILE, or - for
standard input.`,
		Example: command.Examples(`table put books '{"isbn": "978-0", "title": "Emma"}'`,
			"table put books @emma.json", "table put books @emma.json --env prod --confirm prod"),
		Args: command.Arguments("the name of a TABLE", "an ITEM"),
		RunE: func(_ *cobra.Command, args []string) error {
			item, err := x.read(args[1])
			if err != nil {
				return err
			}
			return x.with(args[0], func() error { return x.put(item) })
		},
	}
	x.flagsOfChange(cmd)
	return cmd
}

// read reads the item that the argument ITEM gives.
func (x *tableCommand) read(text string) (attribute.Item, error) {
	shown, data, err := command.ReadArgument(text, x.streams)
	if err != nil {
		return nil, err
	}
	item, err := attribute.ParsePlainItem(bytes.TrimSpace(data))
	if err != nil {
		return nil, fmt.Errorf("%s %w", cmp.Or(shown, "the item"), err)
	}
	return item, nil
}

func (x *tableCommand) put(item attribute.Item) error {
	replaced, err := x.all().Put(x.ctx, item)
	if err != nil {
		return err
	}
	if replaced {
		return x.done("replaced 1 item\n")
	}
	return x.done("added 1 item\n")
}

func newTableDelete(streams command.Streams) *cobra.Command {
	x := &tableCommand{streams: streams}
	cmd := &cobra.Command{
		Use:   "delete TABLE KEY [SORTKEY]",
		Short: "Delete one item of a table",
		Long:  "Delete one item of a table. The exit code is 1 if no item has the key.",
		Example: command.Examples("table delete books 978-0", "table delete orders 17 2026-11-01",
			"table delete books 978-0 --env prod --confirm prod"),
		Args: cobra.RangeArgs(0, 3),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := keyArguments(args); err != nil {
				return err
			}
			x.change = func() (string, error) {
				key, err := x.key(args[1:])
				return fmt.Sprintf("delete the item %s of", key.AppendPlain(nil)), err
			}
			return x.with(args[0], func() error { return x.delete(args[1:]) })
		},
	}
	x.flagsOfChange(cmd)
	return cmd
}

func (x *tableCommand) delete(words []string) error {
	key, err := x.key(words)
	if err != nil {
		return err
	}
	deleted, err := x.all().Delete(x.ctx, key)
	if err != nil {
		return err
	}
	if !deleted {
		return fmt.Errorf("table %s has no item with the key %s", phrase.Quote(x.definition.Name), key.AppendPlain(nil))
	}
	return x.done("deleted 1 item\n")
}

func newTableDrop(streams command.Streams) *cobra.Command {
	x := &tableCommand{streams: streams, refused: func(table string, env *model.Environment) error {
		return &model.Problem{
			Of: model.Ref{Kind: model.KindTable, Name: table},
			Text: "it belongs to the stack of environment " + phrase.Quote(env.Name) +
				" in AWS, where only a push may replace or remove it",
			Fix: "delete items with: gatewright table delete " + model.ShellWord(table) + " KEY --env " +
				model.ShellWord(env.Name) +
				", or remove the table from the project and push",
		}
	}}
	var confirm string
	cmd := &cobra.Command{
		Use:   "drop TABLE",
		Short: "Delete a sandbox table's items and create it again",
		Long: `Delete a table of the sandbox with all its items, and create it again, empty, from its definition.
Only this changes the key of an existing table. Save its items first with: gatewright table export TABLE FILE`,
		Example: command.Examples("table drop books", "table drop books --confirm books",
			"table drop books --env qa --confirm books"),
		Args: command.Arguments("the name of a TABLE"),
		RunE: func(_ *cobra.Command, args []string) error {
			x.before = func() error {
				if confirm != args[0] {
					return &read.Problem{
						Text: "all items of table " + phrase.Quote(args[0]) + " would be lost",
						Fix:  "confirm with --confirm " + phrase.Quote(args[0]),
					}
				}
				return nil
			}
			return x.hold(args[0], func() error {
				if err := x.held.Renew(x.ctx, x.table()); err != nil {
					return err
				}
				return x.done("table " + phrase.Quote(args[0]) + " is empty\n")
			})
		},
	}
	x.flags(cmd)
	cmd.Flags().StringVar(&confirm, "confirm", "", "the `NAME` of the table, to confirm")
	_ = cmd.RegisterFlagCompletionFunc("confirm", command.CompleteGiven)
	return cmd
}
