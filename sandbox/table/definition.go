package table

import (
	"encoding/binary"
	"hash/crc32"
	"slices"

	"github.com/go-json-experiment/json"

	"gatewright/sandbox/table/attribute"
)

// keyElement and the other types with the service's field names are both stored and sent as
// JSON.
type keyElement struct {
	AttributeName string
	KeyType       string // HASH or RANGE
}

type attributeDefinition struct {
	AttributeName string
	AttributeType string // S, N or B
}

type projection struct {
	ProjectionType   string   // ALL, KEYS_ONLY or INCLUDE
	NonKeyAttributes []string `json:",omitzero"`
}

type throughput struct {
	ReadCapacityUnits, WriteCapacityUnits int64
}

type tag struct{ Key, Value string }

const (
	statusActive   = "ACTIVE"
	statusCreating = "CREATING"

	provisioned   = "PROVISIONED"
	payPerRequest = "PAY_PER_REQUEST"
)

// index is a secondary index of a table.
type index struct {
	IndexName             string
	Number                uint64 // of its bucket; never reused within the table
	KeySchema             []keyElement
	Projection            projection
	ProvisionedThroughput throughput
	Status                string // ACTIVE, or CREATING during the backfill

	global bool
	keys   keys
	// projected are the names of the projected attributes, sorted; nil is all.
	projected []string
}

// keys are the attributes that make up a key, with their types. sort is empty if there is
// no sort key.
type keys struct {
	partition, sort         string
	partitionKind, sortKind attribute.Kind
}

// has reports whether an attribute is part of the key.
func (k keys) has(name string) bool { return name == k.partition || name == k.sort && name != "" }

func (k keys) names() []string {
	if k.sort == "" {
		return []string{k.partition}
	}
	return []string{k.partition, k.sort}
}

// definition is a table as it was created and changed since. It is immutable once others
// can see it.
type definition struct {
	Number                 uint64
	TableName, TableID     string
	Created                float64 // seconds since 1970
	AttributeDefinitions   []attributeDefinition
	KeySchema              []keyElement
	BillingMode            string
	OnDemandSince          float64 `json:",omitzero"`
	ProvisionedThroughput  throughput
	LocalSecondaryIndexes  []index `json:",omitzero"`
	GlobalSecondaryIndexes []index `json:",omitzero"`
	NextIndex              uint64
	TimeToLive             string `json:",omitzero"` // the attribute; empty if disabled
	Tags                   []tag  `json:",omitzero"`
	DeletionProtection     bool   `json:",omitzero"`
	StreamView             string `json:",omitzero"` // the view type; empty if there is no stream
	StreamLabel            string `json:",omitzero"` // of the last stream, even a disabled one
	Sum                    uint32 `json:",omitzero"` // of the JSON without it

	keys    keys
	indexes []*index
}

// derive computes keys and indexes from the stored fields.
func (d *definition) derive() {
	kinds := make(map[string]attribute.Kind, len(d.AttributeDefinitions))
	for _, a := range d.AttributeDefinitions {
		kinds[a.AttributeName] = attribute.KindOf(a.AttributeType)
	}
	d.keys = keysOf(d.KeySchema, kinds)
	d.indexes = nil
	for i := range d.LocalSecondaryIndexes {
		d.indexes = append(d.indexes, &d.LocalSecondaryIndexes[i])
	}
	for i := range d.GlobalSecondaryIndexes {
		d.GlobalSecondaryIndexes[i].global = true
		d.indexes = append(d.indexes, &d.GlobalSecondaryIndexes[i])
	}
	for _, x := range d.indexes {
		x.keys, x.projected = keysOf(x.KeySchema, kinds), nil
		if x.Projection.ProjectionType != "ALL" {
			x.projected = slices.Concat(d.keys.names(), x.keys.names(), x.Projection.NonKeyAttributes)
			slices.Sort(x.projected)
			x.projected = slices.Compact(x.projected)
		}
	}
}

func keysOf(schema []keyElement, kinds map[string]attribute.Kind) keys {
	k := keys{partition: schema[0].AttributeName, partitionKind: kinds[schema[0].AttributeName]}
	if len(schema) > 1 {
		k.sort, k.sortKind = schema[1].AttributeName, kinds[schema[1].AttributeName]
	}
	return k
}

// text is the definition as it is stored, with its checksum.
func (d *definition) text() ([]byte, error) {
	d.Sum = 0
	text, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	d.Sum = crc32.Checksum(text, castagnoli)
	return json.Marshal(d)
}

// hasSum reports whether the checksum of a definition is right.
func (d *definition) hasSum() bool {
	without := *d
	without.Sum = 0
	text, err := json.Marshal(&without)
	return err == nil && d.Sum == crc32.Checksum(text, castagnoli)
}

// clone is a copy that may be changed; call derive afterwards.
func (d *definition) clone() *definition {
	out := *d
	out.AttributeDefinitions = slices.Clone(d.AttributeDefinitions)
	out.LocalSecondaryIndexes = slices.Clone(d.LocalSecondaryIndexes)
	out.GlobalSecondaryIndexes = slices.Clone(d.GlobalSecondaryIndexes)
	out.Tags = slices.Clone(d.Tags)
	return &out
}

// index is the index of a name, or nil.
func (d *definition) index(name string) *index {
	for _, x := range d.indexes {
		if x.IndexName == name {
			return x
		}
	}
	return nil
}

// projects reports whether the index stores an attribute of its items.
func (x *index) projects(name string) bool {
	if x.projected == nil {
		return true
	}
	_, found := slices.BinarySearch(x.projected, name)
	return found
}

// buckets are the buckets that a table has from the beginning. It may also have that of the
// readers of its stream, and that of a stream that was ended. Table numbers are never reused,
// so a new table of the same name shares nothing with the old one.
func (d *definition) buckets() [][]byte {
	names := [][]byte{d.itemBucket(), d.sizeBucket()}
	if d.StreamView != "" {
		names = append(names, d.streamBucket())
	}
	for _, x := range d.indexes {
		names = append(names, d.indexBucket(x))
	}
	return names
}

func (d *definition) itemBucket() []byte   { return bucketName('i', d.Number) }
func (d *definition) sizeBucket() []byte   { return bucketName('s', d.Number) }
func (d *definition) streamBucket() []byte { return bucketName('c', d.Number) }
func (d *definition) readerBucket() []byte { return bucketName('r', d.Number) }
func (d *definition) indexBucket(x *index) []byte {
	return binary.BigEndian.AppendUint64(bucketName('x', d.Number), x.Number)
}

func bucketName(kind byte, number uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{kind}, number)
}
