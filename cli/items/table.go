// Package items has the command table: the items of a table, and its files.
package items

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/table/attribute"
)

// tableCommand is one run of a command about the items of a table.
type tableCommand struct {
	streams command.Streams
	env     command.EnvironmentFlag
	json    bool
	// endpoint is that of another service; "" is the sandbox.
	endpoint string

	ctx        context.Context
	held       *sandbox.HeldTables
	name       string // the deployed table's
	definition *model.Table
}

// NewTable makes the command table and those below it.
func NewTable(streams command.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "table",
		Short: "Look at the items of a table, and change them",
		Long: "Look at the items of a key-value table of the sandbox, and change them: through the sandbox that runs, or from what it\n" +
			"keeps. Items are JSON: {\"id\": \"1\", \"price\": 5}. What JSON has no form for is written with its type, as the cloud\n" +
			"does: {\"B\": \"aGk=\"} for bytes, {\"SS\": [\"a\"]}, {\"NS\": [\"1\"]} and {\"BS\": [\"aGk=\"]} for sets; any value may be.\n" +
			"A KEY, and the SORTKEY of a table that has one, is a text, a number or base64, as its definition says.",
	}
	return command.Group(cmd, newTableScan(streams), newTableGet(streams), newTablePut(streams), newTableDelete(streams),
		newTableImport(streams), newTableExport(streams), newTableDrop(streams))
}

func (x *tableCommand) flags(cmd *cobra.Command) {
	x.env.Add(cmd, x.streams, "the environment (default: the chosen one)")
	command.AddTableEndpoint(cmd, &x.endpoint)
	if cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = command.CompleteNames(x.streams, model.KindTable)
	}
}

// with holds a table of the project, which is made if need be, while use works with
// it.
func (x *tableCommand) with(table string, use func() error) error {
	return x.hold(table, func() error {
		if err := x.held.Make(x.ctx, []sandbox.Table{x.table()}); err != nil {
			return err
		}
		return use()
	})
}

func (x *tableCommand) table() sandbox.Table {
	return sandbox.Table{Name: x.name, Definition: x.definition}
}

func (x *tableCommand) all() sandbox.Items { return sandbox.Items{Tables: x.held, Table: x.table()} }

// key is the key that the words of a command line stand for.
func (x *tableCommand) key(words []string) (attribute.Item, error) {
	key, err := x.table().Key(words)
	if err != nil {
		return nil, command.Misuse("%v", err)
	}
	return key, nil
}

// hold holds a table of the project as it is.
func (x *tableCommand) hold(table string, use func() error) error {
	if err := command.CheckTableEndpoint(x.endpoint); err != nil {
		return err
	}
	return command.WithProject(x.streams, func(p *project.Project) error {
		env, err := command.SandboxEnvironment(p, x.env.String())
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
		return command.Hold(x.streams, func(ctx context.Context) (io.Closer, error) {
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
func (x *tableCommand) explain(env *model.Environment, err error) error {
	if sandbox.NoTable(err) {
		return fmt.Errorf("table %s is not there in environment %s: the running sandbox serves an environment from the working tree, "+
			"and others once they were pushed", model.Quote(x.definition.Name), model.Quote(env.Name))
	}
	return err
}
