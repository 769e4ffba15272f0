// Package srp has both sides of a sign-in without sending the password: SRP-6a (RFC 5054) over
// the 3072-bit group of RFC 3526, with the hashes and paddings of Amazon Cognito. The pool
// stores a verifier of each password.
//
// It computes with math/big, whose time depends on the numbers. That is safe for a client, which
// nobody can time, and else only for a pool on the user's own machine.
//
// It is our own: Cognito derives the key of SRP-6a in its own way. Libraries for that, such as
// alexrudd/cognito-srp, are clients; a pool needs the server, which shares most of the 300 lines.
// So is package totp: 70 lines over crypto/hmac, where pquerna/otp brings a library for barcodes.
package srp

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"math/big"
)

// saltBytes is the length of a salt in the cloud.
const saltBytes = 16

var (
	// prime and generator define the group (RFC 3526, section 4).
	prime, _  = new(big.Int).SetString(primeHex, 16)
	generator = big.NewInt(2)
	// multiplier is k of SRP-6a.
	multiplier = hashed(pad(prime), pad(generator))
)

const primeHex = "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74" +
	"020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B302B0A6DF25F1437" +
	"4FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED" +
	"EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF05" +
	"98DA48361C55D39A69163FA8FD24CF5F83655D23DCA3AD961C62F356208552BB" +
	"9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B" +
	"E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF695581718" +
	"3995497CEA956AE515D2261898FA051015728E5A8AAAC42DAD33170D04507A33" +
	"A85521ABDF1CBA64ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7" +
	"ABF5AE8CDB0933D71E8C94E04A25619DCEE3D2261AD2EE6BF12FFA06D98A0864" +
	"D87602733EC86A64521F2B18177B200CBBE117577A615D6C770988C0BAD946E2" +
	"08E24FA074E5AB3143DB5BFCE0FD108E4B82D120A93AD2CAFFFFFFFFFFFFFFFF"

// NewSalt makes a random salt of 16 bytes.
func NewSalt() []byte {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt)
	return salt
}

// Verifier is g^x mod N, which a pool stores instead of the password. Only guessing finds the password from
// it. pool is the part of the pool's id after the underscore; user is USER_ID_FOR_SRP of the challenge.
func Verifier(pool, user, password string, salt []byte) []byte {
	return new(big.Int).Exp(generator, private(pool, user, password, new(big.Int).SetBytes(salt)), prime).Bytes()
}

// private is x of SRP-6a, the number that a password stands for. The salt is a number, without
// leading zeros.
func private(pool, user, password string, salt *big.Int) *big.Int {
	inner := sha256.Sum256([]byte(pool + user + ":" + password))
	return hashed(pad(salt), inner[:])
}

// Matches reports whether a verifier belongs to a password.
func Matches(pool, user, password string, salt, verifier []byte) bool {
	return subtle.ConstantTimeCompare(Verifier(pool, user, password, salt), verifier) == 1
}

// hashed is the SHA-256 of concatenated parts, as a number.
func hashed(parts ...[]byte) *big.Int {
	h := sha256.New()
	for _, part := range parts {
		h.Write(part)
	}
	return new(big.Int).SetBytes(h.Sum(nil))
}

// pad is a number as clients hash it: the fewest bytes, after a zero byte if the top bit is
// set. Zero is one byte.
func pad(n *big.Int) []byte {
	b := n.Bytes()
	if len(b) == 0 || b[0]&0x80 != 0 {
		return append([]byte{0}, b...)
	}
	return b
}
