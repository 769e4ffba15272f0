package ship

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"gatewright/atomicfile"
	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
)

// refuse is why the file on disk must not be written over; nil where it may be.
func (f *outputFile) refuse() error {
	if f.now.broken != nil {
		problem := *f.now.broken
		problem.Text += ", so there is no saying what it would lose"
		problem.Fix = "repair it, or give --force to write it anew"
		return &problem
	}
	if f.now.of != "" || f.now.isSource {
		return nil
	}
	if dropped := f.dropped(); len(dropped) > 0 {
		return f.problem(fmt.Sprintf("would lose %s that it has: %s", model.Count(len(dropped), "value"), model.List(dropped)), "give --force to write it all the same")
	}
	return nil
}

// write writes the file, whole or not at all, and reports whether that was
// needed.
func (f *outputFile) write() (written bool, err error) {
	if f.plan != nil {
		return len(f.plan.Changes) > 0, f.plan.Commit()
	}
	if written = !f.same(); written {
		err = f.replace()
	}
	if err == nil && f.own != nil {
		err = f.remember()
	}
	return written, err
}

// remember lets the project know what its own file was written from.
func (f *outputFile) remember() error {
	plan, err := f.own.PlanClientFile(f.source.record.Environment, f.source.values)
	if err != nil {
		return err
	}
	return plan.Commit()
}

// replace puts the file in place by a rename: who reads it meanwhile reads the
// old one or the new one.
func (f *outputFile) replace() error {
	if err := os.MkdirAll(filepath.Dir(f.path), 0o755); err != nil {
		return f.failed("cannot be written", err)
	}
	mode := fs.FileMode(0o644)
	if f.now.exists {
		mode = f.now.mode
	}
	err := atomicfile.Replace(f.path, mode|0o200, func(out *os.File) error {
		if f.now.exists {
			// The umask has no say in a file that is there.
			if err := out.Chmod(mode); err != nil {
				return err
			}
		}
		return atomicfile.Synced(f.text)(out)
	})
	if err != nil {
		return f.failed("cannot be written", err)
	}
	return nil
}

// keep notes which deployment a file outside the project's own is of. Without
// the note a later run merely cannot tell.
func (f *outputFile) keep() error {
	record := f.source.record
	switch was := f.index.ClientFileStack(f.path); {
	case f.own != nil, record != nil && was == record.Stack, record == nil && was == "":
		return nil
	case record == nil:
		return f.index.ForgetClientFile(f.path)
	}
	return f.index.PutClientFile(f.path, record.Stack)
}

// writeOver makes the file and writes it. If another process writes the same file or
// project, it waits and makes the file again from the new state.
func writeOver(wanted func() (*outputFile, error), force bool) (f *outputFile, did bool, err error) {
	err = journal.WhenFree(context.Background(), func() (err error) {
		f, did, err = writeOnce(wanted, force)
		return err
	})
	return f, did, err
}

// writeOnce writes the file and the note of what it is of while nobody else does.
func writeOnce(wanted func() (*outputFile, error), force bool) (f *outputFile, did bool, err error) {
	if f, err = wanted(); err != nil {
		return nil, false, err
	}
	release, err := f.index.LockClientFile(f.path)
	switch {
	case errors.Is(err, journal.ErrLocked):
		return f, false, err
	case err == nil:
		defer release()
		if f, err = wanted(); err != nil {
			return nil, false, err
		}
	}
	// Where no lock can be had, no note can be kept either; that is said then.
	if err := f.refuse(); err != nil && !force {
		return f, false, err
	}
	if did, err = f.write(); err == nil {
		f.unkept = f.keep()
	}
	return f, did, err
}

// problem is what is wrong with the file, and what to do.
func (f *outputFile) problem(text, fix string) error {
	return &project.Problem{File: f.name, Text: text, Fix: fix}
}

// failed is a problem that the filesystem has.
func (f *outputFile) failed(text string, err error) error {
	return f.problem(text+": "+project.Reason(err).Error(), "see who may write there, or give another folder with --out-dir")
}

// snippet is the client code that stands in a file beside it.
func (f *outputFile) snippet() string {
	return deploy.Snippet(f.values, f.dialect, f.format, filepath.Base(f.name), f.source.record)
}
