package cloudcall_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/deploy/account"
	"gatewright/deploy/aws"
	"gatewright/deploy/awstest"
	"gatewright/deploy/cloudcall"
	"gatewright/deploy/cloudcall/cloudcalltest"
	"gatewright/deploy/deploytest"
	"gatewright/deploy/signin"
	"gatewright/deploy/signin/signintest"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/plan"
	"gatewright/sandbox/call"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/signature"
)

const (
	region = cloudcalltest.Region
	apiID  = cloudcalltest.ID
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// shop makes a project whose environment prod was pushed to AWS, as this machine saw it.
func shop(t *testing.T) (*project.Project, *cloudcall.Environment) {
	t.Helper()
	grant := func(kind access.PrincipalKind, group string, actions ...access.Action) access.Grant {
		return access.Grant{To: access.Principal{Kind: kind, Group: group}, Actions: access.ActionSet(actions...)}
	}
	b := &model.Backend{}
	must(t, edit.SetProject(b, model.Project{Name: "shop", ApplicationID: "app1", Region: region, Dialect: model.Neutral}))
	must(t, edit.AddEnvironment(b, &model.Environment{Name: "prod", Provider: model.AWS, Account: "123456789012"}))
	must(t, edit.AddFunction(b, &model.Function{Name: "echo", Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}))
	must(t, edit.AddGroup(b, "Editors"))
	must(t, edit.AddAPI(b, &access.API{Label: "shop", Paths: []*access.Path{
		{Name: "/books/{isbn}", Function: "echo", Access: access.Access{Setting: access.Protected, Grants: []access.Grant{
			grant(access.Authenticated, "", access.Read), grant(access.Guest, "", access.Read), grant(access.Group, "Editors", access.AllActions...),
		}}},
		{Name: "/staff", Function: "echo", Access: access.Access{Setting: access.Private, Grants: []access.Grant{grant(access.Group, "Editors", access.Read)}}},
	}}))
	dir := filepath.Join(t.TempDir(), "shop")
	must(t, os.Mkdir(dir, 0o755))
	deploytest.Write(t, dir, b)
	p, err := project.Open(dir)
	must(t, err)
	t.Cleanup(func() { _ = p.Close() })
	cloudcalltest.Push(t, p, "prod", cloudcalltest.URL("prod"))
	e, err := cloudcall.Known(aws.Provider{}, p, p.Backend.Environment("prod"))
	must(t, err)
	return p, e
}

func get(path string, as *identitypool.Signer) call.Request {
	path, query, _ := strings.Cut(path, "?")
	return call.Request{Method: "GET", Path: path, Query: query, Headers: http.Header{"X-Trace": {"1"}}, As: as}
}

var guest = &identitypool.Signer{Guest: true}

func TestAGuestIsSignedWithoutCredentialsOfAWS(t *testing.T) {
	c := cloudcalltest.New(t)
	_, e := shop(t)
	s := new(cloudcall.Session)
	for range 2 {
		a, err := s.Send(t.Context(), e, "shop", get("/books/1?limit=1", guest))
		if err != nil || a.Status != 200 || string(a.Body) != "fine" || a.Line != "HTTP/1.1 200 OK" || a.Refusal != nil {
			t.Fatalf("got %+v, %v", a, err)
		}
	}
	r := c.Got[1]
	if r.URL.String() != "/prod/books/1?limit=1" || !strings.Contains(r.Header.Get("Authorization"), "Credential=ASIAGUEST1/") ||
		!strings.Contains(r.Header.Get("Authorization"), "/"+region+"/execute-api/aws4_request, SignedHeaders=host;x-amz-date;x-amz-security-token;x-trace,") {
		t.Errorf("the request is %s with %v", r.URL, r.Header)
	}
	verify := signature.Request{Method: r.Method, Target: r.RequestURI, Host: r.Host}
	for name, values := range r.Header {
		verify.Fields = append(verify.Fields, http1.Field{Name: name, Value: values[0]})
	}
	claim, err := signature.Parse(verify)
	must(t, err)
	if err := claim.Verify(verify, "secret-of-a-guest", region, "execute-api", time.Now()); err != nil || claim.SessionToken != "token" {
		t.Errorf("the signature is not the guest's: %v, with the token %q", err, claim.SessionToken)
	}
	if n := c.Count("GetCredentialsForIdentity"); n != 1 {
		t.Errorf("credentials were got %d times", n)
	}
	for _, made := range c.Calls() {
		if made.Signed {
			t.Errorf("%s was signed", made.Action)
		}
	}
	if _, err := s.Send(t.Context(), e, "shop", get("/books/1", nil)); err != nil || c.Got[2].Header.Get("Authorization") != "" {
		t.Errorf("a request of nobody has %v, %v", c.Got[2].Header, err)
	}
}

func TestARequestThatIsRefusedForTheClockIsSentOnceMoreWithTheRightTime(t *testing.T) {
	for _, off := range []time.Duration{3 * time.Hour, -40 * time.Minute} {
		c := cloudcalltest.New(t)
		_, e := shop(t)
		cloudcalltest.WithCredentials(t)
		now := func() time.Time { return time.Now().Add(off) }
		c.API = func(w http.ResponseWriter, r *http.Request) {
			signed, err := time.Parse("20060102T150405Z", r.Header.Get("X-Amz-Date"))
			w.Header().Set("Date", now().UTC().Format(http.TimeFormat))
			if err == nil && now().Sub(signed).Abs() < 5*time.Minute {
				_, _ = w.Write([]byte("fine"))
				return
			}
			w.Header().Set("X-Amzn-Errortype", "InvalidSignatureException")
			w.WriteHeader(http.StatusForbidden)
			_, _ = fmt.Fprintf(w, `{"message":"Signature expired: %s is now earlier than %s"}`, r.Header.Get("X-Amz-Date"), now().UTC().Format("20060102T150405Z"))
		}
		s := new(cloudcall.Session)
		own := get("/books/1", &identitypool.Signer{Own: true})
		for range 2 {
			if a, err := s.Send(t.Context(), e, "shop", own); err != nil || a.Status != 200 {
				t.Fatalf("a clock that is %v wrong: %d, %v", off, a.Status, err)
			}
		}
		if len(c.Got) != 3 {
			t.Errorf("a clock that is %v wrong takes %d requests, and should take one more than two", off, len(c.Got))
		}
	}
}

func TestExpiredCredentialsAreGotAnewOnce(t *testing.T) {
	c := cloudcalltest.New(t)
	_, e := shop(t)
	s := new(cloudcall.Session)
	refused := "no key"
	c.API = func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.Header.Get("Authorization"), "Credential="+refused+"/") || refused == "all" {
			w.Header().Set("X-Amzn-Errortype", "ExpiredTokenException")
			w.WriteHeader(http.StatusForbidden)
			_, _ = w.Write([]byte(`{"message":"The security token included in the request is expired"}`))
		}
	}
	send := func() int {
		a, err := s.Send(t.Context(), e, "shop", get("/books/1", guest))
		must(t, err)
		return a.Status
	}
	if got := send(); got != 200 {
		t.Fatal(got)
	}
	refused = "ASIAGUEST1"
	if got := send(); got != 200 || len(c.Got) != 3 {
		t.Errorf("after the credentials expired: %d, %d requests", got, len(c.Got))
	}
	refused = "all"
	if got := send(); got != 403 || len(c.Got) != 5 {
		t.Errorf("if they are always refused: %d, %d requests", got, len(c.Got))
	}
	// Credentials that end soon are not used.
	c.Serve("cognito-identity", cloudcalltest.Identities(time.Second))
	s, refused = new(cloudcall.Session), ""
	before := c.Count("GetCredentialsForIdentity")
	send()
	send()
	if n := c.Count("GetCredentialsForIdentity") - before; n != 2 {
		t.Errorf("credentials of a second were got %d times for two requests", n)
	}
}

