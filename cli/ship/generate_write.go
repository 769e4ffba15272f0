package ship

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"gatewright/deploy/outputs"
	"gatewright/internal/text/phrase"
	"gatewright/project/journal"
	"gatewright/project/plan"
)

// refuse returns why the file on disk must not be replaced; nil if it may be.
func (f *outputFile) refuse() error {
	if f.now.broken != nil {
		problem := *f.now.broken
		problem.Text += ", so gatewright does not know which values it would lose"
		problem.Fix = "repair it, or give --force to replace it"
		return &problem
	}
	if f.now.of != "" || f.now.isSource {
		return nil
	}
	if dropped := f.dropped(); len(dropped) > 0 {
		return f.problem(fmt.Sprintf("would lose %s: %s", phrase.Count(len(dropped), "value"), phrase.List(dropped)),
			"give --force to write it anyway")
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
		err = f.replace(f.text)
	}
	if err == nil && f.own != nil {
		err = f.remember()
	}
	return written, err
}

// remember records in the project which values of its own file were generated.
func (f *outputFile) remember() error {
	plan, err := plan.ClientFile(f.own, f.source.record.Environment, f.source.values)
	if err != nil {
		return err
	}
	return plan.Commit()
}

// recordStack records in the index which deployment the file was written for, unless it is
// the project's own.
func (f *outputFile) recordStack() error {
	record := f.source.record
	switch stack := f.index.ClientFileStack(f.path); {
	case f.own != nil, record != nil && stack == record.Stack, record == nil && stack == "":
		return nil
	case record == nil, record.Stack == "":
		return f.index.ForgetClientFile(f.path)
	}
	return f.index.PutClientFile(f.path, record.Stack)
}

// writeOver makes the file and writes it. If another process writes the same file or
// project, it waits and makes the file again from the new state.
func writeOver(wanted func() (*outputFile, error), force bool) (f *outputFile, written bool, err error) {
	err = journal.WhenFree(context.Background(), func() (err error) {
		f, written, err = writeOnce(wanted, force)
		return err
	})
	return f, written, err
}

// writeOnce writes the file and its entry in the index under a lock.
func writeOnce(wanted func() (*outputFile, error), force bool) (f *outputFile, written bool, err error) {
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
	// Without the lock the index cannot be written either, which f.indexErr reports.
	if err := f.refuse(); err != nil && !force {
		return f, false, err
	}
	if written, err = f.write(); err == nil {
		f.indexErr = f.recordStack()
	}
	return f, written, err
}

// snippet returns the code that configures a client from the file.
func (f *outputFile) snippet() string {
	return outputs.Snippet(f.whole, f.dialect, f.format, filepath.Base(f.name), f.source.record)
}
