//go:build unix

package cloud

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/deploy/account"
	"gatewright/model/access"
	"gatewright/project"
)

// callPassword is the password of the users.
const callPassword = "Passw0rd-of-users!"

// TestCallsToAWSAreAnsweredAsTheDefinitionDecides signs as everybody, with this program and with
// the SDK, on every path and method, and compares both with the decision of the definition.
func TestCallsToAWSAreAnsweredAsTheDefinitionDecides(t *testing.T) {
	m := newMachine(t)
	m.must(`
		init --name shop --app-id d1shop --region eu-central-1
		add group Admins
		add function items --template plain
		add function news --template plain
		add api shop --path /items --function items --auth all --guest read
		add path shop /news --function news --open
		add path shop /drafts --function items --group Admins=all
		add path shop /orders/{id} --function items --auth read --group Admins=read,delete
		update env dev --provider aws --account 123456789012
		env use dev --profile profile-of-dev
	`)
	_, problem := m.run(1, "call", "GET", "/items")
	oneLine(t, problem, "was never deployed", "gatewright push --env dev")
	m.run(0, "push", "--yes")
	owner := m.owner()
	m.addUser(owner, "ann", "")
	m.addUser(owner, "bea", "Admins")
	m = m.with("AWS_ENDPOINT_URL="+m.mappedRoles(owner).URL, "GATEWRIGHT_PASSWORD="+callPassword)
	// Guests and users need no credentials.
	stranger := m.with(append(slices.Clone(m.extra), "AWS_SHARED_CREDENTIALS_FILE="+os.DevNull)...)

	p, err := project.Open(m.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	router := p.Backend.Router("shop")
	callers := []struct {
		name, as string
		access.Caller
		*machine
	}{
		{"nobody", "", access.Caller{Stranger: true}, stranger},
		{"guest", "guest", access.Caller{}, stranger},
		{"user", "ann", access.Caller{SignedIn: true}, stranger},
		{"member", "bea", access.Caller{SignedIn: true, Groups: []string{"Admins"}}, stranger},
	}
	var asked []request
	var got []int
	for _, who := range callers {
		for _, path := range []string{"/items/7", "/news", "/drafts", "/orders/7", "/nothing"} {
			for _, method := range []string{"GET", "POST", "DELETE"} {
				args := []string{"call", method, path, "--json"}
				if who.as != "" {
					args = append(args, "--as", who.as)
				}
				out, problems, code := who.try(args...)
				var a struct {
					Status int
					Notes  []string
				}
				if err := json.Unmarshal([]byte(out), &a); err != nil {
					t.Fatalf("%v: %s%s", args, out, problems)
				}
				d := router.Decide(who.Caller, method, path)
				if allowed := a.Status == http.StatusOK; allowed != d.Allowed || allowed != (code == 0) || !allowed && (a.Status != 403 || code != 4) {
					t.Errorf("%v is answered with %d, exit code %d; %s", args, a.Status, code, d.Reason())
				}
				if note := strings.Join(a.Notes, "\n"); !d.Allowed && who.as != "" && d.Rule != access.NoRoute && !strings.Contains(note, d.Reason()+"; ") {
					t.Errorf("%v: the note is %q, and should say %q", args, note, d.Reason())
				}
				asked, got = append(asked, request{Who: who.name, Method: method, Path: path}), append(got, a.Status)
			}
		}
	}
	for i, a := range m.send(devAccount, asked...) {
		if a.Status != got[i] {
			t.Errorf("%+v is answered with %d to this program, and with %d to the SDK", asked[i], got[i], a.Status)
		}
	}

	// A person's own credentials are those of the account's root here, which may everything.
	if _, line := m.run(0, "call", "DELETE", "/drafts", "--as", "me"); !strings.Contains(line, "HTTP/1.1 200 OK") {
		t.Errorf("with own credentials: %s", line)
	}
	_, problem = stranger.run(1, "call", "DELETE", "/drafts", "--as", "me")
	oneLine(t, problem, "there is no profile profile-of-dev")
	_, problem = m.run(2, "call", "GET", "/items", "--as", "group:Admins")
	oneLine(t, problem, "need a member who signs in", "--as USER")
	_, problem = m.with(append(slices.Clone(m.extra), "GATEWRIGHT_PASSWORD=wrong")...).run(1, "call", "GET", "/items", "--as", "ann")
	oneLine(t, problem, "Incorrect username or password")
	// The stand-in has no such test.
	_, problem = m.run(1, "call", "GET", "/items", "--test")
	oneLine(t, problem, "API Gateway refuses TestInvokeMethod")

	m.keepsNoSecretOfCalls()
}

// TestACallFromAnotherMachineAsksOnceWhatIsDeployed is about a machine that never saw the
// environment.
func TestACallFromAnotherMachineAsksOnceWhatIsDeployed(t *testing.T) {
	m := newMachine(t)
	m.must(`
		init --name shop --app-id d1shop --region eu-central-1
		add function items --template plain
		add api shop --path /items --function items --auth all --guest read
		update env dev --provider aws --account 123456789012 --guarded
		env use dev --profile profile-of-dev
		push --confirm dev
	`)
	other := m.another()
	stranger := other.with("AWS_SHARED_CREDENTIALS_FILE=" + os.DevNull)
	m.take()
	_, problem := stranger.run(1, "call", "GET", "/items", "--env", "dev", "--as", "guest")
	oneLine(t, problem, "this machine does not know what is deployed of it", "gatewright status --env dev")
	other.must("env use dev --profile profile-of-dev")
	other.run(0, "status", "--env", "dev")
	m.take()
	if out, _ := stranger.run(0, "call", "GET", "/items", "--env", "dev", "--as", "guest"); !strings.Contains(out, "get call succeed") {
		t.Errorf("a guest gets %s", out)
	}

	// A guarded environment asks before anything but GET, and before a sign-in.
	m.take()
	_, problem = stranger.run(2, "call", "POST", "/items", "--env", "dev", "--as", "ann")
	oneLine(t, problem, "environment dev is guarded; to send a POST request to it give --confirm dev")
	if calls := m.take(); len(calls) > 0 {
		t.Errorf("before consent there were %d calls", len(calls))
	}
	if _, line := stranger.run(4, "call", "POST", "/items", "--env", "dev", "--as", "guest", "--confirm", "dev"); !strings.Contains(line, "guests may not create under /items; sign in, or let guests create under /items") {
		t.Errorf("the refusal says %s", line)
	}
}

// owner is the account of the environment dev.
func (m *machine) owner() *account.Account {
	m.t.Helper()
	for name, value := range map[string]string{"AWS_ENDPOINT_URL": m.server.URL, "AWS_ACCESS_KEY_ID": devAccount, "AWS_SECRET_ACCESS_KEY": devKey} {
		m.t.Setenv(name, value)
	}
	a, err := account.Open(m.t.Context(), account.Options{Region: "eu-central-1"})
	if err != nil {
		m.t.Fatal(err)
	}
	return a
}

// clientFile is what the written client configuration file says.
func (m *machine) clientFile() clientFile {
	m.t.Helper()
	var file clientFile
	if err := json.Unmarshal([]byte(m.read("client_config.json")), &file); err != nil {
		m.t.Fatal(err)
	}
	return file
}

// addUser adds a user with the SDK's calls.
func (m *machine) addUser(owner *account.Account, name, group string) {
	m.t.Helper()
	pool := m.clientFile().Auth.Pool
	calls := []struct {
		action string
		in     map[string]any
	}{
		{"AdminCreateUser", map[string]any{"MessageAction": "SUPPRESS"}},
		{"AdminSetUserPassword", map[string]any{"Password": callPassword, "Permanent": true}},
		{"AdminAddUserToGroup", map[string]any{"GroupName": group}},
	}
	for _, c := range calls {
		if c.action == "AdminAddUserToGroup" && group == "" {
			continue
		}
		c.in["UserPoolId"], c.in["Username"] = pool, name
		if err := owner.Ask(m.t.Context(), account.Users, c.action, c.in, nil); err != nil {
			m.t.Fatal(err)
		}
	}
}

// mappedRoles stands before the recorder, and gives members of a group its role, as the role
// mapping of an identity pool does. The stand-in does not know mappings.
func (m *machine) mappedRoles(owner *account.Account) *httptest.Server {
	m.t.Helper()
	to, err := url.Parse(m.calls.URL)
	if err != nil {
		m.t.Fatal(err)
	}
	pass := &httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) {
		host := p.In.Host
		p.SetURL(to)
		p.Out.Host = host
	}}
	pool := m.clientFile().Auth.Pool
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		var in struct {
			IdentityId string
			Logins     map[string]string
		}
		if !strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".GetCredentialsForIdentity") || json.Unmarshal(body, &in) != nil || groupOf(in.Logins) == "" {
			pass.ServeHTTP(w, r)
			return
		}
		var group struct{ Group struct{ RoleArn string } }
		var open struct{ Token string }
		err := owner.Ask(r.Context(), account.Users, "GetGroup", map[string]any{"UserPoolId": pool, "GroupName": groupOf(in.Logins)}, &group)
		if err == nil {
			err = owner.Ask(r.Context(), account.Identities, "GetOpenIdToken", in, &open)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		answer, err := http.PostForm(m.server.URL, url.Values{
			"Action": {"AssumeRoleWithWebIdentity"}, "Version": {"2011-06-15"}, "RoleArn": {group.Group.RoleArn}, "RoleSessionName": {"member"}, "WebIdentityToken": {open.Token},
		})
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		defer answer.Body.Close()
		var out struct {
			Result struct {
				Credentials struct{ AccessKeyId, SecretAccessKey, SessionToken string }
			} `xml:"AssumeRoleWithWebIdentityResult"`
		}
		if err := xml.NewDecoder(answer.Body).Decode(&out); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		c := out.Result.Credentials
		w.Header().Set("Content-Type", "application/x-amz-json-1.1")
		_ = json.NewEncoder(w).Encode(map[string]any{"IdentityId": in.IdentityId, "Credentials": map[string]any{
			"AccessKeyId": c.AccessKeyId, "SecretKey": c.SecretAccessKey, "SessionToken": c.SessionToken, "Expiration": 4102444800.5,
		}})
	}))
	m.t.Cleanup(front.Close)
	return front
}

