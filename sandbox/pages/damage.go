package pages

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"

	"gatewright/model"
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
	return fmt.Sprintf("%s is damaged: page %d: %s; keep what is whole, once the sandbox has ended, with: gatewright sandbox repair", model.Quote(e.File), e.Page, e.What)
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

// guardedUse is guarded for the work of others, whose mistakes are no damage.
func guardedUse(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			_, fault := p.(interface{ Addr() uintptr })
			if mistake, ok := p.(runtime.Error); ok && !fault {
				err = fmt.Errorf("an operation failed: %w", mistake)
				return
			}
			err = fromPanic(p)
		}
	}()
	return do()
}

// guarded turns panics and memory faults into damage.
func guarded(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fromPanic(p)
		}
	}()
	return do()
}