// TestCredentialsEndByTheClockOfAWS has identity pools whose time is another than this machine's.
func TestCredentialsEndByTheClockOfAWS(t *testing.T) {
	for _, off := range []time.Duration{3 * time.Hour, -3 * time.Hour} {
		for valid, want := range map[time.Duration]int{30 * time.Minute: 1, 30 * time.Second: 2} {
			c := cloudcalltest.New(t)
			_, e := shop(t)
			c.Skew(off)
			c.Serve("cognito-identity", cloudcalltest.Identities(off+valid))
			s := new(cloudcall.Session)
			for range 2 {
				_, err := s.Send(t.Context(), e, "shop", get("/books/1", guest))
				must(t, err)
			}
			if n := c.Count("GetCredentialsForIdentity"); n != want {
				t.Errorf("where the clock is %v ahead, credentials of %v were got %d times for two requests, want %d", off, valid, n, want)
			}
		}
	}
}

// TestOnesOwnCredentialsAreThoseOfTheEnvironmentsAccount has a role that asks for a code, and keys of
// another account.
func TestOnesOwnCredentialsAreThoseOfTheEnvironmentsAccount(t *testing.T) {
	c := cloudcalltest.New(t)
	p, e := shop(t)
	config := filepath.Join(t.TempDir(), "config")
	must(t, os.WriteFile(config, []byte("[profile ann]\naws_access_key_id = 123456789012\naws_secret_access_key = "+awstest.SecretKey+"\n"+
		"[profile role]\nrole_arn = arn:aws:iam::123456789012:role/Deployer\nsource_profile = ann\nmfa_serial = arn:aws:iam::123456789012:mfa/phone\nrole_session_name = me\n"), 0o600))
	t.Setenv("AWS_CONFIG_FILE", config)
	t.Setenv("AWS_PROFILE", "role")
	var serials []string
	s := &cloudcall.Session{MFA: func(_ context.Context, serial string) (string, error) {
		serials = append(serials, serial)
		return "123456", nil
	}}
	own := get("/books/1", &identitypool.Signer{Own: true})
	for range 2 {
		_, err := s.Send(t.Context(), e, "shop", own)
		must(t, err)
	}
	if !slices.Equal(serials, []string{"arn:aws:iam::123456789012:mfa/phone"}) || c.Count("AssumeRole") != 1 || !strings.Contains(c.Got[1].Header.Get("Authorization"), "Credential=ASIA") {
		t.Errorf("asked for the codes of %q, took the role %d times, and signed with %s", serials, c.Count("AssumeRole"), c.Got[1].Header.Get("Authorization"))
	}
	if token := c.Got[1].Header.Get("X-Amz-Security-Token"); token != "assumed-token-00000001" {
		t.Errorf("the request has the token %q", token)
	}
	// What ends in half a minute does not last for a request.
	c.Lend(30 * time.Second)
	s = &cloudcall.Session{MFA: s.MFA}
	for range 2 {
		_, err := s.Send(t.Context(), e, "shop", own)
		must(t, err)
	}
	if len(serials) != 3 || c.Count("AssumeRole") != 3 {
		t.Errorf("for two requests with short credentials, %d codes were asked for, and the role was taken %d times", len(serials)-1, c.Count("AssumeRole")-1)
	}
	t.Setenv("AWS_PROFILE", "")
	t.Setenv("AWS_ACCESS_KEY_ID", "210987654321")
	t.Setenv("AWS_SECRET_ACCESS_KEY", awstest.SecretKey)
	// What counts is where it was pushed, and not where the next push goes.
	moved := *p.Backend.Environment("prod")
	moved.Account = "210987654321"
	later, err := cloudcall.Known(aws.Provider{}, p, &moved)
	must(t, err)
	for _, e := range []*cloudcall.Environment{e, later} {
		if _, err := new(cloudcall.Session).Send(t.Context(), e, "shop", own); !errors.Is(err, account.ErrOtherAccount) || call.WasSent(err) {
			t.Errorf("with credentials of another account: %v", err)
		}
	}
}

