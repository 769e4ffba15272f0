package srp_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/sandbox/identity/srp"
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

func TestClientWithThePasswordProvesIt(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		pool, user, password := rapid.StringMatching(`[A-Za-z0-9]{1,12}`).Draw(rt, "pool"), rapid.String().Draw(rt, "user"), rapid.String().Draw(rt, "password")
		c := newClient(pool, user, password)
		x := begin(t, pool, user, password, c.A())
		proof := c.answer(t, x, timestamp)
		if !x.Proves(x.SecretBlock(), timestamp, proof) {
			rt.Fatal("the right password proves nothing")
		}
		other := rapid.String().Filter(func(s string) bool { return s != password }).Draw(rt, "other")
		for name, stranger := range map[string]*client{
			"another password": {pool: pool, user: user, password: other},
			"another user":     {pool: pool, user: user + "x", password: password},
			"another pool":     {pool: pool + "x", user: user, password: password},
		} {
			// An impostor knows the client's secret number, but not what the case says.
			stranger.secret, stranger.public = c.secret, c.public
			if x.Proves(x.SecretBlock(), timestamp, stranger.answer(t, x, timestamp)) {
				rt.Fatalf("%s proves it", name)
			}
		}
	})
}

func TestProofIsValidForOneSignIn(t *testing.T) {
	c := newClient("AbCdEfGhI", "ada", "Pass-word 1")
	first, second := begin(t, "AbCdEfGhI", "ada", "Pass-word 1", c.A()), begin(t, "AbCdEfGhI", "ada", "Pass-word 1", c.A())
	proof := c.answer(t, first, timestamp)
	if !first.Proves(first.SecretBlock(), timestamp, proof) {
		t.Fatal("the proof is not good to begin with")
	}
	if second.Proves(first.SecretBlock(), timestamp, proof) || second.Proves(second.SecretBlock(), timestamp, proof) {
		t.Error("the proof is good for another sign-in")
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
			t.Errorf("%s proves it", name)
		}
	}
	if long := strings.Repeat(timestamp, 3); first.Proves(first.SecretBlock(), long, c.answer(t, first, long)) {
		t.Error("a timestamp of any length is signed")
	}
	if new(srp.Exchange).Proves("", timestamp, base64.StdEncoding.EncodeToString(mac(nil, []byte(timestamp)))) {
		t.Error("an exchange that never began is proved")
	}
}

func TestExchangeSurvivesJSON(t *testing.T) {
	c := newClient("AbCdEfGhI", "ada", "Pass-word 1")
	x := begin(t, "AbCdEfGhI", "ada", "Pass-word 1", c.A())
	text, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	var kept srp.Exchange
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	if kept.ServerB() != x.ServerB() || kept.Salt() != x.Salt() || !kept.Proves(x.SecretBlock(), timestamp, c.answer(t, x, timestamp)) {
		t.Errorf("what was kept is another exchange: %s", text)
	}
}

func TestSaltWithLeadingZeros(t *testing.T) {
	for _, salt := range [][]byte{{0, 0, 1, 2}, {0, 0x80, 3}, {0x80}, {0xff, 1}, {0}, append(make([]byte, 15), 7)} {
		c := newClient("AbCdEfGhI", "ada", "Pass-word 1")
		x, err := srp.Begin("AbCdEfGhI", "ada", salt, srp.Verifier("AbCdEfGhI", "ada", "Pass-word 1", salt), c.A())
		if err != nil {
			t.Fatal(err)
		}
		if !x.Proves(x.SecretBlock(), timestamp, c.answer(t, x, timestamp)) {
			t.Errorf("the salt %x is not that of the client", salt)
		}
	}
}

func TestNumbersOutsideTheGroupAreRefused(t *testing.T) {
	salt := srp.NewSalt()
	verifier := srp.Verifier("AbCdEfGhI", "ada", "Pass-word 1", salt)
	times := func(n int64) string { return new(big.Int).Mul(modulus, big.NewInt(n)).Text(16) }
	for name, a := range map[string]string{
		"nothing": "", "zero": "0", "many zeros": strings.Repeat("0", 768), "the prime": times(1), "the prime, capitals": strings.ToUpper(times(1)), "twice the prime": times(2),
		"more than the prime": new(big.Int).Add(modulus, big.NewInt(2)).Text(16), "negative": "-2", "signed": "+2", "a prefix": "0x2", "underscores": "1_0",
		"no hexadecimal": "xyz", "a space": " 2", "unicode": "２", "far too long": strings.Repeat("0", 1<<20) + "2",
	} {
		if x, err := srp.Begin("AbCdEfGhI", "ada", salt, verifier, a); !errors.Is(err, srp.ErrNumber) || x != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, bad := range map[string][]byte{"none": nil, "zero": {0, 0}, "the prime": modulus.Bytes()} {
		if x, err := srp.Begin("AbCdEfGhI", "ada", salt, bad, "2"); !errors.Is(err, srp.ErrVerifier) || x != nil {
			t.Errorf("a verifier that is %s: %v", name, err)
		}
	}
	if _, err := srp.Begin("AbCdEfGhI", "ada", salt, verifier, "00"+newClient("p", "u", "w").A()); err != nil {
		t.Errorf("a padded number is refused: %v", err)
	}
}

func TestVerifierDependsOnPoolUserPasswordAndSalt(t *testing.T) {
	salt := srp.NewSalt()
	verifier := srp.Verifier("AbCdEfGhI", "ada", "Pass-wörd 1 🔑", salt)
	if !srp.Matches("AbCdEfGhI", "ada", "Pass-wörd 1 🔑", salt, verifier) {
		t.Error("the password is not its own")
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
	a := newClient("AbCdEfGhI", "ada", "Pass-word 1").A()
	for b.Loop() {
		if _, err := srp.Begin("AbCdEfGhI", "ada", salt, verifier, a); err != nil {
			b.Fatal(err)
		}
	}
}
