package pages

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

func (f *File) open() error {
	const patience = 200 * time.Millisecond
	options := bbolt.Options{
		OpenFile: func(name string, flag int, mode os.FileMode) (handle *os.File, err error) {
			f.handle, err = os.OpenFile(name, flag, mode)
			return f.handle, err
		},
		Timeout: patience, NoSync: !f.options.Sync, NoGrowSync: !f.options.Sync, NoStatistics: true,
		// Every change writes the free pages in their order, which a map has to sort.
		FreelistType: bbolt.FreelistArrayType,
	}
	if f.options.Patience > 0 {
		options.Timeout = f.options.Patience
	}
	known, err := readSeal(f.name)
	if err != nil && !errors.Is(err, errSeal) {
		return err
	}
	if err != nil || IsDoubted(f.name) {
		f.doubt()
	}
	size, err := f.size(known.last)
	if err != nil {
		return err
	}
	fresh := size == 0
	if fresh {
		known, f.warning = sealed{}, ""
	} else {
		f.sums.put(known.sums)
		if err := f.look(options, size, known.last); err != nil {
			return err
		}
	}
	if f.db == nil {
		options.ReadOnly = f.options.ReadOnly
		if f.db, err = bbolt.Open(f.name, 0o600, &options); err != nil {
			return opening(err)
		}
	}
	f.pageSize = f.db.Info().PageSize
	memory := mapped(f.db, firstPage)
	if f.now, err = newest(memory, f.pageSize); err != nil {
		return err
	}
	if err := f.settle(known); err != nil {
		return err
	}
	f.taken = f.taken && !fresh
	f.settled.Store(f.now.txid)
	if !f.options.Check || f.taken {
		return nil
	}
	if int64(f.now.end)*int64(f.pageSize) <= Large || f.options.Damaged == nil {
		return f.checkAll(f.ctx)
	}
	f.checking.Go(func() { _ = f.met(f.checkAll(f.ctx)) })
	return nil
}

// opening is damage if bbolt refuses a file for what is in it.
func opening(err error) error {
	if errors.Is(err, berrors.ErrInvalid) || errors.Is(err, berrors.ErrVersionMismatch) ||
		errors.Is(err, berrors.ErrChecksum) {
		return damaged(0, err.Error())
	}
	return err
}

// size is the length of the file, 0 if it is a new one.
func (f *File) size(last meta) (int64, error) {
	info, err := os.Stat(f.name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return 0, nil
	case err != nil:
		return 0, err
	case info.Size() == 0 && last.txid != 0:
		return 0, damaged(0, "the file is empty")
	}
	return info.Size(), nil
}

// look checks what bbolt believes when it opens a file to change it: the meta pages and the
// list of free pages. A file that is only read stays open.
func (f *File) look(options bbolt.Options, size int64, last meta) error {
	options.ReadOnly = true
	db, err := bbolt.Open(f.name, 0o600, &options)
	switch {
	case errors.Is(err, berrors.ErrTimeout) || errors.Is(err, os.ErrPermission):
		return err
	case err != nil:
		return damaged(0, err.Error())
	}
	err = f.lookAt(db, size, last)
	if err == nil && f.options.ReadOnly {
		f.db = db
		return nil
	}
	return errors.Join(err, db.Close())
}

func (f *File) lookAt(db *bbolt.DB, size int64, last meta) error {
	return guarded(func() error {
		pageSize := db.Info().PageSize
		now, err := newest(mapped(db, firstPage), pageSize)
		if err != nil {
			return err
		}
		if uint64(size) < now.end*uint64(pageSize) {
			return damaged(uint64(size)/uint64(pageSize), "the file is truncated")
		}
		if now.freelist == ^uint64(0) {
			return nil
		}
		p := raw(mapped(db, now.end), pageSize, now.freelist)
		if last.txid == now.txid && f.sums.get(now.freelist) != sum(p) || p.id() != now.freelist {
			return damaged(now.freelist, "it is not what was written")
		}
		for _, id := range p.free() {
			if id < firstPage || id >= now.end {
				return damaged(now.freelist, "the list of free pages is not what was written")
			}
		}
		return nil
	})
}

// settle gets the sums of the present tree.
func (f *File) settle(known sealed) error {
	if known.torn && (known.last.txid == 0 || known.last.txid+1 != f.now.txid) {
		// The part of a record stands for a change that is not the last one of the file.
		known, f.sums = sealed{}, sums{}
		f.doubt()
	}
	last, memory := known.last, mapped(f.db, f.now.end)
	switch {
	case last.txid > f.now.txid:
		return damaged(0, fmt.Sprintf("its last %d changes are missing", last.txid-f.now.txid))
	case last.txid != 0 && last.txid == f.now.txid:
		if last.root != f.now.root || last.freelist != f.now.freelist {
			return damaged(0, "another file is in its place")
		}
	case last.txid != 0 && last.txid+1 == f.now.txid:
		// The process was killed between the change and its record, or another program made
		// one change.
		f.sums.put(changes(&f.sums, memory, f.pageSize, last, f.now))
	default:
		f.sums, f.taken = sums{}, true
		if err := f.take(memory); err != nil {
			return err
		}
	}
	if f.options.ReadOnly {
		return nil
	}
	if known.records == 1 && last.txid == f.now.txid {
		info, err := os.Stat(f.name + Suffix)
		if err != nil {
			return err
		}
		return f.seal.open(f.now.txid, info.Size())
	}
	if err := f.keepDoubt(); err != nil {
		return err
	}
	live, err := f.writeSums()
	f.sums = sums{}
	f.sums.put(live)
	return err
}

// writeSums replaces the file of checksums by one record with the pages in use. Those of free
// pages must not be in it: Salvage may take a page with a sum as one in use.
func (f *File) writeSums() (live []pageSum, err error) {
	live = f.live(mapped(f.db, f.now.end))
	return live, f.seal.write(record{f.now, live})
}

// live are the sums of the pages that are in use.
func (f *File) live(memory []byte) []pageSum {
	all := f.sums.all(f.now.end)
	if f.now.freelist >= f.now.end {
		return all
	}
	free := raw(memory, f.pageSize, f.now.freelist).free()
	return slices.DeleteFunc(all, func(s pageSum) bool {
		_, isFree := slices.BinarySearch(free, s.id)
		return isFree
	})
}
