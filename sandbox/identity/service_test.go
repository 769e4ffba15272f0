package identity_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/identity"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool"
)

const password = "Correct-horse 7"

var dev = pool.Pool{
	Environment: "dev", Region: "eu-west-1", AccountID: "123456789012", UserPoolID: "eu-west-1_AbCdEfGhI", ClientID: "abcdefghij0123456789abcdef",
	IdentityPoolID: "eu-west-1:9f0a4b0e-0000-4000-8000-000000000001", Groups: []string{"Admins", "Editors"},
	Definition: &model.Auth{AuthFlows: []string{"password"}},
}

// testService is the pools of one environment.
type testService struct {
	t *testing.T
	*identity.Service
	folder string

	mu     sync.Mutex
	codes  map[string]string
	failed []string
}

func newSite(t *testing.T) *testService {
	t.Helper()
	s := &testService{t: t, folder: t.TempDir(), codes: make(map[string]string)}
	var err error
	s.Service, err = identity.Open(identity.Options{
		Users: s.file("users.db"), Keys: s.file("keys.json"), Address: "http://127.0.0.1:4280",
		Deliver: func(m userpool.Message) { s.locked(func() { s.codes[m.User] = m.Code }) },
		Failed: func(operation string, err error) {
			s.locked(func() { s.failed = append(s.failed, operation+": "+err.Error()) })
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	s.Apply([]pool.Pool{dev})
	return s
}

func (s *testService) file(name string) string { return filepath.Join(s.folder, name) }

func (s *testService) locked(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
}

// ask sends a request as a client library does.
func (s *testService) ask(operation string, in map[string]any) (out map[string]any, err error) {
	input := map[string]any{"UserPoolId": dev.UserPoolID, "ClientId": dev.ClientID}
	for name, value := range in {
		input[name] = value
	}
	text, err := json.Marshal(input)
	if err == nil {
		text, err = s.Do(context.Background(), operation, text)
	}
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	return out, err
}

// useService signs a user up, in and out, and returns the passwords, codes and tokens.
func (s *testService) useService(name string) (secrets map[string]string, err error) {
	step := func(operation string, in map[string]any) (out map[string]any) {
		if err == nil {
			out, err = s.ask(operation, in)
		}
		return out
	}
	step("SignUp", map[string]any{"Username": name, "Password": password, "UserAttributes": []any{}})
	var code string
	s.locked(func() { code = s.codes[name] })
	step("ConfirmSignUp", map[string]any{"Username": name, "ConfirmationCode": code})
	step("AdminAddUserToGroup", map[string]any{"Username": name, "GroupName": "Editors"})
	result, _ := step("InitiateAuth", map[string]any{
		"AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": map[string]any{"USERNAME": name, "PASSWORD": password},
	})["AuthenticationResult"].(map[string]any)
	if err != nil {
		return nil, err
	}
	text := func(name string) string { value, _ := result[name].(string); return value }
	shown, err := s.Identities.Bearer("dev", text("IdToken"))
	if err == nil && (shown.User.Name != name || shown.Principal != access.Principal{Kind: access.Group, Group: "Editors"}) {
		err = fmt.Errorf("%s is %+v", name, shown)
	}
	if err != nil {
		return nil, err
	}
	given, err := s.Identities.Mint("dev", identitypool.Signer{User: name})
	if err == nil {
		_, err = s.Identities.Session("dev", given.AccessKeyID, given.SessionToken)
	}
	step("GetUser", map[string]any{"AccessToken": text("AccessToken")})
	step("AdminRemoveUserFromGroup", map[string]any{"Username": name, "GroupName": "Editors"})
	return map[string]string{
		"code": code, "id token": text("IdToken"), "access token": text("AccessToken"), "refresh token": text("RefreshToken"),
		"secret key": given.SecretKey, "session token": given.SessionToken, "password": password,
	}, err
}

func TestUsersSignInAndOutWhileTheDefinitionChanges(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	ended := make(chan struct{})
	var all, changing sync.WaitGroup
	changing.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-ended:
				return
			default:
			}
			next := dev
			next.Definition = &model.Auth{AuthFlows: []string{"password"}, UsernameAttributes: [][]string{{"username"}, {"username", "email"}}[n%2]}
			s.Apply([]pool.Pool{next})
		}
	})
	for i := range 8 {
		all.Go(func() {
			if _, err := s.useService(fmt.Sprintf("user%d", i)); err != nil {
				t.Errorf("user%d: %v", i, err)
			}
		})
	}
	all.Wait()
	close(ended)
	changing.Wait()
}

func TestServiceStoresNoSecrets(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	secrets, err := s.useService("ada")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"users.db", "keys.json"} {
		text, err := os.ReadFile(s.file(name))
		if err != nil {
			t.Fatal(err)
		}
		for what, secret := range secrets {
			if len(secret) < 6 || strings.Contains(string(text), secret) {
				t.Errorf("%s has the %s %q", name, what, secret)
			}
		}
		if info, err := os.Stat(s.file(name)); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s is %v: %v", name, info.Mode(), err)
		}
	}
}

func TestKeysArePublishedForVerification(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	get := func(path string) *httptest.ResponseRecorder {
		answer := httptest.NewRecorder()
		s.Paths().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
		return answer
	}
	var about struct {
		Issuer string `json:"issuer"`
		Keys   string `json:"jwks_uri"`
	}
	if err := json.Unmarshal(get("/"+dev.UserPoolID+"/.well-known/openid-configuration").Body.Bytes(), &about); err != nil || !strings.HasPrefix(about.Keys, about.Issuer) {
		t.Errorf("the configuration says %+v: %v", about, err)
	}
	path := strings.TrimPrefix(about.Keys, "http://127.0.0.1:4280")
	if answer := get(path); answer.Code != http.StatusOK || !strings.Contains(answer.Body.String(), `"RS256"`) {
		t.Errorf("the keys are %d %s", answer.Code, answer.Body)
	}
	for _, path := range []string{"/eu-west-1_Other/.well-known/jwks.json", "/" + dev.UserPoolID + "/.well-known/other", "/.well-known/jwks.json"} {
		if answer := get(path); answer.Code != http.StatusNotFound {
			t.Errorf("%s answers %d %s", path, answer.Code, answer.Body)
		}
	}
}

func TestInternalErrorsAreLoggedAndHiddenFromClients(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	// The keys are made when first needed, and their file cannot be written.
	if err := os.Mkdir(s.file("keys.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	answer := httptest.NewRecorder()
	s.Paths().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/"+dev.UserPoolID+"/.well-known/jwks.json", nil))
	in := fmt.Sprintf(`{"ClientId":%q,"AuthFlow":"USER_PASSWORD_AUTH","AuthParameters":{"USERNAME":"ada","PASSWORD":"x"}}`, dev.ClientID)
	head := &http1.Head{Method: http.MethodPost, Fields: []http1.Field{{Name: "X-Amz-Target", Value: identity.UserPoolTarget + "InitiateAuth"}}}
	status, _, body := s.Paths().Answer(context.Background(), head, []byte(in))
	for _, answer := range []struct {
		status int
		body   string
	}{{answer.Code, answer.Body.String()}, {status, string(body)}} {
		if answer.status != http.StatusInternalServerError || strings.Contains(answer.body, s.folder) {
			t.Errorf("the client gets %d %s", answer.status, answer.body)
		}
	}
	if len(s.failed) != 2 || !strings.Contains(s.failed[0], s.folder) || !strings.HasPrefix(s.failed[1], identity.UserPoolTarget+"InitiateAuth: ") {
		t.Errorf("the log has %q", s.failed)
	}
}