// groupOf is the group of the user of an id token; "" for none.
func groupOf(logins map[string]string) string {
	for _, token := range logins {
		var claims struct {
			Groups []string `json:"cognito:groups"`
		}
		if parts := strings.Split(token, "."); len(parts) == 3 {
			text, _ := base64.RawURLEncoding.DecodeString(strings.TrimRight(parts[1], "="))
			if json.Unmarshal(text, &claims) == nil && len(claims.Groups) > 0 {
				return claims.Groups[0]
			}
		}
	}
	return ""
}

// keepsNoSecretOfCalls looks for passwords, tokens and keys in all that the program printed and
// keeps.
func (m *machine) keepsNoSecretOfCalls() {
	m.t.Helper()
	secrets := []string{callPassword, devKey, "ASIA", "eyJ", "AWS4-HMAC"}
	look := func(where, text string) {
		for _, secret := range secrets {
			if strings.Contains(text, secret) {
				m.t.Errorf("%s has %q", where, secret)
			}
		}
	}
	look("what was printed", m.said.String())
	files := 0
	for _, folder := range []string{m.dir, m.state} {
		err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(name)
			files++
			look(name, string(text))
			return err
		})
		if err != nil {
			m.t.Fatal(err)
		}
	}
	if history := m.read(".gatewright/console.json"); !strings.Contains(history, `"signed": "user:bea"`) && !strings.Contains(history, `"signed":"user:bea"`) {
		m.t.Errorf("the history has no call of bea: %.200s", history)
	}
	m.t.Logf("%d files have no secret", files)
}
