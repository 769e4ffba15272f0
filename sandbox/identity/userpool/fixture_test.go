package userpool_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gatewright/sandbox/pages"

	"gatewright/model"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/token"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/identity/wire"
)

const (
	poolID   = "eu-west-1_AbCdEfGhI"
	clientID = "abcdefghij0123456789abcdef"
	password = "Correct-horse 7"
)

type object = map[string]any

// fixture is user pools with a clock that tests advance, and the messages that were sent.
type fixture struct {
	t     testing.TB
	pools *userpool.Pools
	keys  *token.Keys
	pool  pool.Pool
	// stop closes the file.
	stop func()

	folder string
	mu     sync.Mutex
	clock  time.Time
	sent   []userpool.Message
}

// madeKeys is a file of keys with a key for the pool, which takes long to compute.
var madeKeys = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "keys")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	file := filepath.Join(folder, "keys.json")
	keys, err := token.OpenKeys(file, func() time.Time { return start })
	if err != nil {
		return nil, err
	}
	if _, err := keys.Sign(poolID, map[string]any{"exp": 0}); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
})

var start = time.Date(2026, 11, 21, 4, 5, 6, 0, time.UTC)

// newFixture is a user pool with a definition, which may be nil, and groups.
func newFixture(t testing.TB, definition *model.Auth, groups ...string) *fixture {
	t.Helper()
	text, err := madeKeys()
	if err != nil {
		t.Fatal(err)
	}
	w := &fixture{t: t, folder: t.TempDir(), clock: start}
	if err := os.WriteFile(filepath.Join(w.folder, "keys.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	w.pool = pool.Pool{
		Environment: "dev", Region: "eu-west-1", AccountID: "123456789012", UserPoolID: poolID, ClientID: clientID,
		IdentityPoolID: "eu-west-1:9f0a4b0e-0000-4000-8000-000000000001", Definition: definition, Groups: groups,
	}
	w.open()
	return w
}

// open opens the files.
func (w *fixture) open() {
	w.t.Helper()
	var err error
	if w.keys, err = token.OpenKeys(filepath.Join(w.folder, "keys.json"), w.now); err != nil {
		w.t.Fatal(err)
	}
	if w.pools, err = userpool.New(w.options()); err != nil {
		w.t.Fatal(err)
	}
	w.apply()
}

// apply serves the pool.
func (w *fixture) apply() { w.pools.Apply([]pool.Pool{allowing(w.pool)}) }

// allowing is a pool whose client allows every way to sign in, unless its definition says which.
func allowing(p pool.Pool) pool.Pool {
	definition := model.Auth{}
	if p.Definition != nil {
		definition = *p.Definition
	}
	if definition.AuthFlows == nil {
		definition.AuthFlows = slices.Collect(maps.Keys(model.AuthFlows))
	}
	p.Definition = &definition
	return p
}

// options open the file.
func (w *fixture) options() userpool.Options {
	w.t.Helper()
	db, err := pages.Open(filepath.Join(w.folder, "users.db"), pages.Options{Sync: true, Patience: time.Second})
	if err != nil {
		w.t.Fatal(err)
	}
	w.stop = sync.OnceFunc(func() { _ = db.Close() })
	w.t.Cleanup(w.stop)
	return userpool.Options{
		DB: db, Keys: w.keys, Now: w.now, Issuer: func(id string) string { return "http://127.0.0.1:4280/" + id }, Deliver: w.deliver,
	}
}

// restart closes the files and opens them again.
func (w *fixture) restart() {
	w.t.Helper()
	w.stop()
	w.open()
}

// changePool changes the pool as the project would.
func (w *fixture) changePool(change func(p *pool.Pool)) {
	change(&w.pool)
	w.apply()
}

func (w *fixture) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.clock
}

func (w *fixture) wait(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clock = w.clock.Add(d)
}

func (w *fixture) deliver(m userpool.Message) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sent = append(w.sent, m)
}

// messages returns the messages since the last call.
func (w *fixture) messages() []userpool.Message {
	w.mu.Lock()
	defer w.mu.Unlock()
	sent := w.sent
	w.sent = nil
	return sent
}

// message returns the only message since the last call.
func (w *fixture) message() userpool.Message {
	w.t.Helper()
	sent := w.messages()
	if len(sent) != 1 {
		w.t.Fatalf("%d messages were sent: %+v", len(sent), sent)
	}
	return sent[0]
}

