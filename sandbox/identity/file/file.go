// Package file opens the file of users and identities, and handles damage in it.
package file

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"gatewright/model"
)

// ErrOwned is the error of Open for a file that another process has open.
var ErrOwned = errors.New("the file of the users is in use by another process; stop it first")

// errShort is the error for a truncated file, or a page number beyond its end: reading there
// would crash the process.
var errShort = errors.New("the file is truncated")

// DB is the database interface of the pools: a *File, or a *bbolt.DB.
type DB interface {
	View(read func(tx *bbolt.Tx) error) error
	Update(change func(tx *bbolt.Tx) error) error
	Path() string
}

// File is an open file. It may be used by many goroutines at once.
type File struct {
	name string
	db   *bbolt.DB
	// broken is the error that ends all changes: after a panic within a change, the state
	// of the file is unknown.
	broken atomic.Pointer[error]
}

// Open opens a file. A missing one is made, readable by its owner only. The error is
// ErrOwned, or says what to do about a damaged file.
func Open(name string) (*File, error) {
	f := &File{name: name}
	err := f.guarded(f.open)
	if errors.Is(err, berrors.ErrTimeout) {
		return nil, ErrOwned
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Read reads a file that nobody has open, in one transaction, and waits for nobody: the error
// is ErrOwned while another process has it open. It makes and changes nothing.
func Read(name string, read func(tx *bbolt.Tx) error) error {
	f := &File{name: name}
	err := f.guarded(func() error {
		return f.openAs(bbolt.Options{ReadOnly: true, Timeout: time.Nanosecond, NoStatistics: true})
	})
	if errors.Is(err, berrors.ErrTimeout) {
		return ErrOwned
	}
	if err != nil {
		return err
	}
	return errors.Join(f.View(read), f.Close())
}

func (f *File) open() error {
	const patience = 200 * time.Millisecond
	return f.openAs(bbolt.Options{Timeout: patience, NoStatistics: true})
}

func (f *File) openAs(options bbolt.Options) (err error) {
	if f.db, err = bbolt.Open(f.name, 0o600, &options); err != nil {
		return f.damaged(err)
	}
	err = f.db.View(func(tx *bbolt.Tx) error {
		info, err := os.Stat(f.name)
		if err == nil && info.Size() < tx.Size() {
			err = errShort
		}
		return err
	})
	if err != nil {
		return f.damaged(errors.Join(err, f.db.Close()))
	}
	return nil
}

// View reads in one transaction. Damage is an error, and undamaged data can still be read.
func (f *File) View(read func(tx *bbolt.Tx) error) error {
	return f.guarded(func() error { return f.db.View(read) })
}

// Update changes the file in one transaction, and returns when that is on the disk. After a
// change that met damage, all others fail.
func (f *File) Update(change func(tx *bbolt.Tx) error) error {
	if broken := f.broken.Load(); broken != nil {
		return *broken
	}
	ended := false
	err := f.guarded(func() error {
		err := f.db.Update(change)
		ended = true
		return err
	})
	if !ended {
		f.broken.Store(&err)
	}
	return err
}

// Path is the name of the file.
func (f *File) Path() string { return f.name }

// Close closes the file. After a change that met damage it does nothing: the file stays
// locked until the process ends.
func (f *File) Close() error {
	if f.broken.Load() != nil {
		return nil
	}
	return f.db.Close()
}

// guarded turns panics and memory faults into errors: bbolt does not check its file.
func (f *File) guarded(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
			if _, fault := p.(interface{ Addr() uintptr }); fault {
				err = errShort
			}
			err = f.damaged(err)
		}
	}()
	return do()
}

func (f *File) damaged(err error) error {
	return fmt.Errorf("the users in %s cannot be used: %w; move the file away, or import an export", model.Quote(f.name), err)
}
