package table

import (
	"bytes"

	"gatewright/sandbox/pages"

	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/expression"
	"gatewright/sandbox/table/schema"
	"gatewright/sandbox/table/stored"
)

const (
	putKind changeKind = iota + 1
	updateKind
	deleteKind
	checkKind
)

type changeKind uint8

// change is a requested write, or check, of one item.
type change struct {
	kind  changeKind
	table string
	// item is the item of a put, and the key of other changes.
	item      attribute.Item
	encoded   stored.Item // item of a put
	update    *expression.Update
	condition *expression.Condition
	// showOld adds the item to the refusal if the condition fails.
	showOld bool
	// duplicate makes it errDuplicateItem.
	duplicate bool
	// expired says that the time to live of the item is over.
	expired bool

	def *schema.Table
	key []byte
}

// bind finds the key of the change in a table, and refuses what the table's keys do not
// allow.
func (c *change) bind(d *schema.Table) error {
	if d == nil {
		return errNoTable
	}
	c.def, c.key = nil, nil
	if c.kind == putKind {
		if err := d.CheckItem(c.item); err != nil {
			return err
		}
	} else if err := d.CheckKey(c.item); err != nil {
		return err
	}
	if c.update != nil {
		for _, name := range c.update.Names() {
			if d.Keys.Has(name) {
				return attribute.InvalidParameter("Cannot update attribute %s. This attribute is part of the key", name)
			}
		}
	}
	c.def, c.key = d, d.Keys.AppendKey(nil, c.item)
	return nil
}

func (c *change) bindIn(s *Store) (item string, err error) {
	err = c.bind(s.table(c.table))
	return c.table + "/" + string(c.key), err
}

// effect is what a change does to the stored item, before it is written.
type effect struct {
	*change
	old     stored.Item // nil if the item does not exist
	oldItem attribute.Item
	new     stored.Item // nil if the item is deleted
	newItem attribute.Item
	touched expression.Paths
}

// prepare reads the item, checks the condition and computes the effect. It writes nothing.
func (c *change) prepare(s *Store, tx *pages.Tx) (effect, error) {
	e := effect{change: c}
	if d := s.table(c.table); d != c.def {
		if err := c.bind(d); err != nil {
			return e, err
		}
	}
	items := tx.Bucket(c.def.ItemBucket())
	if items == nil {
		return e, errNoTable
	}
	e.old = items.Get(c.key)
	var err error
	if e.old != nil {
		// An update and the indexes need attributes of the old item, a stream all of them.
		switch {
		case c.kind == updateKind || c.def.StreamView != "" && c.kind != checkKind:
			e.oldItem, err = e.old.Decode()
		case c.kind != checkKind && len(c.def.Indexes) > 0:
			e.oldItem, err = e.old.Pick(c.def.IndexedNames())
		}
		if err != nil {
			return e, err
		}
	}
	if err := e.checkCondition(); err != nil {
		return e, err
	}
	switch c.kind {
	case putKind:
		e.new, e.newItem = c.encoded.WithSum(c.def.Number, c.key), c.item
	case updateKind:
		err = e.prepareUpdate()
	case checkKind:
		e.new = e.old
	}
	return e, err
}

func (e *effect) checkCondition() error {
	if e.condition == nil {
		return nil
	}
	var item attribute.Item
	var err error
	if e.old != nil {
		if item, err = e.old.Pick(e.condition.Names()); err != nil {
			return err
		}
	}
	switch {
	case e.condition.Holds(item):
		return nil
	case e.duplicate:
		return errDuplicateItem
	}
	if !e.showOld || e.old == nil {
		return errConditionFailed
	}
	extra, err := e.old.AppendJSON([]byte(`,"Item":`), nil)
	if err != nil {
		return err
	}
	return &refusal{*errConditionFailed, extra}
}

// prepareUpdate computes the updated item.
func (e *effect) prepareUpdate() error {
	base := e.oldItem
	if base == nil {
		base = e.item
	}
	e.newItem = base
	if e.update != nil {
		item, touched, err := e.update.Apply(base)
		if err != nil {
			return err
		}
		e.newItem, e.touched = item, touched
	}
	if e.newItem.Size() > attribute.LargestItem {
		return errUpdateTooLarge
	}
	if err := e.def.CheckIndexed(e.newItem); err != nil {
		return err
	}
	e.new = stored.Encode(e.newItem).WithSum(e.def.Number, e.key)
	return nil
}

func (e *effect) write(s *Store, tx *pages.Tx) error {
	if e.kind == checkKind || e.old == nil && e.new == nil {
		return nil
	}
	items := tx.Bucket(e.def.ItemBucket())
	if err := e.writeIndexes(tx); err != nil {
		return err
	}
	var err error
	if e.new == nil {
		err = items.Delete(e.key)
	} else {
		err = items.Put(e.key, e.new)
	}
	if err != nil {
		return err
	}
	if err := count(items, presence(e.new)-presence(e.old)); err != nil {
		return err
	}
	if err := count(tx.Bucket(e.def.SizeBucket()), e.new.Size()-e.old.Size()); err != nil {
		return err
	}
	if e.def.TimeToLive != "" && e.new != nil {
		s.soon(e.def, s.expiryOf(e.def, e.newItem))
	}
	if e.def.StreamView != "" {
		return s.record(tx, e)
	}
	return nil
}

func presence(s stored.Item) int {
	if s == nil {
		return 0
	}
	return 1
}

// count adds to the sequence of a bucket, which is in its header and is written with it
// anyway.
func count(b *pages.Bucket, by int) error {
	if by == 0 {
		return nil
	}
	return b.SetSequence(b.Sequence() + uint64(by))
}

// writeIndexes moves the index entries of an item whose index keys changed.
func (e *effect) writeIndexes(tx *pages.Tx) error {
	for _, x := range e.def.Indexes {
		before, hadEntry := x.AppendEntry(nil, e.oldItem, e.key)
		after, hasEntry := x.AppendEntry(nil, e.newItem, e.key)
		if hadEntry == hasEntry && bytes.Equal(before, after) {
			continue
		}
		entries := tx.Bucket(e.def.IndexBucket(x))
		if hadEntry && entries.Get(before) != nil {
			if err := entries.Delete(before); err != nil {
				return err
			}
			if err := count(entries, -1); err != nil {
				return err
			}
		}
		if hasEntry {
			if err := putEntry(entries, after, e.key); err != nil {
				return err
			}
		}
	}
	return nil
}

// putEntry adds a new entry to an index.
func putEntry(entries *pages.Bucket, entry, key []byte) error {
	if err := entries.Put(entry, schema.EntryValue(entry, key)); err != nil {
		return err
	}
	return count(entries, 1)
}
