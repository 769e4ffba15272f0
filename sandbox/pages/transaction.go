package pages

import (
	"errors"
	"fmt"
	"os"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// View reads a snapshot.
func (f *File) View(read func(tx *Tx) error) error {
	least := f.settled.Load()
	err := Guard(func() error {
		tx, err := f.begin(false)
		if err != nil {
			return err
		}
		defer f.end(tx)
		if uint64(tx.ID()) < least {
			return damaged(0, "its last changes are missing")
		}
		f.await(uint64(tx.ID()))
		s := &snapshot{file: f, root: uint64(tx.Cursor().Bucket().Root()), end: uint64(tx.Size()) / uint64(f.pageSize)}
		s.memory = mapped(f.db, s.end)
		t := &Tx{tx: tx, snapshot: s}
		t.top = Bucket{snapshot: s, root: s.root}
		return read(t)
	})
	if errors.Is(err, berrors.ErrDatabaseNotOpen) {
		return ErrClosed
	}
	return f.met(err)
}

// begin begins a transaction. bbolt panics with locks in its hands if it cannot read its meta
// pages, so they are read before, by a way that only fails.
func (f *File) begin(writable bool) (*bbolt.Tx, error) {
	if f.lost.Load() || !f.hasMeta() {
		return nil, damaged(0, "its meta pages cannot be read")
	}
	begun := false
	defer func() {
		if !begun {
			f.lost.Store(true)
		}
	}()
	tx, err := f.db.Begin(writable)
	begun = true
	return tx, err
}

// hasMeta reports whether the file has both meta pages, one of which is whole. The other one
// may be in the middle of a change.
func (f *File) hasMeta() bool {
	var head [headerSize + metaLength]byte
	for _, at := range []int64{int64(f.pageSize), 0, int64(f.pageSize), 0} {
		if _, err := f.handle.ReadAt(head[:], at); err != nil {
			// Begin knows what to say of a closed file.
			return errors.Is(err, os.ErrClosed)
		}
		if _, ok := readMeta(head[:]); ok {
			return true
		}
	}
	return false
}

// end ends a transaction that reads.
func (f *File) end(tx *bbolt.Tx) {
	if !f.lost.Load() {
		_ = tx.Rollback()
	}
}

func (f *File) isSound(id uint64, p page) bool { return f.sums.get(id) == sum(p) }

// Update makes a change. It is acknowledged, by nil, when all of it is in the file and the
// pages that it replaced were what had been written. After damage it only fails.
func (f *File) Update(change func(tx *Tx) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch broken := f.broken.Load(); {
	case broken != nil:
		return broken
	case f.closed:
		return ErrClosed
	}
	var t *Tx
	err := Guard(func() error {
		tx, err := f.begin(true)
		if err != nil {
			return err
		}
		s := &snapshot{file: f, root: f.now.root, end: f.now.end, writer: true}
		t = &Tx{tx: tx, snapshot: s}
		if uint64(tx.ID()) != f.now.txid+1 {
			return damaged(0, "its last changes are missing")
		}
		t.top = Bucket{snapshot: s, root: s.root}
		return change(t)
	})
	if t == nil {
		return f.met(err)
	}
	if err = errors.Join(err, f.checkFree()); err != nil {
		return f.met(f.undo(t.tx, err))
	}
	f.stuck = true
	f.committing(f.now.txid + 1)
	err = f.met(guarded(func() error { return f.commit(t.tx) }))
	// Readers that wait for this change learn before that it is damage.
	f.committing(0)
	if err != nil {
		return err
	}
	for _, f := range t.committed {
		f()
	}
	return nil
}

// checkFree checks the list of free pages, which bbolt reads when a change ends.
func (f *File) checkFree() error {
	return guarded(func() error {
		if f.now.freelist < f.now.end {
			(&snapshot{file: f, end: f.now.end, writer: true}).page(f.now.freelist)
		}
		return nil
	})
}

// undo ends a change without its effects, and returns why it failed. If the file is damaged,
// bbolt could not undo it.
func (f *File) undo(tx *bbolt.Tx, why error) error {
	if IsDamage(why) {
		f.stuck = true
		return why
	}
	return errors.Join(why, guarded(tx.Rollback))
}

// commit writes a change and learns the sums of its pages.
func (f *File) commit(tx *bbolt.Tx) error {
	before := f.now
	err := tx.Commit()
	f.stuck = false
	if err != nil {
		return f.unfinished(err)
	}
	after, err := newest(mapped(f.db, firstPage), f.pageSize)
	if err != nil {
		return err
	}
	if after.txid != before.txid+1 {
		return damaged(0, "its last change is missing")
	}
	wrote := changes(&f.sums, mapped(f.db, after.end), f.pageSize, before, after)
	f.sums.put(wrote)
	f.now = after
	f.sumsKnown(after.txid)
	_ = f.seal.add(record{after, wrote})
	f.shorten()
	return nil
}

// unfinished is the error of a change that could not be committed. If others see it
// nevertheless, as after an error of the last sync, the file is no longer what was acknowledged.
func (f *File) unfinished(why error) error {
	now, err := newest(mapped(f.db, firstPage), f.pageSize)
	if err != nil {
		return err
	}
	if now.txid != f.now.txid {
		return damaged(0, fmt.Sprintf("a change could not be finished: %v", why))
	}
	return why
}

// shorten replaces the file of checksums if it has become long.
func (f *File) shorten() {
	const least, pages = 1 << 20, 4
	if f.seal.size >= max(least, pages*recordSum*int64(f.now.end)) {
		_, _ = f.writeSums()
	}
}
