package facility

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// echo is a handler function that answers with what it was told of the caller.
const echo = `exports.handler = async (event) => ({
  statusCode: 200,
  headers: { "Content-Type": "application/json", "Access-Control-Allow-Origin": "*" },
  body: JSON.stringify({
    path: event.path, pathParameters: event.pathParameters, query: event.multiValueQueryStringParameters,
    identity: event.requestContext.identity, authorizer: event.requestContext.authorizer,
  }),
});
`

// TestTheRealClientSignsUpSignsInAndIsLetIn runs a whole session of the public
// client library against the sandbox (testdata/client/session.mjs), once with each
// of the dialects. Nothing configures it but the client configuration file and the
// lines of generate outputs --snippet.
func TestTheRealClientSignsUpSignsInAndIsLetIn(t *testing.T) {
	front := frontEnd(t)
	f := signedFacility(t)
	for _, form := range []struct{ name, dialect, format, user string }{
		{"the specification's words", "neutral", "json", "emma@example.com"},
		{"the words of the library", "amplify", "ts", "o'hara+test@example.com"},
	} {
		t.Run(form.name, func(t *testing.T) {
			folder := form.dialect
			snippet := f.does(0, "generate", "outputs", "--env", "dev", "--out-dir", filepath.Join(front, folder), "--dialect", form.dialect, "--format", form.format, "--snippet")
			_, snippet, _ = strings.Cut(snippet, "import ")
			writes(t, filepath.Join(front, folder, "config.ts"), "import "+snippet)
			strict(t, front, folder+"/config.ts")
			driven := &drivenClient{t: t, facility: f, taken: make(map[string]int)}
			driven.runs(front, folder, "session.mjs", form.user)
			if len(driven.secrets) < 20 {
				t.Errorf("the session has %d secrets only", len(driven.secrets))
			}
			f.keepsSecret(t, driven.secrets)
		})
	}
	f.ends(os.Interrupt, 0)
}

// TestAnSDKAdministersUsers has the AWS SDK for JavaScript do what needs no
// client: it signs with any credentials, and nobody does without
// (testdata/client/admin.mjs).
func TestAnSDKAdministersUsers(t *testing.T) {
	front := frontEnd(t)
	f := signedFacility(t)
	f.does(0, "generate", "outputs", "--env", "dev", "--out-dir", filepath.Join(front, "admin"))
	writes(t, filepath.Join(front, "admin", "config.ts"), "export {};\n")
	driven := &drivenClient{t: t, facility: f, taken: make(map[string]int)}
	driven.runs(front, "admin", "admin.mjs", f.address, filepath.Join(front, "admin", "client_config.json"))
	f.keepsSecret(t, driven.secrets)
	f.ends(os.Interrupt, 0)
}

