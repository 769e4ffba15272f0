package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox/table/attribute"
)

// Tables carries out operations of DynamoDB, with input and output as JSON. The error is
// an *attribute.Error if the tables refuse the operation.
type Tables interface {
	Do(ctx context.Context, operation string, input []byte) (output []byte, err error)
}

// Table is a table of an environment.
type Table struct {
	// Name is the name of the deployed table.
	Name       string
	Definition *model.Table
}

// KeyKinds are the kinds of attribute values for the types of keys.
var KeyKinds = map[model.KeyType]attribute.Kind{
	model.StringKey: attribute.S, model.NumberKey: attribute.N, model.BinaryKey: attribute.B,
}

// Parts of DynamoDB's JSON.
type (
	attributeDefinition struct {
		Name string `json:"AttributeName"`
		Type string `json:"AttributeType"`
	}
	keyElement struct {
		Name string `json:"AttributeName"`
		Type string `json:"KeyType"`
	}
	projection struct {
		Type string `json:"ProjectionType"`
	}
	index struct {
		Name       string       `json:"IndexName"`
		Keys       []keyElement `json:"KeySchema"`
		Projection projection   `json:"Projection"`
		Capacity   capacity     `json:"ProvisionedThroughput,omitzero"`
	}
	description struct {
		Name       string                `json:"TableName"`
		Attributes []attributeDefinition `json:"AttributeDefinitions"`
		Keys       []keyElement          `json:"KeySchema"`
		Indexes    []index               `json:"GlobalSecondaryIndexes,omitempty"`
		Billing    string                `json:"BillingMode,omitempty"`
		Capacity   capacity              `json:"ProvisionedThroughput,omitzero"`
		Stream     *stream               `json:"StreamSpecification,omitempty"`
		Protected  bool                  `json:"DeletionProtectionEnabled,omitempty"`
	}
	capacity struct {
		Read  int `json:"ReadCapacityUnits"`
		Write int `json:"WriteCapacityUnits"`
	}
	stream struct {
		Enabled bool   `json:"StreamEnabled"`
		View    string `json:"StreamViewType,omitempty"`
	}
	indexChange struct {
		Create *index     `json:",omitempty"`
		Delete *indexName `json:",omitempty"`
	}
	indexName struct {
		Name string `json:"IndexName"`
	}
)

// describe is the description that a definition requires.
func (t Table) describe() description {
	d := description{
		Name: t.Name, Billing: "PAY_PER_REQUEST",
		Keys: keySchema(t.Definition.PartitionKey, t.Definition.SortKey),
	}
	add := func(keys ...model.Key) {
		for _, k := range keys {
			known := slices.ContainsFunc(d.Attributes, func(a attributeDefinition) bool { return a.Name == k.Name })
			if k.Name != "" && !known {
				d.Attributes = append(d.Attributes, attributeDefinition{k.Name, KeyKinds[k.Type].String()})
			}
		}
	}
	if d.Protected = t.Definition.Protected; t.Definition.IsProvisioned() {
		d.Billing, d.Capacity = "PROVISIONED", capacity{t.Definition.ReadCapacity, t.Definition.WriteCapacity}
	}
	add(t.Definition.PartitionKey, t.Definition.SortKey)
	for _, i := range t.Definition.Indexes {
		add(i.PartitionKey, i.SortKey)
		d.Indexes = append(d.Indexes, index{i.Name, keySchema(i.PartitionKey, i.SortKey), projection{"ALL"}, d.Capacity})
	}
	if view := t.Definition.View(); view != "" {
		d.Stream = &stream{true, view}
	}
	return d
}

func keySchema(partition, sort model.Key) []keyElement {
	keys := []keyElement{{partition.Name, "HASH"}}
	if sort.Name != "" {
		keys = append(keys, keyElement{sort.Name, "RANGE"})
	}
	return keys
}

// keyText is a key in the form "id (S), at (N)".
func (d description) keyText(keys []keyElement) string {
	var words []string
	for _, k := range keys {
		at := slices.IndexFunc(d.Attributes, func(a attributeDefinition) bool { return a.Name == k.Name })
		kind := "?"
		if at >= 0 {
			kind = d.Attributes[at].Type
		}
		words = append(words, phrase.Quote(k.Name)+" ("+kind+")")
	}
	return strings.Join(words, ", ")
}

// keyError is the error for a table whose key differs from its definition.
type keyError struct{ table, is, want string }

func (e *keyError) Error() string {
	return fmt.Sprintf("table %s has the key %s and its definition has %s: the key of an existing table cannot change; "+
		"give the table another name, or replace it by an empty one with: gatewright table drop %s", phrase.Quote(e.table),
		e.is, e.want, e.table)
}

