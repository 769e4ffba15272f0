package record

import (
	"slices"
	"time"

	"gatewright/sandbox/pages"
)

// Repair keeps an element that was found in a damaged file of users: users, and what says how
// the file is read. A user whose checksum is right is kept from any page, and others only if
// found whole. The rest of a pool is made from its users, so that everybody must sign in again.
func Repair(tx *pages.Tx, f pages.Found) (kept bool, err error) {
	inPool := len(f.Path) > 1 && string(f.Path[0]) == string(RootBucket)
	switch {
	case f.Bucket:
		return false, nil
	case inPool && len(f.Path) == 2 && f.Sound && string(f.Key) == string(CreatedKey):
		bucket, err := repairedPool(tx, string(f.Path[1]))
		if err != nil {
			return false, err
		}
		return false, bucket.Put(CreatedKey, slices.Clone(f.Value))
	}
	inUsers := inPool && len(f.Path) == 3 && string(f.Path[2]) == string(UsersBucket)
	u, certain := own(f.Key, f.Value)
	if u == nil || f.Sound && !inUsers || !f.Sound && !certain {
		return false, nil
	}
	userPoolID := u.Pool
	if f.Sound {
		userPoolID = string(f.Path[1])
	}
	bucket, err := repairedPool(tx, userPoolID)
	if err != nil {
		return false, err
	}
	return repairUser(bucket, u, f.Value)
}

// repairedPool is the bucket of a pool in the new file.
func repairedPool(tx *pages.Tx, userPoolID string) (*pages.Bucket, error) {
	root, err := tx.CreateBucketIfNotExists(RootBucket)
	if err != nil {
		return nil, err
	}
	if root.Get(versionKey) == nil {
		if err := root.Put(versionKey, []byte(formatVersion)); err != nil {
			return nil, err
		}
	}
	bucket, err := root.CreateBucketIfNotExists([]byte(userPoolID))
	if err != nil {
		return nil, err
	}
	for _, name := range poolBuckets {
		if _, err := bucket.CreateBucketIfNotExists(name); err != nil {
			return nil, err
		}
	}
	return bucket, nil
}

// repairUser puts a user into a pool. The first one of an id or a name is the one in use.
func repairUser(bucket *pages.Bucket, u *User, value []byte) (kept bool, err error) {
	users, names := bucket.Bucket(UsersBucket), bucket.Bucket(NamesBucket)
	if users.Get([]byte(u.Sub)) != nil || names.Get([]byte(Fold(u.Name))) != nil {
		return false, nil
	}
	// No pool is younger than its users.
	var created time.Time
	if created.UnmarshalText(bucket.Get(CreatedKey)) != nil || u.Created.Before(created) {
		text, err := u.Created.MarshalText()
		if err != nil {
			return false, err
		}
		if err := bucket.Put(CreatedKey, text); err != nil {
			return false, err
		}
	}
	// The rules of names are not kept, so the next start indexes the addresses again.
	if u.Name != u.Sub {
		if err := names.Put([]byte(Fold(u.Name)), []byte(u.Sub)); err != nil {
			return false, err
		}
	}
	return true, users.Put([]byte(u.Sub), slices.Clone(value))
}
