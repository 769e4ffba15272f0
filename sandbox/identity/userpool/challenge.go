package userpool

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"time"

	"gatewright/sandbox/identity/srp"
)

// The steps of a sign-in (ChallengeNameType of the cloud's API).
const (
	stepPassword    = "PASSWORD_VERIFIER"
	stepNewPassword = "NEW_PASSWORD_REQUIRED"
	stepSMS         = "SMS_MFA"
	stepTOTP        = "SOFTWARE_TOKEN_MFA"
	stepSetup       = "MFA_SETUP"
	stepSelect      = "SELECT_MFA_TYPE"
	stepFirst       = "SELECT_CHALLENGE"
)

// mostChallenges bounds the sign-ins of a pool that are under way: of more the oldest is forgotten.
const mostChallenges = 10_000

var (
	errSession        = unauthorized("Invalid session for the user.")
	errSessionExpired = unauthorized("Invalid session for the user, session is expired.")
)

// challenge is a sign-in that waits for its next step. The file has it under the hash of what the client has to bring: a session, or the
// secret block of SRP.
type challenge struct {
	Step   string    `json:"step"`
	Client string    `json:"client"`
	Until  time.Time `json:"until"`
	// Sub is whose sign-in it is; "" is nobody's, which goes on as if it were somebody's. Name is what the client gave.
	Sub  string `json:"sub,omitempty"`
	Name string `json:"name,omitempty"`
	// Salt is that of the password that was right.
	Salt []byte `json:"salt,omitempty"`
	// Exchange is that of SRP.
	Exchange *srp.Exchange `json:"exchange,omitempty"`
	// CodeHash is that of the code that was sent, Wrong how often a code was wrong.
	CodeHash []byte `json:"codeHash,omitempty"`
	Wrong    int    `json:"wrong,omitzero"`
	// Secret is a TOTP secret that is being set up, Shown that a code of it was right.
	Secret   string `json:"secret,omitempty"`
	Verified bool   `json:"shown,omitzero"`
}

// begin keeps a challenge for three minutes and gives the session for it.
func (r records) beginChallenge(c challenge) (session string, err error) {
	var id [48]byte
	_, _ = rand.Read(id[:])
	session = base64.RawURLEncoding.EncodeToString(id[:])
	return session, r.saveChallenge(session, c)
}

// goOn keeps the next challenge of a user whose password was right.
func (r records) nextChallenge(client, next string, u *user) (session string, err error) {
	return r.beginChallenge(challenge{Step: next, Client: client, Sub: u.Sub, Salt: u.Salt})
}

// isStillOf reports whether a user can go on with a sign-in: who got another password meanwhile, or another status, begins again.
func (c *challenge) canContinue(u *user) bool {
	wanted := statusConfirmed
	if c.Step == stepNewPassword {
		wanted = statusForced
	}
	return u != nil && u.Sub == c.Sub && u.Status == wanted && string(u.Salt) == string(c.Salt)
}

// beginAs keeps a challenge for whoever brings the proof.
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

// take finds the challenge that a proof is for. It stays until end is called.
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

// end makes a proof good for nothing.
func (r records) endChallenge(proof string, c *challenge) error {
	key := hashSecret(proof)
	return r.deleteChallenge(key, timeKey(c.Until)+key)
}

// endChallenge deletes a challenge and its end. Its sequence is how many there are.
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

// takeOf finds a challenge and the user whose it is; the user name that the client gives has to mean that user.
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

// wrongFactor counts a second factor that was wrong, as a wrong password is. After five the sign-in has to begin again.
func (r records) wrongFactor(proof string, c *challenge, refused error) error {
	if err := r.countFailure(passwordFailuresOf(c.Sub), freePasswordTries); err != nil {
		return err
	}
	if c.Wrong++; c.Wrong >= codeTries {
		return orErr(r.endChallenge(proof, c), committedError{refused})
	}
	return orErr(r.write(challengesBucket, hashSecret(proof), c), committedError{refused})
}

// hashOf is what is kept of a text that only its owner has.
func hashSecret(text string) string {
	sum := sha256.Sum256([]byte(text))
	return string(sum[:])
}
