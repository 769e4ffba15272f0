// Package totp checks the codes of authenticator apps (RFC 6238 over RFC 4226):
// HMAC-SHA1, steps of 30 seconds, six digits.
package totp

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"time"
)

const (
	// stepSeconds is how long a code is current.
	stepSeconds = 30
	digits      = 6
	// secretBytes is the length that RFC 4226 recommends.
	secretBytes = 20
	// longestSecret bounds a secret, in letters.
	longestSecret = 128
)

var letters = base32.StdEncoding.WithPadding(base32.NoPadding)

// NewSecret makes the secret that an authenticator app and the pool share: 32 letters of
// base32 without padding.
func NewSecret() string {
	secret := make([]byte, secretBytes)
	_, _ = rand.Read(secret)
	return letters.EncodeToString(secret)
}

// Check reports whether a code belongs to the current step of 30 seconds, or to the step
// before or after, because clocks differ (RFC 6238, 5.2). It returns the step of a valid
// code. The caller stores it and passes it as after next time, so that no code is accepted
// twice; after is 0 before the first code. A malformed secret has no valid code.
func Check(secret, code string, now time.Time, after int64) (step int64, ok bool) {
	if len(secret) > longestSecret || len(code) != digits {
		return 0, false
	}
	key, err := letters.DecodeString(secret)
	if err != nil || len(key) == 0 {
		return 0, false
	}
	// All three steps are computed, so that timing does not reveal which one matched.
	current := now.Unix() / stepSeconds
	for candidate := current - 1; candidate <= current+1; candidate++ {
		same := subtle.ConstantTimeCompare([]byte(codeAt(key, candidate)), []byte(code)) == 1
		if same && candidate > after && !ok {
			step, ok = candidate, true
		}
	}
	return step, ok
}

// codeAt is the code of a step (RFC 4226, 5.3).
func codeAt(key []byte, step int64) string {
	var counter [8]byte
	binary.BigEndian.PutUint64(counter[:], uint64(step))
	mac := hmac.New(sha1.New, key)
	mac.Write(counter[:])
	sum := mac.Sum(nil)
	offset := sum[len(sum)-1] & 0xf
	number := binary.BigEndian.Uint32(sum[offset:]) & 0x7fffffff
	return fmt.Sprintf("%0*d", digits, number%1_000_000)
}