// try runs an operation. Pool and client are added to the input if it has none.
func (w *fixture) try(operation string, in object) (object, error) {
	w.t.Helper()
	input := object{"UserPoolId": poolID, "ClientId": clientID}
	for name, value := range in {
		input[name] = value
	}
	text, err := json.Marshal(input)
	if err != nil {
		w.t.Fatal(err)
	}
	answer, err := w.pools.Do(context.Background(), operation, text)
	if err != nil {
		return nil, err
	}
	var out object
	if err := json.Unmarshal(answer, &out); err != nil {
		w.t.Fatalf("%s answers %q: %v", operation, answer, err)
	}
	return out, nil
}

func (w *fixture) do(operation string, in object) object {
	w.t.Helper()
	out, err := w.try(operation, in)
	if err != nil {
		w.t.Fatalf("%s: %v", operation, err)
	}
	return out
}

// checkActive is the error of ActiveUser.
func (w *fixture) checkActive(userPoolID, sub, origin string) error {
	_, err := w.pools.ActiveUser(userPoolID, sub, origin)
	return err
}

// wantRefused runs an operation that must be refused; "" accepts any message.
func (w *fixture) wantRefused(operation string, in object, code, message string) {
	w.t.Helper()
	_, err := w.try(operation, in)
	wantRefusal(w.t, operation, err, code, message)
}

func wantRefusal(t testing.TB, what string, err error, code, message string) {
	t.Helper()
	var refused *wire.Error
	switch {
	case err == nil:
		t.Errorf("%s is not refused; want %s %q", what, code, message)
	case !errors.As(err, &refused):
		t.Errorf("%s fails: %v", what, err)
	case refused.Code != code || message != "" && refused.Message != message:
		t.Errorf("%s is refused with\n %s %q, want\n %s %q", what, refused.Code, refused.Message, code, message)
	}
}

// addConfirmed adds a user who can sign in, with a sign-up and its code.
func (w *fixture) addConfirmed(name string, attributes ...string) {
	w.t.Helper()
	w.addSignedUp(name, attributes...)
	w.do("ConfirmSignUp", object{"Username": name, "ConfirmationCode": w.message().Code})
}

// addSignedUp adds a user whose sign-up is not confirmed. Attributes are "name=value".
func (w *fixture) addSignedUp(name string, attributes ...string) object {
	w.t.Helper()
	return w.do("SignUp", object{"Username": name, "Password": password, "UserAttributes": list(attributes...)})
}

func list(attributes ...string) []object {
	out := []object{}
	for _, each := range attributes {
		name, value, _ := strings.Cut(each, "=")
		out = append(out, object{"Name": name, "Value": value})
	}
	return out
}

// signIn signs in with the usual password.
func (w *fixture) signIn(name string) tokens {
	w.t.Helper()
	return tokensOf(w.t, w.do("InitiateAuth", byPassword(name, password)))
}

func byPassword(name, password string) object {
	return object{"AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": object{"USERNAME": name, "PASSWORD": password}}
}

type tokens struct{ id, access, refresh string }

func tokensOf(t testing.TB, out object) tokens {
	t.Helper()
	result, ok := out["AuthenticationResult"].(object)
	if !ok {
		t.Fatalf("there are no tokens in %v", out)
	}
	text := func(name string) string { value, _ := result[name].(string); return value }
	if result["TokenType"] != "Bearer" || result["ExpiresIn"] != float64(3600) || text("IdToken") == "" || text("AccessToken") == "" {
		t.Fatalf("the tokens are %v", result)
	}
	return tokens{text("IdToken"), text("AccessToken"), text("RefreshToken")}
}

// respond answers a challenge.
func respond(challenge object, name string, responses object) object {
	responses["USERNAME"] = name
	return object{"ChallengeName": challenge["ChallengeName"], "Session": challenge["Session"], "ChallengeResponses": responses}
}

// valuesOf are attributes by name.
func valuesOf(t testing.TB, listed any) map[string]string {
	t.Helper()
	values := make(map[string]string)
	all, _ := listed.([]any)
	for _, each := range all {
		a := each.(object)
		value, _ := a["Value"].(string)
		values[a["Name"].(string)] = value
	}
	return values
}

// adminView is a user as an administrator sees it.
func (w *fixture) adminView(name string) (status string, attributes map[string]string) {
	w.t.Helper()
	out := w.do("AdminGetUser", object{"Username": name})
	return out["UserStatus"].(string), valuesOf(w.t, out["UserAttributes"])
}

func pointer[T any](v T) *T { return &v }
