package pages

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"gatewright/inuse"
)

// ErrOwned is the error of Open for a file that another process has open, ErrClosed that of
// a transaction after Close.
var (
	ErrOwned  = errors.New("the file is in use by another process")
	ErrClosed = errors.New("the file is closed")
)

// Options say how a file is opened.
type Options struct {
	// Sync has every change reach the disk before it is acknowledged.
	Sync bool
	// ReadOnly opens a file that exists, and changes nothing.
	ReadOnly bool
	// Patience is how long to wait for another process; the default is 200 ms.
	Patience time.Duration
	// Check has Open check all pages. Of a file larger than Large it checks them while the
	// file is in use, until Close.
	Check bool
	// Damaged is called once, when damage is first met after Open. What Open finds is its error
	// alone.
	Damaged func(*DamageError)
}

// Large is the length in bytes from which on a file is checked while it is in use.
const Large = 256 << 20

// File is an open database. It is safe for concurrent use.
type File struct {
	name    string
	options Options
	db      *bbolt.DB
	// handle is how db reads and writes the file.
	handle   *os.File
	pageSize int
	sums     sums
	// taken is set if the sums were made from the file, since nothing else had them.
	taken   bool
	warning string

	// mu is held by a change and by Close.
	mu   sync.Mutex
	now  meta
	seal seal
	// stuck is set if a change could not be undone: the file stays open.
	stuck, closed bool
	// lost is set if bbolt could not read its meta pages: it holds locks that it needs to begin
	// or end any transaction.
	lost atomic.Bool
	// settled is the last change whose sums are known.
	settled atomic.Uint64
	// committing is the change that is being committed, 0 for none.
	committing atomic.Uint64
	// checking is the check of all pages, which stop ends.
	checking sync.WaitGroup
	ctx      context.Context
	stop     context.CancelFunc
	// broken is the first damage; it ends all changes.
	broken atomic.Pointer[DamageError]
}

// Open opens a file, and makes it, readable by its owner only, if it is missing. Damage that
// it finds is a *DamageError.
func Open(name string, o Options) (*File, error) {
	f := &File{name: name, options: o, seal: seal{name: name}}
	f.ctx, f.stop = context.WithCancel(context.Background())
	err := guarded(f.open)
	if err == nil {
		return f, nil
	}
	f.stop()
	if f.db != nil {
		err = errors.Join(err, f.seal.close(), f.db.Close())
	}
	if errors.Is(err, berrors.ErrTimeout) {
		return nil, ErrOwned
	}
	return nil, f.named(err)
}

func (f *File) open() error {
	const patience = 200 * time.Millisecond
	options := bbolt.Options{
		OpenFile: func(name string, flag int, mode os.FileMode) (handle *os.File, err error) {
			f.handle, err = os.OpenFile(name, flag, mode)
			return f.handle, err
		},
		Timeout: patience, NoSync: !f.options.Sync, NoGrowSync: !f.options.Sync, FreelistType: bbolt.FreelistMapType, NoStatistics: true,
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
	if errors.Is(err, berrors.ErrInvalid) || errors.Is(err, berrors.ErrVersionMismatch) || errors.Is(err, berrors.ErrChecksum) {
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

// Taken reports whether nothing had the sums of the pages when the file was opened: their
// structure is right, but not every wrong byte was noticed.
func (f *File) Taken() bool { return f.taken }

// Distrust ends all changes because what the pages hold is wrong, and forgets the checksums
// that Open took from the file. The error is that damage, which Options.Damaged does not get.
func (f *File) Distrust(what string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	d := damaged(0, what)
	f.broken.CompareAndSwap(nil, d)
	return errors.Join(f.named(d), f.seal.close(), inuse.Remove(f.name+Suffix))
}

// Path is the name of the file.
func (f *File) Path() string { return f.name }

// named gives damage the name of the file.
func (f *File) named(err error) error {
	if d, ok := errors.AsType[*DamageError](err); ok && d.File == "" {
		d.File = f.name
	}
	return err
}

// met notes damage that was met after Open.
func (f *File) met(err error) error {
	d, ok := errors.AsType[*DamageError](f.named(err))
	if !ok {
		return err
	}
	if f.broken.CompareAndSwap(nil, d) && f.options.Damaged != nil {
		f.options.Damaged(d)
	}
	return err
}

// Sync writes what the system still has in memory to the disk.
func (f *File) Sync() error { return f.db.Sync() }

// Close closes the file. After a change that could not be undone, the file stays open and
// locked until the process ends.
func (f *File) Close() error {
	f.stop()
	f.checking.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil
	}
	f.closed = true
	var err error
	if f.broken.Load() == nil && !f.options.ReadOnly && f.seal.whole != f.now.txid {
		err = guarded(func() error { _, err := f.writeSums(); return err })
	}
	err = errors.Join(f.named(err), f.seal.close())
	if f.stuck || f.lost.Load() {
		return err
	}
	return errors.Join(err, f.db.Close())
}
