package identity_test

import (
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"strings"
	"testing"

	"gatewright/sandbox/identity/token"
)

// forge makes a token from any header and payload.
func forge(header, payload string, sign func(signed []byte) []byte) string {
	text := base64.RawURLEncoding.EncodeToString([]byte(header)) + "." + base64.RawURLEncoding.EncodeToString([]byte(payload))
	return text + "." + base64.RawURLEncoding.EncodeToString(sign([]byte(text)))
}

// rs256 signs with a key.
func rs256(t testing.TB, key *rsa.PrivateKey) func([]byte) []byte {
	return func(text []byte) []byte {
		sum := sha256.Sum256(text)
		signature, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, sum[:])
		if err != nil {
			t.Fatal(err)
		}
		return signature
	}
}

// readPrivateKey is a pool's own private key. A token that it signed is refused for its
// content, not for its signature.
func readPrivateKey(t testing.TB, file string) *rsa.PrivateKey {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var content struct {
		Keys struct {
			Pools map[string][]struct{ Private []byte }
		}
	}
	if err := json.Unmarshal(text, &content); err != nil {
		t.Fatal(err)
	}
	key, err := x509.ParsePKCS8PrivateKey(content.Keys.Pools[tokenPool][0].Private)
	if err != nil {
		t.Fatal(err)
	}
	return key.(*rsa.PrivateKey)
}

func TestForgedTokensAreRefused(t *testing.T) {
	t.Parallel()
	c := newClock()
	keys, file := open(t, c)
	sign(t, keys, tokenPool, claims(c, nil))
	other := "eu-west-1_Other"
	sign(t, keys, other, claims(c, nil))
	ids, public := webKeys(t, keys, tokenPool)
	kid := ids[0]
	otherIDs, _ := webKeys(t, keys, other)

	own := rs256(t, readPrivateKey(t, file))
	strangerKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	stranger := rs256(t, strangerKey)
	none := func([]byte) []byte { return nil }
	withPublic := func(form []byte) func([]byte) []byte {
		return func(text []byte) []byte {
			mac := hmac.New(sha256.New, form)
			mac.Write(text)
			return mac.Sum(nil)
		}
	}
	der, err := x509.MarshalPKIXPublicKey(public[kid])
	if err != nil {
		t.Fatal(err)
	}
	pemForm := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	rs512 := func(text []byte) []byte {
		sum := sha512.Sum512(text)
		signature, err := rsa.SignPKCS1v15(nil, readPrivateKey(t, file), crypto.SHA512, sum[:])
		if err != nil {
			t.Fatal(err)
		}
		return signature
	}
	jwk := fmt.Sprintf(`{"kty":"RSA","n":%q,"e":"AQAB"}`, base64.RawURLEncoding.EncodeToString(strangerKey.N.Bytes()))
	payload := fmt.Sprintf(`{"sub":"s","iat":%d,"exp":%d}`, c.Now().Unix(), c.Now().Unix()+3600)
	header := fmt.Sprintf(`{"kid":%q,"alg":"RS256"}`, kid)

	if _, err := keys.Verify(tokenPool, forge(header, payload, own)); err != nil {
		t.Fatalf("the pool's own key is refused: %v", err)
	}
	unsigned := forge(header, payload, none)
	for name, forged := range map[string]string{
		"alg none":                  forge(fmt.Sprintf(`{"kid":%q,"alg":"none"}`, kid), payload, none),
		"alg None, signed":          forge(fmt.Sprintf(`{"kid":%q,"alg":"None"}`, kid), payload, own),
		"HS256, public key as DER":  forge(fmt.Sprintf(`{"kid":%q,"alg":"HS256"}`, kid), payload, withPublic(der)),
		"HS256, public key as PEM":  forge(fmt.Sprintf(`{"kid":%q,"alg":"HS256"}`, kid), payload, withPublic(pemForm)),
		"RS512":                     forge(fmt.Sprintf(`{"kid":%q,"alg":"RS512"}`, kid), payload, rs512),
		"alg in small letters":      forge(fmt.Sprintf(`{"kid":%q,"alg":"rs256"}`, kid), payload, own),
		"alg absent":                forge(fmt.Sprintf(`{"kid":%q}`, kid), payload, own),
		"alg a list":                forge(fmt.Sprintf(`{"kid":%q,"alg":["RS256"]}`, kid), payload, own),
		"kid absent":                forge(`{"alg":"RS256"}`, payload, own),
		"kid unknown":               forge(`{"kid":"x","alg":"RS256"}`, payload, own),
		"kid empty":                 forge(`{"kid":"","alg":"RS256"}`, payload, own),
		"kid null":                  forge(`{"kid":null,"alg":"RS256"}`, payload, own),
		"kid a path":                forge(`{"kid":"../../keys.json","alg":"RS256"}`, payload, own),
		"kid of another pool":       forge(fmt.Sprintf(`{"kid":%q,"alg":"RS256"}`, otherIDs[0]), payload, own),
		"Kid and Alg":               forge(fmt.Sprintf(`{"Kid":%q,"Alg":"RS256"}`, kid), payload, own),
		"jwk":                       forge(fmt.Sprintf(`{"kid":%q,"alg":"RS256","jwk":%s}`, kid, jwk), payload, stranger),
		"jwk without kid":           forge(fmt.Sprintf(`{"alg":"RS256","jwk":%s}`, jwk), payload, stranger),
		"jku":                       forge(fmt.Sprintf(`{"kid":%q,"alg":"RS256","jku":"http://127.0.0.1/keys"}`, kid), payload, stranger),
		"x5c":                       forge(fmt.Sprintf(`{"kid":%q,"alg":"RS256","x5c":["AAAA"]}`, kid), payload, stranger),
		"a critical header":         forge(fmt.Sprintf(`{"kid":%q,"alg":"RS256","crit":["b64"],"b64":false}`, kid), payload, own),
		"alg twice":                 forge(fmt.Sprintf(`{"kid":%q,"alg":"none","alg":"RS256"}`, kid), payload, own),
		"header with more":          forge(header+`{}`, payload, own),
		"header of nothing":         forge(``, payload, own),
		"header null":               forge(`null`, payload, own),
		"header a list":             forge(`[`+header+`]`, payload, own),
		"header no Unicode":         forge("{\"kid\":\""+kid+"\",\"alg\":\"RS256\",\"x\":\"\xff\"}", payload, own),
		"claim twice":               forge(header, `{"sub":"a",`+payload[1:], own),
		"claim twice, escaped":      forge(header, `{"\u0073ub":"a",`+payload[1:], own),
		"claims with more":          forge(header, payload+`{"sub":"a"}`, own),
		"claims null":               forge(header, `null`, own),
		"claims a list":             forge(header, `[`+payload+`]`, own),
		"claims no JSON":            forge(header, `sub=s`, own),
		"exp beyond numbers":        forge(header, `{"exp":1e999}`, own),
		"claims of very many lists": forge(header, `{"exp":9999999999,"a":`+strings.Repeat("[", 11000)+strings.Repeat("]", 11000)+`}`, own),
		"another signer":            forge(header, payload, stranger),
		"a signature of zeros":      forge(header, payload, func([]byte) []byte { return make([]byte, 256) }),
		"unsigned":                  unsigned,
		"no third part":             strings.TrimSuffix(unsigned, "."),
		"five parts":                unsigned + "...",
		"nothing":                   "",
		"dots":                      "..",
		"encrypted":                 "a.b.c.d.e",
	} {
		got, err := keys.Verify(tokenPool, forged)
		if err == nil || got != nil {
			t.Errorf("%s: accepted: %v", name, got)
		}
	}
}