// TestWhatCountsIsWhereItWasPushed has a project whose region is another now, and a copy from before the environment was in AWS.
func TestWhatCountsIsWhereItWasPushed(t *testing.T) {
	c := cloudcalltest.New(t)
	p, e := shop(t)
	cloudcalltest.WithCredentials(t)
	record := project.Record{
		Stack: e.Deployment.Stack, ApplicationID: "app1", Branch: "main", Environment: "prod", Provider: model.AWS, Account: "123456789012", Region: "eu-west-1",
		Deployed: e.Deployment.Deployed, APIs: []project.Endpoint{{API: "shop", ID: apiID, URL: "https://" + apiID + ".execute-api.eu-west-1.amazonaws.com/prod/"}},
	}
	must(t, p.Deploy(record))
	e, err := cloudcall.Known(aws.Provider{}, p, p.Backend.Environment("prod"))
	must(t, err)
	_, err = new(cloudcall.Session).Send(t.Context(), e, "shop", get("/books/1", &identitypool.Signer{Own: true}))
	must(t, err)
	if r := c.Got[0]; r.URL.Path != "/prod/books/1" || !strings.Contains(r.Header.Get("Authorization"), "/eu-west-1/execute-api/") {
		t.Errorf("the request is %s with %s", r.URL, r.Header.Get("Authorization"))
	}
	if e.HasPools() {
		t.Error("it has pools that were not pushed")
	}
	record.Provider = model.Local
	must(t, p.Deploy(record))
	if _, err = cloudcall.Known(aws.Provider{}, p, p.Backend.Environment("prod")); !errors.Is(err, project.ErrNeverDeployed) {
		t.Errorf("what was in the sandbox: %v", err)
	}
}

