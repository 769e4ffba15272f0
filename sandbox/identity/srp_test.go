package identity_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/sandbox/identity/srp"
	"gatewright/sandbox/identity/srp/srptest"
)

const timestamp = "Sat Nov 21 04:05:06 UTC 2026"

// begin begins an exchange with a password's verifier.
func begin(t testing.TB, pool, user, password, clientA string) *srp.Exchange {
	salt := srp.NewSalt()
	x, err := srp.Begin(pool, user, salt, srp.Verifier(pool, user, password, salt), clientA)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// answer is a client's proof for an exchange.
func answer(t testing.TB, c *srptest.Client, x *srp.Exchange, timestamp string) string {
	return c.Sign(t, x.Salt(), x.ServerB(), x.SecretBlock(), timestamp)
}

func TestClientWithThePasswordProvesIt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		pool, user, password := rapid.StringMatching(`[A-Za-z0-9]{1,12}`).Draw(rt, "pool"), rapid.String().Draw(rt, "user"), rapid.String().Draw(rt, "password")
		c := srptest.New(pool, user, password)
		x := begin(t, pool, user, password, c.A())
		proof := answer(t, c, x, timestamp)
		if !x.Proves(x.SecretBlock(), timestamp, proof) {
			rt.Fatal("the right password is refused")
		}
		other := rapid.String().Filter(func(s string) bool { return s != password }).Draw(rt, "other")
		// An impostor knows the client's secret number, but not one of the three.
		impostor := *c
		name := rapid.SampledFrom([]string{"another password", "another user", "another pool"}).Draw(rt, "who")
		switch name {
		case "another password":
			impostor.Password = other
		case "another user":
			impostor.User += "x"
		default:
			impostor.Pool += "x"
		}
		if x.Proves(x.SecretBlock(), timestamp, answer(t, &impostor, x, timestamp)) {
			rt.Fatalf("%s proves the password", name)
		}
	})
}

func TestProofIsValidForOneSignIn(t *testing.T) {
	t.Parallel()
	c := srptest.New("AbCdEfGhI", "ada", "Pass-word 1")
	first, second := begin(t, "AbCdEfGhI", "ada", "Pass-word 1", c.A()), begin(t, "AbCdEfGhI", "ada", "Pass-word 1", c.A())
	proof := answer(t, c, first, timestamp)
	if !first.Proves(first.SecretBlock(), timestamp, proof) {
		t.Fatal("the proof is refused")
	}
	if second.Proves(first.SecretBlock(), timestamp, proof) || second.Proves(second.SecretBlock(), timestamp, proof) {
		t.Error("the proof is accepted for another sign-in")
	}
	for name, try := range map[string][3]string{
		"another timestamp":     {first.SecretBlock(), timestamp + " ", proof},
		"no timestamp":          {first.SecretBlock(), "", proof},
		"a very long timestamp": {first.SecretBlock(), strings.Repeat(timestamp, 100), proof},
		"no block":              {"", timestamp, proof},
		"another form of block": {strings.TrimRight(first.SecretBlock(), "="), timestamp, proof},
		"no proof":              {first.SecretBlock(), timestamp, ""},
		"half a proof":          {first.SecretBlock(), timestamp, proof[:20]},
		"a proof and more":      {first.SecretBlock(), timestamp, proof + "A"},
		"zeros":                 {first.SecretBlock(), timestamp, base64.StdEncoding.EncodeToString(make([]byte, 32))},
	} {
		if first.Proves(try[0], try[1], try[2]) {
			t.Errorf("%s: accepted", name)
		}
	}
	if long := strings.Repeat(timestamp, 3); first.Proves(first.SecretBlock(), long, answer(t, c, first, long)) {
		t.Error("a long timestamp is accepted")
	}
	mac := hmac.New(sha256.New, nil)
	mac.Write([]byte(timestamp))
	if new(srp.Exchange).Proves("", timestamp, base64.StdEncoding.EncodeToString(mac.Sum(nil))) {
		t.Error("an empty exchange is proved")
	}
}

func TestExchangeSurvivesJSON(t *testing.T) {
	t.Parallel()
	c := srptest.New("AbCdEfGhI", "ada", "Pass-word 1")
	x := begin(t, "AbCdEfGhI", "ada", "Pass-word 1", c.A())
	text, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	var read srp.Exchange
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if read.ServerB() != x.ServerB() || read.Salt() != x.Salt() || !read.Proves(x.SecretBlock(), timestamp, answer(t, c, x, timestamp)) {
		t.Errorf("the exchange differs after JSON: %s", text)
	}
}

