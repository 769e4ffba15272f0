package userpool

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"time"

	"gatewright/sandbox/identity/srp"
	"gatewright/sandbox/identity/wire"
)

// The challenges of a sign-in (ChallengeNameType of the cloud's API).
const (
	stepPassword    = "PASSWORD_VERIFIER"
	stepNewPassword = "NEW_PASSWORD_REQUIRED"
	stepSMS         = "SMS_MFA"
	stepTOTP        = "SOFTWARE_TOKEN_MFA"
	stepSetup       = "MFA_SETUP"
	stepSelect      = "SELECT_MFA_TYPE"
	stepFirst       = "SELECT_CHALLENGE"
	stepCustom      = "CUSTOM_CHALLENGE"
)

// mostChallenges bounds the unfinished sign-ins of a pool. Beyond it the oldest is deleted.
const mostChallenges = 10_000

// The errors of a sign-in that cannot go on.
var (
	errDisabled       = wire.Refuse("NotAuthorizedException", "User is disabled.")
	errSession        = wire.Refuse("NotAuthorizedException", "Invalid session for the user.")
	errSessionExpired = wire.Refuse("NotAuthorizedException", "Invalid session for the user, session is expired.")
)

// signInLife is how long an unfinished sign-in is valid.
const signInLife = 3 * time.Minute

// round is a challenge of a sign-in with its result, as functions that define and make
// challenges get it.
type round struct {
	Name     string  `json:"challengeName"`
	Right    bool    `json:"challengeResult"`
	Metadata *string `json:"challengeMetadata"`
}

// challenge is an unfinished sign-in. Its key in the file is the hash of what the client
// has to present: a session, or the secret block of SRP.
type challenge struct {
	Step   string    `json:"step"`
	Client string    `json:"client"`
	Until  time.Time `json:"until"`
	// Sub is the user's; "" is an unknown user, whose sign-in continues as if there were
	// one. Name is the user name that the client sent.
	Sub  string `json:"sub,omitempty"`
	Name string `json:"name,omitempty"`
	// Salt belongs to the password that was checked.
	Salt     []byte        `json:"salt,omitempty"`
	Exchange *srp.Exchange `json:"exchange,omitempty"`
	// CodeHash is the hash of the code that was sent. Wrong counts wrong codes.
	CodeHash []byte `json:"codeHash,omitempty"`
	Wrong    int    `json:"wrong,omitzero"`
	// Secret is a TOTP secret during setup. Verified says that a code of it was right.
	Secret   string `json:"secret,omitempty"`
	Verified bool   `json:"shown,omitzero"`
	// Custom says that a function defines the challenges of this sign-in; Rounds are those
	// that are over. Private and Metadata are what a function gave with its challenge.
	Custom   bool              `json:"custom,omitzero"`
	Rounds   []round           `json:"rounds,omitempty"`
	Private  map[string]string `json:"private,omitempty"`
	Metadata *string           `json:"metadata,omitempty"`
}

// beginChallenge stores a challenge for three minutes and returns its session.
func (r records) beginChallenge(c challenge) (session string, err error) {
	var id [48]byte
	_, _ = rand.Read(id[:])
	session = base64.RawURLEncoding.EncodeToString(id[:])
	return session, r.saveChallenge(session, c)
}

// canContinue reports whether a user can continue this sign-in. After a change of password
// or status, the user has to begin again.
func (c *challenge) canContinue(u *user) bool {
	wanted := statusConfirmed
	if c.Step == stepNewPassword {
		wanted = statusForced
	}
	return u != nil && u.Sub == c.Sub && u.Status == wanted && string(u.Salt) == string(c.Salt)
}

// saveChallenge stores a challenge for a client that presents the proof.
func (r records) saveChallenge(proof string, c challenge) error {
	over := r.expired(challengeEndsBucket)
	b := r.bucket.Bucket(challengesBucket)
	if len(over) == 0 && b.Sequence() >= mostChallenges {
		oldest, _ := r.bucket.Bucket(challengeEndsBucket).Cursor().First()
		over = []string{string(oldest)}
	}
	for _, key := range over {
		if err := r.deleteChallenge(key[len(timeKey(r.now)):], key); err != nil {
			return err
		}
	}
	if err := b.SetSequence(b.Sequence() + 1); err != nil {
		return err
	}
	c.Until = r.now.Add(signInLife)
	key := hashSecret(proof)
	if err := r.put(challengeEndsBucket, timeKey(c.Until)+key, nil); err != nil {
		return err
	}
	return r.write(challengesBucket, key, c)
}

// findChallenge finds the challenge of a proof. It stays until endChallenge.
func (r records) findChallenge(proof, step, client string) (*challenge, error) {
	c := new(challenge)
	found, err := r.read(challengesBucket, hashSecret(proof), c)
	switch {
	case err != nil:
		return nil, err
	case !found || c.Step != step || c.Client != client:
		return nil, errSession
	case !r.now.Before(c.Until):
		return nil, errSessionExpired
	}
	return c, nil
}

// endChallenge deletes the challenge of a proof.
func (r records) endChallenge(proof string, c *challenge) error {
	key := hashSecret(proof)
	return r.deleteChallenge(key, timeKey(c.Until)+key)
}

// deleteChallenge deletes a challenge and its entry in the index of ends. The bucket's
// sequence counts the challenges.
func (r records) deleteChallenge(key, endKey string) error {
	b := r.bucket.Bucket(challengesBucket)
	if b.Get([]byte(key)) != nil && b.Sequence() > 0 {
		if err := b.SetSequence(b.Sequence() - 1); err != nil {
			return err
		}
	}
	if err := r.remove(challengeEndsBucket, endKey); err != nil {
		return err
	}
	return r.remove(challengesBucket, key)
}

// findUserChallenge finds a challenge and its user. The name that the client sends must be
// the user's.
func (r records) findUserChallenge(proof, step, client, name string) (*challenge, *user, error) {
	c, err := r.findChallenge(proof, step, client)
	if err != nil {
		return nil, nil, err
	}
	u, err := r.find(name)
	switch {
	case err != nil:
		return nil, nil, err
	case !c.canContinue(u):
		return nil, nil, errSession
	case u.Disabled:
		return nil, nil, errDisabled
	}
	return c, u, nil
}

// wrongFactor counts a wrong second factor as a wrong password. After five the sign-in ends.
func (r records) wrongFactor(proof string, c *challenge, refused error) error {
	if err := r.countFailure(passwordFailuresOf(c.Sub), freePasswordTries); err != nil {
		return err
	}
	if c.Wrong++; c.Wrong >= codeTries {
		return cmp.Or[error](r.endChallenge(proof, c), committedError{err: refused})
	}
	return cmp.Or[error](r.write(challengesBucket, hashSecret(proof), c), committedError{err: refused})
}

// hashSecret is what the file keeps of a secret text.
func hashSecret(text string) string {
	sum := sha256.Sum256([]byte(text))
	return string(sum[:])
}
