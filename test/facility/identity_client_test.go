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

	"gatewright/test/await"
	"gatewright/test/depth"
)

// echo is a handler function that returns the parts of the event that depend on the caller.
const echo = `exports.handler = async (event) => ({
  statusCode: 200,
  headers: { "Content-Type": "application/json", "Access-Control-Allow-Origin": "*" },
  body: JSON.stringify({
    path: event.path, pathParameters: event.pathParameters, query: event.multiValueQueryStringParameters,
    identity: event.requestContext.identity, authorizer: event.requestContext.authorizer,
  }),
});
`

// TestTheClientLibrarySignsUpAndSignsIn runs a whole session of the public client library
// against the sandbox (testdata/client/session.mjs), once with each dialect. Only the client
// configuration file and the code of generate outputs --snippet configure it.
func TestTheClientLibrarySignsUpAndSignsIn(t *testing.T) {
	front := frontEnd(t)
	f := signedFacility(t)
	for _, form := range []struct{ name, dialect, format, user string }{
		{"neutral", "neutral", "json", "emma@example.com"},
		{"amplify", "amplify", "ts", "o'hara+test@example.com"},
	} {
		t.Run(form.name, func(t *testing.T) {
			folder := form.dialect
			snippet := f.run(0, "generate", "outputs", "--env", "dev", "--out-dir", filepath.Join(front, folder), "--dialect", form.dialect, "--format", form.format, "--snippet")
			_, snippet, _ = strings.Cut(snippet, "import ")
			writeFile(t, filepath.Join(front, folder, "config.ts"), "import "+snippet)
			checkTypes(t, front, folder+"/config.ts")
			script := &clientScript{t: t, facility: f, taken: make(map[string]int)}
			script.run(front, folder, "session.mjs", form.user)
			if len(script.secrets) < 20 {
				t.Errorf("the session has %d secrets only", len(script.secrets))
			}
			f.checkSecrets(t, script.secrets)
		})
	}
	f.stop(os.Interrupt, 0)
}

// TestAnSDKAdministersUsers administers users with the AWS SDK for JavaScript. It signs with
// any credentials; requests without a signature are refused (testdata/client/admin.mjs).
func TestAnSDKAdministersUsers(t *testing.T) {
	front := frontEnd(t)
	f := signedFacility(t)
	f.run(0, "generate", "outputs", "--env", "dev", "--out-dir", filepath.Join(front, "admin"))
	writeFile(t, filepath.Join(front, "admin", "config.ts"), "export {};\n")
	script := &clientScript{t: t, facility: f, taken: make(map[string]int)}
	script.run(front, "admin", "admin.mjs", f.address, filepath.Join(front, "admin", "client_config.json"))
	f.checkSecrets(t, script.secrets)
	f.stop(os.Interrupt, 0)
}

