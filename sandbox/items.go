package sandbox

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/cloudtable"
	"gatewright/sandbox/table/attribute"
)

// Items gives access to the items of one table in the form for people: keys as words and
// items as plain JSON.
type Items struct {
	Tables Tables
	Table  Table
	// Pause is how long the first pause is before what a table did not take is sent again; the
	// next ones grow. 0 means 50 ms.
	Pause time.Duration
}

// NoTable reports whether an error says that the table does not exist.
func NoTable(err error) bool {
	var refused *attribute.Error
	return errors.As(err, &refused) && refused.Code == "ResourceNotFoundException"
}

// Keys are the key attributes of a table's definition, one or two.
func (t Table) Keys() []model.Key {
	keys := []model.Key{t.Definition.PartitionKey}
	if t.Definition.HasSortKey() {
		keys = append(keys, t.Definition.SortKey)
	}
	return keys
}

// Key reads a key from one word for each key attribute: a string, a number or base64, as
// the table's definition requires. The error names the table's key.
func (t Table) Key(words []string) (attribute.Item, error) {
	keys := t.Keys()
	if len(words) != len(keys) {
		names := make([]string, len(keys))
		for i, k := range keys {
			names[i] = k.Name
		}
		return nil, fmt.Errorf("the key of table %s is %s; give %s", phrase.Quote(t.Definition.Name), phrase.QuoteList(names),
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
			return nil, fmt.Errorf("the key %s must be a number, and %s is not", phrase.Quote(k.Name), phrase.Quote(word))
		}
		return &attribute.Value{Kind: attribute.N, Text: number}, nil
	case model.BinaryKey:
		bytes, err := base64.StdEncoding.DecodeString(word)
		if err != nil {
			return nil, fmt.Errorf("the key %s must be base64, and %s is not", phrase.Quote(k.Name), phrase.Quote(word))
		}
		return &attribute.Value{Kind: attribute.B, Bytes: bytes}, nil
	}
	return &attribute.Value{Kind: attribute.S, Text: word}, nil
}

// KeyOf is the key of an item that passes Check.
func (t Table) KeyOf(item attribute.Item) attribute.Item {
	key := make(attribute.Item)
	for _, k := range t.Keys() {
		key[k.Name] = item[k.Name]
	}
	return key
}

// Check reports why an item does not fit in the table. The error is a predicate for a
// sentence about the item.
func (t Table) Check(item attribute.Item) error {
	for _, k := range t.Keys() {
		value, found := item[k.Name]
		switch want := attribute.KindOf(cloudtable.KeyTypes[k.Type]); {
		case !found:
			return fmt.Errorf("has no %s, which is the table's key", phrase.Quote(k.Name))
		case value.Kind != want:
			return fmt.Errorf("has the key %s with a value that is not a %s", phrase.Quote(k.Name), k.Type)
		case want == attribute.S && value.Text == "" || want == attribute.B && len(value.Bytes) == 0:
			return fmt.Errorf("has the key %s without a value", phrase.Quote(k.Name))
		}
	}
	if size := item.Size(); size > attribute.LargestItem {
		return fmt.Errorf("has %d bytes, more than the limit of %d", size, attribute.LargestItem)
	}
	return nil
}

// keyText is the key of an item as a map key.
func (t Table) keyText(item attribute.Item) string {
	var text []byte
	for _, k := range t.Keys() {
		text = attribute.AppendKey(text, item[k.Name])
	}
	return string(text)
}

// ask carries out an operation on the table; into may be nil.
func (x Items) ask(ctx context.Context, operation string, input map[string]any, into any) error {
	input["TableName"] = x.Table.Name
	return Ask(ctx, x.Tables, operation, input, into)
}

// encodeItem encodes an item as DynamoDB's JSON.
func encodeItem(item attribute.Item) json.RawMessage { return item.AppendJSON(nil) }

// Count is the number of items in the table.
func (x Items) Count(ctx context.Context) (int64, error) {
	var answer struct{ Table struct{ ItemCount int64 } }
	err := x.ask(ctx, "DescribeTable", map[string]any{}, &answer)
	return answer.Table.ItemCount, err
}

// Page returns at most limit items, or as many as one answer has if limit is 0. from is
// nil or the next of the page before; next is nil after the last page.
func (x Items) Page(
	ctx context.Context, from json.RawMessage, limit int,
) (items []attribute.Item, next json.RawMessage, err error) {
	input := map[string]any{"ConsistentRead": true}
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
	if err := x.ask(ctx, "Scan", input, &answer); err != nil {
		return nil, nil, err
	}
	for _, text := range answer.Items {
		item, err := attribute.ParseItem([]byte(text))
		if err != nil {
			return nil, nil, err
		}
		items = append(items, item)
	}
	if len(answer.LastEvaluatedKey) == 0 {
		return items, nil, nil
	}
	return items, answer.LastEvaluatedKey, nil
}

// Scan calls use for at most limit items, or for all if limit is 0, until use fails.
func (x Items) Scan(ctx context.Context, limit int, use func(attribute.Item) error) error {
	var from json.RawMessage
	for {
		items, next, err := x.Page(ctx, from, limit)
		if err != nil {
			return err
		}
		for _, item := range items {
			if err := use(item); err != nil {
				return err
			}
		}
		if limit > 0 {
			if limit -= len(items); limit <= 0 {
				return nil
			}
		}
		if from = next; from == nil {
			return nil
		}
	}
}

// Get returns the item with a key, or nil.
func (x Items) Get(ctx context.Context, key attribute.Item) (attribute.Item, error) {
	var answer struct{ Item json.RawMessage }
	if err := x.ask(ctx, "GetItem", map[string]any{"Key": encodeItem(key), "ConsistentRead": true}, &answer); err != nil ||
		len(answer.Item) == 0 {
		return nil, err
	}
	item, err := attribute.ParseItem([]byte(answer.Item))
	if err != nil {
		return nil, err
	}
	return item, nil
}

// Put writes an item, and reports whether it replaced one.
func (x Items) Put(ctx context.Context, item attribute.Item) (replaced bool, err error) {
	if err := x.Table.Check(item); err != nil {
		return false, fmt.Errorf("the item %w", err)
	}
	return x.replace(ctx, "PutItem", map[string]any{"Item": encodeItem(item)})
}

// Delete deletes the item with a key, and reports whether there was one.
func (x Items) Delete(ctx context.Context, key attribute.Item) (deleted bool, err error) {
	return x.replace(ctx, "DeleteItem", map[string]any{"Key": encodeItem(key)})
}

// replace carries out an operation that writes, and reports whether the item existed before.
func (x Items) replace(ctx context.Context, operation string, input map[string]any) (bool, error) {
	input["ReturnValues"] = "ALL_OLD"
	var answer struct{ Attributes json.RawMessage }
	err := x.ask(ctx, operation, input, &answer)
	return len(answer.Attributes) > 0, err
}
