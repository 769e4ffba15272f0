package identity_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gatewright/sandbox/identity/token"
)

func TestTokenIsVerifiedWithTheJWKS(t *testing.T) {
	t.Parallel()
	c := newClock()
	keys, _ := open(t, c)
	signed := sign(t, keys, tokenPool, claims(c, map[string]any{"cognito:groups": []string{"Admins"}, "email_verified": true}))
	header, payload := readToken(t, keys, tokenPool, signed)
	ids, _ := webKeys(t, keys, tokenPool)
	if want := map[string]any{"alg": "RS256", "kid": ids[0]}; !cmp.Equal(header, want) {
		t.Errorf("the header is %v, want %v", header, want)
	}
	verified, err := keys.Verify(tokenPool, signed)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(payload, verified); diff != "" {
		t.Errorf("Verify reads other claims than the standard library:\n%s", diff)
	}
}

func TestVerifyReturnsTheSignedClaims(t *testing.T) {
	t.Parallel()
	c := newClock()
	keys, _ := open(t, c)
	rapid.Check(t, func(rt *rapid.T) {
		more := make(map[string]any)
		for name, value := range rapid.MapOf(rapid.String(), rapid.String()).Draw(rt, "claims") {
			more[name] = value
		}
		delete(more, "nbf")
		want := claims(c, more)
		want["iat"], want["exp"] = float64(c.Now().Unix()), float64(c.Now().Unix()+3600)
		got, err := keys.Verify(tokenPool, sign(t, keys, tokenPool, want))
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatal(diff)
		}
	})
}

func TestTokenIsValidUntilExp(t *testing.T) {
	t.Parallel()
	c := newClock()
	keys, _ := open(t, c)
	signed := sign(t, keys, tokenPool, claims(c, nil))
	c.pass(time.Hour - time.Second)
	if _, err := keys.Verify(tokenPool, signed); err != nil {
		t.Errorf("a second before: %v", err)
	}
	c.pass(time.Second)
	if _, err := keys.Verify(tokenPool, signed); !errors.Is(err, token.ErrExpired) {
		t.Errorf("at exp: %v", err)
	}
}

func TestExpIatAndNbf(t *testing.T) {
	t.Parallel()
	c := newClock()
	keys, _ := open(t, c)
	now := c.Now().Unix()
	for name, try := range map[string]struct {
		claim string
		value any
		good  bool
		says  string
	}{
		"exp as text":             {"exp", "9999999999", false, "exp is not a number"},
		"exp null":                {"exp", nil, false, "exp is not a number"},
		"exp in a list":           {"exp", []int64{now + 60}, false, "exp is not a number"},
		"exp long ago":            {"exp", -1e300, false, "expired"},
		"iat a minute ahead":      {"iat", now + 60, true, ""},
		"iat more ahead":          {"iat", now + 61, false, "not valid yet"},
		"iat far ahead":           {"iat", 1e300, false, "not valid yet"},
		"iat as text":             {"iat", "0", false, "not a number"},
		"nbf now":                 {"nbf", now, true, ""},
		"nbf ahead":               {"nbf", now + 1, false, "not valid yet"},
		"nbf null":                {"nbf", nil, false, "not a number"},
		"exp a fraction from now": {"exp", float64(now) + 0.25, true, ""},
	} {
		signed := sign(t, keys, tokenPool, claims(c, map[string]any{try.claim: try.value}))
		_, err := keys.Verify(tokenPool, signed)
		if (err == nil) != try.good || err != nil && !strings.Contains(err.Error(), try.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := keys.Verify(tokenPool, sign(t, keys, tokenPool, map[string]any{"sub": "s"})); err == nil {
		t.Error("a token without exp is accepted")
	}
}

func TestTokenIsValidInOnePool(t *testing.T) {
	t.Parallel()
	c := newClock()
	keys, _ := open(t, c)
	ours := sign(t, keys, tokenPool, claims(c, nil))
	for _, other := range []string{"eu-west-1_Other", "", "EU-WEST-1_ABCDEFGHI"} {
		if other != "" {
			sign(t, keys, other, claims(c, nil))
		}
		if _, err := keys.Verify(other, ours); err == nil {
			t.Errorf("the pool %q accepts another pool's token", other)
		}
	}
	foreign, _ := open(t, c)
	sign(t, foreign, tokenPool, claims(c, nil))
	if _, err := foreign.Verify(tokenPool, ours); err == nil {
		t.Error("a pool of the same name accepts a token of other keys")
	}
}

func TestAnyChangedByteInvalidatesAToken(t *testing.T) {
	t.Parallel()
	c := newClock()
	keys, _ := open(t, c)
	signed := sign(t, keys, tokenPool, claims(c, nil))
	rapid.Check(t, func(rt *rapid.T) {
		at := rapid.IntRange(0, len(signed)-1).Draw(rt, "at")
		other := rapid.Byte().Filter(func(b byte) bool { return b != signed[at] }).Draw(rt, "byte")
		changed := signed[:at] + string([]byte{other}) + signed[at+1:]
		if _, err := keys.Verify(tokenPool, changed); err == nil {
			rt.Fatalf("accepted with %[2]q as byte %[1]d", at, other)
		}
		if _, err := keys.Verify(tokenPool, signed[:at]+signed[at+1:]); err == nil {
			rt.Fatalf("accepted without byte %d", at)
		}
		if _, err := keys.Verify(tokenPool, signed[:at]+string([]byte{other})+signed[at:]); err == nil {
			rt.Fatalf("accepted with %q before byte %d", other, at)
		}
	})
}

func TestUnverifiableClaimsAreNotSigned(t *testing.T) {
	t.Parallel()
	c := newClock()
	keys, _ := open(t, c)
	for name, more := range map[string]any{"too long": strings.Repeat("a", token.Longest), "no JSON": func() {}, "no Unicode": "\xff"} {
		if signed, err := keys.Sign(tokenPool, claims(c, map[string]any{"x": more})); err == nil || signed != "" {
			t.Errorf("%s: signed", name)
		}
	}
	if _, err := keys.Sign("", claims(c, nil)); err == nil {
		t.Error("a pool without an id signs")
	}
}
