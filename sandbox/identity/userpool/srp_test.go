package userpool_test

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"math/big"
	"strings"
	"testing"
	"time"
)

// srpClient signs in as the public client library does (aws-amplify/amplify-js).
type srpClient struct {
	t            *testing.T
	prime        *big.Int
	secret, sent *big.Int
}

func newSRPClient(t *testing.T) *srpClient {
	prime, _ := new(big.Int).SetString("FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B302B0A6DF25F1437"+
		"4FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7EDEE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F"+
		"83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3BE39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF695581718"+
		"3995497CEA956AE515D2261898FA051015728E5A8AAAC42DAD33170D04507A33A85521ABDF1CBA64ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7ABF5AE8CDB0933D71E8C94E04A25619D"+
		"CEE3D2261AD2EE6BF12FFA06D98A0864D87602733EC86A64521F2B18177B200CBBE117577A615D6C770988C0BAD946E208E24FA074E5AB3143DB5BFCE0FD108E4B82D120A93AD2CAFFFFFFFFFFFFFFFF", 16)
	secret, err := rand.Int(rand.Reader, prime)
	if err != nil {
		t.Fatal(err)
	}
	return &srpClient{t: t, prime: prime, secret: secret, sent: new(big.Int).Exp(big.NewInt(2), secret, prime)}
}

func (c *srpClient) begin(name string) object {
	return object{"AuthFlow": "USER_SRP_AUTH", "AuthParameters": object{"USERNAME": name, "SRP_A": c.sent.Text(16)}}
}

// answer proves a password for a challenge.
func (c *srpClient) answer(challenge object, password string) object {
	parameters := challenge["ChallengeParameters"].(object)
	user, block := parameters["USER_ID_FOR_SRP"].(string), parameters["SECRET_BLOCK"].(string)
	b, salt := c.number(parameters["SRP_B"]), c.number(parameters["SALT"])
	pool := strings.Split(poolID, "_")[1]

	inner := sha256.Sum256([]byte(pool + user + ":" + password))
	x, k, u := hashed(padded(salt), inner[:]), hashed(padded(c.prime), padded(big.NewInt(2))), hashed(padded(c.sent), padded(b))
	base := new(big.Int).Exp(big.NewInt(2), x, c.prime)
	base.Mul(base, k).Sub(b, base).Mod(base, c.prime)
	shared := new(big.Int).Exp(base, new(big.Int).Add(c.secret, new(big.Int).Mul(u, x)), c.prime)
	key, err := hkdf.Key(sha256.New, padded(shared), padded(u), "Caldera Derived Key", 16)
	if err != nil {
		c.t.Fatal(err)
	}
	raw, err := base64.StdEncoding.DecodeString(block)
	if err != nil {
		c.t.Fatal(err)
	}
	const timestamp = "Sat Nov 21 04:05:06 UTC 2026"
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(pool + user + string(raw) + timestamp))
	return object{"ChallengeName": "PASSWORD_VERIFIER", "ChallengeResponses": object{
		"USERNAME": user, "PASSWORD_CLAIM_SECRET_BLOCK": block, "TIMESTAMP": timestamp, "PASSWORD_CLAIM_SIGNATURE": base64.StdEncoding.EncodeToString(mac.Sum(nil)),
	}}
}

func (c *srpClient) number(text any) *big.Int {
	c.t.Helper()
	n, ok := new(big.Int).SetString(text.(string), 16)
	if !ok {
		c.t.Fatalf("%v is no number", text)
	}
	return n
}

func hashed(parts ...[]byte) *big.Int {
	h := sha256.New()
	for _, part := range parts {
		h.Write(part)
	}
	return new(big.Int).SetBytes(h.Sum(nil))
}

// padded is a number as the library hashes it: whole bytes in hexadecimal, after 00 if the top
// bit is set.
func padded(n *big.Int) []byte {
	text := n.Text(16)
	if len(text)%2 == 1 {
		text = "0" + text
	} else if strings.ContainsAny(text[:1], "89abcdef") {
		text = "00" + text
	}
	out, _ := hex.DecodeString(text)
	return out
}

func TestSRPSignsInWithoutSendingThePassword(t *testing.T) {
	w := newFixture(t, nil)
	w.addConfirmed("Ada", "email=ada@example.com")
	for _, name := range []string{"Ada", "ada", "ADA"} {
		c := newSRPClient(t)
		challenge := w.do("InitiateAuth", c.begin(name))
		if challenge["ChallengeName"] != "PASSWORD_VERIFIER" || challenge["Session"] != nil {
			t.Fatalf("the challenge is %v", challenge)
		}
		out := w.do("RespondToAuthChallenge", c.answer(challenge, password))
		if got := tokensOf(t, out); got.refresh == "" {
			t.Error("there is no refresh token")
		}
	}
}

