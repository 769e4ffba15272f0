package srp

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"math/big"
	"time"
)

// ErrChallenge is the error of Prove for a challenge that no pool gives. An answer to it could
// tell about the password.
var ErrChallenge = errors.New("the pool's challenge is not valid")

// Client is the client's side of one sign-in.
type Client struct {
	// secret is the client's secret number, public is A.
	secret, public *big.Int
}

// Challenge is what a pool answers to A: the parameters of PASSWORD_VERIFIER
// (https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_RespondToAuthChallenge.html).
type Challenge struct {
	// Pool is the part of the pool's id after the underscore, User is USER_ID_FOR_SRP.
	Pool, User string
	// Salt and ServerB are hexadecimal, SecretBlock is base64.
	Salt, ServerB, SecretBlock string
}

// NewClient begins a sign-in with a random secret number.
func NewClient() (*Client, error) {
	for {
		secret, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), secretBits))
		if err != nil {
			return nil, err
		}
		if secret.Sign() > 0 {
			return ClientOf(secret), nil
		}
	}
}

// ClientOf begins a sign-in with a secret number, which nobody else may know or guess.
func ClientOf(secret *big.Int) *Client {
	return &Client{secret: secret, public: new(big.Int).Exp(generator, secret, prime)}
}

// A is SRP_A, hexadecimal.
func (c *Client) A() string { return c.public.Text(16) }

// Prove returns PASSWORD_CLAIM_SIGNATURE, which proves that the client knows the password, and
// tells nothing about it. The error is ErrChallenge.
func (c *Client) Prove(of Challenge, password, timestamp string) (string, error) {
	b, err := parseNumber(of.ServerB)
	if err != nil {
		return "", ErrChallenge
	}
	// A salt is a random number, so zero is one too.
	salt, ok := new(big.Int).SetString("0"+of.Salt, 16)
	block, notBlock := base64.StdEncoding.DecodeString(of.SecretBlock)
	u := hashed(pad(c.public), pad(b))
	if !ok || of.Salt == "" || notBlock != nil || len(block) == 0 || u.Sign() == 0 {
		return "", ErrChallenge
	}
	x := private(of.Pool, of.User, password, salt)
	shared := new(big.Int).Exp(generator, x, prime)
	shared.Mul(shared, multiplier).Sub(b, shared).Mod(shared, prime)
	shared.Exp(shared, new(big.Int).Add(c.secret, new(big.Int).Mul(u, x)), prime)
	key, err := proofKey(shared, u)
	if err != nil {
		return "", err
	}
	return proof(key, of.Pool, of.User, block, timestamp), nil
}

// Timestamp is TIMESTAMP of an answer: English, in UTC, with the day of the month as it is
// counted.
func Timestamp(at time.Time) string { return at.UTC().Format("Mon Jan 2 15:04:05 UTC 2006") }
