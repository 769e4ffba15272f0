//go:build unix

package facility

import (
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gatewright/test/program"
	"gatewright/test/standin"
)

// TestTheClientLibraryUsesAnEnvironmentInTheCloud deploys an environment to the stand-in, and
// runs the public client library with nothing but the file that was written
// (testdata/client/cloud.mjs), once with each dialect.
func TestTheClientLibraryUsesAnEnvironmentInTheCloud(t *testing.T) {
	const region = "eu-central-1"
	// The stand-in knows APIs by the hosts that they have in the cloud.
	server := standin.Start(t, region, "MINISTACK_HOST="+region+".amazonaws.com")
	front, dir, state := frontEnd(t), t.TempDir(), t.TempDir()
	gatewright := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(program.Built(t), args...)
		cmd.Dir, cmd.Env = dir, cleanEnvironment("GATEWRIGHT_STATE="+state, "AWS_ENDPOINT_URL="+server.URL,
			"AWS_ACCESS_KEY_ID="+standin.Account, "AWS_SECRET_ACCESS_KEY=x", "GORACE=atexit_sleep_ms=0")
		var problems strings.Builder
		cmd.Stderr = &problems
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("gatewright %q: %v %s", args, err, problems.String())
		}
		return string(out)
	}
	gatewright("init", "--name", "shop", "--app-id", "d1shop", "--region", region)
	gatewright("add", "group", "Admins")
	for _, name := range []string{"items", "news", "drafts"} {
		gatewright("add", "function", name, "--template", "plain")
	}
	gatewright("add", "api", "shop", "--path", "/items", "--function", "items", "--auth", "all", "--guest", "read")
	gatewright("add", "path", "shop", "/news", "--function", "news", "--open")
	gatewright("add", "path", "shop", "/drafts", "--function", "drafts", "--group", "Admins=all")
	gatewright("update", "env", "dev", "--provider", "aws", "--account", standin.Account)
	gatewright("push", "--yes")
	endpoint, err := url.Parse(readRecord(t, dir, "dev").APIs[0].URL)
	if err != nil {
		t.Fatal(err)
	}

	script, err := os.ReadFile(filepath.Join("..", "..", "testdata", "client", "cloud.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []struct{ dialect, format string }{{"neutral", "json"}, {"amplify", "ts"}} {
		t.Run(form.dialect, func(t *testing.T) {
			folder := filepath.Join(front, form.dialect)
			snippet := gatewright("generate", "outputs", "--env", "dev", "--out-dir", folder, "--dialect", form.dialect, "--format", form.format, "--snippet")
			_, snippet, _ = strings.Cut(snippet, "import ")
			writeFile(t, filepath.Join(folder, "config.ts"), "import "+snippet)
			writeFile(t, filepath.Join(folder, "cloud.mjs"), string(script))
			writeFile(t, filepath.Join(folder, "main.mjs"), "import './config.ts';\nimport './cloud.mjs';\n")
			checkTypes(t, front, form.dialect+"/config.ts")
			runTool(t, front, "esbuild", "--bundle", "--platform=node", "--format=esm", "--packages=external", "--log-level=warning",
				form.dialect+"/main.mjs", "--outfile="+form.dialect+"/bundle.mjs")
			cmd := exec.Command("node", form.dialect+"/bundle.mjs", server.URL, standin.Account)
			cmd.Dir = front
			var problems strings.Builder
			cmd.Stderr = &problems
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v %s", err, problems.String())
			}
			type answers struct{ News, Items, Create, Drafts any }
			var got struct {
				Guest, User answers
				Hosts       []string
			}
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			// A function answers a request that may be made with 200.
			if want := (answers{200., 200., 403., 403.}); !reflect.DeepEqual(got.Guest, want) {
				t.Errorf("a guest is answered %v, want %v", got.Guest, want)
			}
			if want := (answers{200., 200., 200., 403.}); !reflect.DeepEqual(got.User, want) {
				t.Errorf("a user is answered %v, want %v", got.User, want)
			}
			want := []string{"cognito-identity." + region + ".amazonaws.com", "cognito-idp." + region + ".amazonaws.com", endpoint.Host}
			slices.Sort(want)
			if !slices.Equal(got.Hosts, want) {
				t.Errorf("the library called %v, want %v", got.Hosts, want)
			}
		})
	}
}
