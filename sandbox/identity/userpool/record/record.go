// Package record is what the file has of a user pool: users and the names that they sign in with,
// sign-ins that are under way or done, and failures, which delay the next tries. [Records] are all of
// it in one transaction; whole users of a damaged file are kept by [Repair].
package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"gatewright/sandbox/pages"

	"gatewright/sandbox/identity/file"
	"gatewright/sandbox/identity/pool"
)

// The layout of the file: one bucket for all user pools has the format version and a bucket
// for each pool, with the buckets below, whose comments are "key: value". Parts of a key
// are joined with a zero byte. Values are JSON, or a key of another bucket.
var (
	RootBucket          = []byte("user pools")
	versionKey          = []byte("version")
	rulesKey            = []byte("rules")
	CreatedKey          = []byte("made")
	UsersBucket         = []byte("users")          // sub: user
	NamesBucket         = []byte("names")          // user name, folded: sub
	AliasesBucket       = []byte("aliases")        // attribute, address folded: sub
	searchBucket        = []byte("search")         // attribute, value as it is compared, sub: empty
	SessionsBucket      = []byte("sessions")       // origin: session
	userSessionsBucket  = []byte("sessions of")    // sub, origin: empty
	sessionEndsBucket   = []byte("session ends")   // end, origin: empty
	refreshTokensBucket = []byte("refresh tokens") // hash: origin
	ChallengesBucket    = []byte("challenges")     // hash: challenge
	challengeEndsBucket = []byte("challenge ends") // end, hash: empty
	failuresBucket      = []byte("failures")       // FailureKey: failures
	UnknownNamesBucket  = []byte("strangers")      // hash of a name that no user has: failures
)

var poolBuckets = [][]byte{
	UsersBucket, NamesBucket, AliasesBucket, SessionsBucket, userSessionsBucket, sessionEndsBucket, refreshTokensBucket,
	ChallengesBucket, challengeEndsBucket, failuresBucket, UnknownNamesBucket,
}

// formatVersion is the version of the file's format.
const formatVersion = "1"

// Records are the data of one user pool within one transaction.
type Records struct {
	Pool pool.Pool
	Now  time.Time
	// Bucket is nil before the first change.
	Bucket *pages.Bucket
}

// CommittedError is an error of a change that is committed all the same, such as a wrong
// password, which is counted.
type CommittedError struct{ Err error }

// Error is the error itself.
func (k CommittedError) Error() string { return k.Err.Error() }

// CheckFormat refuses a file that another version of gatewright wrote.
func CheckFormat(db file.DB) error {
	return db.View(func(tx *pages.Tx) error {
		root := tx.Bucket(RootBucket)
		if root == nil {
			return nil
		}
		return CheckVersion(root, db.Path())
	})
}

// View reads in one transaction.
func View(db file.DB, cfg pool.Pool, now func() time.Time, read func(r Records) error) error {
	return db.View(func(tx *pages.Tx) error {
		r := Records{Pool: cfg, Now: now()}
		if root := tx.Bucket(RootBucket); root != nil {
			r.Bucket = root.Bucket([]byte(cfg.UserPoolID))
		}
		return read(r)
	})
}

// Update changes the file in one transaction, and returns when that is on the disk. An
// error rolls the change back, unless it is a CommittedError.
func Update(db file.DB, cfg pool.Pool, now func() time.Time, change func(r Records) error) error {
	var refused error
	err := db.Update(func(tx *pages.Tx) error {
		r := Records{Pool: cfg, Now: now()}
		if err := r.open(tx); err != nil {
			return err
		}
		err := change(r)
		if k := (CommittedError{}); errors.As(err, &k) {
			refused = k.Err
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	return refused
}

// CheckVersion refuses a file in another version's format.
func CheckVersion(root *pages.Bucket, file string) error {
	if version := root.Get(versionKey); string(version) != formatVersion {
		return fmt.Errorf("the file %q has format %q, but this version of gatewright uses format %q; use the version "+
			"that wrote it", file, version, formatVersion)
	}
	return nil
}

// open opens the pool's bucket, which it makes if missing, and updates its indexes to the
// current rules.
func (r *Records) open(tx *pages.Tx) error {
	root := tx.Bucket(RootBucket)
	if root == nil {
		var err error
		if root, err = tx.CreateBucket(RootBucket); err != nil {
			return err
		}
		if err := root.Put(versionKey, []byte(formatVersion)); err != nil {
			return err
		}
	}
	if r.Bucket = root.Bucket([]byte(r.Pool.UserPoolID)); r.Bucket == nil {
		var err error
		if r.Bucket, err = root.CreateBucket([]byte(r.Pool.UserPoolID)); err != nil {
			return err
		}
		for _, name := range poolBuckets {
			if _, err := r.Bucket.CreateBucket(name); err != nil {
				return err
			}
		}
		created, err := r.Now.MarshalText()
		if err != nil {
			return err
		}
		if err := r.Bucket.Put(CreatedKey, created); err != nil {
			return err
		}
	}
	return r.reindex()
}

// IsStale reports whether the indexes were made with other rules about names, or by an older program.
func (r Records) IsStale() bool {
	return r.Bucket != nil && string(r.Bucket.Get(rulesKey)) != searchMark+NameRulesOf(r.Pool).String()
}

// Get is a value, or nil. It is valid until the transaction ends.
func (r Records) Get(bucket []byte, key string) []byte {
	if r.Bucket == nil {
		return nil
	}
	return r.Bucket.Bucket(bucket).Get([]byte(key))
}

// put stores a value.
func (r Records) put(bucket []byte, key string, value []byte) error {
	return r.Bucket.Bucket(bucket).Put([]byte(key), value)
}

// remove removes a value.
func (r Records) remove(bucket []byte, key string) error {
	return r.Bucket.Bucket(bucket).Delete([]byte(key))
}

// Read unmarshals a value into v, and reports whether there is one.
func (r Records) Read(bucket []byte, key string, v any) (bool, error) {
	text := r.Get(bucket, key)
	if text == nil {
		return false, nil
	}
	err := r.Parse(bucket, text, v)
	return err == nil, err
}

// Parse unmarshals a value of a bucket.
func (r Records) Parse(bucket, text []byte, v any) error {
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("a record of the user pool %s is damaged (%s): %w", r.Pool.UserPoolID, bucket, err)
	}
	return nil
}

// Write stores a value as JSON.
func (r Records) Write(bucket []byte, key string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return r.put(bucket, key, text)
}

// forEach calls take with the keys that begin with a prefix and their values, until take
// returns false. take must not change the bucket.
func (r Records) forEach(bucket []byte, prefix string, take func(key string, value []byte) bool) {
	if r.Bucket == nil {
		return
	}
	c := r.Bucket.Bucket(bucket).Cursor()
	for k, v := c.Seek([]byte(prefix)); k != nil && strings.HasPrefix(string(k), prefix); k, v = c.Next() {
		if !take(string(k), v) {
			return
		}
	}
}

// timeKey is a time as the beginning of a key: keys sort by time.
func timeKey(t time.Time) string {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(max(t.UnixMilli(), 0)))
	return string(b[:])
}

// expired returns the expired entries of an index of end times: not all at once, so that a
// change stays short.
func (r Records) expired(ends []byte) []string {
	const atMost = 100
	var found []string
	until := timeKey(r.Now)
	r.forEach(ends, "", func(key string, _ []byte) bool {
		if key[:len(until)] > until || len(found) == atMost {
			return false
		}
		found = append(found, key)
		return true
	})
	return found
}
