package table

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/go-json-experiment/json"

	"gatewright/internal/file"
	"gatewright/sandbox/pages"
	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/schema"
	"gatewright/sandbox/table/stored"
)

// Kept says what Repair kept of a table.
type Kept struct {
	Table string
	// Items is how many items were kept, Of how many it had: -1 if that is unknown.
	Items, Of int
	// Stale is how many of them may have been changed or deleted since: the list of free pages
	// is lost, so older items cannot be told from those in use.
	Stale int
	// Stream is set if the table has a stream, which begins anew.
	Stream bool
}

// Repair writes what is whole of the tables of a damaged file into a new file. Indexes are made anew. A
// definition that is lost is taken from its second copy; items of a table that has none are lost too.
func Repair(damaged, into string) ([]Kept, error) {
	r := &repair{
		tables: make(map[uint64]*schema.Table), stale: make(map[uint64]*schema.Table), kept: make(map[uint64]*Kept),
		lost:  make(map[string]bool),
		items: make(map[string]*schema.Table), streams: make(map[string]*schema.Table),
	}
	if err := pages.Salvage(damaged, r.readDefinition); err != nil {
		return nil, err
	}
	copies, known, err := readDefinitions(damaged)
	if err != nil {
		return nil, err
	}
	r.complete(copies, known)
	if r.store, err = Open(into, Options{}); err != nil {
		return nil, err
	}
	err = r.define()
	if err == nil {
		err = pages.Salvage(damaged, r.readItem)
	}
	if err == nil {
		err = r.write()
	}
	if err = errors.Join(err, r.store.Close()); err != nil {
		return nil, err
	}
	var out []Kept
	for _, number := range slices.Sorted(maps.Keys(r.kept)) {
		out = append(out, *r.kept[number])
	}
	return out, nil
}

type repair struct {
	store  *Store
	tables map[uint64]*schema.Table
	// stale are definitions that may have been changed or deleted since.
	stale map[uint64]*schema.Table
	// lost are the buckets of which something may be missing; "" is the one around all.
	lost map[string]bool
	// items and streams are the definitions by the names of their buckets.
	items, streams map[string]*schema.Table
	kept           map[uint64]*Kept
	next           uint64
	batch          []foundItem
	size           int
}

type foundItem struct {
	def        *schema.Table
	key, value []byte
	stale      bool
}

// noteLost notes a bucket of which something may be missing.
func (r *repair) noteLost(path [][]byte) {
	if len(path) == 0 {
		r.lost[""] = true
		return
	}
	r.lost[string(path[0])] = true
}

// isComplete reports whether everything in a bucket was found.
func (r *repair) isComplete(bucket []byte) bool { return !r.lost[""] && !r.lost[string(bucket)] }

// complete takes lost definitions from their second copy or, without one, from pages that may
// not be in use.
func (r *repair) complete(copies []*schema.Table, known bool) {
	if r.isComplete(tablesBucket) {
		return
	}
	if !known {
		copies = slices.Collect(maps.Values(r.stale))
	}
	taken := make(map[string]bool)
	for _, d := range r.tables {
		taken[d.TableName] = true
	}
	slices.SortFunc(copies, func(a, b *schema.Table) int { return cmp.Compare(b.Number, a.Number) })
	for _, d := range copies {
		// A name that was used again belongs to the table that was made last.
		if !taken[d.TableName] && r.tables[d.Number] == nil {
			r.tables[d.Number], taken[d.TableName] = d, true
		}
	}
}

// readDefinition takes the definitions of tables: from a damaged page those with a checksum
// that is right.
func (r *repair) readDefinition(f pages.Found) error {
	if f.Lost {
		r.noteLost(f.Path)
		return nil
	}
	if f.Bucket && len(f.Path) == 0 && bytes.Equal(f.Key, metaBucket) && f.Sound {
		r.next = max(r.next, f.Sequence)
	}
	if f.Bucket || len(f.Path) > 1 || len(f.Path) == 1 && f.Sound && !bytes.Equal(f.Path[0], tablesBucket) {
		return nil
	}
	d := new(schema.Table)
	if json.Unmarshal(f.Value, d) != nil || d.TableName != string(f.Key) || !d.IsUsable() {
		return nil
	}
	into := r.tables
	if f.Stale {
		into = r.stale
	}
	if whole := f.Sound && len(f.Path) == 1; !whole && !d.HasSum() || into[d.Number] != nil {
		return nil
	}
	into[d.Number] = d
	return nil
}

// define makes the tables, with their old numbers, without items.
func (r *repair) define() error {
	return r.store.updateAlone(func(tx *pages.Tx) error {
		for _, number := range slices.Sorted(maps.Keys(r.tables)) {
			d := r.tables[number]
			r.next = max(r.next, number)
			r.kept[number] = &Kept{Table: d.TableName, Of: -1, Stream: d.StreamView != ""}
			for _, x := range d.Indexes {
				x.Status = schema.StatusActive
			}
			for _, name := range d.Buckets() {
				if _, err := tx.CreateBucket(name); err != nil {
					return err
				}
			}
			r.items[string(d.ItemBucket())] = d
			r.streams[string(d.StreamBucket())] = d
			if err := r.store.putDefinition(tx, d); err != nil {
				return err
			}
		}
		return tx.Bucket(metaBucket).SetSequence(r.next)
	})
}

