package pages

import (
	"context"
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"gatewright/internal/file"
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
	// readers wait, with await, until the change that they see is settled.
	readers readers
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
	f.readers.news.L = &f.readers.mu
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
	f.readers.wake()
	return errors.Join(f.named(d), f.seal.close(), file.Remove(f.name+Suffix))
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
	first := f.broken.CompareAndSwap(nil, d)
	f.readers.wake()
	if first && f.options.Damaged != nil {
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
