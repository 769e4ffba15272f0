package cli

import (
	"context"
	"fmt"
	"io"
	"net/url"

	"github.com/spf13/cobra"

	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/table/attribute"
)

// items is one run of a command about the items of a table.
type items struct {
	streams Streams
	env     environmentFlag
	json    bool
	// endpoint is that of another service; "" is the sandbox.
	endpoint string

	ctx        context.Context
	held       *sandbox.HeldTables
	name       string // the deployed table's
	definition *model.Table
}

// newTable is the command group about the items of tables.
func newTable(streams Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "table",
		Short: "Look at the items of a table, and change them",
		Long: "Look at the items of a key-value table of the sandbox, and change them: through the sandbox that runs, or from what it\n" +
			"keeps. Items are JSON: {\"id\": \"1\", \"price\": 5}. What JSON has no form for is written with its type, as the cloud\n" +
			"does: {\"B\": \"aGk=\"} for bytes, {\"SS\": [\"a\"]}, {\"NS\": [\"1\"]} and {\"BS\": [\"aGk=\"]} for sets; any value may be.\n" +
			"A KEY, and the SORTKEY of a table that has one, is a text, a number or base64, as its definition says.",
	}
	groupOf(cmd, withoutFiles(newTableScan(streams), newTableGet(streams))...)
	cmd.AddCommand(newTablePut(streams), withoutFiles(newTableDelete(streams))[0], newTableImport(streams), newTableExport(streams))
	cmd.AddCommand(withoutFiles(newTableDrop(streams))...)
	return cmd
}

// addTableEndpoint adds the flag that names another service for tables.
func addTableEndpoint(cmd *cobra.Command, endpoint *string) {
	cmd.Flags().StringVar(endpoint, "table-endpoint", "", "the `URL` of another service with DynamoDB's protocol, for all tables (default: the sandbox's own)")
	_ = cmd.RegisterFlagCompletionFunc("table-endpoint", cobra.NoFileCompletions)
}

// checkTableEndpoint checks what was given for it.
func checkTableEndpoint(endpoint string) error {
	if endpoint == "" {
		return nil
	}
	if at, err := url.Parse(endpoint); err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" {
		return misuse("--table-endpoint takes a URL such as http://127.0.0.1:8000, not %s", model.Quote(endpoint))
	}
	return nil
}

func (x *items) flags(cmd *cobra.Command) {
	x.env.add(cmd, x.streams, "the environment (default: the chosen one)")
	addTableEndpoint(cmd, &x.endpoint)
	if cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = completeNames(x.streams, model.KindTable)
	}
}

// with holds a table of the project, which is made if need be, while use works with
// it.
func (x *items) with(table string, use func() error) error {
	return x.hold(table, func() error {
		if err := x.held.Make(x.ctx, []sandbox.Table{x.table()}); err != nil {
			return err
		}
		return use()
	})
}

func (x *items) table() sandbox.Table {
	return sandbox.Table{Name: x.name, Definition: x.definition}
}

func (x *items) all() sandbox.Items { return sandbox.Items{Tables: x.held, Table: x.table()} }

// key is the key that the words of a command line stand for.
func (x *items) key(words []string) (attribute.Item, error) {
	key, err := x.table().Key(words)
	if err != nil {
		return nil, misuse("%v", err)
	}
	return key, nil
}

// hold holds a table of the project as it is.
func (x *items) hold(table string, use func() error) error {
	if err := checkTableEndpoint(x.endpoint); err != nil {
		return err
	}
	return reading(x.streams, func(p *project.Project) error {
		env, err := sandboxEnvironment(p, x.env.String())
		if err != nil {
			return err
		}
		if err := p.Backend.Known(model.Ref{Kind: model.KindTable, Name: table}); err != nil {
			return err
		}
		state, err := deploy.MakeSandboxState(p.Root)
		if err != nil {
			return err
		}
		return holding(x.streams, func(ctx context.Context) (io.Closer, error) {
			x.ctx = ctx
			x.held, err = sandbox.OpenTables(ctx, state, x.endpoint)
			return x.held, err
		}, func() error {
			x.definition, x.name = p.Backend.Table(table), deploy.TableName(table, env.Name)
			return x.explain(env, use())
		})
	})
}

// explain says of a table that is not there why that is.
func (x *items) explain(env *model.Environment, err error) error {
	if sandbox.NoTable(err) {
		return fmt.Errorf("table %s is not there in environment %s: the running sandbox serves an environment from the working tree, "+
			"and others once they were pushed", model.Quote(x.definition.Name), model.Quote(env.Name))
	}
	return err
}
