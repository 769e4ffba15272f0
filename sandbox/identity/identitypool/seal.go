package identitypool

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"gatewright/sandbox/identity/pool"
)

const (
	// credentialLife is how long credentials are valid, as in the cloud.
	credentialLife = time.Hour
	keyPrefix      = "ASIA"
	keyLetters     = 16
	alphabet       = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	// secretKeyBytes are 40 characters of base64.
	secretKeyBytes = 30
	// longestToken bounds a session token, in bytes. The cloud's headers have little more
	// room.
	longestToken = 8 << 10
	// mostGroupBytes bounds the names of groups in a session token, which has the first
	// groups: they decide the role.
	mostGroupBytes = 2 << 10
)

var errSeal = errors.New("the session token does not belong to this access key of the sandbox")

// grant is the content of a session token, which is encrypted.
type grant struct {
	PoolID   string `json:"p"`
	Identity string `json:"i"`
	Expires  int64  `json:"x"`
	// UserPoolID and Sub are the user's, Origin is the sign-in that gave the credentials.
	// Userless is set for somebody who is signed in without a user (see Signer).
	UserPoolID string   `json:"u,omitzero"`
	Sub        string   `json:"s,omitzero"`
	Origin     string   `json:"o,omitzero"`
	Userless   bool     `json:"n,omitzero"`
	Groups     []string `json:"g,omitzero"`
}

// Credentials sign requests until they expire.
type Credentials struct {
	AccessKeyID, SecretKey, SessionToken string
	Expiration                           time.Time
}

// sealer encrypts and decrypts session tokens.
type sealer struct{ cipher.AEAD }

func (p *Pools) sealer() (*sealer, error) {
	if sealer := p.seal.Load(); sealer != nil {
		return sealer, nil
	}
	key, err := p.options.Keys.Secret("session tokens")
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, err
	}
	sealer := &sealer{gcm}
	p.seal.Store(sealer)
	return sealer, nil
}

// credentials make credentials for a grant, for an hour from now.
func (p *Pools) credentials(cfg pool.Pool, g grant) (Credentials, error) {
	expires := p.options.Now().Add(credentialLife).Truncate(time.Second)
	g.PoolID, g.Expires, g.Groups = cfg.IdentityPoolID, expires.Unix(), firstGroups(cfg, g.Groups)
	id := newAccessKeyID()
	seal, err := p.sealer()
	if err != nil {
		return Credentials{}, err
	}
	text, err := json.Marshal(g)
	if err != nil {
		return Credentials{}, err
	}
	secret, err := p.secretKey(id, cfg.IdentityPoolID)
	if err != nil {
		return Credentials{}, err
	}
	return Credentials{
		AccessKeyID: id, SecretKey: secret, Expiration: expires,
		SessionToken: base64.StdEncoding.EncodeToString(seal.Seal(nil, nil, text, []byte(id))),
	}, nil
}

// unsealGrant decrypts the session token of an access key. The error is errSeal for a token
// that is not this sandbox's.
func (p *Pools) unsealGrant(accessKeyID, sessionToken string) (g grant, err error) {
	// The decoder skips line breaks.
	if !isAccessKeyID(accessKeyID) || len(sessionToken) > longestToken || strings.ContainsAny(sessionToken, "\r\n") {
		return grant{}, errSeal
	}
	seal, err := p.sealer()
	if err != nil {
		return grant{}, err
	}
	sealed, err := base64.StdEncoding.Strict().DecodeString(sessionToken)
	if err != nil {
		return grant{}, errSeal
	}
	text, err := seal.Open(nil, nil, sealed, []byte(accessKeyID))
	if err != nil || json.Unmarshal(text, &g) != nil {
		return grant{}, errSeal
	}
	return g, nil
}

// secretKey derives the secret of an access key, so it is not stored.
func (p *Pools) secretKey(accessKeyID, identityPoolID string) (string, error) {
	sum, err := p.options.Keys.MAC("credentials", accessKeyID, identityPoolID)
	if err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(sum[:secretKeyBytes]), nil
}

func newAccessKeyID() string {
	id := make([]byte, keyLetters)
	_, _ = rand.Read(id)
	for i, b := range id {
		id[i] = alphabet[int(b)%len(alphabet)]
	}
	return keyPrefix + string(id)
}

func isAccessKeyID(id string) bool {
	letters, ok := strings.CutPrefix(id, keyPrefix)
	return ok && len(letters) == keyLetters && strings.Trim(letters, alphabet) == ""
}

// firstGroups are the user's groups that the pool has, in order of precedence, as many as fit
// into a session token.
func firstGroups(cfg pool.Pool, member []string) []string {
	groups, room := cfg.GroupsOf(member), mostGroupBytes
	for i, group := range groups {
		if room -= len(group); room < 0 {
			return groups[:i]
		}
	}
	return groups
}
