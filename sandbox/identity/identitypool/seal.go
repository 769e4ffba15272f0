package identitypool

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"gatewright/sandbox/identity/pool"
)

const (
	// credentialLife is how long credentials are good, as in the cloud.
	credentialLife = time.Hour
	keyPrefix      = "ASIA"
	keyLetters     = 16
	alphabet       = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	// secretKeyBytes are written as 40 characters of base64.
	secretKeyBytes = 30
	// longestToken bounds a session token, in bytes. The headers of a request have
	// not much more room in the cloud.
	longestToken = 8 << 10
	// mostGroupBytes bounds the names of the groups in a session token; the first
	// ones, which decide, are in it.
	mostGroupBytes = 2 << 10
)

var errSeal = errors.New("the session token is not one that was given for this access key here")

// grant is what a session token says, sealed.
type grant struct {
	PoolID   string `json:"p"`
	Identity string `json:"i"`
	Expires  int64  `json:"x"`
	// UserPoolID and Sub are those of a user, Origin that of the sign-in that gave
	// the credentials. Who is nobody is a member of a group and no user.
	UserPoolID string   `json:"u,omitzero"`
	Sub        string   `json:"s,omitzero"`
	Origin     string   `json:"o,omitzero"`
	MemberOnly bool     `json:"n,omitzero"`
	Groups     []string `json:"g,omitzero"`
}

// Credentials are what requests are signed with until they expire.
type Credentials struct {
	AccessKeyID, SecretKey, SessionToken string
	Expiration                           time.Time
}

// sealer makes and opens session tokens.
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
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	sealer := &sealer{gcm}
	p.seal.Store(sealer)
	return sealer, nil
}

// credentials give a grant, for an hour from now.
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
	nonce := make([]byte, seal.NonceSize(), seal.NonceSize()+len(text)+seal.Overhead())
	_, _ = rand.Read(nonce)
	secret, err := p.secretKey(id, cfg.IdentityPoolID)
	if err != nil {
		return Credentials{}, err
	}
	return Credentials{
		AccessKeyID: id, SecretKey: secret, Expiration: expires,
		SessionToken: base64.StdEncoding.EncodeToString(seal.Seal(nonce, nonce, text, []byte(id))),
	}, nil
}

// open is what a session token of an access key says. The error is errSeal where
// it is none of ours.
func (p *Pools) unsealGrant(accessKeyID, sessionToken string) (g grant, err error) {
	// The decoder alone skips line breaks.
	if !isAccessKeyID(accessKeyID) || len(sessionToken) > longestToken || strings.ContainsAny(sessionToken, "\r\n") {
		return grant{}, errSeal
	}
	seal, err := p.sealer()
	if err != nil {
		return grant{}, err
	}
	sealed, err := base64.StdEncoding.Strict().DecodeString(sessionToken)
	if err != nil || len(sealed) < seal.NonceSize() {
		return grant{}, errSeal
	}
	nonce, rest := sealed[:seal.NonceSize()], sealed[seal.NonceSize():]
	text, err := seal.Open(rest[:0], nonce, rest, []byte(accessKeyID))
	if err != nil || json.Unmarshal(text, &g) != nil {
		return grant{}, errSeal
	}
	return g, nil
}

// secretKey is the secret of an access key: it needs not be kept.
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

// firstGroups are those of a user's groups that the pool has, in its order, as many
// as a session token has room for.
func firstGroups(cfg pool.Pool, member []string) (groups []string) {
	room := mostGroupBytes
	for _, group := range cfg.Groups {
		if !slices.Contains(member, group) {
			continue
		}
		if room -= len(group); room < 0 {
			break
		}
		groups = append(groups, group)
	}
	return groups
}
