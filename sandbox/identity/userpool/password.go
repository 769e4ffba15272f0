package userpool

import (
	"crypto/rand"
	"math/big"
	"strings"
	"time"
	"unicode/utf8"

	"gatewright/model"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/srp"
	"gatewright/sandbox/identity/wire"
)

const (
	// temporaryFor is how long a temporary password is good (the cloud's default).
	temporaryPasswordLife = 7 * 24 * time.Hour
	// symbols are what the cloud takes for a symbol in a password, beside a space that stands inside.
	symbols = "^$*.[]{}()?\"!@#%&/\\,><':;|_~`=+- "
	digits  = "0123456789"
	lower   = "abcdefghijklmnopqrstuvwxyz"
	upper   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	// verifierBytes is the length of the numbers of the SRP group.
	verifierBytes = 384
)

var errIncorrect = unauthorized("Incorrect username or password.")

// policyOf is the pool's password policy with all fields said.
func policyOf(cfg pool.Pool) model.PasswordPolicy {
	if cfg.Definition == nil || cfg.Definition.PasswordPolicy == nil {
		return model.PasswordPolicy{}.Whole()
	}
	return cfg.Definition.PasswordPolicy.Whole()
}

// checkPassword says what a password lacks by the pool's policy: the first thing, as the cloud does.
func checkPassword(cfg pool.Pool, password string) error {
	policy := policyOf(cfg)
	lacks := func(required *bool, of string) bool { return *required && !strings.ContainsAny(password, of) }
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

// setPassword makes a password the user's. What is kept depends on the user's name, which never changes.
func (u *user) setPassword(cfg pool.Pool, password string) {
	u.Salt = srp.NewSalt()
	u.Verifier = srp.Verifier(cfg.Name(), u.Name, password, u.Salt)
	u.TemporaryUntil = time.Time{}
}

// makePassword makes a temporary password that the policy takes.
func makePassword(cfg pool.Pool) string {
	const kindly = "!@#%&+-="
	sets := []string{upper, lower, digits, kindly}
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

// random is a number below n.
func random(n int) int {
	number, err := rand.Int(rand.Reader, big.NewInt(int64(n)))
	if err != nil {
		panic(err) // The system's source of randomness does not fail.
	}
	return int(number.Int64())
}

// claimant is who somebody says to be: a user, or nobody, and then with a salt and a verifier that stay the same and that no password
// has, so that it looks and takes as it does with a user (RFC 5054, 2.5.1.3).
type claimant struct {
	// sub is "" for nobody.
	sub, name, status string
	salt, verifier    []byte
	// tried counts passwords, codes what is said to have been sent to nobody.
	passwordFailures, codeFailures failureKey
}

// claim finds who a name means. The error is that of somebody who has to wait.
func (p *Pools) findClaimant(cfg pool.Pool, name string) (claimant, error) {
	var c claimant
	err := p.view(cfg, func(r records) error {
		u, err := r.find(name)
		if err != nil {
			return err
		}
		if u != nil {
			c = claimant{sub: u.Sub, name: u.Name, status: u.Status, salt: u.Salt, verifier: u.Verifier, passwordFailures: passwordFailuresOf(u.Sub)}
		}
		if u == nil || len(u.Verifier) == 0 {
			nobody, err := p.unknownUser(cfg, name)
			if err != nil {
				return err
			}
			if u == nil {
				c = nobody
			} else {
				c.salt, c.verifier = nobody.salt, nobody.verifier
			}
		}
		return nil
	})
	return c, err
}

// mayTry refuses who has to wait, before anything is computed.
func (p *Pools) checkMayTry(cfg pool.Pool, c claimant) error {
	return p.view(cfg, func(r records) error {
		if waits, err := r.mustWait(c.passwordFailures); waits || err != nil {
			return orErr(err, errAttempts)
		}
		return nil
	})
}

// knows looks at a password, one of each user at a time, and counts a wrong one. Only what was right is given to then, in the change
// that it is to make.
func (p *Pools) verifyPassword(cfg pool.Pool, c claimant, password string, wrong error, then func(r records, u *user) error) error {
	turn := p.passwordLock(cfg.UserPoolID, c.passwordFailures.key)
	turn.Lock()
	defer turn.Unlock()
	if err := p.checkMayTry(cfg, c); err != nil {
		return err
	}
	right := srp.Matches(cfg.Name(), c.name, password, c.salt, c.verifier)
	return p.update(cfg, func(r records) error {
		var u *user
		if c.sub != "" {
			var err error
			if u, err = r.bySub(c.sub); err != nil {
				return err
			}
		}
		// The password may have been changed while this one was looked at.
		if !right || u == nil || string(u.Verifier) != string(c.verifier) {
			if err := r.countFailure(c.passwordFailures, freePasswordTries); err != nil {
				return err
			}
			return committedError{wrong}
		}
		return then(r, u)
	})
}

func orErr(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}