// TestPoolsAnswerPreflightsOfBrowsers sends the preflights that a browser sends before
// requests of the client library, and requests whose error a page must be able to read.
func TestPoolsAnswerPreflightsOfBrowsers(t *testing.T) {
	t.Parallel()
	depth.Gate(t)
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
		if response.StatusCode != http.StatusOK || header.Get("Access-Control-Allow-Origin") != "*" || !headerLists(header, "Access-Control-Allow-Methods", tt.method) {
			t.Errorf("%s answers %d with %v", tt.url, response.StatusCode, header)
		}
		for wanted := range strings.SplitSeq(tt.headers, ",") {
			if !headerLists(header, "Access-Control-Allow-Headers", wanted) {
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
		if response.StatusCode < 400 || header.Get("Access-Control-Allow-Origin") != "*" || !headerLists(header, "Access-Control-Expose-Headers", "x-amzn-ErrorType") || header.Get("X-Amzn-Errortype") == "" {
			t.Errorf("%s answers %d with %v", url, response.StatusCode, header)
		}
	}
	f.stop(os.Interrupt, 0)
}

// headerLists reports whether a header lists a word.
func headerLists(header http.Header, name, word string) bool {
	return slices.ContainsFunc(strings.Split(header.Get(name), ","), func(item string) bool {
		return strings.EqualFold(strings.TrimSpace(item), word)
	})
}

// signedFacility serves a project with paths of every mode of access, a group, a nested path
// and a user pool. The project is pushed with the port of the sandbox.
func signedFacility(t *testing.T) *facility {
	t.Helper()
	f := newFacility(t)
	f.run(0, "add", "function", "echo", "--template", "plain")
	writeFile(t, filepath.Join(f.dir, "backend", "function", "echo", "src", "index.js"), echo)
	f.run(0, "add", "group", "Admins")
	f.run(0, "add", "api", "shop", "--path", "/open", "--function", "echo")
	f.run(0, "add", "path", "shop", "/books", "--function", "echo", "--auth", "create,read,update", "--guest", "read", "--group", "Admins=read,delete")
	f.run(0, "add", "path", "shop", "/books/{isbn}", "--function", "echo", "--auth", "read")
	f.run(0, "add", "path", "shop", "/staff", "--function", "echo", "--group", "Admins=all")
	f.run(0, "add", "path", "shop", "/notes", "--function", "echo", "--auth", "all")
	f.run(0, "update", "auth", "--auth-flows", "srp,password,choice", "--username-attributes", "email", "--standard-required-attributes", "email,name", "--user-verification-types", "email",
		"--password-policy-min-length", "10", "--password-policy-require-numbers", "--password-policy-require-lowercase",
		"--password-policy-require-uppercase", "--password-policy-require-symbols", "--mfa-configuration", "OPTIONAL", "--mfa-methods", "TOTP")
	f.servePushed()
	return f
}

// servePushed starts the sandbox, and pushes with its address.
func (f *facility) servePushed() {
	f.t.Helper()
	f.serve()
	port := f.address[strings.LastIndexByte(f.address, ':')+1:]
	f.run(0, "update", "project", "--sandbox-port", port)
	f.run(0, "push")
}

// clientScript is a Node.js script, which asks this test for what only the user of the
// sandbox can do: to read a code, to add a user to a group.
type clientScript struct {
	t        *testing.T
	facility *facility
	// taken counts the codes that the script was given, by purpose and user.
	taken   map[string]int
	secrets []string
}

// run bundles a script of testdata/client with config.ts of the folder, and runs it until it
// says that it is done.
func (c *clientScript) run(front, folder, script string, args ...string) {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "client", script))
	if err != nil {
		c.t.Fatal(err)
	}
	writeFile(c.t, filepath.Join(front, folder, script), string(text))
	writeFile(c.t, filepath.Join(front, folder, "main.mjs"), fmt.Sprintf("import './config.ts';\nimport './%s';\n", script))
	runTool(c.t, front, "esbuild", "--bundle", "--platform=node", "--format=esm", "--packages=external", "--log-level=warning",
		folder+"/main.mjs", "--outfile="+folder+"/bundle.mjs")
	cmd := exec.Command("node", append([]string{folder + "/bundle.mjs"}, args...)...)
	cmd.Dir = front
	var stderr strings.Builder
	cmd.Stderr = &stderr
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
	late := time.AfterFunc(2*await.Limit(c.t), func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	step := c.answer(out, in)
	if err := cmd.Wait(); err != nil || step != "done" {
		c.t.Fatalf("at the step %q: %v %s\nthe sandbox prints\n%s", step, err, stderr.String(), c.facility.output())
	}
}

// answer answers the questions of the script, and returns the last step that it named.
func (c *clientScript) answer(out io.Reader, in io.Writer) (step string) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line struct{ Step, Secret, Ask, User, Purpose, Group string }
		if json.Unmarshal(lines.Bytes(), &line) != nil {
			continue
		}
		reply := "done"
		switch {
		case line.Step != "":
			step = line.Step
			continue
		case line.Secret != "":
			c.secrets = append(c.secrets, line.Secret)
			continue
		case line.Ask == "code":
			reply = c.code(line.Purpose, line.User)
		case line.Ask == "group":
			c.facility.run(0, "user", "groups", line.User, "--add", line.Group)
		}
		if _, err := fmt.Fprintln(in, reply); err != nil {
			c.t.Errorf("the script does not read the answer: %v", err)
		}
	}
	return step
}

// code returns the next code that the sandbox prints for a user.
func (c *clientScript) code(purpose, user string) string {
	c.t.Helper()
	shown := regexp.MustCompile(`the code for the ` + purpose + ` of \S+ is (\d{6}).*` + regexp.QuoteMeta(user))
	key := purpose + " " + user
	var found [][]string
	await.Until(c.t, "a code for the "+purpose+" of "+user, func() bool {
		found = shown.FindAllStringSubmatch(c.facility.output(), -1)
		return len(found) > c.taken[key]
	})
	c.taken[key] = len(found)
	return found[len(found)-1][1]
}

// checkSecrets checks that no secret is in the output of the sandbox or in a file.
func (f *facility) checkSecrets(t *testing.T, secrets []string) {
	t.Helper()
	places := map[string]string{"the output": f.output()}
	err := filepath.WalkDir(f.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		places[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(places) < 10 {
		t.Errorf("only %d files were read", len(places))
	}
	for _, secret := range secrets {
		for place, text := range places {
			if strings.Contains(text, secret) {
				t.Errorf("%s has the secret %q", place, secret)
			}
		}
	}
}

// checkTypes compiles files of the front end with strict types.
func checkTypes(t *testing.T, front string, files ...string) {
	t.Helper()
	runTool(t, front, "tsc", append([]string{
		"--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--skipLibCheck", "--target", "es2022", "--module", "esnext",
		"--moduleResolution", "bundler", "--resolveJsonModule",
	}, files...)...)
}

func writeFile(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