func TestAnAPIThatTheEnvironmentLacksIsNotCalled(t *testing.T) {
	c := cloudcalltest.New(t)
	p, _ := shop(t)
	next, err := p.Backend.Edit(func(b *model.Backend) error {
		env := *b.Environment("prod")
		env.APIs = []string{}
		return edit.UpdateEnvironment(b, &env)
	})
	must(t, err)
	plan, err := plan.Of(p, next)
	must(t, err)
	must(t, plan.Commit())
	p, err = project.Open(p.Root)
	must(t, err)
	t.Cleanup(func() { _ = p.Close() })
	cloudcalltest.Push(t, p, "prod", cloudcalltest.URL("prod"))
	e, err := cloudcall.Known(aws.Provider{}, p, p.Backend.Environment("prod"))
	must(t, err)
	for _, r := range []call.Request{get("/books/1", nil), {Method: "GET", Path: "/books/1", Test: true}} {
		_, err = new(cloudcall.Session).Send(t.Context(), e, "shop", r)
		if want := "API shop: is not in environment prod as it was pushed; push it with: gatewright push --env prod"; err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if len(c.Got) > 0 || len(c.Calls()) > 0 || e.URL("shop") != "" {
		t.Errorf("%d requests and %d calls were sent, to %s", len(c.Got), len(c.Calls()), e.URL("shop"))
	}
}

// TestARefusalIsExplainedByTheDefinition has answers as API Gateway gives them.
func TestARefusalIsExplainedByTheDefinition(t *testing.T) {
	c := cloudcalltest.New(t)
	_, e := shop(t)
	cloudcalltest.WithCredentials(t)
	s := new(cloudcall.Session)
	for _, tt := range []struct {
		name, method, path string
		as                 *identitypool.Signer
		status             int
		kind, want         string
	}{
		{"a guest", "POST", "/books/1", guest, 403, "AccessDeniedException", "guests may not create under /books/{isbn} (called by a guest); sign in as a member of Editors, or let guests create under /books/{isbn}"},
		{"nobody", "GET", "/books/1", nil, 403, "MissingAuthenticationTokenException", "/books/{isbn} is protected: "},
		{"nobody, with the way", "GET", "/books/1", nil, 403, "MissingAuthenticationTokenException", "; sign it with: --as guest"},
		{"nobody at a private path", "GET", "/staff", nil, 403, "MissingAuthenticationTokenException", "sign it as a user who may, with: --as USER"},
		{"a path that is none", "GET", "/other", guest, 403, "MissingAuthenticationTokenException", "no path of the API shop serves /other; "},
		{"oneself", "GET", "/books/1", &identitypool.Signer{Own: true}, 403, "AccessDeniedException", "the definition does not cover tester; an IAM policy has to"},
		{"somebody who may", "GET", "/books/1", guest, 403, "AccessDeniedException", "guests may read under /books/{isbn}, but AWS refuses it; compare the stack with: gatewright prove --stack gatewright-app1-main"},
		{"a function that failed", "GET", "/books/1", guest, 502, "InternalServerErrorException", "gatewright logs echo --env prod"},
		{"a preflight that failed", "OPTIONS", "/books/1", guest, 502, "InternalServerErrorException", ""},
		{"a function that refuses", "GET", "/books/1", guest, 403, "", ""},
		{"a firewall", "GET", "/books/1", guest, 403, "ForbiddenException", ""},
	} {
		c.API = func(w http.ResponseWriter, _ *http.Request) {
			if tt.kind != "" {
				w.Header().Set("X-Amzn-Errortype", tt.kind)
			}
			w.WriteHeader(tt.status)
		}
		a, err := s.Send(t.Context(), e, "shop", call.Request{Method: tt.method, Path: tt.path, As: tt.as})
		if text := strings.Join(a.Refusal, "\n"); err != nil || tt.want == "" && text != "" || !strings.Contains(text, tt.want) {
			t.Errorf("%s: %q, %v; want %q", tt.name, text, err, tt.want)
		}
	}
}

// TestAUserSignsInOnceAndIsRefusedAsAMember asks for the password for the first request alone.
func TestAUserSignsInOnceAndIsRefusedAsAMember(t *testing.T) {
	c := cloudcalltest.New(t)
	_, e := shop(t)
	if !e.HasPools() || e.URL("shop") != cloudcalltest.URL("prod") || e.URL("other") != "" {
		t.Errorf("it has pools: %v, and the address %s", e.HasPools(), e.URL("shop"))
	}
	c.API = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Amzn-Errortype", "AccessDeniedException")
		w.WriteHeader(http.StatusForbidden)
	}
	for _, tt := range []struct {
		groups []string
		want   string
	}{
		{nil, "signed-in users may not read under /staff (called by user emma, in no group); become a member of Editors, or let signed-in users read under /staff"},
		{[]string{"Editors", "Others"}, "by the pushed definition, "},
		{[]string{"Others"}, "signed-in users may not read under /staff (called by user emma, in Others); become a member of Editors, "},
	} {
		pool := &signintest.Pool{User: "emma", Groups: tt.groups}
		c.Serve("cognito-idp", pool.Serve)
		asked := 0
		s := &cloudcall.Session{Ask: func(context.Context, signin.Question) (string, error) {
			asked++
			return signintest.Password, nil
		}}
		emma := identitypool.Signer{User: "emma"}
		if _, known := s.Groups(e, emma); known {
			t.Error("the groups are known before the sign-in")
		}
		must(t, s.SignIn(t.Context(), e, emma))
		if groups, known := s.Groups(e, emma); !known || !slices.Equal(groups, tt.groups) {
			t.Errorf("the groups are %q, known %v", groups, known)
		}
		if _, known := s.Groups(e, identitypool.Signer{User: "ned"}); known {
			t.Error("the groups of somebody else are known")
		}
		a, err := s.Send(t.Context(), e, "shop", get("/staff", &emma))
		must(t, err)
		if text := strings.Join(a.Refusal, "\n"); !strings.HasPrefix(text, tt.want) || asked != 1 {
			t.Errorf("asked %d times; as a member of %q it is refused with\n%s\nwant\n%s", asked, tt.groups, text, tt.want)
		}
	}
	if err := new(cloudcall.Session).SignIn(t.Context(), e, identitypool.Signer{Group: "Editors"}); err == nil || call.WasSent(err) ||
		!strings.Contains(err.Error(), "where credentials of the group Editors need a member who signs in; name the user: --as USER") {
		t.Errorf("a group signs in with %v", err)
	}
}

