// Package file is the file that users and identities are kept in, and what becomes
// of a damaged one.
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

// ErrOwned is the error of Open for a file that another process has.
var ErrOwned = errors.New("the file of the users is in use by another process; stop it first")

// errShort is that of a file that was cut off, or says that something is behind its
// end: reading there would be the end of the process.
var errShort = errors.New("it is shorter than it says")

// DB is what is asked of a file: a *File, or a *bbolt.DB.
type DB interface {
	View(read func(tx *bbolt.Tx) error) error
	Update(change func(tx *bbolt.Tx) error) error
	Path() string
}

// File is an open file. It may be used by many goroutines at once.
type File struct {
	name string
	db   *bbolt.DB
	// broken is why nothing is changed any more: where a change did not come to its
	// end, nobody knows what of it is there.
	broken atomic.Pointer[error]
}

// Open opens a file, and makes it where it is missing, for its owner alone. The
// error is ErrOwned where another process has it; a damaged one is an error that
// says what to do.
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

func (f *File) open() (err error) {
	const patience = 200 * time.Millisecond
	if f.db, err = bbolt.Open(f.name, 0o600, &bbolt.Options{Timeout: patience, NoStatistics: true}); err != nil {
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

// View reads at one point in time. A place that is damaged is an error, and the
// others can be read.
func (f *File) View(read func(tx *bbolt.Tx) error) error {
	return f.guarded(func() error { return f.db.View(read) })
}

// Update changes what is there, all of it or nothing, and returns when that is on
// the disk. Once a change met damage there are no others.
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

// Close lets go of the file. What a change left that met damage is let go of when
// the process ends.
func (f *File) Close() error {
	if f.broken.Load() != nil {
		return nil
	}
	return f.db.Close()
}

// guarded does something that panics, or reads memory that is not there, where the
// file is damaged: bbolt trusts its file.
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
	return fmt.Errorf("the users in %s cannot be used: %w; move the file away, or import what was exported", model.Quote(f.name), err)
}
