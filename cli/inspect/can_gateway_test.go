package inspect_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/sandbox"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/signature"
	"gatewright/test/depth"
)

// servedSession is a project that a sandbox serves.
type servedSession struct {
	*session
	client *sandbox.Client
}

// serve has a sandbox serve a session's project until the test ends, without the sources of the
// functions: a request that is let through is answered at once, by the failure of one.
func (s *session) serve() *servedSession {
	s.T.Helper()
	sources, err := filepath.Glob(filepath.Join(s.Dir, "backend", "function", "*", "src"))
	for _, source := range sources {
		err = errors.Join(err, os.RemoveAll(source))
	}
	if err != nil || sources == nil {
		s.T.Fatalf("the sources are %v, %v", sources, err)
	}
	client, _ := deploytest.Serve(s.T, s.Dir)
	return &servedSession{s, client}
}

// credentials are what requests of somebody are signed with.
func (s *servedSession) credentials(who identitypool.Signer) signature.Credentials {
	s.T.Helper()
	given, err := s.client.Credentials(context.Background(), "dev", who)
	if err != nil {
		s.T.Fatalf("%+v: %v", who, err)
	}
	return signature.Credentials{AccessKeyID: given.AccessKeyID, SecretKey: given.SecretKey, SessionToken: given.SessionToken}
}

// lets reports whether the gateway lets a request through; signs gives it what says
// who sends it.
func (s *servedSession) lets(method, path string, signs func(*http.Request)) bool {
	s.T.Helper()
	status, err := s.client.Status(context.Background())
	if err != nil {
		s.T.Fatal(err)
	}
	request, err := http.NewRequest(method, status.APIs[0].Endpoint+path, nil)
	if err != nil {
		s.T.Fatal(err)
	}
	signs(request)
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		s.T.Fatal(err)
	}
	body, _ := io.ReadAll(response.Body)
	_ = response.Body.Close()
	switch {
	case response.StatusCode == http.StatusForbidden, response.StatusCode == http.StatusUnauthorized:
		return false
	case response.StatusCode == http.StatusBadGateway, response.StatusCode == http.StatusOK && method == http.MethodOptions:
		// No function has a source, and the gateway itself answers for OPTIONS.
		return true
	}
	s.T.Fatalf("%s %s: %d %s", method, path, response.StatusCode, body)
	return false
}

func signedWith(c signature.Credentials) func(*http.Request) {
	return func(r *http.Request) {
		signed := signature.Request{Method: r.Method, Target: r.URL.RequestURI(), Host: r.Host, AsWritten: true}
		signature.Sign(&signed, c, model.DefaultRegion, "execute-api", time.Now())
		withFields(r, signed.Fields)
	}
}

func withFields(r *http.Request, fields []http1.Field) {
	for _, f := range fields {
		r.Header.Add(f.Name, f.Value)
	}
}

func withToken(token string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(token)) }
}

// asPlain sends a request of nobody.
func asPlain(*http.Request) {}

// TestCanAndTheRunningGatewayAgree asks both about random requests of random callers
// to random definitions: `can` by the definition in the working tree, the gateway by
// sending the request for real.
func TestCanAndTheRunningGatewayAgree(t *testing.T) {
	t.Parallel()
	first := newSession(t)
	first.Run(0, "init", "--name", "shop", "--app-id", "a1", "--env", "dev")
	first.Put("backend/auth.json", `{"version": 1, "groups": ["Admins", "Ed,itors", "it's"]}`)
	first.Run(0, "add", "api", "shop", "--path", "/", "--function", "f", "--new-function", "plain", "--auth", "all")
	s := first.serve()
	members := map[string][]string{"emma": nil, "ada": {"Admins"}, "both": {"it's", "Ed,itors"}, "all": poolGroups, "locked": {"Admins"}}
	for name, groups := range members {
		args := []string{"user", "add", name}
		for _, group := range groups {
			args = append(args, "--group", group)
		}
		s.Run(0, args...)
	}
	lockedToken, locked := s.Run(0, "token", "locked"), s.credentials(identitypool.Signer{User: "locked"})
	s.Run(0, "user", "disable", "locked")
	yes, no := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		drawProject(r, s.session)
		if err := s.client.Refresh(context.Background()); err != nil {
			r.Fatal(err)
		}
		guests := !strings.Contains(s.Read("backend/auth.json"), `"unauthenticated_identities_enabled":false`)
		for range 8 {
			method := rapid.SampledFrom(append([]string{"PROPFIND", "get"}, access.Methods...)).Draw(r, "method")
			path := "/" + strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
				"books", "Books", "1", "cover", "x", "..", ".", "", "a%2Fb", "%2e%2e", "b%6Foks", "é", "{isbn}", "a b", "a+b", "*(';", "cover%20",
			}), 0, 5).Draw(r, "path"), "/")
			who := rapid.SampledFrom([]string{"guest", "authenticated", "group:Admins", "group:Ed,itors", "group:it's", "emma", "ada", "both", "all", "locked"}).Draw(r, "who")
			var ways map[string]func(*http.Request)
			switch group, isGroup := strings.CutPrefix(who, "group:"); {
			case who == "guest":
				if ways = map[string]func(*http.Request){"unsigned": asPlain}; guests {
					ways["signed"] = signedWith(s.credentials(identitypool.Signer{Guest: true}))
				}
			case who == "locked":
				ways = map[string]func(*http.Request){"signed": signedWith(locked), "token": withToken(lockedToken)}
			case isGroup:
				ways = map[string]func(*http.Request){"signed": signedWith(s.credentials(identitypool.Signer{Group: group}))}
			default:
				name := who
				if who == "authenticated" {
					name = "emma"
				}
				ways = map[string]func(*http.Request){"signed": signedWith(s.credentials(identitypool.Signer{User: name})), "token": withToken(s.Run(0, "token", name))}
			}
			said := s.can(who, method, path)
			if said.Allowed {
				yes++
			} else {
				no++
			}
			for way, signs := range ways {
				if got := s.lets(strings.ToUpper(method), strings.NewReplacer(" ", "%20", "é", "%C3%A9", "{", "%7B", "}", "%7D").Replace(path), signs); got != said.Allowed {
					r.Fatalf("%s (%s) %s %s: can says %v (%s), the gateway %v\n%s\n%s", who, way, method, path, said.Allowed, said.Reason, got,
						s.Read("backend/api/shop/cli-inputs.json"), s.Read("backend/auth.json"))
				}
			}
		}
	})
	if least := depth.Rounds(11, 33, 100); yes < least || no < least {
		t.Errorf("too few of one kind: %d were let in, %d refused", yes, no)
	}
}