func TestSaltWithLeadingZeros(t *testing.T) {
	t.Parallel()
	for _, salt := range [][]byte{{0, 0, 1, 2}, {0, 0x80, 3}, {0x80}, {0xff, 1}, {0}, append(make([]byte, 15), 7)} {
		c := srptest.New("AbCdEfGhI", "ada", "Pass-word 1")
		x, err := srp.Begin("AbCdEfGhI", "ada", salt, srp.Verifier("AbCdEfGhI", "ada", "Pass-word 1", salt), c.A())
		if err != nil {
			t.Fatal(err)
		}
		if !x.Proves(x.SecretBlock(), timestamp, answer(t, c, x, timestamp)) {
			t.Errorf("the salt %x gives another key than the client's", salt)
		}
	}
}

func TestNumbersOutsideTheGroupAreRefused(t *testing.T) {
	t.Parallel()
	salt := srp.NewSalt()
	verifier := srp.Verifier("AbCdEfGhI", "ada", "Pass-word 1", salt)
	times := func(n int64) string { return new(big.Int).Mul(srptest.Modulus, big.NewInt(n)).Text(16) }
	for name, a := range map[string]string{
		"nothing": "", "zero": "0", "many zeros": strings.Repeat("0", 768), "the prime": times(1), "the prime, capitals": strings.ToUpper(times(1)), "twice the prime": times(2),
		"more than the prime": new(big.Int).Add(srptest.Modulus, big.NewInt(2)).Text(16), "negative": "-2", "signed": "+2", "a prefix": "0x2", "underscores": "1_0",
		"no hexadecimal": "xyz", "a space": " 2", "unicode": "２", "far too long": strings.Repeat("0", 1<<20) + "2",
	} {
		if x, err := srp.Begin("AbCdEfGhI", "ada", salt, verifier, a); !errors.Is(err, srp.ErrNumber) || x != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, bad := range map[string][]byte{"none": nil, "zero": {0, 0}, "the prime": srptest.Modulus.Bytes()} {
		if x, err := srp.Begin("AbCdEfGhI", "ada", salt, bad, "2"); !errors.Is(err, srp.ErrVerifier) || x != nil {
			t.Errorf("a verifier that is %s: %v", name, err)
		}
	}
	if _, err := srp.Begin("AbCdEfGhI", "ada", salt, verifier, "00"+srptest.New("p", "u", "w").A()); err != nil {
		t.Errorf("a padded number is refused: %v", err)
	}
}

func TestVerifierDependsOnPoolUserPasswordAndSalt(t *testing.T) {
	t.Parallel()
	salt := srp.NewSalt()
	verifier := srp.Verifier("AbCdEfGhI", "ada", "Pass-wörd 1 🔑", salt)
	if !srp.Matches("AbCdEfGhI", "ada", "Pass-wörd 1 🔑", salt, verifier) {
		t.Error("the verifier does not match its password")
	}
	for name, matches := range map[string]bool{
		"password": srp.Matches("AbCdEfGhI", "ada", "Pass-word 1 🔑", salt, verifier), "user": srp.Matches("AbCdEfGhI", "Ada", "Pass-wörd 1 🔑", salt, verifier),
		"pool": srp.Matches("IhGfEdCbA", "ada", "Pass-wörd 1 🔑", salt, verifier), "salt": srp.Matches("AbCdEfGhI", "ada", "Pass-wörd 1 🔑", srp.NewSalt(), verifier),
		"no verifier": srp.Matches("AbCdEfGhI", "ada", "Pass-wörd 1 🔑", salt, nil),
	} {
		if matches {
			t.Errorf("another %s matches", name)
		}
	}
	if bytes.Contains(verifier, []byte("Pass")) || len(salt) != 16 || bytes.Equal(salt, srp.NewSalt()) {
		t.Error("a verifier shows its password, or salts are not random")
	}
}

func BenchmarkBegin(b *testing.B) {
	salt := srp.NewSalt()
	verifier := srp.Verifier("AbCdEfGhI", "ada", "Pass-word 1", salt)
	a := srptest.New("AbCdEfGhI", "ada", "Pass-word 1").A()
	for b.Loop() {
		if _, err := srp.Begin("AbCdEfGhI", "ada", salt, verifier, a); err != nil {
			b.Fatal(err)
		}
	}
}
