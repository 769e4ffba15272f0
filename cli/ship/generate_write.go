package ship

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"gatewright/atomicfile"
	"gatewright/cause"
	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
)

// refuse returns why the file on disk must not be replaced; nil if it may be.
func (f *outputFile) refuse() error {
	if f.now.broken != nil {
		problem := *f.now.broken
		problem.Text += ", so gatewright cannot tell which values it would lose"
		problem.Fix = "repair it, or give --force to replace it"
		return &problem
	}
	if f.now.of != "" || f.now.isSource {
		return nil
	}
	if dropped := f.dropped(); len(dropped) > 0 {
		return f.problem(fmt.Sprintf("would lose %s: %s", model.Count(len(dropped), "value"), model.List(dropped)), "give --force to write it anyway")
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

// remember records in the project which values of its own file were generated.
func (f *outputFile) remember() error {
	plan, err := f.own.PlanClientFile(f.source.record.Environment, f.source.values)
	if err != nil {
		return err
	}
	return plan.Commit()
}

// replace replaces the file by a rename: a reader sees the old file or the new one.
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
			// An existing file keeps its mode, whatever the umask.
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

// problem returns a problem of the file.
func (f *outputFile) problem(text, fix string) error {
	return &project.Problem{File: f.name, Text: text, Fix: fix}
}

// failed returns the problem of an error of the filesystem.
func (f *outputFile) failed(text string, err error) error {
	return f.problem(text+": "+cause.Of(err).Error(), "check the permissions, or give another folder with --out-dir")
}

// snippet returns the code that configures a client from the file.
func (f *outputFile) snippet() string {
	return deploy.Snippet(f.whole, f.dialect, f.format, filepath.Base(f.name), f.source.record)
}
