package table

import (
	"bytes"
	"maps"
	"slices"

	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/schema"
	"gatewright/sandbox/table/stored"
)

// Sizes that one unit reads or writes, in bytes (developer guide, "DynamoDB read and write
// operations").
const (
	readUnit  = 4 << 10
	writeUnit = 1 << 10
)

// units are the capacity units that an operation used of one table.
type units struct {
	table   float64
	indexes map[*schema.Index]float64
}

// consumed is the capacity that an operation used, by table.
type consumed map[string]*units

func (c consumed) forTable(table string) *units {
	u := c[table]
	if u == nil {
		u = new(units)
		c[table] = u
	}
	return u
}

func (u *units) addIndex(x *schema.Index, n float64) {
	if u.indexes == nil {
		u.indexes = make(map[*schema.Index]float64)
	}
	u.indexes[x] += n
}

// readUnits is the cost of reading size bytes; factor is eventually, strongly or transaction.
func readUnits(size int, factor float64) float64 {
	return float64(max(1, (size+readUnit-1)/readUnit)) * factor
}

const (
	eventual    = 0.5
	strong      = 1
	transaction = 2
)

func consistency(consistent bool) float64 {
	if consistent {
		return strong
	}
	return eventual
}

func writeUnits(size int) float64 { return float64(max(1, (size+writeUnit-1)/writeUnit)) }

// write adds the cost of a write to the table and to every index whose entry it changes.
func (c consumed) write(e *effect, factor float64) {
	u := c.forTable(e.def.TableName)
	u.table += writeUnits(max(e.old.Size(), e.new.Size())) * factor
	if e.kind == checkKind {
		return
	}
	for _, x := range e.def.Indexes {
		if n := indexUnits(e, x); n > 0 {
			u.addIndex(x, n*factor)
		}
	}
}

// indexUnits is the cost of a write in an index: it removes the old entry and puts the new
// one, or changes the entry in place.
func indexUnits(e *effect, x *schema.Index) float64 {
	before, hadEntry := x.AppendEntry(nil, e.oldItem, e.key)
	after, hasEntry := x.AppendEntry(nil, e.newItem, e.key)
	old, now := projectedSize(e.old, x), projectedSize(e.new, x)
	switch {
	case hadEntry && hasEntry && bytes.Equal(before, after):
		if sameProjection(e.old, e.new, x) {
			return 0
		}
		return writeUnits(max(old, now))
	case hadEntry && hasEntry:
		return writeUnits(old) + writeUnits(now)
	case hadEntry:
		return writeUnits(old)
	case hasEntry:
		return writeUnits(now)
	}
	return 0
}

// projectedSize is roughly how many bytes of an item an index stores.
func projectedSize(s stored.Item, x *schema.Index) int {
	if s == nil || x.Projected == nil {
		return s.Size()
	}
	size := 0
	// A damaged item was refused when it was read.
	_ = s.Each(func(name []byte, _ attribute.Kind, payload []byte) bool {
		if x.Projects(string(name)) {
			size += len(name) + len(payload)
		}
		return true
	})
	return size
}

// sameProjection reports whether an index stores the same of two items.
func sameProjection(a, b stored.Item, x *schema.Index) bool {
	if x.Projected == nil {
		return stored.Same(a, b)
	}
	left, err := a.AppendJSON(nil, x.Projected)
	if err != nil {
		return false
	}
	right, err := b.AppendJSON(nil, x.Projected)
	return err == nil && bytes.Equal(left, right)
}

// append writes a ConsumedCapacity; detail is TOTAL or INDEXES.
func (u *units) append(b []byte, table, detail string) []byte {
	total := u.table
	for _, n := range u.indexes {
		total += n
	}
	b = appendQuoted(append(b, `{"TableName":`...), table)
	b = appendUnits(append(b, `,"CapacityUnits":`...), total)
	if detail == "INDEXES" {
		b = append(appendUnits(append(b, `,"Table":{"CapacityUnits":`...), u.table), '}')
		b = u.appendIndexes(b, "LocalSecondaryIndexes", false)
		b = u.appendIndexes(b, "GlobalSecondaryIndexes", true)
	}
	return append(b, '}')
}

func (u *units) appendIndexes(b []byte, member string, global bool) []byte {
	byName := make(map[string]float64)
	for x, n := range u.indexes {
		if x.Global == global {
			byName[x.IndexName] = n
		}
	}
	if len(byName) == 0 {
		return b
	}
	b = append(next(b, member), '{')
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		b = append(appendUnits(append(next(b, name), `{"CapacityUnits":`...), byName[name]), '}')
	}
	return append(b, '}')
}

// appendAll writes the ConsumedCapacity of an operation on several tables.
func (c consumed) appendAll(b []byte, detail string) []byte {
	if detail == "NONE" {
		return b
	}
	b = append(next(b, "ConsumedCapacity"), '[')
	for i, table := range slices.Sorted(maps.Keys(c)) {
		b = c[table].append(comma(b, i), table, detail)
	}
	return append(b, ']')
}
