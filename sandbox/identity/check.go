package identity

import (
	"errors"
	"io"

	"gatewright/sandbox/identity/file"
	"gatewright/sandbox/identity/userpool/record"
	"gatewright/sandbox/pages"
)

// OpenToCheck opens a file of users and identities that nobody serves, and checks every page
// and every user. Damage is a *pages.DamageError.
func OpenToCheck(name string) (io.Closer, error) {
	f, err := file.Open(name, nil)
	if err != nil {
		return nil, err
	}
	if err := checkUsers(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// checkUsers checks every user by its own checksum.
func checkUsers(f *file.File) error {
	whole := true
	err := f.View(func(tx *pages.Tx) error {
		whole = record.AreWhole(tx)
		return nil
	})
	if err == nil && !whole {
		err = f.Distrust("a user is not what was written")
	}
	return err
}
