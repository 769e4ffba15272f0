// Package schema is what a table is: its definition with its indexes, as it is stored and as requests
// give it, the keys of its items in the file, and what items and keys it takes.
package schema

import (
	"encoding/binary"
	"hash/crc32"
	"slices"

	"github.com/go-json-experiment/json"

	"gatewright/sandbox/table/attribute"
)

// KeyElement is an attribute of a key. It and the other types with the service's field names are
// both stored and sent as JSON.
type KeyElement struct {
	AttributeName string
	KeyType       string // HASH or RANGE
}

// AttributeDefinition is the type of an attribute that is in keys.
type AttributeDefinition struct {
	AttributeName string
	AttributeType string // S, N or B
}

// Projection is what an index has of its items.
type Projection struct {
	ProjectionType   string   // ALL, KEYS_ONLY or INCLUDE
	NonKeyAttributes []string `json:",omitzero"`
}

// Throughput is what a table or an index is provisioned for.
type Throughput struct {
	ReadCapacityUnits, WriteCapacityUnits int64
}

// Tag is a tag of a table.
type Tag struct{ Key, Value string }

// The statuses of tables and indexes, and the ways in which they are paid.
const (
	StatusActive   = "ACTIVE"
	StatusCreating = "CREATING"

	Provisioned   = "PROVISIONED"
	PayPerRequest = "PAY_PER_REQUEST"
)

// Index is a secondary index of a table.
type Index struct {
	IndexName             string
	Number                uint64 // of its bucket; never reused within the table
	KeySchema             []KeyElement
	Projection            Projection
	ProvisionedThroughput Throughput
	Status                string // ACTIVE, or CREATING during the backfill

	Global bool `json:"-"`
	Keys   Keys `json:"-"`
	// Projected are the names of the projected attributes, sorted; nil is all.
	Projected []string `json:"-"`
}

// Keys are the attributes that make up a key, with their types. Sort is empty if there is
// no sort key.
type Keys struct {
	Partition, Sort         string
	PartitionKind, SortKind attribute.Kind
}

// Has reports whether an attribute is part of the key.
func (k Keys) Has(name string) bool { return name == k.Partition || name == k.Sort && name != "" }

// Names are the attributes of the key.
func (k Keys) Names() []string {
	if k.Sort == "" {
		return []string{k.Partition}
	}
	return []string{k.Partition, k.Sort}
}

// Table is a table as it was created and changed since. It is immutable once others
// can see it.
type Table struct {
	Number                 uint64
	TableName, TableID     string
	Created                float64 // seconds since 1970
	AttributeDefinitions   []AttributeDefinition
	KeySchema              []KeyElement
	BillingMode            string
	OnDemandSince          float64 `json:",omitzero"`
	ProvisionedThroughput  Throughput
	LocalSecondaryIndexes  []Index `json:",omitzero"`
	GlobalSecondaryIndexes []Index `json:",omitzero"`
	NextIndex              uint64
	TimeToLive             string `json:",omitzero"` // the attribute; empty if disabled
	Tags                   []Tag  `json:",omitzero"`
	DeletionProtection     bool   `json:",omitzero"`
	StreamView             string `json:",omitzero"` // the view type; empty if there is no stream
	StreamLabel            string `json:",omitzero"` // of the last stream, even a disabled one
	Sum                    uint32 `json:",omitzero"` // of the JSON without it

	Keys    Keys     `json:"-"`
	Indexes []*Index `json:"-"`
}

// Derive computes keys and indexes from the stored fields.
func (d *Table) Derive() {
	kinds := make(map[string]attribute.Kind, len(d.AttributeDefinitions))
	for _, a := range d.AttributeDefinitions {
		kinds[a.AttributeName] = attribute.KindOf(a.AttributeType)
	}
	d.Keys = keysOf(d.KeySchema, kinds)
	d.Indexes = nil
	for i := range d.LocalSecondaryIndexes {
		d.Indexes = append(d.Indexes, &d.LocalSecondaryIndexes[i])
	}
	for i := range d.GlobalSecondaryIndexes {
		d.GlobalSecondaryIndexes[i].Global = true
		d.Indexes = append(d.Indexes, &d.GlobalSecondaryIndexes[i])
	}
	for _, x := range d.Indexes {
		x.Keys, x.Projected = keysOf(x.KeySchema, kinds), nil
		if x.Projection.ProjectionType != "ALL" {
			x.Projected = slices.Concat(d.Keys.Names(), x.Keys.Names(), x.Projection.NonKeyAttributes)
			slices.Sort(x.Projected)
			x.Projected = slices.Compact(x.Projected)
		}
	}
}

