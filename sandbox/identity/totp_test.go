package identity_test

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gatewright/sandbox/identity/totp"
)

// published is the secret in RFC 6238, appendix B.
var published = base32.StdEncoding.EncodeToString([]byte("12345678901234567890"))

func TestCodesOfTheRFCAreAccepted(t *testing.T) {
	t.Parallel()
	for seconds, code := range map[int64]string{
		59: "94287082", 1111111109: "07081804", 1111111111: "14050471", 1234567890: "89005924", 2000000000: "69279037", 20000000000: "65353130",
	} {
		// The RFC's codes have eight digits, of which the last six are the shorter code.
		step, ok := totp.Check(published, code[2:], time.Unix(seconds, 0), 0)
		if !ok || step != seconds/30 {
			t.Errorf("at %d the code %s is %v of step %d", seconds, code[2:], ok, step)
		}
	}
}

func TestCodeIsAcceptedOnceWithinOneStep(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		secret := totp.NewSecret()
		step := rapid.Int64Range(10, 1<<36).Draw(t, "step")
		code := reference(t, secret, step)
		// Two steps may have the same six digits.
		for away := int64(-4); away <= 4; away++ {
			if away != 0 && reference(t, secret, step+away) == code {
				return
			}
		}
		within := rapid.Int64Range(0, 29).Draw(t, "within")
		for away := int64(-3); away <= 3; away++ {
			got, ok := totp.Check(secret, code, time.Unix((step+away)*30+within, 0), 0)
			if want := away >= -1 && away <= 1; ok != want || ok && got != step {
				t.Fatalf("%d steps away the code is %v of step %d, want %v", away, ok, got, want)
			}
		}
		now := time.Unix(step*30+within, 0)
		if _, ok := totp.Check(secret, code, now, step); ok {
			t.Fatal("the code was accepted twice")
		}
		if _, ok := totp.Check(secret, code, now, step-1); !ok {
			t.Fatal("two consecutive codes are the same")
		}
	})
}

func TestMalformedCodesAreRefused(t *testing.T) {
	t.Parallel()
	now := time.Unix(59, 0)
	for name, try := range map[string][2]string{
		"empty": {published, ""}, "eight digits": {published, "94287082"}, "spaces": {published, " 87082"}, "other digits": {published, "٢٨٧٠٨٢"},
		"a wrong one": {published, "287083"}, "no secret": {"", "287082"}, "a secret that is not base32": {"0189!", "287082"},
		"a padded secret": {"MFRGG===", "287082"},
	} {
		if step, ok := totp.Check(try[0], try[1], now, 0); ok || step != 0 {
			t.Errorf("%s: %v, step %d", name, ok, step)
		}
	}
}

func TestSecretsAreLongAndNeverTheSame(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool)
	for range 100 {
		secret := totp.NewSecret()
		if decoded, err := base32.StdEncoding.DecodeString(secret); err != nil || len(secret) != 32 || len(decoded) != 20 || seen[secret] {
			t.Fatalf("the secret has %d letters: %v, repeated %v", len(secret), err, seen[secret])
		}
		seen[secret] = true
	}
}

// reference computes a code as the RFC writes it, with numbers instead of bytes.
func reference(t *rapid.T, secret string, step int64) string {
	key, err := base32.StdEncoding.DecodeString(secret)
	if err != nil {
		t.Fatal(err)
	}
	counter := make([]byte, 8)
	big.NewInt(step).FillBytes(counter)
	mac := hmac.New(sha1.New, key)
	mac.Write(counter)
	sum := mac.Sum(nil)
	at := sum[19] % 16
	number := new(big.Int).SetBytes(sum[at : at+4])
	number.SetBit(number, 31, 0)
	return fmt.Sprintf("%06d", new(big.Int).Mod(number, big.NewInt(1_000_000)).Int64())
}
