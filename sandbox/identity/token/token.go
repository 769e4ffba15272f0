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
	// Longest bounds a token, in bytes: one with all that a user of the cloud
	// usually has. A header of a request has less room.
	Longest = 64 << 10

	algorithm = "RS256"
	// skew is how far ahead the clock of a token's iat may be.
	skew = 60 * time.Second
)

// ErrExpired is the error of Verify for a token that was good and is over.
var ErrExpired = errors.New("the token has expired")

// ErrLong is the error of Sign for claims that make a token longer than Longest,
// and of Verify for such a token.
var ErrLong = fmt.Errorf("the token is longer than %d bytes", Longest)

var (
	errShape     = errors.New("it is not three texts of base64url with dots between them")
	errHeader    = errors.New("the token's header is no JSON object without repeated names")
	errAlgorithm = errors.New("the token's algorithm is not " + algorithm)
	errCritical  = errors.New("the token has a critical header that is not known")
	errKey       = errors.New("the token is not signed with a key of this pool")
	errSignature = errors.New("the token's signature is wrong")
	errClaims    = errors.New("the token's claims are no JSON object without repeated names")
	errNoExpiry  = errors.New("the token's exp is no number")
	errTime      = errors.New("the token's iat or nbf is no number")
	errFuture    = errors.New("the token is not good yet")
)

// Sign makes a token of a pool with these claims, signed with the pool's current
// key. It makes that key where there is none yet, or where the last one has signed
// for 30 days. The error is that of a file that cannot be written, or of claims
// that are no JSON or too long to be verified.
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

// Verify gives the claims of a token that this pool signed and that is good now.
// Nothing in its header is obeyed but the name of the key, which has to be one of
// the pool's. A token must have an exp; an iat up to 60 seconds ahead is taken, an
// nbf ahead is not. The error is ErrExpired, or says why the token is none of the
// pool's; it has nothing of the token in it.
func (k *Keys) Verify(pool, token string) (map[string]any, error) {
	if len(token) > Longest {
		return nil, ErrLong
	}
	signed, tail, _ := cutLast(token)
	header, payload, dotted := strings.Cut(signed, ".")
	headerText, headerErr := decode(header)
	payloadText, payloadErr := decode(payload)
	signature, signatureErr := decode(tail)
	if !dotted || headerErr != nil || payloadErr != nil || signatureErr != nil {
		return nil, errShape
	}
	now := k.now()
	with, err := k.keyOf(pool, headerText, now)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(signed))
	if rsa.VerifyPKCS1v15(&with.private.PublicKey, crypto.SHA256, sum[:], signature) != nil {
		return nil, errSignature
	}
	var claims map[string]any
	if json.Unmarshal(payloadText, &claims) != nil || claims == nil {
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

// cutLast cuts a text at its last dot.
func cutLast(text string) (before, after string, found bool) {
	if at := strings.LastIndexByte(text, '.'); at >= 0 {
		return text[:at], text[at+1:], true
	}
	return text, "", false
}

func encode(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }

// decode takes only what encode writes. The decoder alone skips line breaks.
func decode(text string) ([]byte, error) {
	if strings.ContainsAny(text, "\r\n") {
		return nil, errShape
	}
	return base64.RawURLEncoding.Strict().DecodeString(text)
}
