package prepare

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gatewright/internal/file"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare/preparetest"
)

// TestWhatPreparesASourceGetsWhatItNeedsAndNoSecret is about npm, pip and go, and about the scripts
// that they start.
func TestWhatPreparesASourceGetsWhatItNeedsAndNoSecret(t *testing.T) {
	needed := []string{
		"HTTPS_PROXY=http://proxy:3128", "no_proxy=local", "NODE_EXTRA_CA_CERTS=/ca.pem", "SSL_CERT_FILE=/ca.pem", "LANG=C.UTF-8",
		"npm_config_registry=https://npm.example.com/", "NPM_CONFIG_CAFILE=/ca.pem", "npm_config_cache=/cache", "YARN_HTTPS_CA_FILE_PATH=/ca.pem",
		"ELECTRON_MIRROR=https://mirror.example.com/", "TMPDIR=" + os.TempDir(), "SSH_AUTH_SOCK=/agent", "LC_ALL=C.UTF-8",
	}
	secret := []string{
		"AWS_SECRET_ACCESS_KEY=s", "AWS_SESSION_TOKEN=s", "AWS_PROFILE=s", "GITHUB_TOKEN=s", "NPM_TOKEN=s", "DATABASE_URL=s", "npm_config__auth=s",
		"npm_config__authToken=s", "npm_config_//npm.example.com/:_authToken=s", "npm_config_//npm.example.com/:_password=s", "npm_config_otp=s",
		"npm_config_key=s", "YARN_NPM_AUTH_TOKEN=s", "BUN_CONFIG_TOKEN=s", "npm_config_proxy=http://me:secret@proxy", "COREPACK_NPM_TOKEN=s",
		"GOOGLE_APPLICATION_CREDENTIALS=s", "PIP_INDEX_URL=https://me:secret@pip.example.com/", "GOPROXY=https://me:secret@go.example.com", "GATEWRIGHT_TEST_MARK=s",
	}
	for _, pair := range append(needed, secret...) {
		name, value, _ := strings.Cut(pair, "=")
		t.Setenv(name, value)
	}
	folder, log := t.TempDir(), filepath.Join(t.TempDir(), "new", "tool.log")
	var heard []string
	lines, err := tool{
		command: []string{preparetest.TestProgram()}, dir: folder, log: log, env: []string{preparetest.ProgramVariable + "=inherits", "GATEWRIGHT_TEST_MARK=of the tool"},
		onLine: func(line string) { heard = append(heard, line) },
	}.run(t.Context())
	if err != nil || len(lines) != 1 {
		t.Fatalf("it says %q, %v", lines, err)
	}
	var got preparetest.Inheritance
	if err := json.Unmarshal([]byte(lines[0]), &got); err != nil {
		t.Fatalf("%s: %v", lines[0], err)
	}
	for _, want := range append(needed, "GATEWRIGHT_TEST_MARK=of the tool", "PATH="+os.Getenv("PATH")) {
		if !slices.Contains(got.Environment, want) {
			t.Errorf("it lacks %s", want)
		}
	}
	for _, pair := range secret {
		if slices.Contains(got.Environment, pair) {
			t.Errorf("it has %s", pair)
		}
	}
	if got.Folder != file.RealPath(folder) || got.Input != "" {
		t.Errorf("it runs in %s and reads %q", got.Folder, got.Input)
	}
	if runtime.GOOS == "linux" && !slices.Equal(got.Files, []string{"0", "1", "2"}) {
		t.Errorf("its files are %q", got.Files)
	}
	text, err := os.ReadFile(log)
	if err != nil || string(text) != lines[0]+"\n" || !slices.Equal(heard, lines) {
		t.Errorf("its log has %q, %v; heard was %q", text, err, heard)
	}
}

func TestTheFirstWordOfAMissingNetworkIsFound(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a\nnpm error code ENOTFOUND\nno such host": "ENOTFOUND", "dial tcp: lookup x: no such host": "no such host", "ok\nfine": "", "": "", "x: connect: connection refused": "connection refused",
	} {
		if got := offline(strings.Split(text, "\n")); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := howItEnded(os.ErrNotExist); got != "file does not exist" {
		t.Errorf("an end that is none is %q", got)
	}
}

// TestOnlyWhatFetchesPackagesHasTheCredentialsOfRegistries is about tokens that a .npmrc names: the
// scripts of packages run without them.
func TestOnlyWhatFetchesPackagesHasTheCredentialsOfRegistries(t *testing.T) {
	preparetest.NeedsProgram(t, "npm")
	t.Setenv("GITHUB_TOKEN", "secret of the registry")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret of the cloud")
	t.Setenv("OTHER_TOKEN", "secret of the shell")
	seen := filepath.Join(t.TempDir(), "seen")
	folder := t.TempDir()
	r := preparetest.NewRegistry(t, map[string][]string{"tells": {"1.0.0"}})
	t.Setenv("npm_config_tells", seen)
	preparetest.WriteFiles(t, folder, map[string]string{
		"package.json": `{"dependencies":{"tells":"*"}}`,
		".npmrc":       r.Npmrc() + "//npm.example.com/:_authToken=${GITHUB_TOKEN}\n//other/:_authToken=${AWS_SECRET_ACCESS_KEY}\n",
	})
	wanted, err := readPackages(folder, "", false)
	if err != nil {
		t.Fatal(err)
	}
	p := NewPreparer(t.TempDir(), t.TempDir(), func(function.Event) {}, nil)
	found, err := p.cached(t.Context(), &function.Spec{Name: "f"}, wanted)
	if err != nil {
		t.Fatal(err)
	}
	ran, err := os.ReadFile(seen)
	if err != nil {
		t.Fatal(err)
	}
	// npm itself does not tell.
	fetched, err := os.ReadFile(filepath.Join(found.folder, preparetest.NpmRan))
	if preparetest.StandsIn && err != nil {
		t.Fatal(err)
	}
	for text, wants := range map[string]int{"secret of the registry": 1, "secret of the cloud": 0, "secret of the shell": 0} {
		if got := strings.Count(string(fetched), text); preparetest.StandsIn && got != wants {
			t.Errorf("what fetches packages has %q %d times", text, got)
		}
		if strings.Contains(string(ran), text) {
			t.Errorf("a script has %q", text)
		}
	}
}
