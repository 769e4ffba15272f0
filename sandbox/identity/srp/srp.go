// Package srp is the pool's side of a sign-in in which the password never leaves
// the client: SRP-6a (RFC 5054) over the 3072-bit group of RFC 3526, with the
// hashes and paddings of Amazon Cognito. What the pool keeps of a password is a
// verifier.
//
// Numbers are computed with math/big, whose time depends on them: this is for a
// pool on one's own machine.
package srp

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"math/big"
)

// saltBytes is the length of a salt, as the cloud's pools have it.
const saltBytes = 16

var (
	// prime is the group's modulus (RFC 3526, section 4), generator its generator.
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

// NewSalt makes the 16 random bytes that a password is hashed with.
func NewSalt() []byte {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt)
	return salt
}

// Verifier is what a pool keeps of a password: g^x mod N, from which the password
// is found only by trying. pool is what follows the underscore of the pool's id;
// user is the name that the challenge gives as USER_ID_FOR_SRP, byte for byte.
func Verifier(pool, user, password string, salt []byte) []byte {
	inner := sha256.Sum256([]byte(pool + user + ":" + password))
	// Clients read the salt as a number: its leading zeros are lost to them.
	x := hashed(pad(new(big.Int).SetBytes(salt)), inner[:])
	return new(big.Int).Exp(generator, x, prime).Bytes()
}

// Matches reports whether a verifier is that of a password.
func Matches(pool, user, password string, salt, verifier []byte) bool {
	return subtle.ConstantTimeCompare(Verifier(pool, user, password, salt), verifier) == 1
}

// hashed is the SHA-256 of several texts, as a number.
func hashed(parts ...[]byte) *big.Int {
	h := sha256.New()
	for _, part := range parts {
		h.Write(part)
	}
	return new(big.Int).SetBytes(h.Sum(nil))
}

// pad is a number as the clients hash it: as few bytes as it takes, and a zero
// before them where the top bit is set. Zero itself is one byte.
func pad(n *big.Int) []byte {
	b := n.Bytes()
	if len(b) == 0 || b[0]&0x80 != 0 {
		return append([]byte{0}, b...)
	}
	return b
}
