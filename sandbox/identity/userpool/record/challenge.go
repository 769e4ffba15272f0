package record

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
	StepPassword    = "PASSWORD_VERIFIER"
	StepNewPassword = "NEW_PASSWORD_REQUIRED"
	StepSMS         = "SMS_MFA"
	StepTOTP        = "SOFTWARE_TOKEN_MFA"
	StepSetup       = "MFA_SETUP"
	StepSelect      = "SELECT_MFA_TYPE"
	StepFirst       = "SELECT_CHALLENGE"
	StepCustom      = "CUSTOM_CHALLENGE"
)

// mostChallenges bounds the unfinished sign-ins of a pool. Beyond it the oldest is deleted.
const mostChallenges = 10_000

// The errors of a sign-in that cannot go on.
var (
	ErrDisabled       = wire.Refuse("NotAuthorizedException", "User is disabled.")
	ErrSession        = wire.Refuse("NotAuthorizedException", "Invalid session for the user.")
	ErrSessionExpired = wire.Refuse("NotAuthorizedException", "Invalid session for the user, session is expired.")
)

// SignInLife is how long an unfinished sign-in is valid.
const SignInLife = 3 * time.Minute

// Round is a challenge of a sign-in with its result, as functions that define and make
// challenges get it.
type Round struct {
	Name     string  `json:"challengeName"`
	Right    bool    `json:"challengeResult"`
	Metadata *string `json:"challengeMetadata"`
}

// Challenge is an unfinished sign-in. Its key in the file is the hash of what the client
// has to present: a session, or the secret block of SRP.
type Challenge struct {
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
	Rounds   []Round           `json:"rounds,omitempty"`
	Private  map[string]string `json:"private,omitempty"`
	Metadata *string           `json:"metadata,omitempty"`
}

// BeginChallenge stores a challenge for three minutes and returns its session.
func (r Records) BeginChallenge(c Challenge) (session string, err error) {
	var id [48]byte
	_, _ = rand.Read(id[:])
	session = base64.RawURLEncoding.EncodeToString(id[:])
	return session, r.SaveChallenge(session, c)
}

// CanContinue reports whether a user can continue this sign-in. After a change of password
// or status, the user has to begin again.
func (c *Challenge) CanContinue(u *User) bool {
	wanted := StatusConfirmed
	if c.Step == StepNewPassword {
		wanted = StatusForced
	}
	return u != nil && u.Sub == c.Sub && u.Status == wanted && string(u.Salt) == string(c.Salt)
}

// SaveChallenge stores a challenge for a client that presents the proof.
func (r Records) SaveChallenge(proof string, c Challenge) error {
	over := r.expired(challengeEndsBucket)
	b := r.Bucket.Bucket(ChallengesBucket)
	if len(over) == 0 && b.Sequence() >= mostChallenges {
		oldest, _ := r.Bucket.Bucket(challengeEndsBucket).Cursor().First()
		over = []string{string(oldest)}
	}
	for _, key := range over {
		if err := r.deleteChallenge(key[len(timeKey(r.Now)):], key); err != nil {
			return err
		}
	}
	if err := b.SetSequence(b.Sequence() + 1); err != nil {
		return err
	}
	c.Until = r.Now.Add(SignInLife)
	key := HashSecret(proof)
	if err := r.put(challengeEndsBucket, timeKey(c.Until)+key, nil); err != nil {
		return err
	}
	return r.Write(ChallengesBucket, key, c)
}

// FindChallenge finds the challenge of a proof. It stays until EndChallenge.
func (r Records) FindChallenge(proof, step, client string) (*Challenge, error) {
	c := new(Challenge)
	found, err := r.Read(ChallengesBucket, HashSecret(proof), c)
	switch {
	case err != nil:
		return nil, err
	case !found || c.Step != step || c.Client != client:
		return nil, ErrSession
	case !r.Now.Before(c.Until):
		return nil, ErrSessionExpired
	}
	return c, nil
}

// EndChallenge deletes the challenge of a proof.
func (r Records) EndChallenge(proof string, c *Challenge) error {
	key := HashSecret(proof)
	return r.deleteChallenge(key, timeKey(c.Until)+key)
}

// deleteChallenge deletes a challenge and its entry in the index of ends. The bucket's
// sequence counts the challenges.
func (r Records) deleteChallenge(key, endKey string) error {
	b := r.Bucket.Bucket(ChallengesBucket)
	if b.Get([]byte(key)) != nil && b.Sequence() > 0 {
		if err := b.SetSequence(b.Sequence() - 1); err != nil {
			return err
		}
	}
	if err := r.remove(challengeEndsBucket, endKey); err != nil {
		return err
	}
	return r.remove(ChallengesBucket, key)
}

// FindUserChallenge finds a challenge and its user. The name that the client sends must be
// the user's.
func (r Records) FindUserChallenge(proof, step, client, name string) (*Challenge, *User, error) {
	c, err := r.FindChallenge(proof, step, client)
	if err != nil {
		return nil, nil, err
	}
	u, err := r.Find(name)
	switch {
	case err != nil:
		return nil, nil, err
	case !c.CanContinue(u):
		return nil, nil, ErrSession
	case u.Disabled:
		return nil, nil, ErrDisabled
	}
	return c, u, nil
}

// WrongFactor counts a wrong second factor as a wrong password. After five the sign-in ends.
func (r Records) WrongFactor(proof string, c *Challenge, refused error) error {
	if err := r.CountFailure(PasswordFailuresOf(c.Sub), FreePasswordTries); err != nil {
		return err
	}
	if c.Wrong++; c.Wrong >= CodeTries {
		return cmp.Or[error](r.EndChallenge(proof, c), CommittedError{Err: refused})
	}
	return cmp.Or[error](r.Write(ChallengesBucket, HashSecret(proof), c), CommittedError{Err: refused})
}

// HashSecret is what the file keeps of a secret text.
func HashSecret(text string) string {
	sum := sha256.Sum256([]byte(text))
	return string(sum[:])
}