func keysOf(schema []KeyElement, kinds map[string]attribute.Kind) Keys {
	k := Keys{Partition: schema[0].AttributeName, PartitionKind: kinds[schema[0].AttributeName]}
	if len(schema) > 1 {
		k.Sort, k.SortKind = schema[1].AttributeName, kinds[schema[1].AttributeName]
	}
	return k
}

// Text is the definition as it is stored, with its checksum.
func (d *Table) Text() ([]byte, error) {
	d.Sum = 0
	text, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	d.Sum = crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli))
	return json.Marshal(d)
}

// HasSum reports whether the checksum of a definition is right.
func (d *Table) HasSum() bool {
	without := *d
	without.Sum = 0
	text, err := json.Marshal(&without)
	return err == nil && d.Sum == crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli))
}

// Clone is a copy that may be changed; call derive afterwards.
func (d *Table) Clone() *Table {
	out := *d
	out.AttributeDefinitions = slices.Clone(d.AttributeDefinitions)
	out.LocalSecondaryIndexes = slices.Clone(d.LocalSecondaryIndexes)
	out.GlobalSecondaryIndexes = slices.Clone(d.GlobalSecondaryIndexes)
	out.Tags = slices.Clone(d.Tags)
	return &out
}

// Index is the index of a name, or nil.
func (d *Table) Index(name string) *Index {
	for _, x := range d.Indexes {
		if x.IndexName == name {
			return x
		}
	}
	return nil
}

// Projects reports whether the index stores an attribute of its items.
func (x *Index) Projects(name string) bool {
	if x.Projected == nil {
		return true
	}
	_, found := slices.BinarySearch(x.Projected, name)
	return found
}

// Buckets are the buckets that a table has from the beginning. It may also have that of the
// readers of its stream, and that of a stream that was ended. Table numbers are never reused,
// so a new table of the same name shares nothing with the old one.
func (d *Table) Buckets() [][]byte {
	names := [][]byte{d.ItemBucket(), d.SizeBucket()}
	if d.StreamView != "" {
		names = append(names, d.StreamBucket())
	}
	for _, x := range d.Indexes {
		names = append(names, d.IndexBucket(x))
	}
	return names
}

// ItemBucket is the bucket of the items.
func (d *Table) ItemBucket() []byte { return bucketName('i', d.Number) }

// SizeBucket is the bucket whose sequence is the size of the items.
func (d *Table) SizeBucket() []byte { return bucketName('s', d.Number) }

// StreamBucket is the bucket of the records of the stream.
func (d *Table) StreamBucket() []byte { return bucketName('c', d.Number) }

// ReaderBucket is the bucket of the readers of the stream.
func (d *Table) ReaderBucket() []byte { return bucketName('r', d.Number) }

// IndexBucket is the bucket of the entries of an index.
func (d *Table) IndexBucket(x *Index) []byte {
	return binary.BigEndian.AppendUint64(bucketName('x', d.Number), x.Number)
}

func bucketName(kind byte, number uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{kind}, number)
}

// Status is the table's status in its description: UPDATING during a backfill.
func (d *Table) Status() string {
	for _, x := range d.Indexes {
		if x.Status != StatusActive {
			return "UPDATING"
		}
	}
	return StatusActive
}

// IndexedNames are the attributes of the indexes' keys.
func (d *Table) IndexedNames() []string {
	var names []string
	for _, x := range d.Indexes {
		names = append(names, x.Keys.Names()...)
	}
	return names
}

// IsUsable reports whether a definition has what the others rely on.
func (d *Table) IsUsable() bool {
	if d.Number == 0 || len(d.KeySchema) == 0 {
		return false
	}
	for _, list := range [][]Index{d.LocalSecondaryIndexes, d.GlobalSecondaryIndexes} {
		for _, x := range list {
			if len(x.KeySchema) == 0 {
				return false
			}
		}
	}
	d.Derive()
	return true
}

// GlobalIndex is where a global index is in their list, -1 if there is none of the name.
func (d *Table) GlobalIndex(name string) int {
	return slices.IndexFunc(d.GlobalSecondaryIndexes, func(x Index) bool { return x.IndexName == name })
}

// PruneDefinitions removes the definitions of attributes that no key uses any more.
func (d *Table) PruneDefinitions() {
	used := func(name string) bool {
		has := func(schema []KeyElement) bool {
			return slices.ContainsFunc(schema, func(e KeyElement) bool { return e.AttributeName == name })
		}
		hasIndex := func(x Index) bool { return has(x.KeySchema) }
		return has(d.KeySchema) || slices.ContainsFunc(d.LocalSecondaryIndexes, hasIndex) ||
			slices.ContainsFunc(d.GlobalSecondaryIndexes, hasIndex)
	}
	d.AttributeDefinitions = slices.DeleteFunc(d.AttributeDefinitions,
		func(a AttributeDefinition) bool { return !used(a.AttributeName) })
}
