package identity_test

import (
	"encoding/base64"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gatewright/sandbox/identity/srp"
	"gatewright/sandbox/identity/srp/srptest"
	"gatewright/test/depth"
)

// challenge is what a client gets of an exchange.
func challenge(x *srp.Exchange) srp.Challenge {
	return srp.Challenge{Pool: x.Pool, User: x.User, Salt: x.Salt(), ServerB: x.ServerB(), SecretBlock: x.SecretBlock()}
}

func newClient(t testing.TB) *srp.Client {
	t.Helper()
	c, err := srp.NewClient()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestAClientProvesItsPasswordToAPool: half of the numbers need a zero byte before them, and one
// in 256 has fewer bytes than the prime, so that a wrong padding fails soon.
func TestAClientProvesItsPasswordToAPool(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		pool, user, password := rapid.StringMatching(`[A-Za-z0-9]{1,12}`).Draw(rt, "pool"), rapid.String().Draw(rt, "user"), rapid.String().Draw(rt, "password")
		salt := rapid.SliceOfN(rapid.Byte(), 1, 16).Draw(rt, "salt")
		c := newClient(t)
		x, err := srp.Begin(pool, user, salt, srp.Verifier(pool, user, password, salt), c.A())
		if err != nil {
			rt.Fatal(err)
		}
		proof, err := c.Prove(challenge(x), password, timestamp)
		if err != nil || !x.Proves(x.SecretBlock(), timestamp, proof) {
			rt.Fatalf("the right password is refused: %v", err)
		}
		if proof, _ := c.Prove(challenge(x), password+"x", timestamp); x.Proves(x.SecretBlock(), timestamp, proof) {
			rt.Fatal("another password proves it")
		}
	})
}

// TestAClientAnswersAsThePublicLibraryDoes compares the proofs of two clients with the same secret
// number, for the same challenge.
func TestAClientAnswersAsThePublicLibraryDoes(t *testing.T) {
	t.Parallel()
	for range depth.Rounds(3, 10, 10) {
		theirs := srptest.New("AbCdEfGhI", "ada", "Pass-wörd 1")
		x := begin(t, "AbCdEfGhI", "ada", "Pass-wörd 1", theirs.A())
		ours := srp.ClientOf(theirs.Secret())
		if ours.A() != theirs.A() {
			t.Fatalf("A is %s, and should be %s", ours.A(), theirs.A())
		}
		proof, err := ours.Prove(challenge(x), "Pass-wörd 1", timestamp)
		if want := answer(t, theirs, x, timestamp); proof != want || err != nil {
			t.Fatalf("the proof is %s, and should be %s; %v", proof, want, err)
		}
	}
}

func TestAChallengeThatNoPoolGivesIsNotAnswered(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	good := challenge(begin(t, "AbCdEfGhI", "ada", "Pass-word 1", c.A()))
	if _, err := c.Prove(good, "Pass-word 1", timestamp); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*srp.Challenge){
		"no B":              func(x *srp.Challenge) { x.ServerB = "" },
		"B is zero":         func(x *srp.Challenge) { x.ServerB = "00" },
		"B is the prime":    func(x *srp.Challenge) { x.ServerB = srptest.Modulus.Text(16) },
		"B is twice it":     func(x *srp.Challenge) { x.ServerB = new(big.Int).Lsh(srptest.Modulus, 1).Text(16) },
		"B is no number":    func(x *srp.Challenge) { x.ServerB = "xyz" },
		"no salt":           func(x *srp.Challenge) { x.Salt = "" },
		"a salt of letters": func(x *srp.Challenge) { x.Salt = "no salt" },
		"no block":          func(x *srp.Challenge) { x.SecretBlock = "" },
		"a broken block":    func(x *srp.Challenge) { x.SecretBlock = base64.StdEncoding.EncodeToString([]byte("block"))[1:] },
	} {
		bad := good
		change(&bad)
		if proof, err := c.Prove(bad, "Pass-word 1", timestamp); !errors.Is(err, srp.ErrChallenge) || proof != "" {
			t.Errorf("%s: %q, %v", name, proof, err)
		}
	}
}

func TestATimestampIsWrittenAsPoolsReadIt(t *testing.T) {
	t.Parallel()
	for want, at := range map[string]time.Time{
		"Sat Nov 7 04:05:06 UTC 2026":  time.Date(2026, 11, 7, 4, 5, 6, 0, time.UTC),
		"Sat Nov 21 23:05:06 UTC 2026": time.Date(2026, 11, 22, 1, 5, 6, 0, time.FixedZone("", 2*60*60)),
	} {
		if got := srp.Timestamp(at); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if strings.Contains(srp.Timestamp(time.Now()), "  ") {
		t.Error("two spaces")
	}
}