func TestOnlyTheAddressOfAnAPIIsCalled(t *testing.T) {
	c := cloudcalltest.New(t)
	p, _ := shop(t)
	for _, at := range []string{
		"https://evil.example/prod", "http://" + apiID + ".execute-api." + region + ".amazonaws.com/prod", "https://other.execute-api." + region + ".amazonaws.com/prod",
		"https://" + apiID + ".execute-api." + region + ".amazonaws.com.evil.example/prod", "https://me@" + apiID + ".execute-api." + region + ".amazonaws.com/prod",
	} {
		cloudcalltest.Push(t, p, "prod", at)
		e, err := cloudcall.Known(aws.Provider{}, p, p.Backend.Environment("prod"))
		must(t, err)
		if _, err := new(cloudcall.Session).Send(t.Context(), e, "shop", get("/books/1", guest)); err == nil || !strings.Contains(err.Error(), "is not one of API Gateway; run once with credentials: gatewright status --env prod") {
			t.Errorf("%s: %v", at, err)
		}
	}
	if len(c.Got) > 0 || c.Count("GetId") > 0 {
		t.Error("something was sent")
	}
}

// TestAnAnswerIsTakenAsItIs: redirects are not followed, bytes stay bytes.
func TestAnAnswerIsTakenAsItIs(t *testing.T) {
	c := cloudcalltest.New(t)
	_, e := shop(t)
	body := slices.Concat([]byte{0, 0xff, 0xfe}, make([]byte, 6<<20))
	c.API = func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "https://evil.example/")
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(http.StatusFound)
		_, _ = w.Write(body)
	}
	a, err := new(cloudcall.Session).Send(t.Context(), e, "shop", get("/books/1", nil))
	if err != nil || a.Status != 302 || !slices.Equal(a.Body, body) || a.Headers.Get("Content-Encoding") != "gzip" || len(c.Got) != 1 {
		t.Errorf("got %d, %d bytes, %v", a.Status, len(a.Body), err)
	}
	if a, err = new(cloudcall.Session).Send(t.Context(), e, "shop", call.Request{Method: "HEAD", Path: "/books/1"}); err != nil || a.Status != 302 || len(a.Body) > 0 {
		t.Errorf("HEAD: %+v, %v", a.Status, err)
	}
}

