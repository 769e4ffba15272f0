// Package token signs and verifies the tokens of user pools (RFC 7519, RS256), and stores the
// keys for that.
package token

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
)

const (
	// keyBits is the length of the cloud's keys.
	keyBits = 2048
	// keySignsFor is the time after which a key is replaced.
	keySignsFor = 30 * 24 * time.Hour
	// keyVerifiesFor is how long a replaced key is kept: the longest life of a token (24
	// hours), and a day.
	keyVerifiesFor = 48 * time.Hour
	secretBytes    = 32
	longestPool    = 128
)

// Keys are the keys for the tokens of all pools, in one file. They may be used by many
// goroutines at once; the file belongs to one process.
type Keys struct {
	file string
	now  func() time.Time
	ring atomic.Pointer[keyRing]
	// changing is held while the file is written. making has a lock for each pool, which is
	// held while a key is generated.
	changing sync.Mutex
	making   sync.Map
	secrets  sync.Map
}

// keyRing is the content of the file. It is never changed.
type keyRing struct {
	master []byte
	pools  map[string][]*key
}

// key is a pool's key; the pool's last one signs.
type key struct {
	id      string
	made    time.Time
	private *rsa.PrivateKey
}

// OpenKeys reads the keys in a file; now is the clock. A missing file is made with the first key, readable by
// its owner only. A damaged file is an error that says what to do, and is not changed.
func OpenKeys(file string, now func() time.Time) (*Keys, error) {
	k := &Keys{file: file, now: now}
	r, err := readRing(file)
	if err != nil {
		return nil, err
	}
	k.ring.Store(r)
	return k, nil
}

// Rotate gives a pool a new key for signing. Earlier keys still verify until the last token
// that they signed has expired.
func (k *Keys) Rotate(pool string) error {
	if err := checkPool(pool); err != nil {
		return err
	}
	defer k.lockPool(pool)()
	_, err := k.makeKey(pool)
	return err
}

// JWKS is the JSON Web Key Set (RFC 7517) of a pool: every key that may still verify a
// token. It makes the pool's first key if there is none, because clients cache the set.
func (k *Keys) JWKS(pool string) ([]byte, error) {
	if _, err := k.currentKey(pool); err != nil {
		return nil, err
	}
	type webKey struct {
		Alg string `json:"alg"`
		E   string `json:"e"`
		Kid string `json:"kid"`
		Kty string `json:"kty"`
		N   string `json:"n"`
		Use string `json:"use"`
	}
	var set struct {
		Keys []webKey `json:"keys"`
	}
	for _, each := range usableKeys(k.ring.Load().pools[pool], k.now()) {
		public := each.private.PublicKey
		set.Keys = append(set.Keys, webKey{
			Alg: algorithm, Kid: each.id, Kty: "RSA", Use: "sig",
			E: encode(big.NewInt(int64(public.E)).Bytes()), N: encode(public.N.Bytes()),
		})
	}
	return json.Marshal(set)
}

// Secret derives 32 bytes for a purpose, always the same ones. They do not reveal the
// secrets of other purposes.
func (k *Keys) Secret(purpose string) ([]byte, error) {
	if known, ok := k.secrets.Load(purpose); ok {
		return slices.Clone(known.([]byte)), nil
	}
	r := k.ring.Load()
	if r.master == nil {
		var err error
		if r, err = k.updateRing(func(*keyRing) {}); err != nil {
			return nil, err
		}
	}
	secret, err := hkdf.Key(sha256.New, r.master, nil, "gatewright "+purpose, secretBytes)
	if err != nil {
		return nil, err
	}
	k.secrets.Store(purpose, secret)
	return slices.Clone(secret), nil
}

// MAC is the HMAC-SHA256 of texts, with the secret of a purpose. Different lists of texts
// without zero bytes have different MACs.
func (k *Keys) MAC(purpose string, texts ...string) ([]byte, error) {
	secret, err := k.Secret(purpose)
	if err != nil {
		return nil, err
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(strings.Join(texts, "\x00")))
	return mac.Sum(nil), nil
}

// currentKey is the key that signs for a pool. It makes a new one if there is none, or the
// last one has signed for long enough.
func (k *Keys) currentKey(pool string) (*key, error) {
	if err := checkPool(pool); err != nil {
		return nil, err
	}
	if found := k.signingKey(pool); found != nil {
		return found, nil
	}
	defer k.lockPool(pool)()
	if found := k.signingKey(pool); found != nil {
		return found, nil
	}
	return k.makeKey(pool)
}

// signingKey is the key that signs for a pool; nil if a new one is due.
func (k *Keys) signingKey(pool string) *key {
	keys := k.ring.Load().pools[pool]
	if len(keys) == 0 || k.now().Sub(keys[len(keys)-1].made) >= keySignsFor {
		return nil
	}
	return keys[len(keys)-1]
}

// lockPool waits until no other goroutine makes a key for a pool. The caller calls done.
func (k *Keys) lockPool(pool string) (done func()) {
	lock, _ := k.making.LoadOrStore(pool, new(sync.Mutex))
	lock.(*sync.Mutex).Lock()
	return lock.(*sync.Mutex).Unlock
}

// makeKey makes a key for a pool. The file has it before it signs.
func (k *Keys) makeKey(pool string) (*key, error) {
	private, err := rsa.GenerateKey(rand.Reader, keyBits)
	if err != nil {
		return nil, fmt.Errorf("making a key for tokens: %w", err)
	}
	made := &key{id: rand.Text(), made: k.now().UTC(), private: private}
	_, err = k.updateRing(func(next *keyRing) {
		keys := append(slices.Clone(next.pools[pool]), made)
		next.pools[pool] = usableKeys(keys, made.made)
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}

// updateRing writes a changed ring to the file; an error changes nothing. edit gets a copy,
// whose lists it may replace and must not change.
func (k *Keys) updateRing(edit func(next *keyRing)) (*keyRing, error) {
	k.changing.Lock()
	defer k.changing.Unlock()
	was := k.ring.Load()
	next := &keyRing{master: was.master, pools: maps.Clone(was.pools)}
	if next.master == nil {
		next.master = make([]byte, secretBytes)
		_, _ = rand.Read(next.master)
	}
	edit(next)
	if err := next.write(k.file); err != nil {
		return nil, err
	}
	k.ring.Store(next)
	return next, nil
}

// usableKeys are the keys that may still verify a token: the last one, and those replaced
// recently.
func usableKeys(keys []*key, now time.Time) []*key {
	for i := range keys {
		if i+1 == len(keys) || now.Sub(keys[i+1].made) < keyVerifiesFor {
			return keys[i:]
		}
	}
	return nil
}

func checkPool(pool string) error {
	if pool == "" || len(pool) > longestPool {
		return errors.New("a pool's id has 1 to 128 bytes")
	}
	return nil
}
