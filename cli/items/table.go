// Package items has the command table: the items of a table, and its files.
package items

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"gatewright/cli/cloud"
	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/live"
	"gatewright/sandbox/state"
	"gatewright/sandbox/table/attribute"
)

// tableCommand is one run of a command about the items of a table.
type tableCommand struct {
	streams command.Streams
	env     command.EnvironmentFlag
	json    bool
	// endpoint is the address of another DynamoDB service; "" means the sandbox, or AWS if --env
	// names an environment there.
	endpoint string
	// change says what the command does to the table, such as "write 1 item"; nil for one that
	// only reads. guard is how that is allowed in AWS, refused why it never is.
	change  func() (string, error)
	guard   command.GuardFlag
	refused func(table string, env *model.Environment) error
	// before is asked before the tables of the sandbox are opened; nil for nothing.
	before func() error

	ctx context.Context
	// held are the tables of the sandbox; nil in AWS.
	held       *sandbox.HeldTables
	tables     sandbox.Tables
	name       string // the deployed table's
	definition *model.Table
}

// NewTable makes the command table and those below it.
func NewTable(streams command.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "table",
		Short: "Show and change the items of a table",
		Long: `Show and change the items of a key-value table: in the sandbox, running or not, or with --env in
AWS. A command that writes to AWS asks for the environment's name, or takes it as --confirm NAME.

Items are JSON: {"id": "1", "price": 5}. Bytes and sets have their type, as DynamoDB writes them: {"B": "aGk="},
{"SS": ["a"]}, {"NS": ["1"]} and {"BS": ["aGk="]}; you may write every other value with its type too.

KEY is text, a number or base64, as the table's definition says; so is SORTKEY, if the table has a sort key.`,
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

// flagsOfChange are the flags of a command that writes.
func (x *tableCommand) flagsOfChange(cmd *cobra.Command) {
	x.flags(cmd)
	x.guard.AddInCloud(cmd, x.streams, "items")
}

// with opens a table while use runs: in AWS, or in the sandbox, where it is created if it does
// not exist.
func (x *tableCommand) with(table string, use func() error) error {
	return x.hold(table, func() error {
		if x.held == nil {
			return use()
		}
		if err := x.held.Make(x.ctx, []sandbox.Table{x.table()}); err != nil {
			return err
		}
		return use()
	})
}

func (x *tableCommand) table() sandbox.Table {
	return sandbox.Table{Name: x.name, Definition: x.definition}
}

func (x *tableCommand) all() sandbox.Items { return sandbox.Items{Tables: x.tables, Table: x.table()} }

// key parses a key from the words of a command line.
func (x *tableCommand) key(words []string) (attribute.Item, error) {
	key, err := x.table().Key(words)
	if err != nil {
		return nil, command.Misuse("%v", err)
	}
	return key, nil
}

// hold opens a table of the project while use runs.
func (x *tableCommand) hold(table string, use func() error) error {
	if err := command.CheckTableEndpoint(x.endpoint); err != nil {
		return err
	}
	return command.WithServed(x.streams, func(p *project.Project) error {
		if env, err := cloud.Named(p, x.env); err != nil {
			return err
		} else if env != nil && x.endpoint == "" {
			return x.inCloud(p, env, table, use)
		}
		env, err := command.EnvironmentOf(p, x.env.String())
		if err != nil {
			return err
		}
		if err := p.Backend.Known(model.Ref{Kind: model.KindTable, Name: table}); err != nil {
			return err
		}
		if x.before != nil {
			if err := x.before(); err != nil {
				return err
			}
		}
		folder, err := live.MakeState(p.Root)
		if err != nil {
			return err
		}
		return command.Hold(x.streams, func(ctx context.Context) (io.Closer, error) {
			x.ctx = ctx
			if x.held, err = sandbox.OpenTables(ctx, folder, x.endpoint); err == nil && x.endpoint == "" {
				command.SayWarnings(x.streams.Err, state.Warnings(folder))
			}
			x.tables = x.held
			if err == nil && x.endpoint == "" && !x.held.Served() && !p.Foreign() {
				cloud.NoteSandbox(x.streams, env, x.env, "items")
			}
			return x.held, err
		}, func() error {
			x.definition, x.name = p.Backend.Table(table), live.TableName(p.Backend, table, env.Name)
			return x.explain(env, use())
		})
	})
}

// done prints what was changed, once it is on the disk: closing the tables may fail too.
func (x *tableCommand) done(text string) error {
	if x.held != nil {
		if err := x.held.Close(); err != nil {
			return err
		}
	}
	return command.PrintText(x.streams.Out, text)
}

// explain replaces the error about a missing table by one that says why it is missing.
func (x *tableCommand) explain(env *model.Environment, err error) error {
	if sandbox.NoTable(err) {
		return fmt.Errorf("environment %[2]s of the running sandbox has no table %[1]s; the sandbox serves one "+
			"environment from the working tree, and the others as last pushed",
			phrase.Quote(x.definition.Name), phrase.Quote(env.Name))
	}
	return err
}
