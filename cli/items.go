package cli

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"

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
	grouping(cmd)
	cmd.AddCommand(withoutFiles(newTableScan(streams), newTableGet(streams))...)
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
		end := interruptible(x.streams)
		defer end.done()
		x.ctx = end.ctx
		if x.held, err = sandbox.OpenTables(x.ctx, state, x.endpoint); err != nil {
			return err
		}
		x.definition, x.name = p.Backend.Table(table), deploy.TableName(table, env.Name)
		err = x.explain(env, use())
		if end.ctx.Err() != nil {
			return errors.Join(errInterrupted, x.held.Close())
		}
		return errors.Join(err, x.held.Close())
	})
}

// explain says of a table that is not there why that is.
func (x *items) explain(env *model.Environment, err error) error {
	var refused *attribute.Error
	if errors.As(err, &refused) && refused.Code == "ResourceNotFoundException" {
		return fmt.Errorf("table %s is not there in environment %s: the running sandbox serves an environment from the working tree, "+
			"and others once they were pushed", model.Quote(x.definition.Name), model.Quote(env.Name))
	}
	return err
}

// ask does one operation on the table; into may be nil.
func (x *items) ask(operation string, input map[string]any, into any) error {
	input["TableName"] = x.name
	return sandbox.Ask(x.ctx, x.held, operation, input, into)
}

// wire is an item in the form of the wire.
func wire(item attribute.Item) json.RawMessage { return item.AppendJSON(nil) }

// keys are the definition's key attributes.
func (x *items) keys() []model.Key {
	keys := []model.Key{x.definition.PartitionKey}
	if x.definition.HasSortKey() {
		keys = append(keys, x.definition.SortKey)
	}
	return keys
}

// key is the key that the words of a command line stand for.
func (x *items) key(words []string) (attribute.Item, error) {
	keys := x.keys()
	if len(words) != len(keys) {
		names := make([]string, len(keys))
		for i, k := range keys {
			names[i] = k.Name
		}
		return nil, misuse("the key of table %s is %s; give %s", model.Quote(x.definition.Name), model.QuoteList(names),
			map[int]string{1: "one value", 2: "both values"}[len(keys)])
	}
	key := make(attribute.Item, len(keys))
	for i, k := range keys {
		value, err := keyValue(k, words[i])
		if err != nil {
			return nil, err
		}
		key[k.Name] = value
	}
	return key, nil
}

func keyValue(k model.Key, word string) (*attribute.Value, error) {
	switch k.Type {
	case model.NumberKey:
		number, err := attribute.CanonicalNumber(word)
		if err != nil {
			return nil, misuse("the key %s is a number, and %s is none", model.Quote(k.Name), model.Quote(word))
		}
		return &attribute.Value{Kind: attribute.N, Text: number}, nil
	case model.BinaryKey:
		bytes, err := base64.StdEncoding.DecodeString(word)
		if err != nil {
			return nil, misuse("the key %s is bytes in base64, and %s is not", model.Quote(k.Name), model.Quote(word))
		}
		return &attribute.Value{Kind: attribute.B, Bytes: bytes}, nil
	}
	return &attribute.Value{Kind: attribute.S, Text: word}, nil
}

// check says what an item lacks to be one of the table's.
func (x *items) check(item attribute.Item) error {
	for _, k := range x.keys() {
		value, there := item[k.Name]
		switch want := sandbox.KeyKinds[k.Type]; {
		case !there:
			return fmt.Errorf("has no %s, which is the table's key", model.Quote(k.Name))
		case value.Kind != want:
			return fmt.Errorf("has the key %s with a value that is no %s", model.Quote(k.Name), k.Type)
		case want == attribute.S && value.Text == "" || want == attribute.B && len(value.Bytes) == 0:
			return fmt.Errorf("has the key %s without a value", model.Quote(k.Name))
		}
	}
	if size := item.Size(); size > attribute.LargestItem {
		return fmt.Errorf("has %d bytes, more than the %d that an item may have", size, attribute.LargestItem)
	}
	return nil
}

// keyText is the key of an item in one text, to tell items apart.
func (x *items) keyText(item attribute.Item) string {
	var text []byte
	for _, k := range x.keys() {
		text = attribute.AppendKey(text, item[k.Name])
	}
	return string(text)
}

// scan gives the items page by page until use has enough or none is left; limit is
// how many at most, 0 for all.
func (x *items) scan(limit int, use func(attribute.Item) error) error {
	var from json.RawMessage
	for {
		input := map[string]any{}
		if from != nil {
			input["ExclusiveStartKey"] = from
		}
		if limit > 0 {
			input["Limit"] = limit
		}
		var answer struct {
			Items            []json.RawMessage
			LastEvaluatedKey json.RawMessage
		}
		if err := x.ask("Scan", input, &answer); err != nil {
			return err
		}
		for _, text := range answer.Items {
			item, err := attribute.ParseItem([]byte(text))
			if err != nil {
				return err
			}
			if err := use(item); err != nil {
				return err
			}
		}
		if limit > 0 {
			if limit -= len(answer.Items); limit <= 0 {
				return nil
			}
		}
		if from = answer.LastEvaluatedKey; len(from) == 0 {
			return nil
		}
	}
}

// putAll writes items, at most 25 of them, in one request if it may be.
func (x *items) putAll(all []attribute.Item) error {
	// Of a key that is there twice, the last counts.
	places := make(map[string]int)
	var requests []any
	for _, item := range all {
		request := map[string]any{"PutRequest": map[string]any{"Item": wire(item)}}
		if at, twice := places[x.keyText(item)]; twice {
			requests[at] = request
			continue
		}
		places[x.keyText(item)] = len(requests)
		requests = append(requests, request)
	}
	for rest := requests; len(rest) > 0; {
		var answer struct{ UnprocessedItems map[string][]any }
		if err := sandbox.Ask(x.ctx, x.held, "BatchWriteItem", map[string]any{"RequestItems": map[string]any{x.name: rest}}, &answer); err != nil {
			return err
		}
		rest = slices.Clone(answer.UnprocessedItems[x.name])
	}
	return nil
}
