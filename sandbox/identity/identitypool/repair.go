package identitypool

import (
	"slices"

	"gatewright/sandbox/pages"
)

// Repair keeps an element that was found whole in a damaged file of identities.
func Repair(tx *pages.Tx, f pages.Found) error {
	if len(f.Path) != 3 || f.Bucket || string(f.Path[0]) != string(poolsBucket) {
		return nil
	}
	identities, users, err := createBuckets(tx, string(f.Path[1]))
	if err != nil {
		return err
	}
	switch string(f.Path[2]) {
	case string(identitiesBucket):
		return identities.Put(slices.Clone(f.Key), slices.Clone(f.Value))
	case string(usersBucket):
		return users.Put(slices.Clone(f.Key), slices.Clone(f.Value))
	}
	return nil
}