// makeTable creates a missing table, or gives an existing one the indexes, the stream, the time to live,
// the billing and the protection of its definition and changes nothing else. The error is a *keyError if
// the keys differ.
func makeTable(ctx context.Context, tables Tables, t Table) error {
	want := t.describe()
	var answer struct{ Table description }
	err := Ask(ctx, tables, "DescribeTable", map[string]string{"TableName": t.Name}, &answer)
	if NoTable(err) {
		if err = Ask(ctx, tables, "CreateTable", want, nil); err != nil || t.Definition.TimeToLive == "" {
			return err
		}
		return changeTimeToLive(ctx, tables, t)
	}
	if err != nil {
		return err
	}
	have := answer.Table
	if is, wanted := have.keyText(have.Keys), want.keyText(want.Keys); is != wanted {
		return &keyError{t.Name, is, wanted}
	}
	if err := changeKeeping(ctx, tables, have, want); err != nil {
		return err
	}
	if err := changeIndexes(ctx, tables, have, want); err != nil {
		return err
	}
	if err := changeStream(ctx, tables, have, want); err != nil {
		return err
	}
	return changeTimeToLive(ctx, tables, t)
}

// changeKeeping gives a table the billing and the protection that the definition wants.
func changeKeeping(ctx context.Context, tables Tables, have, want description) error {
	change := map[string]any{"TableName": want.Name}
	if have.Capacity != want.Capacity {
		if change["BillingMode"] = want.Billing; want.Capacity != (capacity{}) {
			change["ProvisionedThroughput"] = want.Capacity
		}
	}
	if have.Protected != want.Protected {
		change["DeletionProtectionEnabled"] = want.Protected
	}
	if len(change) == 1 {
		return nil
	}
	return Ask(ctx, tables, "UpdateTable", change, nil)
}

// changeTimeToLive has the items of a table expire by the attribute of its definition, or not at all.
func changeTimeToLive(ctx context.Context, tables Tables, t Table) error {
	type specification struct {
		Attribute string `json:"AttributeName"`
		Enabled   bool
	}
	var have struct {
		Description struct{ AttributeName, TimeToLiveStatus string } `json:"TimeToLiveDescription"`
	}
	change := func(to specification) error {
		return Ask(ctx, tables, "UpdateTimeToLive",
			map[string]any{"TableName": t.Name, "TimeToLiveSpecification": to}, nil)
	}
	if err := Ask(ctx, tables, "DescribeTimeToLive", map[string]string{"TableName": t.Name}, &have); err != nil {
		return err
	}
	is, want := "", t.Definition.TimeToLive
	if have.Description.TimeToLiveStatus == "ENABLED" {
		is = have.Description.AttributeName
	}
	if is == want {
		return nil
	}
	if is != "" {
		if err := change(specification{is, false}); err != nil {
			return err
		}
	}
	if want == "" {
		return nil
	}
	return change(specification{want, true})
}

// changeStream makes the stream that the definition wants. One with another view is replaced:
// what a stream has cannot change.
func changeStream(ctx context.Context, tables Tables, have, want description) error {
	if want.Stream == nil || have.Stream != nil && *have.Stream == *want.Stream {
		return nil
	}
	change := func(to stream) error {
		return Ask(ctx, tables, "UpdateTable", map[string]any{"TableName": want.Name, "StreamSpecification": to}, nil)
	}
	if have.Stream != nil && have.Stream.Enabled {
		if err := change(stream{}); err != nil {
			return err
		}
	}
	return change(*want.Stream)
}

// changeIndexes removes the indexes that the definition lacks or has with other keys, and
// then creates the missing ones.
func changeIndexes(ctx context.Context, tables Tables, have, want description) error {
	same := func(in []index, of description, i index, from description) bool {
		return slices.ContainsFunc(in,
			func(o index) bool { return o.Name == i.Name && of.keyText(o.Keys) == from.keyText(i.Keys) })
	}
	var changes []indexChange
	for _, i := range have.Indexes {
		if !same(want.Indexes, want, i, have) {
			changes = append(changes, indexChange{Delete: &indexName{i.Name}})
		}
	}
	for _, i := range want.Indexes {
		if !same(have.Indexes, have, i, want) {
			changes = append(changes, indexChange{Create: &i})
		}
	}
	for _, change := range changes {
		input := map[string]any{
			"TableName": want.Name, "AttributeDefinitions": want.Attributes,
			"GlobalSecondaryIndexUpdates": []indexChange{change},
		}
		if err := Ask(ctx, tables, "UpdateTable", input, nil); err != nil {
			return err
		}
	}
	return nil
}

// Ask carries out an operation of tables. It encodes input as JSON and decodes the output
// into a value, which may be nil.
func Ask(ctx context.Context, tables Tables, operation string, input, into any) error {
	text, err := json.Marshal(input)
	if err != nil {
		return err
	}
	output, err := tables.Do(ctx, operation, text)
	if err != nil || into == nil {
		return err
	}
	return json.Unmarshal(output, into)
}