func TestOnlyTheCanonicalSpellingOfATokenIsAccepted(t *testing.T) {
	t.Parallel()
	c := newClock()
	keys, file := open(t, c)
	sign(t, keys, tokenPool, claims(c, nil))
	ids, _ := webKeys(t, keys, tokenPool)
	payload := fmt.Sprintf(`{"exp":%d}`, c.Now().Unix()+3600)
	for len(payload)%3 == 0 {
		payload = " " + payload
	}
	own := rs256(t, readPrivateKey(t, file))
	good := forge(fmt.Sprintf(`{"kid":%q,"alg":"RS256"}`, ids[0]), payload, own)
	parts := strings.Split(good, ".")
	// resigned is a token with a valid signature of these texts.
	resigned := func(header, payload string) string {
		return header + "." + payload + "." + base64.RawURLEncoding.EncodeToString(own([]byte(header+"."+payload)))
	}
	if _, err := keys.Verify(tokenPool, resigned(parts[0], parts[1])); err != nil {
		t.Fatal(err)
	}
	last := parts[1][len(parts[1])-1]
	for name, other := range map[string]string{
		"padded":         resigned(parts[0], parts[1]+strings.Repeat("=", 4-len(parts[1])%4)),
		"a line break":   resigned(parts[0], parts[1]+"\n"),
		"spare bits set": resigned(parts[0], parts[1][:len(parts[1])-1]+string([]byte{last + 1})),
		"a space":        " " + good,
		"a line after":   good + "\n",
		"Bearer":         "Bearer " + good,
		"long":           good + strings.Repeat("A", token.Longest),
	} {
		if _, err := keys.Verify(tokenPool, other); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func FuzzVerify(f *testing.F) {
	c := newClock()
	keys, _ := open(f, c)
	good := sign(f, keys, tokenPool, claims(c, nil))
	parts := strings.Split(good, ".")
	for _, seed := range []string{
		good, "", "..", parts[0] + ".." + parts[2], parts[0] + "." + parts[1] + ".", "eyJhbGciOiJub25lIn0.e30.", good + "=", strings.ToUpper(good),
		forge(`{"alg":"RS256","alg":"none"}`, `{}`, func([]byte) []byte { return nil }),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := keys.Verify(tokenPool, text)
		if (err == nil) != (text == good) || (err == nil) != (got != nil) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
		if err != nil && len(text) > 20 && strings.Contains(err.Error(), text[:20]) {
			t.Errorf("the error shows the token: %v", err)
		}
	})
}
