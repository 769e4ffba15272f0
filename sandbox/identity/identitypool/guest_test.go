package identitypool_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"gatewright/model/access"
	"gatewright/sandbox/identity/identitypool"
)

func TestGuestGetsANewIdentityThatIsNotStored(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev(), qa())
	form := regexp.MustCompile(`^eu-west-1:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	w.guest(dev())
	before, err := os.ReadFile(w.db.Path())
	w.must(err)
	seen := make(map[string]bool)
	for range 200 {
		id := w.guest(dev()).IdentityID
		if !form.MatchString(id) || seen[id] {
			t.Fatalf("the identity %s: seen %v", id, seen[id])
		}
		seen[id] = true
	}
	if after, err := os.ReadFile(w.db.Path()); err != nil || string(after) != string(before) {
		t.Errorf("the file has guests: %v", err)
	}
	w.restart()
	for id := range seen {
		w.give("GetCredentialsForIdentity", map[string]any{"IdentityId": id})
	}
}

func TestCredentialsOfAGuestAreAGuestSession(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev(), qa())
	a := w.guest(dev())
	c := a.Credentials
	if !regexp.MustCompile(`^ASIA[A-Z2-7]{16}$`).MatchString(c.AccessKeyID) || len(c.SecretKey) != 40 || c.SessionToken == "" {
		t.Errorf("the credentials are %+v", c)
	}
	if want := float64(w.clock.Now().Unix() + 3600); c.Expiration != want {
		t.Errorf("they expire at %v, want %v", c.Expiration, want)
	}
	s, err := w.session("dev", a)
	w.must(err)
	if s.SignedIn || s.Principal.Kind != access.Guest || len(s.Groups) != 0 || s.User.Sub != "" || s.Provider() != "" {
		t.Errorf("the session is not a guest's: %+v", s)
	}
	if s.IdentityID != a.IdentityID || s.Secret != c.SecretKey || s.AccessKeyID != c.AccessKeyID || s.Pool.Environment != "dev" {
		t.Errorf("the session is another one: %+v", s)
	}
	if got, want := s.UserARN(), "arn:aws:sts::123456789012:assumed-role/eu-west-1_AbCdEfGhI-unauthRole/CognitoIdentityCredentials"; got != want {
		t.Errorf("the ARN is %s, want %s", got, want)
	}
	if !regexp.MustCompile(`^AROA[A-Z2-7]{16}:CognitoIdentityCredentials$`).MatchString(s.UserID()) {
		t.Errorf("the id is %s", s.UserID())
	}
}

func TestGuestsAreRefusedWhereThePoolHasNone(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev())
	was := w.guest(dev()).IdentityID
	w.apply(guestless(dev()))
	const says = "Unauthenticated access is not supported for this identity pool."
	for operation, in := range map[string]map[string]any{
		"GetId":                     {"IdentityPoolId": dev().IdentityPoolID},
		"GetCredentialsForIdentity": {"IdentityId": was},
		"GetOpenIdToken":            {"IdentityId": was},
	} {
		_, err := w.ask(operation, in)
		if got := refused(t, err, "NotAuthorizedException"); got != says {
			t.Errorf("%s says %q", operation, got)
		}
	}
	if _, err := w.identities.Anonymous("dev"); refused(t, err, "NotAuthorizedException") != says {
		t.Errorf("without credentials: %v", err)
	}
	if _, err := w.identities.Mint("dev", identitypool.Signer{Guest: true}); refused(t, err, "NotAuthorizedException") != says {
		t.Errorf("minted: %v", err)
	}
	w.addUser(dev(), "ada")
	w.member(dev(), w.signIn(dev(), "ada").ID)
}

func TestTheGuestWithoutCredentialsIsAlwaysTheSame(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev(), qa())
	first, err := w.identities.Anonymous("dev")
	w.must(err)
	w.restart()
	again, err := w.identities.Anonymous("dev")
	w.must(err)
	other, err := w.identities.Anonymous("qa")
	w.must(err)
	if first.IdentityID != again.IdentityID || first.IdentityID == other.IdentityID || !strings.HasPrefix(other.IdentityID, "us-east-2:") {
		t.Errorf("the identities are %s, %s and %s", first.IdentityID, again.IdentityID, other.IdentityID)
	}
	if first.SignedIn || first.Principal.Kind != access.Guest || first.AccessKeyID != "" || first.Secret != "" || first.Pool.Environment != "dev" {
		t.Errorf("the session is %+v", first)
	}
	w.addUser(dev(), "ada")
	_, err = w.ask("GetCredentialsForIdentity", map[string]any{"IdentityId": first.IdentityID, "Logins": logins(dev(), w.signIn(dev(), "ada").ID)})
	refused(t, err, "ResourceNotFoundException")
	_, err = w.identities.Anonymous("prod")
	refused(t, err, "ResourceNotFoundException")
}

func TestInventedIdentityIsRefused(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev(), qa())
	real := w.guest(dev()).IdentityID
	w.addUser(dev(), "ada")
	login := logins(dev(), w.signIn(dev(), "ada").ID)
	for name, id := range map[string]string{
		"another digit":  changeLastDigit(real),
		"a random one":   "eu-west-1:0f0e0d0c-0b0a-4908-8706-050403020100",
		"another region": "us-east-2:" + strings.TrimPrefix(real, "eu-west-1:"),
		"without dashes": "eu-west-1:" + strings.ReplaceAll(strings.TrimPrefix(real, "eu-west-1:"), "-", ""),
		"the pool's own": dev().IdentityPoolID,
		"dashes alone":   "eu-west-1:----",
	} {
		for _, in := range []map[string]any{{"IdentityId": id}, {"IdentityId": id, "Logins": login}} {
			_, err := w.ask("GetCredentialsForIdentity", in)
			if got := refused(t, err, "ResourceNotFoundException"); got != "Identity '"+id+"' not found." {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
	w.apply(qa())
	_, err := w.ask("GetCredentialsForIdentity", map[string]any{"IdentityId": real})
	refused(t, err, "ResourceNotFoundException")
}

// changeLastDigit changes the last digit of an id.
func changeLastDigit(id string) string {
	last := byte('0')
	if id[len(id)-1] == last {
		last = '1'
	}
	return id[:len(id)-1] + string([]byte{last})
}
