package table

import (
	"slices"

	"gatewright/sandbox/pages"
	"gatewright/sandbox/table/schema"
	"gatewright/sandbox/table/stored"
)

// fillStep is how many items a backfill adds to a new index in one transaction.
const fillStep = 1000

// resumeIndexes runs the backfills of all indexes that need one. The first step of each runs before this
// returns. The rest runs in the background, or after the file is opened again if the process ends first.
func (s *Store) resumeIndexes() {
	for name, d := range *s.tables.Load() {
		for _, x := range d.Indexes {
			if x.Status == schema.StatusActive {
				continue
			}
			f := &backfill{store: s, table: name, tableNumber: d.Number, index: x.Number}
			if done, err := f.step(); done || err != nil {
				continue
			}
			s.background(f.finish)
		}
	}
}

// backfill adds the items of a table to a new index. Writes keep the index correct from the moment it is
// defined, so nothing is lost between the steps, and repeating a step does no harm.
type backfill struct {
	store              *Store
	table              string
	tableNumber, index uint64
	from               []byte // the key of the next item
}

// finish takes steps until the index is complete or the Store is closed. What fails is
// tried again when the file is opened.
func (f *backfill) finish() {
	for f.store.ctx.Err() == nil {
		if done, err := f.step(); done || err != nil {
			return
		}
	}
}

// step adds some items to the index. It returns true after the last one.
func (f *backfill) step() (bool, error) {
	obsolete, end := false, false
	var from []byte
	err := f.store.update(func(tx *pages.Tx) error {
		d, x := f.find()
		if obsolete = x == nil; obsolete {
			return nil
		}
		var err error
		from, err = fill(tx, d, x, f.from)
		end = from == nil
		return err
	})
	f.from = from
	if err != nil || obsolete || !end {
		return obsolete, err
	}
	return true, f.store.redefine(f.table, errNoTable, func(_ *pages.Tx, d *schema.Table) error {
		if d.Number != f.tableNumber {
			return nil
		}
		for i := range d.GlobalSecondaryIndexes {
			if d.GlobalSecondaryIndexes[i].Number == f.index {
				d.GlobalSecondaryIndexes[i].Status = schema.StatusActive
			}
		}
		return nil
	})
}

// find is the table and the index, nil if they no longer exist or the index is complete.
func (f *backfill) find() (*schema.Table, *schema.Index) {
	d := f.store.table(f.table)
	if d == nil || d.Number != f.tableNumber {
		return nil, nil
	}
	at := slices.IndexFunc(d.Indexes, func(x *schema.Index) bool { return x.Number == f.index })
	if at < 0 || d.Indexes[at].Status == schema.StatusActive {
		return nil, nil
	}
	return d, d.Indexes[at]
}

// fill adds the entries of items, beginning at a key. It returns the key of the next item,
// nil after the last.
func fill(tx *pages.Tx, d *schema.Table, x *schema.Index, from []byte) ([]byte, error) {
	entries := tx.Bucket(d.IndexBucket(x))
	names := x.Keys.Names()
	c := spanCursor{cursor: tx.Bucket(d.ItemBucket()).Cursor(), span: schema.Span{Low: from}}
	n := 0
	for key, value := c.first(); key != nil; key, value = c.next() {
		if n++; n > fillStep {
			return append([]byte{}, key...), nil
		}
		item, err := stored.Item(value).Pick(names)
		if err != nil {
			return nil, err
		}
		entry, indexed := x.AppendEntry(nil, item, key)
		if !indexed || entries.Get(entry) != nil {
			continue
		}
		if err := putEntry(entries, entry, key); err != nil {
			return nil, err
		}
	}
	return nil, nil
}