// TestBrowsersAreLetThroughToThePools sends the preflights that a browser sends
// before the requests of the client library (research/outputs-file.md 5.4), and
// requests whose refusal a page must be able to read.
func TestBrowsersAreLetThroughToThePools(t *testing.T) {
	f := signedFacility(t)
	for _, tt := range []struct{ url, method, headers string }{
		{f.address + "/_user-pool", "POST", "cache-control,content-type,x-amz-target,x-amz-user-agent,amz-sdk-invocation-id,amz-sdk-request"},
		{f.address + "/_identity-pool", "POST", "cache-control,content-type,x-amz-target,x-amz-user-agent,amz-sdk-invocation-id,amz-sdk-request"},
		{f.endpoint + "/notes/1", "PUT", "authorization,content-type,x-amz-date,x-amz-security-token"},
	} {
		request, err := http.NewRequest(http.MethodOptions, tt.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Origin", "http://localhost:5173")
		request.Header.Set("Access-Control-Request-Method", tt.method)
		request.Header.Set("Access-Control-Request-Headers", tt.headers)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		header := response.Header
		if response.StatusCode != http.StatusOK || header.Get("Access-Control-Allow-Origin") != "*" || !listed(header, "Access-Control-Allow-Methods", tt.method) {
			t.Errorf("%s answers %d with %v", tt.url, response.StatusCode, header)
		}
		for wanted := range strings.SplitSeq(tt.headers, ",") {
			if !listed(header, "Access-Control-Allow-Headers", wanted) {
				t.Errorf("%s does not allow %s: %v", tt.url, wanted, header)
			}
		}
	}
	for url, target := range map[string]string{
		f.address + "/_user-pool":     "AWSCognitoIdentityProviderService.GetUser",
		f.address + "/_identity-pool": "AWSCognitoIdentityService.GetCredentialsForIdentity",
		f.endpoint + "/notes/1":       "none",
	} {
		request, err := http.NewRequest(http.MethodPost, url, strings.NewReader(`{"AccessToken": "none", "IdentityId": "none"}`))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Origin", "http://localhost:5173")
		request.Header.Set("X-Amz-Target", target)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		header := response.Header
		if response.StatusCode < 400 || header.Get("Access-Control-Allow-Origin") != "*" || !listed(header, "Access-Control-Expose-Headers", "x-amzn-ErrorType") || header.Get("X-Amzn-Errortype") == "" {
			t.Errorf("%s answers %d with %v", url, response.StatusCode, header)
		}
	}
	f.ends(os.Interrupt, 0)
}

// listed reports whether a header lists a word.
func listed(header http.Header, name, word string) bool {
	return slices.ContainsFunc(strings.Split(header.Get(name), ","), func(item string) bool {
		return strings.EqualFold(strings.TrimSpace(item), word)
	})
}

// signedFacility serves a project with paths of every setting, a group, a nested
// path and a user pool. It is pushed with the port that it is served at.
func signedFacility(t *testing.T) *facility {
	t.Helper()
	f := newFacility(t)
	f.does(0, "add", "function", "echo", "--template", "plain")
	writes(t, filepath.Join(f.dir, "backend", "function", "echo", "src", "index.js"), echo)
	f.does(0, "add", "group", "Admins")
	f.does(0, "add", "api", "shop", "--path", "/open", "--function", "echo")
	f.does(0, "add", "path", "shop", "/books", "--function", "echo", "--auth", "create,read,update", "--guest", "read", "--group", "Admins=read,delete")
	f.does(0, "add", "path", "shop", "/books/{isbn}", "--function", "echo", "--auth", "read")
	f.does(0, "add", "path", "shop", "/staff", "--function", "echo", "--group", "Admins=all")
	f.does(0, "add", "path", "shop", "/notes", "--function", "echo", "--auth", "all")
	f.does(0, "update", "auth", "--username-attributes", "email", "--standard-required-attributes", "email,name", "--user-verification-types", "email",
		"--password-policy-min-length", "10", "--password-policy-require-numbers", "--password-policy-require-lowercase",
		"--password-policy-require-uppercase", "--password-policy-require-symbols", "--mfa-configuration", "OPTIONAL", "--mfa-methods", "TOTP")
	f.serve()
	port := f.address[strings.LastIndexByte(f.address, ':')+1:]
	f.does(0, "update", "project", "--sandbox-port", port)
	f.does(0, "push")
	return f
}

// drivenClient is a script in Node.js that asks for what only somebody at the
// sandbox can do.
type drivenClient struct {
	t        *testing.T
	facility *facility
	// taken counts the codes that it was given, by what they are for.
	taken   map[string]int
	secrets []string
}

// runs bundles a script of testdata/client behind config.ts of the folder, and
// runs it until it says that it is done.
func (c *drivenClient) runs(front, folder, script string, args ...string) {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "client", script))
	if err != nil {
		c.t.Fatal(err)
	}
	writes(c.t, filepath.Join(front, folder, script), string(text))
	writes(c.t, filepath.Join(front, folder, "main.mjs"), fmt.Sprintf("import './config.ts';\nimport './%s';\n", script))
	inFront(c.t, front, "esbuild", "--bundle", "--platform=node", "--format=esm", "--packages=external", "--log-level=warning",
		folder+"/main.mjs", "--outfile="+folder+"/bundle.mjs")
	cmd := exec.Command("node", append([]string{folder + "/bundle.mjs"}, args...)...)
	cmd.Dir = front
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	late := time.AfterFunc(2*longest, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	step := c.talks(out, in)
	if err := cmd.Wait(); err != nil || step != "done" {
		c.t.Fatalf("at the step %q: %v %s\nthe sandbox says\n%s", step, err, said.String(), c.facility.said())
	}
}

// talks answers what the script asks, and gives the last step that it told of.
func (c *drivenClient) talks(out io.Reader, in io.Writer) (step string) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line struct{ Step, Secret, Ask, User, Purpose, Group string }
		if json.Unmarshal(lines.Bytes(), &line) != nil {
			continue
		}
		answer := "done"
		switch {
		case line.Step != "":
			step = line.Step
			continue
		case line.Secret != "":
			c.secrets = append(c.secrets, line.Secret)
			continue
		case line.Ask == "code":
			answer = c.code(line.Purpose, line.User)
		case line.Ask == "group":
			c.facility.does(0, "user", "groups", line.User, "--add", line.Group)
		}
		if _, err := fmt.Fprintln(in, answer); err != nil {
			c.t.Errorf("the script does not listen: %v", err)
		}
	}
	return step
}

// code is the next code that the sandbox shows for a user.
func (c *drivenClient) code(purpose, user string) string {
	c.t.Helper()
	shown := regexp.MustCompile(`the code for the ` + purpose + ` of \S+ is (\d{6}).*` + regexp.QuoteMeta(user))
	key := purpose + " " + user
	for begin := time.Now(); time.Since(begin) < longest; time.Sleep(10 * time.Millisecond) {
		if found := shown.FindAllStringSubmatch(c.facility.said(), -1); len(found) > c.taken[key] {
			c.taken[key] = len(found)
			return found[len(found)-1][1]
		}
	}
	c.t.Errorf("no code for the %s of %s is shown:\n%s", purpose, user, c.facility.said())
	return ""
}

// keepsSecret checks that no secret is in what the sandbox says and keeps.
func (f *facility) keepsSecret(t *testing.T, secrets []string) {
	t.Helper()
	kept := map[string]string{"the output": f.said()}
	err := filepath.WalkDir(f.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		kept[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(kept) < 10 {
		t.Errorf("only %d files are there to be looked at", len(kept))
	}
	for _, secret := range secrets {
		for place, text := range kept {
			if strings.Contains(text, secret) {
				t.Errorf("%s has the secret %q", place, secret)
			}
		}
	}
}

// strict has the compiler check a file of the front end's strictly.
func strict(t *testing.T, front string, files ...string) {
	t.Helper()
	inFront(t, front, "tsc", append([]string{
		"--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--skipLibCheck", "--target", "es2022", "--module", "esnext",
		"--moduleResolution", "bundler", "--resolveJsonModule",
	}, files...)...)
}

func writes(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
