package identity_test

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"math/big"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gatewright/sandbox/identity/token"
)

const tokenPool = "eu-west-1_AbCdEfGhI"

// clock is a time that tests advance.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 11, 21, 4, 5, 6, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// open opens keys in a new folder, and returns the name of their file.
func open(t testing.TB, c *clock) (*token.Keys, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "keys.json")
	return reopen(t, file, c), file
}

func reopen(t testing.TB, file string, c *clock) *token.Keys {
	t.Helper()
	keys, err := openKeys(file, c)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func openKeys(file string, c *clock) (*token.Keys, error) { return token.OpenKeys(file, c.Now) }

// claims are valid for an hour, with additional claims.
func claims(c *clock, more map[string]any) map[string]any {
	all := map[string]any{"sub": "s", "iat": c.Now().Unix(), "exp": c.Now().Add(time.Hour).Unix()}
	maps.Copy(all, more)
	return all
}

func sign(t testing.TB, keys *token.Keys, poolID string, c map[string]any) string {
	t.Helper()
	signed, err := keys.Sign(poolID, c)
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

// webKeys are a pool's public keys as a client reads them, by id and in the order of the set.
func webKeys(t testing.TB, keys *token.Keys, poolID string) (ids []string, public map[string]*rsa.PublicKey) {
	t.Helper()
	text, err := keys.JWKS(poolID)
	if err != nil {
		t.Fatal(err)
	}
	var set struct {
		Keys []struct{ Kty, Alg, Use, Kid, N, E string }
	}
	if err := json.Unmarshal(text, &set); err != nil {
		t.Fatal(err)
	}
	public = make(map[string]*rsa.PublicKey)
	for _, each := range set.Keys {
		if each.Kty != "RSA" || each.Alg != "RS256" || each.Use != "sig" {
			t.Errorf("the key %s is %s %s for %s", each.Kid, each.Kty, each.Alg, each.Use)
		}
		ids = append(ids, each.Kid)
		public[each.Kid] = &rsa.PublicKey{N: bigOf(t, each.N), E: int(bigOf(t, each.E).Int64())}
	}
	return ids, public
}

func bigOf(t testing.TB, text string) *big.Int {
	t.Helper()
	return new(big.Int).SetBytes(unbase64(t, text))
}

func unbase64(t testing.TB, text string) []byte {
	t.Helper()
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// readToken reads a token with the standard library, and verifies its signature.
func readToken(t testing.TB, keys *token.Keys, poolID, signed string) (header, payload map[string]any) {
	t.Helper()
	parts := strings.Split(signed, ".")
	if len(parts) != 3 {
		t.Fatalf("a token has %d parts", len(parts))
	}
	for i, into := range []*map[string]any{&header, &payload} {
		if err := json.Unmarshal(unbase64(t, parts[i]), into); err != nil {
			t.Fatal(err)
		}
	}
	_, public := webKeys(t, keys, poolID)
	id, _ := header["kid"].(string)
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if err := rsa.VerifyPKCS1v15(public[id], crypto.SHA256, sum[:], unbase64(t, parts[2])); err != nil {
		t.Fatal(err)
	}
	return header, payload
}
