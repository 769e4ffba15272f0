package userpool

import (
	"slices"

	"gatewright/sandbox/pages"

	"github.com/go-json-experiment/json"
)

// Repair keeps an element that was found whole in a damaged file of users: users, and what
// says how the file is read. The rest of a pool is made from its users, so that everybody
// must sign in again.
func Repair(tx *pages.Tx, f pages.Found) (kept bool, err error) {
	if len(f.Path) == 0 || string(f.Path[0]) != string(rootBucket) {
		return false, nil
	}
	root, err := tx.CreateBucketIfNotExists(rootBucket)
	if err != nil {
		return false, err
	}
	if root.Get(versionKey) == nil {
		if err := root.Put(versionKey, []byte(formatVersion)); err != nil {
			return false, err
		}
	}
	if len(f.Path) < 2 || f.Bucket {
		return false, nil
	}
	bucket, err := root.CreateBucketIfNotExists(slices.Clone(f.Path[1]))
	if err != nil {
		return false, err
	}
	for _, name := range poolBuckets {
		if _, err := bucket.CreateBucketIfNotExists(name); err != nil {
			return false, err
		}
	}
	switch {
	case len(f.Path) == 2 && string(f.Key) == string(createdKey):
		return false, bucket.Put(createdKey, slices.Clone(f.Value))
	case len(f.Path) != 3 || string(f.Path[2]) != string(usersBucket):
		return false, nil
	}
	u := new(user)
	if json.Unmarshal(f.Value, u) != nil || u.Sub != string(f.Key) {
		return false, nil
	}
	// The rules of names are not kept, so the next start indexes the addresses again.
	if err := bucket.Bucket(namesBucket).Put([]byte(fold(u.Name)), []byte(u.Sub)); err != nil {
		return false, err
	}
	return true, bucket.Bucket(usersBucket).Put([]byte(u.Sub), slices.Clone(f.Value))
}
