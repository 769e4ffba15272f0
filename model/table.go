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
	// DeployedAs is the name of the deployed table without its environment; empty means Name.
	DeployedAs   string
	PartitionKey Key
	SortKey      Key
	Indexes      []Index
	// StreamView is what the stream of the table's changes has of an item, one of
	// StreamViews; "" is DefaultStreamView if there are triggers, and else no stream.
	StreamView string
	// Triggers are the functions that are called with the changes.
	Triggers []StreamTrigger
	// TimeToLive is the attribute with the second, counted from 1970, after which an item is deleted; "" if items
	// stay, see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/howitworks-ttl.html
	TimeToLive string
	// Recovery has the cloud keep point-in-time backups of the last 35 days, see
	// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Point-in-time-recovery.html
	Recovery bool
	// Protected has the cloud refuse to delete the table.
	Protected bool
	// Deletion is what becomes of the table when it leaves its stack, one of Deletions; "" is Retain.
	Deletion string
	// Billing is how the table is paid, one of Billings; "" is OnDemand. A table that is Provisioned
	// has capacities, and so has each of its indexes.
	Billing                     string
	ReadCapacity, WriteCapacity int
}

// What becomes of a table that leaves its stack: it stays in the account, or goes with its items.
const (
	Retain = "retain"
	Delete = "delete"
)

// Deletions lists what Table.Deletion may be.
var Deletions = []string{Retain, Delete}

// The ways in which a table is paid, see
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/capacity-mode.html
const (
	OnDemand    = "on-demand"
	Provisioned = "provisioned"
)

// Billings lists what Table.Billing may be.
var Billings = []string{OnDemand, Provisioned}

// Index is a secondary index of a Table.
type Index struct {
	Name         string
	PartitionKey Key
	SortKey      Key
}

// mostCapacity is beyond what an account has unless AWS raises its quotas, see
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
const mostCapacity = 1_000_000

// Fields are the fields of table.json.
func (t *Table) Fields() []field.Row {
	return []field.Row{
		{Name: "partitionKey", Flag: "partition-key", Noun: "partition key", Value: &t.PartitionKey, Written: true},
		{Name: "sortKey", Flag: "sort-key", Noun: "sort key", Value: &t.SortKey},
		{Name: "indexes", Flag: "index", Value: &t.Indexes},
		{Name: "streamView", Flag: "stream", Value: &t.StreamView, Words: StreamViews},
		{Name: "triggers", Flag: "trigger", Value: &t.Triggers},
		{Name: "timeToLive", Flag: "ttl", Noun: "time to live", Value: &t.TimeToLive},
		{Name: "pointInTimeRecovery", Flag: "recovery", Noun: "point in time recovery", Value: &t.Recovery},
		{Name: "deletionProtection", Flag: "protect", Noun: "deletion protection", Value: &t.Protected},
		{Name: "deletion", Flag: "deletion", Noun: "deletion", Value: &t.Deletion, Words: Deletions, Default: Retain},
		{Name: "billing", Flag: "billing", Noun: "billing", Value: &t.Billing, Words: Billings, Default: OnDemand},
		{
			Name: "readCapacity", Flag: "read-capacity", Noun: "read capacity", Value: &t.ReadCapacity,
			Range: field.Range{Min: 1, Max: mostCapacity, Unit: "unit", Sign: "units"},
		},
		{
			Name: "writeCapacity", Flag: "write-capacity", Noun: "write capacity", Value: &t.WriteCapacity,
			Range: field.Range{Min: 1, Max: mostCapacity, Unit: "unit", Sign: "units"},
		},
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

// IsProvisioned reports whether the table has capacities.
func (t *Table) IsProvisioned() bool { return t.Billing == Provisioned }

// DeployedName returns the name of the deployed table in an environment: each environment has its own tables.
func (t *Table) DeployedName(environment string) string {
	name := t.DeployedAs
	if name == "" {
		name = t.Name
	}
	return name + "-" + environment
}
