package table

import (
	"bytes"
	"slices"
	"strconv"

	"gatewright/sandbox/pages"
	"gatewright/sandbox/table/schema"
	"gatewright/sandbox/table/stored"
)

// largestPage is the most bytes of items that a query or a scan reads, before filtering.
const largestPage = 1 << 20

// page is the result of reading a page.
type page struct {
	items   []byte // the elements of a JSON list
	count   int
	scanned int
	size    int
	last    stored.Item // the last item that was read, nil at the end of the span
}

// run reads a page and returns the answer.
func (p *pageRequest) run(s *Store) ([]byte, error) {
	var output []byte
	err := s.view(func(tx *pages.Tx) error {
		var got page
		if err := p.collect(tx, &got); err != nil {
			return err
		}
		var err error
		output, err = p.answer(got)
		return err
	})
	return output, err
}

// collect reads items until the page is full.
func (p *pageRequest) collect(tx *pages.Tx, got *page) error {
	items := tx.Bucket(p.def.ItemBucket())
	if items == nil {
		return errNoTable
	}
	source := items
	if p.index != nil {
		if source = tx.Bucket(p.def.IndexBucket(p.index)); source == nil {
			return errNoTable
		}
	}
	var last stored.Item
	c := spanCursor{cursor: source.Cursor(), span: p.span, reverse: p.reverse}
	for key, value := c.first(); key != nil; key, value = c.next() {
		item, size := stored.Item(value), 0
		if p.index != nil {
			if item = items.Get(schema.ItemKey(key, value)); item == nil {
				return stored.ErrDamaged
			}
			size = projectedSize(item, p.index)
		} else {
			size = item.Size()
		}
		if got.scanned > 0 && got.size+size > largestPage {
			got.last = last
			return nil
		}
		got.scanned++
		got.size += size
		if err := p.take(item, got); err != nil {
			return err
		}
		last = item
		if got.scanned == p.limit {
			got.last = last
			return nil
		}
	}
	return nil
}

// take adds an item to the page if it passes the filter.
func (p *pageRequest) take(item stored.Item, got *page) error {
	if p.filter != nil {
		names := p.filter.Names()
		if p.index != nil && p.index.Projected != nil && p.index.Global {
			names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !p.index.Projects(name) })
		}
		part, err := item.Pick(names)
		if err != nil {
			return err
		}
		if !p.filter.Holds(part) {
			return nil
		}
	}
	got.count++
	if p.selects == "COUNT" {
		return nil
	}
	var err error
	got.items, err = p.view.Append(comma(got.items, got.count-1), item)
	return err
}

// answer writes the page as the answer of Query or Scan.
func (p *pageRequest) answer(got page) ([]byte, error) {
	b := make([]byte, 0, len(got.items)+256)
	b = append(b, '{')
	b = strconv.AppendInt(next(b, "Count"), int64(got.count), 10)
	if p.selects != "COUNT" {
		b = append(append(append(next(b, "Items"), '['), got.items...), ']')
	}
	if got.last != nil {
		key, err := got.last.Pick(p.startNames())
		if err != nil {
			return nil, err
		}
		b = key.AppendJSON(next(b, "LastEvaluatedKey"))
	}
	b = strconv.AppendInt(next(b, "ScannedCount"), int64(got.scanned), 10)
	if p.capacity != "NONE" {
		n := readUnits(got.size, consistency(p.consistent))
		u := units{table: n}
		if p.index != nil {
			u = units{indexes: map[*schema.Index]float64{p.index: n}}
		}
		b = u.append(next(b, "ConsumedCapacity"), p.table, p.capacity)
	}
	return append(b, '}'), nil
}

// spanCursor iterates over a span of a bucket in either direction.
type spanCursor struct {
	cursor  pages.Cursor
	span    schema.Span
	reverse bool
}

func (w *spanCursor) first() (key, value []byte) {
	if !w.reverse {
		if w.span.Low == nil {
			return w.within(w.cursor.First())
		}
		return w.within(w.cursor.Seek(w.span.Low))
	}
	if w.span.High == nil {
		return w.within(w.cursor.Last())
	}
	if key, _ := w.cursor.Seek(w.span.High); key == nil {
		return w.within(w.cursor.Last())
	}
	return w.within(w.cursor.Prev())
}

func (w *spanCursor) next() (key, value []byte) {
	if w.reverse {
		return w.within(w.cursor.Prev())
	}
	return w.within(w.cursor.Next())
}

func (w *spanCursor) within(key, value []byte) ([]byte, []byte) {
	if w.span.High != nil && bytes.Compare(key, w.span.High) >= 0 || bytes.Compare(key, w.span.Low) < 0 {
		return nil, nil
	}
	return key, value
}
