// Package token signs and verifies the tokens of the user pools (RFC 7519, RS256),
// and keeps what they are signed with.
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
	// signsFor is how long a key signs before another one does.
	keySignsFor = 30 * 24 * time.Hour
	// verifiesFor is how long a key is kept once it signs no more: the longest
	// life of a token (24 hours), and a day.
	keyVerifiesFor = 48 * time.Hour
	secretBytes    = 32
	longestPool    = 128
)

// Keys are what the tokens of all pools are signed with, in one file. They may be
// used by many goroutines at once; the file belongs to one process.
type Keys struct {
	file string
	now  func() time.Time
	ring atomic.Pointer[keyRing]
	// changing is held while the file is written, and making, by pool, while a key
	// is computed.
	changing sync.Mutex
	making   sync.Map
	secrets  sync.Map
}

// ring is what the file has. What is in one is never changed.
type keyRing struct {
	master []byte
	pools  map[string][]*key
}

// key is one of a pool's; the last of them signs.
type key struct {
	id      string
	made    time.Time
	private *rsa.PrivateKey
}

// OpenKeys reads the keys in a file; now is the clock. Where there is no file, it
// is made when the first key is needed, for its owner alone. A damaged one is an
// error that says what to do, and stays as it is.
func OpenKeys(file string, now func() time.Time) (*Keys, error) {
	k := &Keys{file: file, now: now}
	r, err := readRing(file)
	if err != nil {
		return nil, err
	}
	k.ring.Store(r)
	return k, nil
}

// Rotate gives a pool a new key to sign with. Those before it verify until the
// last token that they signed is over.
func (k *Keys) Rotate(pool string) error {
	if err := checkPool(pool); err != nil {
		return err
	}
	defer k.lockPool(pool)()
	_, err := k.makeKey(pool)
	return err
}

// JWKS is the JSON Web Key Set (RFC 7517) of a pool that is served: every key that
// may still verify something. A pool's first key is made where it must be, since
// clients keep a set for long.
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

// Secret is a key of 32 bytes for one purpose, always the same one, which says
// nothing of the others.
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

// MAC is the HMAC-SHA256 of texts, with the secret of a purpose. Two lists of texts
// without zero bytes have different ones.
func (k *Keys) MAC(purpose string, texts ...string) ([]byte, error) {
	secret, err := k.Secret(purpose)
	if err != nil {
		return nil, err
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(strings.Join(texts, "\x00")))
	return mac.Sum(nil), nil
}

// current is the key that signs for a pool. It makes one where there is none, or
// where the last one has signed for long enough.
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

// signing is the key that signs for a pool; nil says that another one is due.
func (k *Keys) signingKey(pool string) *key {
	keys := k.ring.Load().pools[pool]
	if len(keys) == 0 || k.now().Sub(keys[len(keys)-1].made) >= keySignsFor {
		return nil
	}
	return keys[len(keys)-1]
}

// alone waits until nobody makes a key for a pool; what it gives lets others.
func (k *Keys) lockPool(pool string) (done func()) {
	lock, _ := k.making.LoadOrStore(pool, new(sync.Mutex))
	lock.(*sync.Mutex).Lock()
	return lock.(*sync.Mutex).Unlock
}

// make makes a key for a pool. It signs once it is in the file, and not before.
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

// change writes what the file is to have from now on; where that fails, nothing
// changes. edit gets a copy whose lists are not to be touched, but replaced.
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

// alive are the keys that may still verify something: the last one, and those that
// signed until a while ago.
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
