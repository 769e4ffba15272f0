package userpool

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
	rootBucket          = []byte("user pools")
	versionKey          = []byte("version")
	rulesKey            = []byte("rules")
	createdKey          = []byte("made")
	usersBucket         = []byte("users")          // sub: user
	namesBucket         = []byte("names")          // user name, folded: sub
	aliasesBucket       = []byte("aliases")        // attribute, address folded: sub
	sessionsBucket      = []byte("sessions")       // origin: session
	userSessionsBucket  = []byte("sessions of")    // sub, origin: empty
	sessionEndsBucket   = []byte("session ends")   // end, origin: empty
	refreshTokensBucket = []byte("refresh tokens") // hash: origin
	challengesBucket    = []byte("challenges")     // hash: challenge
	challengeEndsBucket = []byte("challenge ends") // end, hash: empty
	failuresBucket      = []byte("failures")       // failureKey: failures
	unknownNamesBucket  = []byte("strangers")      // hash of a name that no user has: failures
)

var poolBuckets = [][]byte{
	usersBucket, namesBucket, aliasesBucket, sessionsBucket, userSessionsBucket, sessionEndsBucket, refreshTokensBucket, challengesBucket, challengeEndsBucket, failuresBucket, unknownNamesBucket,
}

// formatVersion is the version of the file's format.
const formatVersion = "1"

// records are the data of one user pool within one transaction.
type records struct {
	pool pool.Pool
	now  time.Time
	// bucket is nil before the first change.
	bucket *pages.Bucket
}

// committedError is an error of a change that is committed all the same, such as a wrong
// password, which is counted.
type committedError struct{ err error }

// Error is the error itself.
func (k committedError) Error() string { return k.err.Error() }

// checkFormat refuses a file that another version of gatewright wrote.
func checkFormat(db file.DB) error {
	return db.View(func(tx *pages.Tx) error {
		root := tx.Bucket(rootBucket)
		if root == nil {
			return nil
		}
		return checkVersion(root, db.Path())
	})
}

// viewRecords reads in one transaction.
func viewRecords(db file.DB, cfg pool.Pool, now func() time.Time, read func(r records) error) error {
	return db.View(func(tx *pages.Tx) error {
		r := records{pool: cfg, now: now()}
		if root := tx.Bucket(rootBucket); root != nil {
			r.bucket = root.Bucket([]byte(cfg.UserPoolID))
		}
		return read(r)
	})
}

// updateRecords changes the file in one transaction, and returns when that is on the disk. An
// error rolls the change back, unless it is a committedError.
func updateRecords(db file.DB, cfg pool.Pool, now func() time.Time, change func(r records) error) error {
	var refused error
	err := db.Update(func(tx *pages.Tx) error {
		r := records{pool: cfg, now: now()}
		if err := r.open(tx); err != nil {
			return err
		}
		err := change(r)
		if k := (committedError{}); errors.As(err, &k) {
			refused = k.err
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	return refused
}

// checkVersion refuses a file in another version's format.
func checkVersion(root *pages.Bucket, file string) error {
	if version := root.Get(versionKey); string(version) != formatVersion {
		return fmt.Errorf("the file %q has format %q, but this version of gatewright uses format %q; use the version that wrote it", file, version, formatVersion)
	}
	return nil
}

// open opens the pool's bucket, which it makes if missing, and updates its indexes to the
// current rules.
func (r *records) open(tx *pages.Tx) error {
	root := tx.Bucket(rootBucket)
	if root == nil {
		var err error
		if root, err = tx.CreateBucket(rootBucket); err != nil {
			return err
		}
		if err := root.Put(versionKey, []byte(formatVersion)); err != nil {
			return err
		}
	}
	if r.bucket = root.Bucket([]byte(r.pool.UserPoolID)); r.bucket == nil {
		var err error
		if r.bucket, err = root.CreateBucket([]byte(r.pool.UserPoolID)); err != nil {
			return err
		}
		for _, name := range poolBuckets {
			if _, err := r.bucket.CreateBucket(name); err != nil {
				return err
			}
		}
		created, err := r.now.MarshalText()
		if err != nil {
			return err
		}
		if err := r.bucket.Put(createdKey, created); err != nil {
			return err
		}
	}
	return r.reindex()
}

// isStale reports whether the indexes were made with other rules about names.
func (r records) isStale() bool {
	return r.bucket != nil && string(r.bucket.Get(rulesKey)) != nameRulesOf(r.pool).String()
}

// get is a value, or nil. It is valid until the transaction ends.
func (r records) get(bucket []byte, key string) []byte {
	if r.bucket == nil {
		return nil
	}
	return r.bucket.Bucket(bucket).Get([]byte(key))
}

// put stores a value.
func (r records) put(bucket []byte, key string, value []byte) error {
	return r.bucket.Bucket(bucket).Put([]byte(key), value)
}

// remove removes a value.
func (r records) remove(bucket []byte, key string) error {
	return r.bucket.Bucket(bucket).Delete([]byte(key))
}

// read unmarshals a value into v, and reports whether there is one.
func (r records) read(bucket []byte, key string, v any) (bool, error) {
	text := r.get(bucket, key)
	if text == nil {
		return false, nil
	}
	err := r.parse(bucket, text, v)
	return err == nil, err
}

// parse unmarshals a value of a bucket.
func (r records) parse(bucket, text []byte, v any) error {
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("a record of the user pool %s is damaged (%s): %w", r.pool.UserPoolID, bucket, err)
	}
	return nil
}

// write stores a value as JSON.
func (r records) write(bucket []byte, key string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return r.put(bucket, key, text)
}

// forEach calls take with the keys that begin with a prefix and their values, until take
// returns false. take must not change the bucket.
func (r records) forEach(bucket []byte, prefix string, take func(key string, value []byte) bool) {
	if r.bucket == nil {
		return
	}
	c := r.bucket.Bucket(bucket).Cursor()
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
func (r records) expired(ends []byte) []string {
	const atMost = 100
	var found []string
	until := timeKey(r.now)
	r.forEach(ends, "", func(key string, _ []byte) bool {
		if key[:len(until)] > until || len(found) == atMost {
			return false
		}
		found = append(found, key)
		return true
	})
	return found
}
