package userpool_test

import (
	"fmt"
	"testing"
	"time"

	"gatewright/sandbox/pages"
)

// countRecords is the number of records in a bucket of the pool. It closes the file and
// opens it again.
func (w *fixture) countRecords(bucket string) int {
	w.t.Helper()
	w.stop()
	o := w.options()
	count := 0
	if err := o.DB.View(func(tx *pages.Tx) error {
		return tx.Bucket([]byte("user pools")).Bucket([]byte(poolID)).Bucket([]byte(bucket)).ForEach(func(_, _ []byte) error {
			count++
			return nil
		})
	}); err != nil {
		w.t.Fatal(err)
	}
	w.restart()
	return count
}

func TestExpiredSessionsAreDeleted(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada")
	for range 3 {
		w.signIn("ada")
	}
	if got := w.countRecords("sessions"); got != 3 {
		t.Fatalf("%d sessions are kept", got)
	}
	w.wait(30*24*time.Hour + time.Hour)
	w.signIn("ada")
	for _, bucket := range []string{"sessions", "sessions of", "session ends", "refresh tokens"} {
		if got := w.countRecords(bucket); got != 1 {
			t.Errorf("%q has %d records", bucket, got)
		}
	}
	w.do("AdminDeleteUser", object{"Username": "ada"})
	for _, bucket := range []string{"users", "names", "sessions", "sessions of", "refresh tokens"} {
		if got := w.countRecords(bucket); got != 0 {
			t.Errorf("%q has %d records of a deleted user", bucket, got)
		}
	}
}

func TestSessionExistsAsLongAsItsTokens(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada")
	given := w.signIn("ada")
	w.wait(30*24*time.Hour - time.Second)
	last := tokensOf(t, w.do("GetTokensFromRefreshToken", object{"RefreshToken": given.refresh}))
	w.wait(30 * time.Minute)
	w.signIn("ada")
	w.do("GetUser", object{"AccessToken": last.access})
}

func TestUnfinishedSignInsAreDeleted(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	begin := object{"AuthFlow": "USER_AUTH", "AuthParameters": object{"USERNAME": "ada"}}
	for range 150 {
		w.do("InitiateAuth", begin)
	}
	w.wait(3 * time.Minute)
	for range 3 {
		w.do("InitiateAuth", begin)
	}
	for _, bucket := range []string{"challenges", "challenge ends"} {
		if got := w.countRecords(bucket); got != 3 {
			t.Errorf("%q has %d records", bucket, got)
		}
	}
}

func TestUnfinishedSignInsAreBounded(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada")
	begin := object{"AuthFlow": "USER_AUTH", "AuthParameters": object{"USERNAME": "ada"}}
	oldest := w.do("InitiateAuth", begin)
	w.wait(time.Second)
	newest := w.do("InitiateAuth", begin)
	w.setCount("challenges", 10_000)
	w.do("InitiateAuth", begin)
	answer := object{"ANSWER": "PASSWORD", "PASSWORD": password}
	w.wantRefused("RespondToAuthChallenge", respond(oldest, "ada", answer), "NotAuthorizedException", "Invalid session for the user.")
	tokensOf(t, w.do("RespondToAuthChallenge", respond(newest, "ada", answer)))
}

func TestUnknownNamesAreBounded(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	wrong := func(name string) {
		w.wantRefused("InitiateAuth", byPassword(name, password), "NotAuthorizedException", "Incorrect username or password.")
	}
	for i := range 20 {
		wrong(fmt.Sprintf("nobody%d", i))
	}
	if got := w.countRecords("strangers"); got != 20 {
		t.Errorf("%d names are kept", got)
	}
	w.setCount("strangers", 10_000)
	wrong("one more")
	if got := w.countRecords("strangers"); got != 1 {
		t.Errorf("%d names are kept", got)
	}
}

// setCount makes a bucket count this many records.
func (w *fixture) setCount(bucket string, count uint64) {
	w.t.Helper()
	w.stop()
	o := w.options()
	if err := o.DB.Update(func(tx *pages.Tx) error {
		return tx.Bucket([]byte("user pools")).Bucket([]byte(poolID)).Bucket([]byte(bucket)).SetSequence(count)
	}); err != nil {
		w.t.Fatal(err)
	}
	w.restart()
}

func TestParametersAreBounded(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	many := object{}
	for i := range 101 {
		many[fmt.Sprint(i)] = "x"
	}
	long := object{"USERNAME": string(make([]byte, 9<<10))}
	for _, parameters := range []object{many, long} {
		w.wantRefused("InitiateAuth", object{"AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": parameters}, "InvalidParameterException", "")
		w.wantRefused("RespondToAuthChallenge", object{"ChallengeName": "SMS_MFA", "ChallengeResponses": parameters}, "InvalidParameterException", "")
	}
}

// BenchmarkActiveUser measures a part of every signed request.
func BenchmarkActiveUser(b *testing.B) {
	w := newFixture(b, nil)
	w.addConfirmed("ada", "email=ada@example.com")
	session, err := w.pools.Check(poolID, "id", w.signIn("ada").id)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := w.checkActive(poolID, session.User.Sub, session.Origin); err != nil {
			b.Fatal(err)
		}
	}
}
