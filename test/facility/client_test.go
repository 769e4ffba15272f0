package facility

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"gatewright/test/depth"
	"gatewright/test/program"
	"gatewright/test/registry"
)

// TestTheConfigurationOfAPushConfiguresTheClientLibrary gives the client configuration file
// of a pushed environment, and the code of generate outputs --snippet, to the public client
// library: it compiles with strict types, and a call reaches the endpoint of the REST API.
func TestTheConfigurationOfAPushConfiguresTheClientLibrary(t *testing.T) {
	front := frontEnd(t)
	calls := make(chan string, 1)
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls <- r.Method + " " + r.URL.Path
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"from": "the API"}`)
	}))
	defer api.Close()
	program, backend := program.Built(t), t.TempDir()
	state := t.TempDir()
	gatewright := func(dir string, args ...string) string {
		t.Helper()
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Env = dir, cleanEnvironment("GATEWRIGHT_STATE="+state)
		out, err := cmd.Output()
		if exit, ok := err.(*exec.ExitError); ok {
			t.Fatalf("gatewright %q exits %d: %s", args, exit.ExitCode(), exit.Stderr)
		} else if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}

	gatewright(backend, "init", "--name", "bookshop", "--app-id", "d1bookshop", "--region", "eu-west-1")
	gatewright(backend, "update", "project", "--sandbox-port", portOfServer(t, api))
	gatewright(backend, "add", "function", "books", "--template", "express")
	gatewright(backend, "add", "api", "shop", "--path", "/books", "--function", "books", "--auth", "read")
	// Without guests, a client without a session does not ask for credentials.
	gatewright(backend, "update", "auth", "--unauthenticated-identities-enabled=false", "--username-attributes", "email",
		"--password-policy-min-length", "10", "--mfa-configuration", "OPTIONAL", "--mfa-methods", "TOTP")
	gatewright(backend, "update", "storage", "--cloud-region", "eu-west-1", "--bucket-name", "covers")
	gatewright(backend, "push")
	record := readRecord(t, backend, "dev")

	forms := []struct{ name, dialect, format string }{
		{"amplify, JSON", "amplify", "json"},
		{"amplify, TypeScript", "amplify", "ts"},
		{"neutral, TypeScript", "neutral", "ts"},
		{"neutral, JSON", "neutral", "json"},
	}
	folders := make([]string, len(forms))
	for i, form := range forms {
		folders[i] = fmt.Sprintf("form%d", i)
		snippet := gatewright(front, "generate", "outputs", "--app-id", "d1bookshop", "--branch", "dev",
			"--out-dir", folders[i], "--dialect", form.dialect, "--format", form.format, "--snippet")
		code := strings.Replace(snippet, "// import { get }", "import { get }", 1)
		if code == snippet {
			t.Fatalf("%s: no line calls the API:\n%s", form.name, snippet)
		}
		code += "console.log(JSON.stringify(Amplify.getConfig()));\n"
		code += "console.log(JSON.stringify(await body.json()));\n"
		if err := os.WriteFile(filepath.Join(front, folders[i], "main.ts"), []byte(code), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	checkTypes(t, front, "form0/main.ts", "form1/main.ts", "form2/main.ts", "form3/main.ts")

	endpoint, err := url.Parse(record.APIs[0].URL)
	if err != nil {
		t.Fatal(err)
	}
	for i, form := range forms {
		t.Run(form.name, func(t *testing.T) {
			runTool(t, front, "esbuild", "--bundle", "--platform=node", "--format=esm", "--packages=external", "--log-level=warning",
				folders[i]+"/main.ts", "--outfile="+folders[i]+"/main.mjs")
			cmd := exec.Command("node", folders[i]+"/main.mjs")
			cmd.Dir = front
			var warnings strings.Builder
			cmd.Stderr = &warnings
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v %s %s", err, out, warnings.String())
			}
			parsed, body, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
			if body != `{"from":"the API"}` {
				t.Errorf("the client got %s", body)
			}
			if got, want := <-calls, "GET "+endpoint.Path+"/books"; got != want {
				t.Errorf("the server got %s, want %s", got, want)
			}
			checkAuthConfig(t, parsed, record.Outputs["auth"], "http://"+endpoint.Host)
			if got, want := strings.Contains(parsed, "covers"), form.dialect == "amplify"; got != want {
				t.Errorf("the library knows the bucket: %v, want %v, of %s", got, want, parsed)
			}
		})
	}
}

// checkAuthConfig checks the configuration that the library made of the section auth, with
// the addresses of the pools on this machine.
func checkAuthConfig(t *testing.T, parsed string, auth map[string]any, address string) {
	t.Helper()
	var got struct {
		Auth struct{ Cognito map[string]any }
	}
	if err := json.Unmarshal([]byte(parsed), &got); err != nil {
		t.Fatalf("%v: %s", err, parsed)
	}
	want := map[string]any{
		"userPoolId": auth["user_pool_id"], "userPoolClientId": auth["user_pool_client_id"], "identityPoolId": auth["identity_pool_id"],
		"loginWith":      map[string]any{"email": true, "phone": false, "username": false},
		"passwordFormat": map[string]any{"minLength": 10.0, "requireLowercase": false, "requireUppercase": false, "requireNumbers": false, "requireSpecialCharacters": false},
		"mfa":            map[string]any{"status": "optional", "totpEnabled": true, "smsEnabled": false},
		// Without guests the library has no allowGuestAccess.
		"userPoolEndpoint": address + "/_user-pool", "identityPoolEndpoint": address + "/_identity-pool",
	}
	if !reflect.DeepEqual(got.Auth.Cognito, want) {
		t.Errorf("the library's configuration is %v, want %v", got.Auth.Cognito, want)
	}
}

// deployment is the part of a deployment's record that these tests read.
type deployment struct {
	APIs    []struct{ API, URL string } `json:"apis"`
	Outputs map[string]map[string]any
}

// readRecord reads the record of an environment's last push.
func readRecord(t *testing.T, project, env string) deployment {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(project, ".gatewright", "deployed", env, "record.json"))
	if err != nil {
		t.Fatal(err)
	}
	var record deployment
	if err := json.Unmarshal(text, &record); err != nil {
		t.Fatal(err)
	}
	if len(record.APIs) != 1 {
		t.Fatalf("the record has the APIs %v, want one", record.APIs)
	}
	return record
}

// packages is the package.json of a front end: the client library, the SDK that administers
// users, libraries that verify tokens, a bundler and a compiler.
const packages = `{"private": true, "dependencies": {"aws-amplify": "6.22.1", "@aws-sdk/client-cognito-identity-provider": "3.1000.0", "jose": "6.1.0",
	"aws-jwt-verify": "5.1.1", "esbuild": "0.25.12", "typescript": "5.9.3"}}`

// installed is the folder in which the packages are installed, once for all tests.
var installed struct {
	sync.Once
	folder, output string
	err            error
}

// frontEnd makes a folder with the packages and nothing else.
func frontEnd(t *testing.T) string {
	t.Helper()
	registry.Public(t)
	depth.Needs(t, "node", "npm")
	installed.Do(func() {
		if installed.folder, installed.err = os.MkdirTemp("", "gatewright-packages-"); installed.err != nil {
			return
		}
		if installed.err = os.WriteFile(filepath.Join(installed.folder, "package.json"), []byte(packages), 0o600); installed.err != nil {
			return
		}
		npm := exec.Command("npm", "install", "--no-audit", "--no-fund", "--prefer-offline")
		npm.Dir = installed.folder
		var out []byte
		out, installed.err = npm.CombinedOutput()
		installed.output = string(out)
	})
	if err := installed.err; err != nil {
		depth.Lacks(t, "npm's registry", fmt.Sprint(err, " ", installed.output))
	}
	folder := t.TempDir()
	writeFile(t, filepath.Join(folder, "package.json"), packages)
	if err := os.Symlink(filepath.Join(installed.folder, "node_modules"), filepath.Join(folder, "node_modules")); err != nil {
		t.Fatal(err)
	}
	return folder
}

// runTool runs a program of the front end's packages.
func runTool(t *testing.T, folder, program string, args ...string) {
	t.Helper()
	cmd := exec.Command(filepath.Join(folder, "node_modules", ".bin", program), args...)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v %s", program, err, out)
	}
}

func portOfServer(t *testing.T, server *httptest.Server) string {
	t.Helper()
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// cleanEnvironment returns more and the variables PATH and HOME, without those that a build
// server sets; the temporary folder is that of the test, which looks there for workers.
func cleanEnvironment(more ...string) []string {
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "TMPDIR=" + os.TempDir()}
	return slices.Concat(env, registry.Inherited(), more)
}
