// Package file opens the file of users and identities, and says what to do about damage in it.
package file

import (
	"errors"
	"fmt"
	"time"

	"gatewright/internal/text/phrase"
	"gatewright/sandbox/pages"
)

// ErrOwned is the error of Open for a file that another process has open.
var ErrOwned = errors.New("the file of the users is in use by another process; stop it first")

// DB is the database interface of the pools: a *File, or a *pages.File.
type DB interface {
	View(read func(tx *pages.Tx) error) error
	Update(change func(tx *pages.Tx) error) error
	Path() string
}

// File is an open file. It may be used by many goroutines at once.
type File struct {
	name  string
	pages *pages.File
}

// Open opens a file. A missing one is made, readable by its owner only. tell, which may be nil, is called
// once with damage that is met later. The error is ErrOwned, or says what to do about a damaged file.
func Open(name string, tell func(error)) (*File, error) {
	f := &File{name: name}
	o := pages.Options{Sync: true, Check: true}
	if tell != nil {
		o.Damaged = func(d *pages.DamageError) { tell(f.explain(d)) }
	}
	if err := f.open(o); err != nil {
		return nil, err
	}
	return f, nil
}

// Read reads a file that nobody has open, in one transaction, and waits for nobody: the error
// is ErrOwned while another process has it open. It makes and changes nothing.
func Read(name string, read func(tx *pages.Tx) error) error {
	f := &File{name: name}
	if err := f.open(pages.Options{ReadOnly: true, Patience: time.Nanosecond}); err != nil {
		return err
	}
	return errors.Join(f.View(read), f.Close())
}

func (f *File) open(o pages.Options) (err error) {
	if f.pages, err = pages.Open(f.name, o); errors.Is(err, pages.ErrOwned) {
		return ErrOwned
	}
	return f.explain(err)
}

// View reads in one transaction. Damage is an error, and undamaged data can still be read.
func (f *File) View(read func(tx *pages.Tx) error) error { return f.explain(f.pages.View(read)) }

// Update changes the file in one transaction, and returns when that is on the disk. After a
// change that met damage, all others fail.
func (f *File) Update(change func(tx *pages.Tx) error) error {
	return f.explain(f.pages.Update(change))
}

// Path is the name of the file.
func (f *File) Path() string { return f.name }

// Pages is the file without the words about users.
func (f *File) Pages() *pages.File { return f.pages }

// Distrust ends all changes because what the file holds is wrong. The error is that damage.
func (f *File) Distrust(what string) error { return f.explain(f.pages.Distrust(what)) }

// Close closes the file. After a change that met damage it may stay locked until the process
// ends.
func (f *File) Close() error { return f.pages.Close() }

// explain says what to do about damage.
func (f *File) explain(err error) error {
	d, ok := errors.AsType[*pages.DamageError](err)
	if !ok {
		return err
	}
	return &damageError{d, fmt.Sprintf(
		"the users in %s cannot be used: the file is damaged: page %d: %s; keep what is whole with gatewright sandbox "+
			"repair, move the file away, or import an export",
		phrase.QuotePath(f.name), d.Page, d.What)}
}

// damageError is damage with what to do about it.
type damageError struct {
	damage *pages.DamageError
	text   string
}

func (e *damageError) Error() string { return e.text }
func (e *damageError) Unwrap() error { return e.damage }