func TestWhetherARequestWasSentIsKnown(t *testing.T) {
	c := cloudcalltest.New(t)
	_, e := shop(t)
	c.API = func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }
	_, err := new(cloudcall.Session).Send(t.Context(), e, "shop", get("/books/1", nil))
	if err == nil || !call.WasSent(err) || !strings.Contains(err.Error(), "environment prod: cannot reach") || strings.Contains(err.Error(), "\n") {
		t.Errorf("a cut connection: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = new(cloudcall.Session).Send(ctx, e, "shop", get("/books/1", nil)); !errors.Is(err, context.Canceled) || call.WasSent(err) {
		t.Errorf("a request that was stopped before: %v", err)
	}
	t.Setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
	if _, err = new(cloudcall.Session).Send(t.Context(), e, "shop", get("/books/1", nil)); err == nil || call.WasSent(err) || !strings.Contains(err.Error(), "AWS_ENDPOINT_URL") {
		t.Errorf("nobody listens: %v", err)
	}
	if _, err = new(cloudcall.Session).Send(t.Context(), e, "shop", get("/books/1", guest)); err == nil || call.WasSent(err) {
		t.Errorf("nobody listens to a guest: %v", err)
	}
}

func TestWithoutACopyAndWithoutCredentialsOneLineSaysWhatToDo(t *testing.T) {
	cloudcalltest.New(t)
	p, _ := shop(t)
	must(t, p.Undeploy("prod"))
	env := p.Backend.Environment("prod")
	_, err := cloudcall.Find(t.Context(), aws.Provider{}, p, env)
	if !errors.Is(err, account.ErrCredentials) || !strings.HasSuffix(err.Error(), "run once with credentials: gatewright status --env prod") {
		t.Errorf("got %v", err)
	}
	cloudcalltest.WithCredentials(t)
	if _, err = cloudcall.Find(t.Context(), aws.Provider{}, p, env); !errors.Is(err, project.ErrNeverDeployed) || !strings.HasSuffix(err.Error(), "gatewright push --env prod") {
		t.Errorf("with credentials: %v", err)
	}
}

func TestAMemberOfAGroupNeedsAName(t *testing.T) {
	cloudcalltest.New(t)
	_, e := shop(t)
	for _, who := range []identitypool.Signer{{AnyUser: true}, {Group: "Editors"}} {
		if err := e.CheckSigner(who); err == nil || !strings.HasSuffix(err.Error(), "name the user: --as USER") {
			t.Errorf("%+v: %v", who, err)
		}
	}
	for _, who := range []identitypool.Signer{{}, {Guest: true}, {Own: true}, {User: "emma"}} {
		if err := e.CheckSigner(who); err != nil {
			t.Errorf("%+v: %v", who, err)
		}
	}
	_, err := new(cloudcall.Session).Send(t.Context(), e, "shop", get("/books/1", &identitypool.Signer{User: "emma"}))
	if err == nil || !strings.Contains(err.Error(), "there is no terminal to ask") || call.WasSent(err) {
		t.Errorf("where nobody can be asked: %v", err)
	}
}