// readItem takes the items that are as they were written, and the numbers of items.
func (r *repair) readItem(f pages.Found) error {
	switch {
	case f.Lost:
		return nil
	case f.Bucket && f.Sound && len(f.Path) == 0:
		if d := r.items[string(f.Key)]; d != nil {
			r.kept[d.Number].Of = int(f.Sequence)
		}
		return r.beginStream(r.streams[string(f.Key)], f.Sequence)
	case f.Bucket || len(f.Path) > 1:
		return nil
	case len(f.Path) == 1:
		if d := r.items[string(f.Path[0])]; d != nil {
			if certain, possible := stored.Item(f.Value).IsOf(d.Number, f.Key); certain || possible && f.Sound {
				return r.take(d, f)
			}
		}
		return nil
	}
	// No page leads to this one any more.
	for _, d := range r.tables {
		if f.Stale && r.isComplete(d.ItemBucket()) {
			continue
		}
		if certain, _ := stored.Item(f.Value).IsOf(d.Number, f.Key); certain {
			return r.take(d, f)
		}
	}
	return nil
}

// take keeps an item.
func (r *repair) take(d *schema.Table, f pages.Found) error {
	r.batch = append(r.batch, foundItem{d, bytes.Clone(f.Key), bytes.Clone(f.Value), f.Stale})
	r.size += len(f.Value)
	const most, largest = 1000, 4 << 20
	if len(r.batch) >= most || r.size >= largest {
		return r.write()
	}
	return nil
}

// beginStream has the numbers of records go on where they were.
func (r *repair) beginStream(d *schema.Table, sequence uint64) error {
	if d == nil || d.StreamView == "" {
		return nil
	}
	return r.store.updateAlone(func(tx *pages.Tx) error { return tx.Bucket(d.StreamBucket()).SetSequence(sequence) })
}

// write puts the items that were found. The first of a key is the one that is in use.
func (r *repair) write() error {
	err := r.store.updateAlone(func(tx *pages.Tx) error {
		for _, found := range r.batch {
			quiet := *found.def
			quiet.StreamView = ""
			if tx.Bucket(quiet.ItemBucket()).Get(found.key) != nil {
				continue
			}
			item, err := stored.Item(found.value).Decode()
			if err != nil || checkKeyOf(&quiet, item, found.key) != nil {
				continue
			}
			e := effect{change: &change{kind: putKind, def: &quiet, key: found.key, item: item}, new: found.value, newItem: item}
			if err := e.write(r.store, tx); err != nil {
				return err
			}
			r.kept[quiet.Number].Items++
			if found.stale {
				r.kept[quiet.Number].Stale++
			}
		}
		return nil
	})
	r.batch, r.size = nil, 0
	return err
}

// checkKeyOf refuses an item that does not belong under a key.
func checkKeyOf(d *schema.Table, item attribute.Item, key []byte) error {
	own := make(attribute.Item)
	for _, name := range d.Keys.Names() {
		if v := item[name]; v != nil {
			own[name] = v
		}
	}
	if err := d.CheckKey(own); err != nil {
		return err
	}
	if !bytes.Equal(d.Keys.AppendKey(nil, own), key) {
		return stored.ErrDamaged
	}
	return nil
}

// DefinitionsSuffix is the end of the name of the file with a second copy of the definitions
// of all tables, a line each. Only Repair reads it: all items of a table would be lost with
// the one page that has its definition.
const DefinitionsSuffix = ".definitions"

// keepDefinitions writes the second copy if it is not up to date. No request fails for it:
// the next change of a definition, or the next Open, writes it again.
func (s *Store) keepDefinitions() error {
	all := *s.tables.Load()
	var lines []byte
	for _, name := range slices.Sorted(maps.Keys(all)) {
		// The definition is in use, and its text would set its checksum.
		own := *all[name]
		text, err := own.Text()
		if err != nil {
			return err
		}
		lines = append(append(lines, text...), '\n')
	}
	name := s.db.Path() + DefinitionsSuffix
	if there, err := os.ReadFile(name); err == nil && bytes.Equal(there, lines) {
		return nil
	}
	next := name + ".next"
	if err := os.WriteFile(next, lines, 0o600); err != nil {
		return err
	}
	return file.Rename(next, name)
}

// readDefinitions reads the second copy of the definitions: those whose checksum is right.
// known is set if there is one that has any, or is about no table.
func readDefinitions(file string) (defs []*schema.Table, known bool, err error) {
	text, err := os.ReadFile(file + DefinitionsSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	for line := range bytes.Lines(text) {
		d := new(schema.Table)
		if json.Unmarshal(line, d) == nil && d.HasSum() && d.IsUsable() {
			defs = append(defs, d)
		}
	}
	return defs, len(defs) > 0 || len(text) == 0, nil
}
