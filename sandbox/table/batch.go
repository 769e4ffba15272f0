package table

import (
	"gatewright/sandbox/pages"
	"github.com/go-json-experiment/json/jsontext"

	"gatewright/sandbox/constraint"
	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/request"
)

const mostBatchWrites = 25

// WriteMany is BatchWriteItem for up to MostWrites items: an operation of this machine alone, with
// which an import needs few transactions.
const (
	WriteMany  = "WriteMany"
	MostWrites = 1000
)

// tableRequests is the part of a batch that is about one table.
type tableRequests struct {
	table string
	given string // the table as named in the request, which may be an ARN
	raw   jsontext.Value
}

// readRequests reads RequestItems, a map of tables to structures of the service's type kind.
func readRequests(m request.Members, operation, kind string) ([]tableRequests, error) {
	items, err := m.Object("RequestItems", request.MapOf(kind))
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return nil, attribute.Invalid("The requestItems parameter is required for %s", operation)
	}
	out := make([]tableRequests, len(items))
	for i, e := range items {
		name := request.WithoutARN(e.Name)
		if !request.IsName(name) || len(name) > request.LongestName {
			var c request.Checks
			c.Add("{"+e.Name+"="+string(e.Value)+"}", "requestItems",
				constraint.MapKeys(constraint.MaxLength(request.LongestName), constraint.MinLength(1),
					constraint.Pattern(request.NamePattern)))
			return nil, c.Err()
		}
		out[i] = tableRequests{name, e.Name, e.Value}
	}
	return out, nil
}

// readBatch reads what the answer of a batch contains, and its RequestItems.
func readBatch(m request.Members, operation, kind string) (r returns, requests []tableRequests, err error) {
	var c request.Checks
	r = readReturns(m, &c)
	if err := c.Err(); err != nil {
		return r, nil, err
	}
	requests, err = readRequests(m, operation, kind)
	return r, requests, err
}

func (s *Store) batchWriteItem(m request.Members) ([]byte, error) {
	return s.writeBatch(m, mostBatchWrites)
}

func (s *Store) writeMany(m request.Members) ([]byte, error) { return s.writeBatch(m, MostWrites) }

func (s *Store) writeBatch(m request.Members, most int) ([]byte, error) {
	r, requests, err := readBatch(m, "BatchWriteItem", "java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>")
	if err != nil {
		return nil, err
	}
	var changes []*change
	for _, t := range requests {
		list, err := request.ParseList(t.raw)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 || len(list) > most {
			var c request.Checks
			c.Add("{"+t.given+"="+request.ShownList(list)+"}", "requestItems",
				constraint.MapValues(constraint.MaxLength(most), constraint.MinLength(1)))
			return nil, c.Err()
		}
		for _, v := range list {
			one, err := readBatchWrite(v, t.table)
			if err != nil {
				return nil, err
			}
			changes = append(changes, one)
		}
	}
	if len(changes) > most {
		return nil, attribute.Invalid("Too many items requested for the BatchWriteItem call")
	}
	if err := bindAll(s, changes); err != nil {
		return nil, err
	}
	var output []byte
	err = s.update(func(tx *pages.Tx) error {
		effects, err := s.prepareAll(tx, changes)
		if err != nil {
			return err
		}
		output = appendWrites([]byte{'{'}, effects, r, 1)
		output = append(next(output, "UnprocessedItems"), "{}}"...)
		return s.writeAll(tx, effects)
	})
	return output, err
}

// readBatchWrite reads one PutRequest or DeleteRequest.
func readBatchWrite(v jsontext.Value, table string) (*change, error) {
	m, err := request.Parse(v, request.ElementOf("WriteRequest"))
	if err != nil {
		return nil, err
	}
	put, err := m.Object("PutRequest", request.StructureOf("PutRequest"))
	if err != nil {
		return nil, err
	}
	remove, err := m.Object("DeleteRequest", request.StructureOf("DeleteRequest"))
	if err != nil {
		return nil, err
	}
	c := &change{table: table}
	switch {
	case put == nil && remove == nil, put != nil && remove != nil:
		return nil, attribute.Invalid("Supplied AttributeValue has more than one datatypes set, must contain exactly one " +
			"of the supported datatypes")
	case put != nil:
		c.kind = putKind
		if c.item, err = request.ParseItem(put, "Item"); err != nil {
			return nil, err
		}
		err = c.encode()
	default:
		c.kind = deleteKind
		c.item, err = request.ParseItem(remove, "Key")
	}
	return c, err
}

// bindAll makes the actions of a batch ready, and refuses two on one item.
func bindAll[A action](s *Store, actions []A) error {
	seen := make(map[string]bool, len(actions))
	for _, one := range actions {
		item, err := one.bindIn(s)
		if err != nil {
			return err
		}
		if seen[item] {
			return errDuplicateKeys
		}
		seen[item] = true
	}
	return nil
}

// prepareAll prepares changes of different items.
func (s *Store) prepareAll(tx *pages.Tx, changes []*change) ([]effect, error) {
	effects := make([]effect, len(changes))
	for i, c := range changes {
		var err error
		if effects[i], err = c.prepare(s, tx); err != nil {
			return nil, err
		}
	}
	return effects, nil
}

func (s *Store) writeAll(tx *pages.Tx, effects []effect) error {
	for i := range effects {
		if err := effects[i].write(s, tx); err != nil {
			return err
		}
	}
	return nil
}

// appendWrites writes the capacity that several writes used, by a factor, and their
// ItemCollectionMetrics.
func appendWrites(b []byte, effects []effect, r returns, factor float64) []byte {
	used := make(consumed)
	collections := make(map[string][]byte)
	var tables []string
	for i := range effects {
		e := &effects[i]
		used.write(e, factor)
		if r.metrics && len(e.def.LocalSecondaryIndexes) > 0 && e.kind != checkKind {
			list, found := collections[e.table]
			if !found {
				tables = append(tables, e.table)
			}
			collections[e.table] = appendCollection(comma(list, len(list)), e)
		}
	}
	b = used.appendAll(b, r.capacity)
	if len(tables) == 0 {
		return b
	}
	b = append(next(b, "ItemCollectionMetrics"), '{')
	for _, table := range tables {
		b = append(append(append(next(b, table), '['), collections[table]...), ']')
	}
	return append(b, '}')
}
