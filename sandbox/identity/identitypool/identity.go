package identitypool

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"strings"
	"time"

	"gatewright/sandbox/pages"
	"github.com/go-json-experiment/json"

	"gatewright/internal/uuid"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/wire"
)

// The file has a bucket for each identity pool with two buckets: the owner of each identity
// by its id, and the identity of each user by user pool and sub.
var (
	poolsBucket      = []byte("identity pools")
	identitiesBucket = []byte("identities")
	usersBucket      = []byte("users")
)

// owner is the user that an identity belongs to.
type owner struct {
	UserPoolID string    `json:"userPoolId"`
	Sub        string    `json:"sub"`
	Created    time.Time `json:"created"`
}

// key is the user's key in usersBucket.
func (o owner) key() []byte { return []byte(o.UserPoolID + "/" + o.Sub) }

// is reports whether a user is the owner.
func (o owner) is(userPoolID, sub string) bool { return o.UserPoolID == userPoolID && o.Sub == sub }

// newGuest makes the identity of a guest. It is not stored: 60 bits of the id are random,
// and the rest proves that this pool made it.
func (p *Pools) newGuest(cfg pool.Pool) (string, error) {
	var id [16]byte
	_, _ = rand.Read(id[:8])
	return p.guestID(cfg, id)
}

// guestID is the id of a guest with the random half of an id.
func (p *Pools) guestID(cfg pool.Pool, id [16]byte) (string, error) {
	id[6] = id[6]&0x0f | 0x40
	sum, err := p.options.Keys.MAC("guest identities", cfg.IdentityPoolID, string(id[:8]))
	if err != nil {
		return "", err
	}
	copy(id[8:], sum)
	return identityID(cfg, id), nil
}

// isGuest reports whether newGuest made an id for a pool.
func (p *Pools) isGuest(cfg pool.Pool, id string) (bool, error) {
	_, uuid, _ := strings.Cut(id, ":")
	text, err := hex.DecodeString(strings.ReplaceAll(uuid, "-", ""))
	if err != nil || len(text) != 16 {
		return false, nil
	}
	expected, err := p.guestID(cfg, [16]byte(text))
	return subtle.ConstantTimeCompare([]byte(expected), []byte(id)) == 1, err
}

// stableID is an id that depends on the pool and a text only. It is never an id of newGuest.
func (p *Pools) stableID(cfg pool.Pool, text string) (string, error) {
	sum, err := p.options.Keys.MAC("stable identities", cfg.IdentityPoolID, text)
	if err != nil {
		return "", err
	}
	return identityID(cfg, [16]byte(sum)), nil
}

// identityID is an identity's id in the pool's region.
func identityID(cfg pool.Pool, id [16]byte) string {
	region, _, _ := strings.Cut(cfg.IdentityPoolID, ":")
	return region + ":" + uuid.V4(id)
}

// ownerOf is the owner of an identity; false if it has none.
func (p *Pools) ownerOf(cfg pool.Pool, id string) (found owner, ok bool, err error) {
	err = p.options.DB.View(func(tx *pages.Tx) error {
		text := valueOf(tx, cfg.IdentityPoolID, identitiesBucket, []byte(id))
		if text == nil {
			return nil
		}
		ok = true
		return json.Unmarshal(text, &found)
	})
	return found, ok, err
}

// identityOf is the identity of a user, always the same. A user without one takes over the
// guest's identity, unless it is already another user's; "" makes a new one.
func (p *Pools) identityOf(cfg pool.Pool, sub, guest string) (id string, err error) {
	user := owner{UserPoolID: cfg.UserPoolID, Sub: sub}
	err = p.options.DB.View(func(tx *pages.Tx) error {
		id = string(valueOf(tx, cfg.IdentityPoolID, usersBucket, user.key()))
		return nil
	})
	if err != nil || id != "" {
		return id, err
	}
	err = p.options.DB.Update(func(tx *pages.Tx) error {
		identities, users, err := createBuckets(tx, cfg.IdentityPoolID)
		if err != nil {
			return err
		}
		// A parallel request may have stored one in the meantime.
		if id = string(users.Get(user.key())); id != "" {
			return nil
		}
		if id = guest; id == "" || identities.Get([]byte(id)) != nil {
			var random [16]byte
			_, _ = rand.Read(random[:])
			id = identityID(cfg, random)
		}
		user.Created = p.options.Now().UTC()
		text, err := json.Marshal(user)
		if err != nil {
			return err
		}
		if err := identities.Put([]byte(id), text); err != nil {
			return err
		}
		return users.Put(user.key(), []byte(id))
	})
	if err != nil {
		return "", err
	}
	return id, nil
}

func valueOf(tx *pages.Tx, identityPoolID string, bucket, key []byte) []byte {
	pools := tx.Bucket(poolsBucket)
	if pools == nil {
		return nil
	}
	own := pools.Bucket([]byte(identityPoolID))
	if own == nil {
		return nil
	}
	return own.Bucket(bucket).Get(key)
}

func createBuckets(tx *pages.Tx, identityPoolID string) (identities, users *pages.Bucket, err error) {
	pools, err := tx.CreateBucketIfNotExists(poolsBucket)
	if err != nil {
		return nil, nil, err
	}
	own, err := pools.CreateBucketIfNotExists([]byte(identityPoolID))
	if err != nil {
		return nil, nil, err
	}
	if identities, err = own.CreateBucketIfNotExists(identitiesBucket); err != nil {
		return nil, nil, err
	}
	users, err = own.CreateBucketIfNotExists(usersBucket)
	return identities, users, err
}

// poolOf finds the pools and the owner of an identity; owned is false for a guest's.
func (p *Pools) poolOf(id string) (pools []pool.Pool, found owner, owned bool, err error) {
	current := p.served.Load()
	for _, poolID := range current.ids {
		pools = current.ofID[poolID]
		found, owned, err = p.ownerOf(pools[0], id)
		if err != nil || owned {
			return pools, found, owned, err
		}
		guest, err := p.isGuest(pools[0], id)
		if err != nil || guest {
			return pools, owner{}, false, err
		}
	}
	return nil, owner{}, false, wire.Refuse("ResourceNotFoundException", "Identity '%s' not found.", id)
}
