package userpool

import (
	"bytes"
	"hash/crc32"
	"strconv"

	"github.com/go-json-experiment/json"
)

// A user in the file has its pool, and ends with a checksum of the rest, so that what is left
// of a damaged page can be told from what is wrong. Users that older versions wrote have none,
// and older versions take no notice of it.

const sumMember = `,"sum":`

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// writeUser stores a user as it is.
func (r records) writeUser(u *user) error {
	u.Pool = r.pool.UserPoolID
	text, err := json.Marshal(u)
	if err != nil {
		return err
	}
	return r.put(usersBucket, u.Sub, withSum(text))
}

// withSum is the JSON of an object with its checksum as the last member.
func withSum(object []byte) []byte {
	sum := uint64(crc32.Checksum(object, castagnoli))
	out := append(bytes.Clone(object[:len(object)-1]), sumMember...)
	return append(strconv.AppendUint(out, sum, 10), '}')
}

// isOwn reports whether a stored user is as it was written; with a checksum it is certain.
func isOwn(stored []byte) (certain, possible bool) {
	at := bytes.LastIndex(stored, []byte(sumMember))
	if at < 0 {
		return false, true
	}
	certain = bytes.Equal(withSum(append(bytes.Clone(stored[:at]), '}')), stored)
	return certain, certain
}
