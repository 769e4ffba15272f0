package srp

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"math/big"
)

const (
	// longestNumber bounds A, in hexadecimal digits: the length of the prime, and padding.
	longestNumber = 2*3072/8 + 2
	// secretBits is the length of the pool's secret number. RFC 5054, 2.5.3 requires 256 at
	// least.
	secretBits = 256
	// blockBytes is the length of the secret block, signKeyBytes the length of the proof's
	// key.
	blockBytes   = 64
	signKeyBytes = 16
	// longestTimestamp bounds the signed timestamp, which has 28 characters.
	longestTimestamp = 64
	keyInfo          = "Caldera Derived Key"
)

// ErrNumber is the error of Begin for an A that is not a number between 0 and the prime.
// Such an A would let anybody prove a password.
var ErrNumber = errors.New("SRP_A is not a hexadecimal number of the group")

// ErrVerifier is the error of Begin for a verifier that no password has.
var ErrVerifier = errors.New("the verifier is not one of the group")

// Exchange is a sign-in between its two requests, for storing as JSON. Key is secret: with it anybody can
// finish the sign-in. It has neither the password, nor the verifier, nor the pool's secret number. The caller
// must use an Exchange only once, and only for a limited time.
type Exchange struct {
	Pool      string `json:"pool"`
	User      string `json:"user"`
	SaltBytes []byte `json:"salt"`
	B         []byte `json:"b"`
	Block     []byte `json:"block"`
	Key       []byte `json:"key"`
}

// Begin answers a client's A, which is hexadecimal. The errors are ErrNumber and ErrVerifier. For an unknown
// user the caller passes a salt and a verifier that no password has: the answer and its timing look the same.
func Begin(pool, user string, salt, verifier []byte, clientA string) (*Exchange, error) {
	a, err := parseNumber(clientA)
	if err != nil {
		return nil, err
	}
	v := new(big.Int).SetBytes(verifier)
	if v.Sign() == 0 || v.Cmp(prime) >= 0 {
		return nil, ErrVerifier
	}
	for {
		b, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), secretBits))
		if err != nil {
			return nil, err
		}
		serverB := new(big.Int).Mul(multiplier, v)
		serverB.Add(serverB, new(big.Int).Exp(generator, b, prime)).Mod(serverB, prime)
		u := hashed(pad(a), pad(serverB))
		if b.Sign() == 0 || serverB.Sign() == 0 || u.Sign() == 0 {
			continue
		}
		shared := new(big.Int).Exp(v, u, prime)
		shared.Mul(shared, a).Exp(shared, b, prime)
		key, err := proofKey(shared, u)
		if err != nil {
			return nil, err
		}
		block := make([]byte, blockBytes)
		_, _ = rand.Read(block)
		return &Exchange{Pool: pool, User: user, SaltBytes: salt, B: serverB.Bytes(), Block: block, Key: key}, nil
	}
}

func parseNumber(text string) (*big.Int, error) {
	if text == "" || len(text) > longestNumber {
		return nil, ErrNumber
	}
	// SetString also accepts signs and underscores.
	for _, c := range []byte(text) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
			return nil, ErrNumber
		}
	}
	n, ok := new(big.Int).SetString(text, 16)
	if !ok || n.Sign() == 0 || n.Cmp(prime) >= 0 {
		return nil, ErrNumber
	}
	return n, nil
}

// ServerB is SRP_B of the challenge: hexadecimal.
func (x *Exchange) ServerB() string { return hex.EncodeToString(x.B) }

// Salt is SALT of the challenge: hexadecimal.
func (x *Exchange) Salt() string { return hex.EncodeToString(x.SaltBytes) }

// SecretBlock is SECRET_BLOCK of the challenge, random for each sign-in, which the client
// signs: base64.
func (x *Exchange) SecretBlock() string { return base64.StdEncoding.EncodeToString(x.Block) }

// Proves reports whether a client has proved the password: the block is this sign-in's, and
// the signature (base64) signs pool, user, block and timestamp. The age of the timestamp is
// not checked, since the sign-in itself expires.
func (x *Exchange) Proves(secretBlock, timestamp, signature string) bool {
	if len(x.Key) != signKeyBytes || len(x.Block) == 0 || len(timestamp) > longestTimestamp {
		return false
	}
	if !hmac.Equal([]byte(x.SecretBlock()), []byte(secretBlock)) {
		return false
	}
	return hmac.Equal([]byte(proof(x.Key, x.Pool, x.User, x.Block, timestamp)), []byte(signature))
}

// proofKey derives the key of the proof from what both sides know.
func proofKey(shared, u *big.Int) ([]byte, error) {
	return hkdf.Key(sha256.New, pad(shared), pad(u), keyInfo, signKeyBytes)
}

// proof is PASSWORD_CLAIM_SIGNATURE, in base64.
func proof(key []byte, pool, user string, block []byte, timestamp string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(pool + user))
	mac.Write(block)
	mac.Write([]byte(timestamp))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