// executionLog is a log as API Gateway answers it.
const executionLog = "Execution log for request 1f2e3d\nThu Nov 26 19:00:00 UTC 2026 : Starting execution for request: 1f2e3d\n" +
	"Thu Nov 26 19:00:00 UTC 2026 : a colour \x1b[31m\nThu Nov 26 19:00:01 UTC 2026 : Method completed with status: 201\n"

func TestTheConsolesTestRunsInAPIGateway(t *testing.T) {
	c := cloudcalltest.New(t)
	_, e := shop(t)
	cloudcalltest.WithCredentials(t)
	var sent map[string]any
	pages := 0
	c.Serve("apigateway", func(r awstest.Request) (any, error) {
		switch r.Method + " " + r.Path {
		case "GET /restapis/" + apiID + "/resources":
			if pages++; r.Query.Get("position") == "" {
				return map[string]any{"item": []map[string]any{{"id": "r1", "path": "/"}, {"id": "r2", "path": "/books/{isbn}"}}, "position": "next"}, nil
			}
			return map[string]any{"item": []map[string]any{{"id": "r3", "path": "/books/{isbn}/{proxy+}"}}}, nil
		case "POST /restapis/" + apiID + "/resources/r3/methods/PUT":
			must(t, json.Unmarshal(r.Body, &sent))
			return map[string]any{
				"status": 201, "body": `{"made":true}`, "headers": map[string]string{"X-One": "1", "X-Two": "b"}, "multiValueHeaders": map[string][]string{"X-One": {"1"}, "X-Two": {"a", "b"}},
				"log": executionLog, "latency": 137,
			}, nil
		}
		return nil, &awstest.Refusal{Code: "NotFoundException", Message: "Invalid Resource identifier specified"}
	})
	s := new(cloudcall.Session)
	test := call.Request{Method: "PUT", Path: "/books/1/cover", Query: "size=2", Headers: http.Header{"X-Trace": {"1", "2"}}, Body: []byte("picture"), Test: true}
	a, err := s.Send(t.Context(), e, "shop", test)
	must(t, err)
	if a.Status != 201 || a.Latency != 137*time.Millisecond || string(a.Body) != `{"made":true}` || a.Line != "" || a.RequestID != "1f2e3d" || len(a.Log) != 4 ||
		!slices.Equal(a.Headers["X-Two"], []string{"a", "b"}) || strings.Contains(strings.Join(a.Log, ""), "\x1b") {
		t.Errorf("got %+v", a)
	}
	if want := map[string]any{"pathWithQueryString": "/books/1/cover?size=2", "body": "picture", "multiValueHeaders": map[string]any{"X-Trace": []any{"1", "2"}}}; fmt.Sprint(sent) != fmt.Sprint(want) {
		t.Errorf("sent %v, want %v", sent, want)
	}
	if pages != 2 || len(c.Got) > 0 {
		t.Errorf("%d pages, %d requests to the API", pages, len(c.Got))
	}
	// It runs the function, so that it is not repeated.
	action := "POST /restapis/" + apiID + "/resources/r3/methods/PUT"
	t.Setenv("AWS_ENDPOINT_URL", c.URL)
	c.CutAt(len(c.Calls())+4, awstest.AfterHandling)
	before := c.Count(action)
	if _, err = s.Send(t.Context(), e, "shop", test); err == nil || !call.WasSent(err) || c.Count(action) != before+1 {
		t.Errorf("a test that was cut was made %d times, %v", c.Count(action)-before, err)
	}
	for name, tt := range map[string]struct {
		change func(r *call.Request)
		want   string
	}{
		"another path":            {func(r *call.Request) { r.Path = "/other" }, `no path of the API shop serves "PUT /other"`},
		"bytes":                   {func(r *call.Request) { r.Body = []byte{0xff} }, "body: is not UTF-8 text"},
		"a resource that is gone": {func(r *call.Request) { r.Path = "/staff" }, "has no resource /staff in AWS"},
	} {
		other := test
		tt.change(&other)
		if _, err := s.Send(t.Context(), e, "shop", other); err == nil || !strings.Contains(err.Error(), tt.want) || call.WasSent(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	if _, err := s.Send(t.Context(), e, "shop", test); !errors.Is(err, account.ErrCredentials) {
		t.Errorf("without credentials: %v", err)
	}
}
