package identity

import (
	"errors"

	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/pages"
)

// Repair writes the users and identities of a damaged file that are whole into a new one. It
// returns how many users were kept.
func Repair(damaged, into string) (users int, err error) {
	f, err := pages.Open(into, pages.Options{})
	if err != nil {
		return 0, err
	}
	err = f.Update(func(tx *pages.Tx) error {
		return pages.Salvage(damaged, func(found pages.Found) error {
			if !found.Sound {
				return nil
			}
			kept, err := userpool.Repair(tx, found)
			if kept {
				users++
			}
			return errors.Join(err, identitypool.Repair(tx, found))
		})
	})
	return users, errors.Join(err, f.Close())
}
