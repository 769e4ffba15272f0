// Package srptest is the client's side of SRP-6a with the numbers of Amazon Cognito, for tests. It shares no
// code with package srp and follows the public library (aws-amplify/amplify-js).
package srptest

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"math/big"
	"strings"
	"testing"
)

// Modulus is the 3072-bit prime of RFC 3526, section 4, computed from its formula: 2^3072 -
// 2^3008 - 1 + 2^64 * ([2^2942 pi] + 1690314).
var Modulus = func() *big.Int {
	one := big.NewInt(1)
	n := new(big.Int).Lsh(one, 3072)
	n.Sub(n, new(big.Int).Lsh(one, 3008))
	n.Sub(n, one)
	inner := piTimes(2942)
	inner.Add(inner, big.NewInt(1690314))
	return n.Add(n, inner.Lsh(inner, 64))
}()

// piTimes is the integer part of pi * 2^bits, by Machin's formula.
func piTimes(bits uint) *big.Int {
	const guard = 64
	unit := new(big.Int).Lsh(big.NewInt(1), bits+guard)
	arctan := func(of int64) *big.Int {
		sum, power, square := new(big.Int), new(big.Int).Div(unit, big.NewInt(of)), big.NewInt(of*of)
		for n, sign := int64(1), int64(1); power.Sign() != 0; n, sign = n+2, -sign {
			sum.Add(sum, new(big.Int).Div(power, big.NewInt(sign*n)))
			power.Div(power, square)
		}
		return sum
	}
	pi := new(big.Int).Mul(big.NewInt(16), arctan(5))
	pi.Sub(pi, new(big.Int).Mul(big.NewInt(4), arctan(239)))
	return pi.Rsh(pi, guard)
}

// Client is one sign-in of a client.
type Client struct {
	// Pool is the part of the pool's id after the underscore.
	Pool, User, Password string

	secret, public *big.Int
}

// New is a client with a random secret number.
func New(pool, user, password string) *Client {
	secret := make([]byte, 128)
	_, _ = rand.Read(secret)
	c := &Client{Pool: pool, User: user, Password: password, secret: new(big.Int).SetBytes(secret)}
	c.public = new(big.Int).Exp(big.NewInt(2), c.secret, Modulus)
	return c
}

// Secret is the client's secret number.
func (c *Client) Secret() *big.Int { return c.secret }

// A is SRP_A, hexadecimal.
func (c *Client) A() string { return c.public.Text(16) }

// Sign is PASSWORD_CLAIM_SIGNATURE for the values of a challenge.
func (c *Client) Sign(t testing.TB, salt, serverB, block, timestamp string) string {
	b := number(t, serverB)
	u := number(t, digest(t, padded(c.public)+padded(b)))
	k := number(t, digest(t, padded(Modulus)+padded(big.NewInt(2))))
	inner := sha256.Sum256([]byte(c.Pool + c.User + ":" + c.Password))
	x := number(t, digest(t, padded(number(t, salt))+hex.EncodeToString(inner[:])))

	base := new(big.Int).Exp(big.NewInt(2), x, Modulus)
	base.Mul(base, k).Sub(b, base).Mod(base, Modulus)
	exponent := new(big.Int).Mul(u, x)
	exponent.Add(exponent, c.secret)
	shared := new(big.Int).Exp(base, exponent, Modulus)

	extract := mac(unhex(t, padded(u)), unhex(t, padded(shared)))
	key := mac(extract, []byte("Caldera Derived Key\x01"))[:16]
	signed, err := base64.StdEncoding.DecodeString(block)
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(mac(key, []byte(c.Pool), []byte(c.User), signed, []byte(timestamp)))
}

// padded is a number as the library writes it: whole bytes, after 00 if the top bit is set.
func padded(n *big.Int) string {
	text := n.Text(16)
	if len(text)%2 == 1 {
		text = "0" + text
	}
	if strings.ContainsAny(text[:1], "89abcdef") {
		text = "00" + text
	}
	return text
}

func number(t testing.TB, text string) *big.Int {
	n, ok := new(big.Int).SetString(text, 16)
	if !ok {
		t.Fatalf("%q is not a number", text)
	}
	return n
}

func digest(t testing.TB, text string) string {
	sum := sha256.Sum256(unhex(t, text))
	return hex.EncodeToString(sum[:])
}

func unhex(t testing.TB, text string) []byte {
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func mac(key []byte, parts ...[]byte) []byte {
	h := hmac.New(sha256.New, key)
	for _, part := range parts {
		h.Write(part)
	}
	return h.Sum(nil)
}
