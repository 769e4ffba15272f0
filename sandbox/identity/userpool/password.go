package userpool

import (
	"cmp"
	"crypto/rand"
	"math/big"
	"strings"
	"time"
	"unicode/utf8"

	"gatewright/model"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/srp"
	"gatewright/sandbox/identity/userpool/record"
	"gatewright/sandbox/identity/wire"
)

const (
	// temporaryPasswordLife is the cloud's default.
	temporaryPasswordLife = 7 * 24 * time.Hour
	// symbols are the characters that the cloud counts as symbols in a password.
	symbols = "^$*.[]{}()?\"!@#%&/\\,><':;|_~`=+- "
	digits  = "0123456789"
	lower   = "abcdefghijklmnopqrstuvwxyz"
	upper   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	// verifierBytes is the length of numbers in the SRP group.
	verifierBytes = 384
)

var errIncorrect = unauthorized("Incorrect username or password.")

// policyOf is the pool's password policy, with defaults for missing fields.
func policyOf(cfg pool.Pool) model.PasswordPolicy {
	if cfg.Definition == nil || cfg.Definition.PasswordPolicy == nil {
		return model.PasswordPolicy{}.Whole()
	}
	return cfg.Definition.PasswordPolicy.Whole()
}

// checkPassword reports the first rule of the pool's policy that a password breaks, as the
// cloud does.
func checkPassword(cfg pool.Pool, password string) error {
	policy := policyOf(cfg)
	lacks := func(required *bool, chars string) bool { return *required && !strings.ContainsAny(password, chars) }
	problem := ""
	switch {
	case utf8.RuneCountInString(password) < *policy.MinLength:
		problem = "Password not long enough"
	case lacks(policy.RequireUppercase, upper):
		problem = "Password must have uppercase characters"
	case lacks(policy.RequireLowercase, lower):
		problem = "Password must have lowercase characters"
	case lacks(policy.RequireNumbers, digits):
		problem = "Password must have numeric characters"
	case lacks(policy.RequireSymbols, symbols):
		problem = "Password must have symbol characters"
	default:
		return nil
	}
	return wire.Refuse("InvalidPasswordException", "Password did not conform with policy: %s", problem)
}

// CheckPassword returns the refusal of a password that breaks a rule of a pool's policy.
func CheckPassword(cfg pool.Pool, password string) error { return checkPassword(cfg, password) }

// setPassword stores a salt and a verifier, which depends on the user's name; the name
// never changes.
func setPassword(u *record.User, cfg pool.Pool, password string) {
	u.Salt = srp.NewSalt()
	u.Verifier = srp.Verifier(cfg.Name(), u.Name, password, u.Salt)
	u.TemporaryUntil = time.Time{}
}

// makePassword makes a temporary password that conforms to the policy.
func makePassword(cfg pool.Pool) string {
	const easySymbols = "!@#%&+-="
	sets := []string{upper, lower, digits, easySymbols}
	length := max(*policyOf(cfg).MinLength, 12)
	password := make([]byte, length)
	for i := range password {
		set := sets[i%len(sets)]
		password[i] = set[random(len(set))]
	}
	for i := len(password) - 1; i > 0; i-- {
		j := random(i + 1)
		password[i], password[j] = password[j], password[i]
	}
	return string(password)
}

// random is a random number below n.
func random(n int) int {
	number, err := rand.Int(rand.Reader, big.NewInt(int64(n)))
	if err != nil {
		panic(err) // The system's random source does not fail.
	}
	return int(number.Int64())
}

// claimant is the user that somebody claims to be. For an unknown user it has a salt and a verifier that
// never change and match no password, so that the answer and its timing look the same (RFC 5054, 2.5.1.3).
type claimant struct {
	// sub is "" for an unknown user.
	sub, name, status string
	salt, verifier    []byte
	// The keys under which failures are counted; codeFailures is for unknown users only.
	passwordFailures, codeFailures record.FailureKey
}

// findClaimant finds the claimant with a name.
func (p *Pools) findClaimant(cfg pool.Pool, name string) (claimant, error) {
	var c claimant
	err := p.view(cfg, func(r record.Records) error {
		u, err := r.Find(name)
		if err != nil {
			return err
		}
		if u != nil {
			c = claimant{
				sub: u.Sub, name: u.Name, status: u.Status, salt: u.Salt, verifier: u.Verifier,
				passwordFailures: record.PasswordFailuresOf(u.Sub),
			}
		}
		if u == nil || len(u.Verifier) == 0 {
			unknown, err := p.unknownUser(cfg, name)
			if err != nil {
				return err
			}
			if u == nil {
				c = unknown
			} else {
				c.salt, c.verifier = unknown.salt, unknown.verifier
			}
		}
		return nil
	})
	return c, err
}

// checkMayTry refuses a claimant who has to wait.
func (p *Pools) checkMayTry(cfg pool.Pool, c claimant) error {
	return p.view(cfg, func(r record.Records) error {
		if waits, err := r.MustWait(c.passwordFailures); waits || err != nil {
			return cmp.Or[error](err, record.ErrAttempts)
		}
		return nil
	})
}

// verifyPassword checks a password and counts a wrong one with the error wrong. For a right one it calls
// then, within the same change of the file. It checks one password of a user at a time.
func (p *Pools) verifyPassword(
	cfg pool.Pool, c claimant, password string, wrong error, then func(r record.Records, u *record.User) error,
) error {
	turn := p.passwordLock(cfg.UserPoolID, c.passwordFailures.Key)
	turn.Lock()
	defer turn.Unlock()
	if err := p.checkMayTry(cfg, c); err != nil {
		return err
	}
	right := srp.Matches(cfg.Name(), c.name, password, c.salt, c.verifier)
	return p.update(cfg, func(r record.Records) error {
		var u *record.User
		if c.sub != "" {
			var err error
			if u, err = r.BySub(c.sub); err != nil {
				return err
			}
		}
		// The password may have been changed in the meantime.
		if !right || u == nil || string(u.Verifier) != string(c.verifier) {
			if err := r.CountFailure(c.passwordFailures, record.FreePasswordTries); err != nil {
				return err
			}
			return record.CommittedError{Err: wrong}
		}
		return then(r, u)
	})
}
