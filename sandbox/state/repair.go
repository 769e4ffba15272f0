package state

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
	"gatewright/sandbox/identity"
	"gatewright/sandbox/pages"
	"gatewright/sandbox/table"
)

// Repaired says what Repair did with a damaged file of the state.
type Repaired struct {
	// File is the name of the damaged file, Damage what is wrong with it.
	File, Damage string
	// Aside is the name of the file that keeps all of it.
	Aside string
	// Tables are what was kept of tables, Users how many users were.
	Tables []table.Kept
	Users  int
	// OfUsers is set if the file is that of the users.
	OfUsers bool
	// Whole is set if only the checksums were damaged: everything is kept, and Aside has the
	// damaged checksums.
	Whole bool
}

// Repair checks the files of tables and users in a state folder. In the place of a damaged
// one it puts a new one with what is whole, and it keeps the damaged one aside. The error is a
// *RunningError while a sandbox is running.
func Repair(state string, now time.Time) ([]Repaired, error) {
	var done []Repaired
	err := whileOwned(state, func() error {
		data, err := MakeData(state)
		if err != nil {
			return err
		}
		for _, name := range []string{TableFile, UserFile} {
			r, err := repairFile(state, filepath.Join(data, name), now)
			if err != nil {
				return fmt.Errorf("repairing %s: %w", phrase.Quote(filepath.Join(data, name)), err)
			}
			if r != nil {
				done = append(done, *r)
			}
		}
		return nil
	})
	return done, err
}

// repairFile is nil if nothing of a file is damaged.
func repairFile(state, name string, now time.Time) (*Repaired, error) {
	damage, err := damageOf(name)
	if err != nil {
		return nil, err
	}
	if damage == nil {
		return settleDoubt(state, name, now)
	}
	r := &Repaired{
		File: name, Damage: fmt.Sprintf("page %d: %s", damage.Page, damage.What),
		OfUsers: filepath.Base(name) == UserFile,
	}
	folder := filepath.Join(state, damagedFolder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	next := filepath.Join(folder, filepath.Base(name)+".next")
	if err := removeBoth(next); err != nil {
		return nil, err
	}
	if r.OfUsers {
		r.Users, err = identity.Repair(name, next)
	} else {
		r.Tables, err = table.Repair(name, next)
	}
	if err == nil {
		r.Aside, err = setAside(state, name, now)
	}
	if err != nil {
		return nil, errors.Join(err, removeBoth(next))
	}
	if !r.OfUsers {
		// Without that copy the next start writes one.
		if err := file.Rename(next+table.DefinitionsSuffix, name+table.DefinitionsSuffix); err != nil &&
			!errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	// Without checksums a file is taken as it is. So none that belong to another file are
	// there at any moment.
	if err := removeIfThere(name + pages.Suffix); err != nil {
		return nil, err
	}
	return r, errors.Join(file.Rename(next, name), file.Rename(next+pages.Suffix, name+pages.Suffix),
		removeIfThere(name+pages.DoubtSuffix))
}

// settleDoubt sets damaged checksums aside of a file that was checked; nil if there are none.
func settleDoubt(state, name string, now time.Time) (*Repaired, error) {
	if !pages.IsDoubted(name) {
		return nil, nil
	}
	if err := os.MkdirAll(filepath.Join(state, damagedFolder), 0o700); err != nil {
		return nil, err
	}
	aside := asideName(state, filepath.Base(name)+pages.Suffix, now)
	return &Repaired{
		File: name, Damage: "its checksums were damaged, so it is not known whether all of it is as it was written",
		Aside:   aside,
		OfUsers: filepath.Base(name) == UserFile, Whole: true,
	}, file.Rename(name+pages.DoubtSuffix, aside)
}

// Warnings says, a line each, what is not known of the files of tables and users in a state
// folder, because their checksums were damaged when they were opened. Repair ends that.
func Warnings(state string) (lines []string) {
	for _, name := range []string{TableFile, UserFile} {
		if file := filepath.Join(state, DataFolder, name); pages.IsDoubted(file) {
			lines = append(lines, pages.Doubt(file))
		}
	}
	return lines
}

// damageOf checks all of a file; a missing one is not damaged.
func damageOf(name string) (*pages.DamageError, error) {
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var f io.Closer
	var err error
	if filepath.Base(name) == TableFile {
		f, err = table.Open(name, table.Options{Thorough: true})
	} else {
		f, err = identity.OpenToCheck(name)
	}
	if err == nil {
		err = f.Close()
	}
	if d, ok := errors.AsType[*pages.DamageError](err); ok {
		return d, nil
	}
	return nil, err
}

// setAside copies a damaged file, with its checksums, into the folder of damaged files.
func setAside(state, name string, now time.Time) (aside string, err error) {
	aside = asideName(state, filepath.Base(name), now)
	err = keepAs(name, aside)
	for _, suffix := range []string{pages.Suffix, pages.DoubtSuffix, table.DefinitionsSuffix} {
		if sums := keepAs(name+suffix, aside+suffix); err == nil && !errors.Is(sums, fs.ErrNotExist) {
			err = sums
		}
	}
	return aside, err
}

// asideName is a free name in the folder of damaged files.
func asideName(state, base string, now time.Time) string {
	first := filepath.Join(state, damagedFolder, base+".damaged-"+now.Format("2006-01-02"))
	for n, name := 2, first; ; n++ {
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name
		}
		name = fmt.Sprintf("%s-%d", first, n)
	}
}

// keepAs gives a file a second name, or copies it where files have only one.
func keepAs(name, other string) error {
	if os.Link(name, other) == nil {
		return nil
	}
	from, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }()
	to, err := os.OpenFile(other, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = to.ReadFrom(from)
	if err = errors.Join(err, to.Sync(), to.Close()); err != nil {
		return errors.Join(err, file.Remove(other))
	}
	return nil
}

func removeBoth(name string) error {
	return errors.Join(removeIfThere(name), removeIfThere(name+pages.Suffix), removeIfThere(name+table.DefinitionsSuffix))
}

func removeIfThere(name string) error {
	if err := file.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
