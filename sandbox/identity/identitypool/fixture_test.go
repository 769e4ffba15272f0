package identitypool_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"gatewright/sandbox/pages"

	"gatewright/model"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/token"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/identity/wire"
)

// clock is a time that tests advance.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// fixture is the pools of two environments with their users, in one folder.
type fixture struct {
	testing.TB
	clock      *clock
	folder     string
	db         *pages.File
	keys       *token.Keys
	users      *userpool.Pools
	identities *identitypool.Pools
	pools      []pool.Pool
}

// dev and qa are two environments' pools.
func dev() pool.Pool {
	return pool.Pool{
		Environment: "dev", Region: "eu-west-1", AccountID: "123456789012", UserPoolID: "eu-west-1_AbCdEfGhI", ClientID: "1abcdefghijklmnopqrstuvwxy",
		IdentityPoolID: "eu-west-1:11111111-2222-4333-8444-555555555555", Groups: []string{"Admins", "Editors"},
	}
}

func qa() pool.Pool {
	return pool.Pool{
		Environment: "qa", Region: "us-east-2", AccountID: "123456789012", UserPoolID: "us-east-2_JkLmNoPqR", ClientID: "2abcdefghijklmnopqrstuvwxy",
		IdentityPoolID: "us-east-2:66666666-7777-4888-9999-000000000000", Groups: []string{"Admins"},
	}
}

// guestless is a pool without guests.
func guestless(p pool.Pool) pool.Pool {
	off := false
	p.Definition = &model.Auth{UnauthenticatedIdentitiesEnabled: &off}
	return p
}

func newFixture(t testing.TB, pools ...pool.Pool) *fixture {
	t.Helper()
	w := &fixture{TB: t, clock: &clock{now: time.Date(2026, 11, 21, 4, 5, 6, 0, time.UTC)}, folder: t.TempDir(), pools: pools}
	w.start()
	t.Cleanup(func() { _ = w.db.Close() })
	return w
}

// start opens the files in the folder.
func (w *fixture) start() {
	w.Helper()
	var err error
	w.db, err = pages.Open(filepath.Join(w.folder, "users.db"), pages.Options{})
	w.must(err)
	w.keys, err = token.OpenKeys(filepath.Join(w.folder, "keys.json"), w.clock.Now)
	w.must(err)
	w.users, err = userpool.New(userpool.Options{
		DB: w.db, Keys: w.keys, Now: w.clock.Now, Issuer: func(id string) string { return "http://127.0.0.1:4280/" + id },
	})
	w.must(err)
	w.identities, err = identitypool.New(identitypool.Options{DB: w.db, Keys: w.keys, Users: w.users, Now: w.clock.Now})
	w.must(err)
	w.apply(w.pools...)
}

// restart opens the files again, as a new process would.
func (w *fixture) restart() {
	w.Helper()
	w.must(w.db.Close())
	w.start()
}

func (w *fixture) apply(pools ...pool.Pool) {
	w.pools = pools
	w.users.Apply(pools)
	w.identities.Apply(pools)
}

func (w *fixture) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// admin runs an operation of the user pools.
func (w *fixture) admin(operation string, in map[string]any) {
	w.Helper()
	text, err := json.Marshal(in)
	w.must(err)
	_, err = w.users.Do(context.Background(), operation, text)
	w.must(err)
}

// addUser adds a user who can sign in, as a member of groups.
func (w *fixture) addUser(cfg pool.Pool, name string, groups ...string) userpool.User {
	w.Helper()
	const password = "Pass-word-1"
	w.admin("AdminCreateUser", map[string]any{"UserPoolId": cfg.UserPoolID, "Username": name, "MessageAction": "SUPPRESS"})
	w.admin("AdminSetUserPassword", map[string]any{"UserPoolId": cfg.UserPoolID, "Username": name, "Password": password, "Permanent": true})
	for _, group := range groups {
		w.admin("AdminAddUserToGroup", map[string]any{"UserPoolId": cfg.UserPoolID, "Username": name, "GroupName": group})
	}
	user, err := w.users.User(cfg.UserPoolID, name)
	w.must(err)
	return user
}

// signIn is the tokens of a user.
func (w *fixture) signIn(cfg pool.Pool, name string) userpool.Tokens {
	w.Helper()
	tokens, err := w.users.Issue(cfg.UserPoolID, name)
	w.must(err)
	return tokens
}

// logins are Logins with an id token, as the public client writes them.
func logins(cfg pool.Pool, idToken string) map[string]any {
	return map[string]any{"http://127.0.0.1:4280/" + cfg.UserPoolID: idToken}
}

// ask runs an operation of the identity pools.
func (w *fixture) ask(operation string, in map[string]any) (answer, error) {
	text, err := json.Marshal(in)
	if err != nil {
		return answer{}, err
	}
	var a answer
	out, err := w.identities.Do(context.Background(), operation, text)
	if err != nil {
		return a, err
	}
	return a, json.Unmarshal(out, &a)
}

// give runs an operation that must succeed.
func (w *fixture) give(operation string, in map[string]any) answer {
	w.Helper()
	a, err := w.ask(operation, in)
	w.must(err)
	return a
}

// answer has the fields that clients read.
type answer struct {
	IdentityID  string `json:"IdentityId"`
	Token       string
	Credentials struct {
		AccessKeyID  string `json:"AccessKeyId"`
		SecretKey    string
		SessionToken string
		Expiration   float64
	}
}

// session is the session of the credentials in an answer.
func (w *fixture) session(environment string, a answer) (identitypool.Session, error) {
	return w.identities.Session(environment, a.Credentials.AccessKeyID, a.Credentials.SessionToken)
}

// guest is the credentials of a new guest.
func (w *fixture) guest(cfg pool.Pool) answer {
	w.Helper()
	id := w.give("GetId", map[string]any{"IdentityPoolId": cfg.IdentityPoolID}).IdentityID
	return w.give("GetCredentialsForIdentity", map[string]any{"IdentityId": id})
}

// member is a user's credentials, requested as the public client does.
func (w *fixture) member(cfg pool.Pool, idToken string) answer {
	w.Helper()
	id := w.give("GetId", map[string]any{"IdentityPoolId": cfg.IdentityPoolID, "Logins": logins(cfg, idToken)}).IdentityID
	a := w.give("GetCredentialsForIdentity", map[string]any{"IdentityId": id, "Logins": logins(cfg, idToken)})
	if a.IdentityID != id {
		w.Errorf("the credentials are of %s, asked for %s", a.IdentityID, id)
	}
	return a
}

// refused checks the code of a refusal, and returns its message.
func refused(t testing.TB, err error, code string) string {
	t.Helper()
	var e *wire.Error
	if !errors.As(err, &e) {
		t.Errorf("no refusal: %v", err)
		return ""
	}
	if e.Code != code {
		t.Errorf("the refusal is %v, want %s", e, code)
	}
	return e.Message
}
