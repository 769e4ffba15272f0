package record

import (
	"bytes"
	"errors"
	"hash/crc32"
	"strconv"

	"gatewright/sandbox/pages"

	"github.com/go-json-experiment/json"
)

// A user in the file has its pool, and ends with a checksum of the rest, so that what is left
// of a damaged page can be told from what is wrong. Users that older versions wrote have none,
// and older versions take no notice of it.

const (
	poolMember = `{"pool":`
	sumMember  = `,"sum":`
)

var errNotOwn = errors.New("a user is not what was written")

// castagnoli is made with the first sum, by the standard library.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// writeUser stores a user as it is, with the entries by which it is found.
func (r Records) writeUser(u *User) error {
	if err := r.indexSearch(u.Sub, u); err != nil {
		return err
	}
	return r.putUser(u)
}

func (r Records) putUser(u *User) error {
	u.Pool = r.Pool.UserPoolID
	text, err := json.Marshal(u)
	if err != nil {
		return err
	}
	return r.put(UsersBucket, u.Sub, withSum(text))
}

// withSum is the JSON of an object with its checksum as the last member.
func withSum(object []byte) []byte {
	sum := uint64(crc32.Checksum(object, castagnoli()))
	out := append(bytes.Clone(object[:len(object)-1]), sumMember...)
	return append(strconv.AppendUint(out, sum, 10), '}')
}

// isOwn reports whether a stored user is as it was written; with a checksum it is certain.
func isOwn(stored []byte) (certain, possible bool) {
	at := bytes.LastIndex(stored, []byte(sumMember))
	if at < 0 {
		return false, !bytes.HasPrefix(stored, []byte(poolMember))
	}
	certain = bytes.Equal(withSum(append(bytes.Clone(stored[:at]), '}')), stored)
	return certain, certain
}

// own is a stored user, nil if it is not as it was written under a key.
func own(key, stored []byte) (u *User, certain bool) {
	certain, possible := isOwn(stored)
	u = new(User)
	if !possible || json.Unmarshal(stored, u) != nil || u.Sub == "" || u.Sub != string(key) {
		return nil, false
	}
	return u, certain
}

// AreWhole reports whether all users of a file are as they were written, as far as they have
// checksums, and are found by what is searched.
func AreWhole(tx *pages.Tx) bool {
	root := tx.Bucket(RootBucket)
	if root == nil || string(root.Get(versionKey)) != formatVersion {
		return true
	}
	return root.ForEach(func(userPoolID, value []byte) error {
		if value != nil {
			return nil
		}
		users, by := root.Bucket(userPoolID).Bucket(UsersBucket), index(root.Bucket(userPoolID))
		if users == nil {
			return errNotOwn
		}
		entries := 0
		if users.ForEach(func(key, stored []byte) error {
			u, _ := own(key, stored)
			for entry := range searchKeys(u) {
				if entries++; by != nil && by.Get([]byte(entry)) == nil {
					u = nil
				}
			}
			if u == nil {
				return errNotOwn
			}
			return nil
		}) != nil || by != nil && by.Len() != entries {
			return errNotOwn
		}
		return nil
	}) == nil
}
