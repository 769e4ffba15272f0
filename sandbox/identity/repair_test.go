package identity_test

import (
	"errors"
	"path/filepath"
	"testing"

	"gatewright/sandbox/identity"
	"gatewright/sandbox/pages"
)

// writePool writes one element of a bucket of a pool.
func writePool(name, bucket, key, value string) error {
	f, err := pages.Open(name, pages.Options{})
	if err != nil {
		return err
	}
	err = f.Update(func(tx *pages.Tx) error {
		in, err := tx.CreateBucket([]byte("user pools"))
		for _, next := range []string{"eu-west-1_A", bucket} {
			if err == nil {
				in, err = in.CreateBucket([]byte(next))
			}
		}
		if err != nil {
			return err
		}
		return in.Put([]byte(key), []byte(value))
	})
	return errors.Join(err, f.Close())
}

// Older versions wrote users without a pool and a checksum.
func TestUsersOfOlderVersionsAreKeptFromWholePagesAndThoseWithAWrongChecksumAreNot(t *testing.T) {
	t.Parallel()
	const ann = `"sub":"1","name":"ann","status":"CONFIRMED","created":"2026-01-02T03:04:05Z","modified":"2026-01-02T03:04:05Z","attributes":{}`
	for _, c := range []struct {
		bucket, key, user string
		kept              int
	}{
		{"users", "1", `{` + ann + `}`, 1},
		{"users", "1", `{"pool":"eu-west-1_A",` + ann + `,"sum":7}`, 0},
		{"users", "2", `{` + ann + `}`, 0},
		{"sessions", "1", `{` + ann + `}`, 0},
	} {
		name := filepath.Join(t.TempDir(), "users.db")
		if err := writePool(name, c.bucket, c.key, c.user); err != nil {
			t.Fatal(err)
		}
		if kept, err := identity.Repair(name, name+".next"); err != nil || kept != c.kept {
			t.Errorf("%s %s: %d are kept, %v", c.bucket, c.user, kept, err)
		}
	}
}
