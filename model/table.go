package model

import "gatewright/model/field"

// KeyType is the type of a key attribute.
type KeyType string

// The types that a key attribute can have.
const (
	StringKey KeyType = "string"
	NumberKey KeyType = "number"
	BinaryKey KeyType = "binary"
)

// KeyTypes lists every KeyType in the order they are offered.
var KeyTypes = []KeyType{StringKey, NumberKey, BinaryKey}

// Key is one key attribute of a table or an index.
type Key struct {
	Name string
	Type KeyType
}

// Table is a key-value table. A Key with an empty name means that there is none.
type Table struct {
	Name string
	// DeployedAs is the name of the deployed table without its environment; empty means
	// Name.
	DeployedAs   string
	PartitionKey Key
	SortKey      Key
	Indexes      []Index
	// StreamView is what the stream of the table's changes has of an item, one of
	// StreamViews; "" is DefaultStreamView if there are triggers, and else no stream.
	StreamView string
	// Triggers are the functions that are called with the changes.
	Triggers []StreamTrigger
}

// Index is a secondary index of a Table.
type Index struct {
	Name         string
	PartitionKey Key
	SortKey      Key
}

// Fields are the fields of table.json.
func (t *Table) Fields() []field.Row {
	return []field.Row{
		{Name: "partitionKey", Flag: "partition-key", Noun: "partition key", Value: &t.PartitionKey, Written: true},
		{Name: "sortKey", Flag: "sort-key", Noun: "sort key", Value: &t.SortKey},
		{Name: "indexes", Flag: "index", Value: &t.Indexes},
		{Name: "streamView", Flag: "stream", Value: &t.StreamView, Words: StreamViews},
		{Name: "triggers", Flag: "trigger", Value: &t.Triggers},
	}
}

// Fields are the fields of a key.
func (k *Key) Fields() []field.Row {
	return []field.Row{
		{Name: "name", Value: &k.Name, Written: true},
		{Name: "type", Value: (*string)(&k.Type), Written: true, Words: field.Words(KeyTypes)},
	}
}

// Fields are the fields of an index.
func (i *Index) Fields() []field.Row {
	return []field.Row{
		{Name: "name", Value: &i.Name, Written: true},
		{Name: "partitionKey", Noun: "partition key", Value: &i.PartitionKey, Written: true},
		{Name: "sortKey", Noun: "sort key", Value: &i.SortKey},
	}
}

// HasSortKey reports whether the table has a sort key.
func (t *Table) HasSortKey() bool { return t.SortKey.Name != "" }

// DeployedName returns the name of the deployed table in an environment: each environment
// has its own tables.
func (t *Table) DeployedName(environment string) string {
	name := t.DeployedAs
	if name == "" {
		name = t.Name
	}
	return name + "-" + environment
}
