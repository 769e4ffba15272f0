package token

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const (
	// Longest bounds a token, in bytes. Usual tokens are shorter: headers of requests have
	// less room.
	Longest = 64 << 10

	algorithm = "RS256"
	// skew is how far in the future a token's iat may be.
	skew = 60 * time.Second
)

// ErrExpired is the error of Verify for an expired token that is valid otherwise.
var ErrExpired = errors.New("the token has expired")

// ErrLong is the error of Sign and Verify for a token longer than Longest.
var ErrLong = fmt.Errorf("the token is longer than %d bytes", Longest)

var (
	errShape     = errors.New("the token is not three base64url parts with dots between them")
	errHeader    = errors.New("the token's header is not a JSON object, or repeats a name")
	errAlgorithm = errors.New("the token's algorithm is not " + algorithm)
	errCritical  = errors.New("the token's header has crit, which is not supported")
	errKey       = errors.New("the token is not signed with a key of this pool")
	errSignature = errors.New("the token's signature is wrong")
	errClaims    = errors.New("the token's claims are not a JSON object, or repeat a name")
	errNoExpiry  = errors.New("the token's exp is not a number")
	errTime      = errors.New("the token's iat or nbf is not a number")
	errFuture    = errors.New("the token is not valid yet")
)

// Sign makes a token with these claims, signed with the pool's current key. It makes that
// key if there is none, or the last one has signed for 30 days. The error is about a file
// that cannot be written, or claims that are not JSON or too long.
func (k *Keys) Sign(pool string, claims map[string]any) (string, error) {
	current, err := k.currentKey(pool)
	if err != nil {
		return "", err
	}
	payload, err := json.Marshal(claims, json.Deterministic(true))
	if err != nil {
		return "", fmt.Errorf("writing the claims of a token: %w", err)
	}
	header := `{"kid":"` + current.id + `","alg":"` + algorithm + `"}`
	signed := encode([]byte(header)) + "." + encode(payload)
	sum := sha256.Sum256([]byte(signed))
	signature, err := rsa.SignPKCS1v15(nil, current.private, crypto.SHA256, sum[:])
	if err != nil {
		return "", fmt.Errorf("signing a token: %w", err)
	}
	if signed += "." + encode(signature); len(signed) > Longest {
		return "", ErrLong
	}
	return signed, nil
}

// Verify returns the claims of a token that this pool signed and that is valid now. Of the header it uses
// only kid, which must be a key of the pool. A token must have exp. iat may be up to 60 seconds in the
// future, nbf may not. The error is ErrExpired, or says why the token is refused without showing any of it.
func (k *Keys) Verify(pool, token string) (map[string]any, error) {
	if len(token) > Longest {
		return nil, ErrLong
	}
	parts := strings.SplitN(token, ".", 4)
	if len(parts) != 3 {
		return nil, errShape
	}
	header, headerErr := decode(parts[0])
	payload, payloadErr := decode(parts[1])
	signature, signatureErr := decode(parts[2])
	if headerErr != nil || payloadErr != nil || signatureErr != nil {
		return nil, errShape
	}
	now := k.now()
	key, err := k.keyOf(pool, header, now)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if rsa.VerifyPKCS1v15(&key.private.PublicKey, crypto.SHA256, sum[:], signature) != nil {
		return nil, errSignature
	}
	var claims map[string]any
	if json.Unmarshal(payload, &claims) != nil || claims == nil {
		return nil, errClaims
	}
	if err := checkTimes(claims, now); err != nil {
		return nil, err
	}
	return claims, nil
}

// keyOf is the pool's key that a header names.
func (k *Keys) keyOf(pool string, text []byte, now time.Time) (*key, error) {
	var header map[string]jsontext.Value
	if json.Unmarshal(text, &header) != nil {
		return nil, errHeader
	}
	var alg, id string
	if json.Unmarshal(header["alg"], &alg) != nil || alg != algorithm {
		return nil, errAlgorithm
	}
	if _, found := header["crit"]; found {
		return nil, errCritical
	}
	if json.Unmarshal(header["kid"], &id) != nil {
		return nil, errKey
	}
	for _, each := range usableKeys(k.ring.Load().pools[pool], now) {
		if each.id == id {
			return each, nil
		}
	}
	return nil, errKey
}

func checkTimes(claims map[string]any, now time.Time) error {
	expires, ok := claims["exp"].(float64)
	if !ok {
		return errNoExpiry
	}
	seconds := float64(now.UnixMilli()) / 1000
	for name, ahead := range map[string]time.Duration{"iat": skew, "nbf": 0} {
		claim, found := claims[name]
		from, ok := claim.(float64)
		switch {
		case found && !ok:
			return errTime
		case found && from > seconds+ahead.Seconds():
			return errFuture
		}
	}
	if expires <= seconds {
		return ErrExpired
	}
	return nil
}

func encode(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }

// decode accepts only what encode writes. The standard decoder skips line breaks.
func decode(text string) ([]byte, error) {
	if strings.ContainsAny(text, "\r\n") {
		return nil, errShape
	}
	return base64.RawURLEncoding.Strict().DecodeString(text)
}
