package pages

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"

	"gatewright/internal/text/phrase"
)

// DamageError says that a file has other bytes than were written.
type DamageError struct {
	// File is the name of the file, Page the number of the first page that is damaged.
	File string
	Page uint64
	// What is what is wrong there.
	What string
}

func (e *DamageError) Error() string {
	return fmt.Sprintf("%s is damaged: page %d: %s; keep what is whole, once the sandbox has ended, with: gatewright "+
		"sandbox repair", phrase.QuotePath(e.File), e.Page, e.What)
}

func damaged(id uint64, what string) *DamageError { return &DamageError{Page: id, What: what} }

// IsDamage reports whether an error says that a file is damaged.
func IsDamage(err error) bool {
	_, ok := errors.AsType[*DamageError](err)
	return ok
}

// fromPanic is the damage that a panic shows: bbolt panics at pages that it cannot use, and
// memory behind the end of a file that was cut cannot be read.
func fromPanic(p any) *DamageError {
	switch p := p.(type) {
	case *DamageError:
		return p
	case interface{ Addr() uintptr }:
		return damaged(0, "the file is shorter than its pages")
	}
	return damaged(0, fmt.Sprintf("it cannot be read (%v)", p))
}

// Guard calls do, and returns what it panics with as its error: damage, if bbolt gave up or the
// memory of the file cannot be read, and otherwise a mistake of do.
func Guard(do func() error) error {
	return recovering(do, func(p any) error {
		_, fault := p.(interface{ Addr() uintptr })
		if mistake, ok := p.(runtime.Error); ok && !fault {
			return fmt.Errorf("an operation failed: %w", mistake)
		}
		return fromPanic(p)
	})
}

// guarded is Guard for what only reads pages, where every panic is damage.
func guarded(do func() error) error {
	return recovering(do, func(p any) error { return fromPanic(p) })
}

func recovering(do func() error, asError func(panicked any) error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = asError(p)
		}
	}()
	return do()
}
