package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gatewright/model/access"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/signature"
	"gatewright/test/depth"
)

// poolOfTest is the pool of an environment.
func poolOfTest(environment string) *pool.Pool {
	return &pool.Pool{
		Environment: environment, Region: "eu-west-1", AccountID: "000000000000",
		UserPoolID: "eu-west-1_" + environment, ClientID: "client" + environment, IdentityPoolID: "eu-west-1:00000000-0000-8000-8000-0000000000" + fmt.Sprintf("%02x", len(environment)),
		Groups: []string{"Admins", "Editors", "Readers"},
	}
}

// matrixAPI has a path for each setting and set of actions, and below each a path with
// another rule. Each principal has each set of actions on some path; the group Readers
// has no rule.
func matrixAPI() *access.API {
	api := &access.API{Label: "shop"}
	for at, setting := range access.Settings {
		for set := range access.EveryAction + 1 {
			rules := func(setting access.Setting, set access.Actions) access.Access {
				a := access.Access{Setting: setting}
				if setting == access.Open {
					return a
				}
				a = a.With(access.Principal{Kind: access.Authenticated}, set).With(access.Principal{Kind: access.Guest}, set^5)
				return a.With(access.Principal{Kind: access.Group, Group: "Admins"}, set^10).With(access.Principal{Kind: access.Group, Group: "Editors"}, set^15)
			}
			name := fmt.Sprintf("/%s%d", setting, set)
			api.Paths = append(api.Paths,
				&access.Path{Name: name, Function: testFunction, Access: rules(setting, set)},
				&access.Path{Name: name + "/deep", Function: testFunction, Access: rules(access.Settings[(at+1)%3], set^3)})
		}
	}
	return api
}

// sender is a caller with credentials, and the same caller for Decide.
type sender struct {
	name        string
	caller      access.Caller
	credentials *identitypool.Credentials
	bearer      string
}

// send sends a request as a sender, and returns the status of the answer.
func (s *site) send(client *http.Client, who sender, method, path string) int {
	at := "/" + testAPI + "/dev" + path
	var body []byte
	if method == http.MethodPost || method == http.MethodPut {
		body = []byte(`{"id":"1"}`)
	}
	request, err := http.NewRequest(method, s.Address()+at, bytes.NewReader(body))
	if err != nil {
		s.t.Error(err)
		return 0
	}
	if who.bearer != "" {
		request.Header.Set("Authorization", "Bearer "+who.bearer)
	}
	if c := who.credentials; c != nil {
		signed := signature.Request{Method: method, Target: at, Host: request.Host, Body: body}
		signature.Sign(&signed, signature.Credentials{AccessKeyID: c.AccessKeyID, SecretKey: c.SecretKey, SessionToken: c.SessionToken}, "eu-west-1", "execute-api", time.Now())
		for _, f := range signed.Fields {
			request.Header.Set(f.Name, f.Value)
		}
	}
	response, err := client.Do(request)
	if err != nil {
		s.t.Error(err)
		return 0
	}
	_, _ = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
	return response.StatusCode
}

