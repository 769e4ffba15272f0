package identity

import (
	"errors"

	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/identity/userpool/record"
	"gatewright/sandbox/pages"
)

// Repair writes the users and identities of a damaged file that are whole into a new one. It
// returns how many users were kept. Users are found one by one, also on damaged pages.
func Repair(damaged, into string) (users int, err error) {
	f, err := pages.Open(into, pages.Options{})
	if err != nil {
		return 0, err
	}
	err = f.Update(func(tx *pages.Tx) error {
		return pages.Salvage(damaged, func(found pages.Found) error {
			// A user who was deleted must not come back, nor an old password.
			if found.Lost || found.Stale {
				return nil
			}
			kept, err := record.Repair(tx, found)
			if kept {
				users++
			}
			if err != nil || !found.Sound {
				return err
			}
			return identitypool.Repair(tx, found)
		})
	})
	return users, errors.Join(err, f.Close())
}
