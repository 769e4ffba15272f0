package table

import (
	"encoding/binary"
	"hash/crc32"
	"slices"

	"github.com/go-json-experiment/json"

	"gatewright/sandbox/table/attribute"
)

// keyElement is an attribute of a key. It and the other types with the service's field names are
// both stored and sent as JSON.
type keyElement struct {
	AttributeName string
	KeyType       string // HASH or RANGE
}

// attributeDefinition is the type of an attribute that is in keys.
type attributeDefinition struct {
	AttributeName string
	AttributeType string // S, N or B
}

// projection is what an index has of its items.
type projection struct {
	ProjectionType   string   // ALL, KEYS_ONLY or INCLUDE
	NonKeyAttributes []string `json:",omitzero"`
}

// throughput is what a table or an index is provisioned for.
type throughput struct {
	ReadCapacityUnits, WriteCapacityUnits int64
}

// tag is a tag of a table.
type tag struct{ Key, Value string }

// The statuses of tables and indexes, and the ways in which they are paid.
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

	global bool `json:"-"`
	keys   keys `json:"-"`
	// projected are the names of the projected attributes, sorted; nil is all.
	projected []string `json:"-"`
}

// keys are the attributes that make up a key, with their types. sort is empty if there is
// no sort key.
type keys struct {
	partition, sort         string
	partitionKind, sortKind attribute.Kind
}

// has reports whether an attribute is part of the key.
func (k keys) has(name string) bool { return name == k.partition || name == k.sort && name != "" }

// names are the attributes of the key.
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

	keys    keys     `json:"-"`
	indexes []*index `json:"-"`
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
	d.Sum = crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli))
	return json.Marshal(d)
}

// hasSum reports whether the checksum of a definition is right.
func (d *definition) hasSum() bool {
	without := *d
	without.Sum = 0
	text, err := json.Marshal(&without)
	return err == nil && d.Sum == crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli))
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

// itemBucket is the bucket of the items.
func (d *definition) itemBucket() []byte { return bucketName('i', d.Number) }

// sizeBucket is the bucket whose sequence is the size of the items.
func (d *definition) sizeBucket() []byte { return bucketName('s', d.Number) }

// streamBucket is the bucket of the records of the stream.
func (d *definition) streamBucket() []byte { return bucketName('c', d.Number) }

// readerBucket is the bucket of the readers of the stream.
func (d *definition) readerBucket() []byte { return bucketName('r', d.Number) }

// indexBucket is the bucket of the entries of an index.
func (d *definition) indexBucket(x *index) []byte {
	return binary.BigEndian.AppendUint64(bucketName('x', d.Number), x.Number)
}

func bucketName(kind byte, number uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{kind}, number)
}

// status is the table's status in its description: UPDATING during a backfill.
func (d *definition) status() string {
	for _, x := range d.indexes {
		if x.Status != statusActive {
			return "UPDATING"
		}
	}
	return statusActive
}

// indexedNames are the attributes of the indexes' keys.
func (d *definition) indexedNames() []string {
	var names []string
	for _, x := range d.indexes {
		names = append(names, x.keys.names()...)
	}
	return names
}

// isUsable reports whether a definition has what the others rely on.
func (d *definition) isUsable() bool {
	if d.Number == 0 || len(d.KeySchema) == 0 {
		return false
	}
	for _, list := range [][]index{d.LocalSecondaryIndexes, d.GlobalSecondaryIndexes} {
		for _, x := range list {
			if len(x.KeySchema) == 0 {
				return false
			}
		}
	}
	d.derive()
	return true
}

// globalIndex is where a global index is in their list, -1 if there is none of the name.
func (d *definition) globalIndex(name string) int {
	return slices.IndexFunc(d.GlobalSecondaryIndexes, func(x index) bool { return x.IndexName == name })
}

// pruneDefinitions removes the definitions of attributes that no key uses any more.
func (d *definition) pruneDefinitions() {
	used := func(name string) bool {
		has := func(schema []keyElement) bool {
			return slices.ContainsFunc(schema, func(e keyElement) bool { return e.AttributeName == name })
		}
		hasIndex := func(x index) bool { return has(x.KeySchema) }
		return has(d.KeySchema) || slices.ContainsFunc(d.LocalSecondaryIndexes, hasIndex) || slices.ContainsFunc(d.GlobalSecondaryIndexes, hasIndex)
	}
	d.AttributeDefinitions = slices.DeleteFunc(d.AttributeDefinitions, func(a attributeDefinition) bool { return !used(a.AttributeName) })
}