func TestSRPProofIsValidOnce(t *testing.T) {
	w := newFixture(t, nil)
	w.addConfirmed("ada")
	c := newSRPClient(t)
	answer := c.answer(w.do("InitiateAuth", c.begin("ada")), password)
	w.do("RespondToAuthChallenge", answer)
	w.wantRefused("RespondToAuthChallenge", answer, "NotAuthorizedException", "Incorrect username or password.")

	late := c.answer(w.do("InitiateAuth", c.begin("ada")), password)
	w.wait(3 * time.Minute)
	w.wantRefused("RespondToAuthChallenge", late, "NotAuthorizedException", "Invalid session for the user, session is expired.")

	wrong := c.answer(w.do("InitiateAuth", c.begin("ada")), "Another-horse 7")
	w.wantRefused("RespondToAuthChallenge", wrong, "NotAuthorizedException", "Incorrect username or password.")

	changed := c.answer(w.do("InitiateAuth", c.begin("ada")), password)
	w.do("AdminSetUserPassword", object{"Username": "ada", "Password": "Another-horse 7", "Permanent": true})
	w.wantRefused("RespondToAuthChallenge", changed, "NotAuthorizedException", "Incorrect username or password.")

	other := c.answer(w.do("InitiateAuth", c.begin("ada")), "Another-horse 7")
	w.addConfirmed("bob")
	other["ChallengeResponses"].(object)["USERNAME"] = "bob"
	w.wantRefused("RespondToAuthChallenge", other, "NotAuthorizedException", "Incorrect username or password.")
}

func TestSignInContinuesAfterARestart(t *testing.T) {
	w := newFixture(t, nil)
	w.addConfirmed("ada")
	c := newSRPClient(t)
	challenge := w.do("InitiateAuth", c.begin("ada"))
	w.restart()
	given := tokensOf(t, w.do("RespondToAuthChallenge", c.answer(challenge, password)))
	w.restart()
	if _, err := w.pools.Check(poolID, "access", given.access); err != nil {
		t.Errorf("the token is refused after a restart: %v", err)
	}
}

func TestUnknownNameLooksLikeAWrongPassword(t *testing.T) {
	w := newFixture(t, nil)
	w.addConfirmed("ada")
	c := newSRPClient(t)
	first, again := w.do("InitiateAuth", c.begin("nobody")), w.do("InitiateAuth", c.begin("Nobody"))
	parameters, second := first["ChallengeParameters"].(object), again["ChallengeParameters"].(object)
	if parameters["SALT"] != second["SALT"] || len(parameters["SALT"].(string)) != 32 {
		t.Errorf("the salts of nobody are %v and %v", parameters["SALT"], second["SALT"])
	}
	if parameters["USER_ID_FOR_SRP"] != second["USER_ID_FOR_SRP"] {
		t.Errorf("nobody is %v and %v: of a user the capitals would be the user's", parameters["USER_ID_FOR_SRP"], second["USER_ID_FOR_SRP"])
	}
	if parameters["SRP_B"] == second["SRP_B"] || parameters["SECRET_BLOCK"] == second["SECRET_BLOCK"] {
		t.Error("two sign-ins of nobody are the same one")
	}
	w.addConfirmed("ada@example.com")
	for _, name := range []string{"ada@example.com", "nobody@example.com"} {
		if out := w.do("InitiateAuth", c.begin(name))["ChallengeParameters"].(object); out["USER_ID_FOR_SRP"] != name {
			t.Errorf("where names may have the form of addresses, %s is %v", name, out["USER_ID_FOR_SRP"])
		}
	}
	if other := w.do("InitiateAuth", c.begin("nobody2"))["ChallengeParameters"].(object); other["SALT"] == parameters["SALT"] {
		t.Error("all nobodies have one salt")
	}
	w.wantRefused("RespondToAuthChallenge", c.answer(first, password), "NotAuthorizedException", "Incorrect username or password.")
	w.wantRefused("InitiateAuth", byPassword("nobody", password), "NotAuthorizedException", "Incorrect username or password.")
}

func TestMalformedSRPIsRefused(t *testing.T) {
	w := newFixture(t, nil)
	for name, a := range map[string]string{"zero": "0", "not hexadecimal": "xyz", "the prime": newSRPClient(t).prime.Text(16)} {
		_, err := w.try("InitiateAuth", object{"AuthFlow": "USER_SRP_AUTH", "AuthParameters": object{"USERNAME": "ada", "SRP_A": a}})
		wantRefusal(t, name, err, "InvalidParameterException", "Invalid SRP_A")
	}
	w.wantRefused("InitiateAuth", object{"AuthFlow": "USER_SRP_AUTH", "AuthParameters": object{"USERNAME": "ada"}}, "InvalidParameterException", "Missing required parameter SRP_A")
	w.wantRefused("RespondToAuthChallenge", object{"ChallengeName": "PASSWORD_VERIFIER", "ChallengeResponses": object{
		"USERNAME": "ada", "PASSWORD_CLAIM_SECRET_BLOCK": "AAAA", "TIMESTAMP": "now", "PASSWORD_CLAIM_SIGNATURE": "AAAA",
	}}, "NotAuthorizedException", "Incorrect username or password.")
}