// people are the senders of the matrix.
func (s *site) people(signaturesRequired bool) []sender {
	s.t.Helper()
	ctx, dev := context.Background(), poolOfTest("dev").UserPoolID
	do := func(operation string, input map[string]any) {
		s.t.Helper()
		input["UserPoolId"] = dev
		text, err := json.Marshal(input)
		must(s.t, err)
		_, err = s.pools.Do(ctx, operation, text)
		must(s.t, err)
	}
	user := func(name string, groups ...string) (identitypool.Credentials, string) {
		s.t.Helper()
		do("AdminCreateUser", map[string]any{"Username": name, "MessageAction": "SUPPRESS"})
		do("AdminSetUserPassword", map[string]any{"Username": name, "Password": "correct horse", "Permanent": true})
		for _, g := range groups {
			do("AdminAddUserToGroup", map[string]any{"Username": name, "GroupName": g})
		}
		c, err := s.pools.Identities.Mint("dev", identitypool.Signer{User: name})
		must(s.t, err)
		tokens, err := s.pools.Tokens(dev, name)
		must(s.t, err)
		return c, tokens.ID
	}
	guest, err := s.pools.Identities.Mint("dev", identitypool.Signer{Guest: true})
	must(s.t, err)
	editor, err := s.pools.Identities.Mint("dev", identitypool.Signer{Group: "Editors"})
	must(s.t, err)
	anybody, err := s.pools.Identities.Mint("dev", identitypool.Signer{AnyUser: true})
	must(s.t, err)
	foreign, err := s.pools.Identities.Mint("qa", identitypool.Signer{Guest: true})
	must(s.t, err)
	emma, emmasToken := user("emma")
	edgar, edgarsToken := user("edgar", "Editors")
	both, bothsToken := user("both", "Editors", "Admins")
	reader, _ := user("rita", "Readers")
	gone, gonesToken := user("gone", "Admins")
	do("AdminDeleteUser", map[string]any{"Username": "gone"})
	in := func(groups ...string) access.Caller { return access.Caller{SignedIn: true, Groups: groups} }
	stranger := access.Caller{Stranger: true}
	invented := identitypool.Credentials{AccessKeyID: "ASIAABCDEFGHIJKLMNOP", SecretKey: "secret", SessionToken: "token"}
	senders := []sender{
		{name: "unsigned", caller: access.Caller{Stranger: signaturesRequired}},
		{name: "guest", credentials: &guest},
		{name: "user", caller: in(), credentials: &emma},
		{name: "as a signed-in user", caller: in(), credentials: &anybody},
		{name: "user's token", caller: in(), bearer: emmasToken},
		{name: "member of Editors", caller: in("Editors"), credentials: &edgar},
		{name: "as a member of Editors", caller: in("Editors"), credentials: &editor},
		{name: "token of a member of Editors", caller: in("Editors"), bearer: edgarsToken},
		{name: "member of two groups", caller: in("Editors", "Admins"), credentials: &both},
		{name: "token of a member of two groups", caller: in("Editors", "Admins"), bearer: bothsToken},
		{name: "member of a group without a rule", caller: in("Readers"), credentials: &reader},
		{name: "deleted user", caller: stranger, credentials: &gone},
		{name: "token of a deleted user", caller: stranger, bearer: gonesToken},
		{name: "another environment's guest", caller: stranger, credentials: &foreign},
		{name: "invented credentials", caller: stranger, credentials: &invented},
	}
	for i := range senders {
		if senders[i].bearer != "" && signaturesRequired {
			// A token does not replace a signature.
			senders[i].caller = stranger
		}
	}
	return senders
}

func TestTheGatewayAnswersAsDecideSaysForEveryCaller(t *testing.T) {
	t.Parallel()
	few := int64(depth.Rounds(444, 1333, 4000))
	for _, required := range []bool{false, true} {
		t.Run("signatures required: "+strconv.FormatBool(required), func(t *testing.T) {
			s := openSite(t, Options{RequireSignatures: required})
			s.write(`exports.handler = async () => ({ statusCode: 200, body: "" });`)
			dev, qa := s.environment(), Environment{Name: "qa", Region: "eu-west-1", AccountID: "000000000000", Pool: poolOfTest("qa")}
			dev.Pool = poolOfTest("dev")
			dev.APIs[0].Definition, dev.APIs[0].Groups = matrixAPI(), dev.Pool.Groups
			must(t, s.Apply(Config{Environments: []Environment{dev, qa}}))
			router := access.NewRouter(dev.APIs[0].Definition, dev.Pool.Groups, access.Terms{})
			var allowed, refused atomic.Int64
			s.ask(s.people(required), func(who sender, method, path string, status int) {
				decision := router.Decide(who.caller, method, path)
				want := http.StatusForbidden
				switch {
				case decision.Allowed:
					want = http.StatusOK
					allowed.Add(1)
				case who.bearer != "" && decision.Rule == access.ByStranger && !required:
					want = http.StatusUnauthorized
				}
				if !decision.Allowed {
					refused.Add(1)
				}
				if status != want {
					t.Errorf("%s %s %s: %d, Decide gives %d: %s", who.name, method, path, status, want, decision.Reason())
				}
			})
			t.Logf("%d requests were allowed, %d refused", allowed.Load(), refused.Load())
			if allowed.Load() < few || refused.Load() < few {
				t.Error("the matrix has too few requests of one kind")
			}
		})
	}
}

// ask sends every method to every path and below it, as every sender.
func (s *site) ask(people []sender, answered func(who sender, method, path string, status int)) {
	type question struct {
		who          sender
		method, path string
	}
	questions := make(chan question)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
	defer client.CloseIdleConnections()
	var asking sync.WaitGroup
	for range 8 {
		asking.Go(func() {
			for q := range questions {
				answered(q.who, q.method, q.path, s.send(client, q.who, q.method, q.path))
			}
		})
	}
	asked := 0
	for _, who := range people {
		for i, p := range matrixAPI().Paths {
			for _, method := range access.Methods {
				below := p.Name + "/a%20b/" + strings.Repeat("x", i%3)
				for _, path := range []string{p.Name, below} {
					if asked++; asked%depth.Rounds(9, 3, 1) == 0 {
						questions <- question{who, method, path}
					}
				}
			}
		}
		questions <- question{who, "GET", "/nowhere"}
	}
	close(questions)
	asking.Wait()
}
