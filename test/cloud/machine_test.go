//go:build unix

package cloud

import (
	"encoding/json"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gatewright/test/depth"
	"gatewright/test/program"
	"gatewright/test/standin"
)

// The accounts of the environments, and what must be nowhere but where it belongs.
const (
	devAccount, prodAccount = standin.Account, "222222222222"
	devProfile, prodProfile = "profile-of-dev", "profile-of-prod"
	devKey, prodKey         = "key-of-dev", "key-of-prod"
)

// profiles is the file of the AWS command line with the credentials of both accounts.
const profiles = "[" + devProfile + "]\naws_access_key_id = " + devAccount + "\naws_secret_access_key = " + devKey + "\n" +
	"[" + prodProfile + "]\naws_access_key_id = " + prodAccount + "\naws_secret_access_key = " + prodKey + "\n"

// machine is a machine with the program and a folder for a project. All calls of the program
// go through a recorder to the stand-in; those of another host fall into the trap.
type machine struct {
	t      *testing.T
	server standin.Server
	calls  *standin.Recorder
	trap   *standin.Trap
	// dir is the project's folder, state that of the program, home that of the person.
	dir, state, home string
	// extra are more variables, which replace those of the machine.
	extra []string
	// said is all that the program has printed, seen all calls that were taken.
	said *strings.Builder
	seen *[]standin.Call
}

// newMachine makes a machine with an empty folder. Its stand-in is its own.
func newMachine(t *testing.T) *machine {
	t.Helper()
	depth.Whole(t)
	server := standin.Start(t, "eu-central-1")
	m := &machine{
		t: t, server: server, calls: standin.Record(t, server), trap: standin.SetTrap(t),
		dir: t.TempDir(), state: t.TempDir(), home: t.TempDir(), said: &strings.Builder{}, seen: new([]standin.Call),
	}
	m.write(filepath.Join(m.home, "credentials"), profiles)
	t.Cleanup(func() {
		if n := m.trap.Count(); n > 0 {
			t.Errorf("the program called %d times another host than the endpoint", n)
		}
	})
	return m
}

// another returns a machine with a copy of the project as version control has it: without what
// is kept on this machine.
func (m *machine) another() *machine {
	m.t.Helper()
	other := *m
	other.dir, other.state = m.t.TempDir(), m.t.TempDir()
	err := filepath.WalkDir(m.dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		at, err := filepath.Rel(m.dir, name)
		switch {
		case err != nil:
			return err
		case entry.Name() == ".gatewright" || entry.Name() == "client_config.json":
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(other.dir, at), 0o755)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(other.dir, at), text, 0o644)
	})
	if err != nil {
		m.t.Fatal(err)
	}
	return &other
}

// environment are the variables of the program.
func (m *machine) environment() []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + m.home, "GATEWRIGHT_STATE=" + m.state, "AWS_ENDPOINT_URL=" + m.calls.URL,
		"AWS_SHARED_CREDENTIALS_FILE=" + filepath.Join(m.home, "credentials"), "AWS_CONFIG_FILE=" + filepath.Join(m.home, "none"),
		// A program with the race detector waits a second before it ends.
		"GORACE=atexit_sleep_ms=0",
	}
	return append(env, m.trap.Environment()...)
}

// of is the machine for a subtest.
func (m *machine) of(t *testing.T) *machine {
	sub := *m
	sub.t = t
	return &sub
}

// with is the machine with more variables.
func (m *machine) with(variables ...string) *machine {
	sub := *m
	sub.extra = variables
	return &sub
}

// try runs the program, and returns what it prints and its exit code.
func (m *machine) try(args ...string) (out, problems string, code int) {
	m.t.Helper()
	cmd := exec.Command(program.Built(m.t), args...)
	cmd.Dir, cmd.Env = m.dir, append(m.environment(), m.extra...)
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		m.t.Fatal(err)
	}
	m.said.WriteString(stdout.String() + stderr.String())
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// run runs the program, which must end with the exit code, and returns what it prints.
func (m *machine) run(code int, args ...string) (out, problems string) {
	m.t.Helper()
	out, problems, got := m.try(args...)
	if got != code {
		m.t.Fatalf("gatewright %q exits with %d, and should with %d:\n%s\n%s", args, got, code, out, problems)
	}
	return out, problems
}

// take returns the calls since it was last called.
func (m *machine) take() []standin.Call {
	calls := m.calls.Take()
	*m.seen = append(*m.seen, calls...)
	return calls
}

// must runs commands that succeed, one a line. Their words have no spaces.
func (m *machine) must(commands string) {
	m.t.Helper()
	for line := range strings.Lines(commands) {
		if words := strings.Fields(line); len(words) > 0 {
			m.run(0, words...)
		}
	}
}

func (m *machine) write(name, text string) {
	m.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		m.t.Fatal(err)
	}
}

// read reads a file of the project.
func (m *machine) read(name string) string {
	m.t.Helper()
	text, err := os.ReadFile(filepath.Join(m.dir, name))
	if err != nil {
		m.t.Fatal(err)
	}
	return string(text)
}

// clientFile is what the written client configuration file says of the environment.
type clientFile struct {
	Auth struct {
		Region     string `json:"cloud_region"`
		Pool       string `json:"user_pool_id"`
		Client     string `json:"user_pool_client_id"`
		Identities string `json:"identity_pool_id"`
	}
	Custom struct {
		API map[string]struct{ Endpoint, Region string }
	}
}

// send sends requests to the API shop of the environment that the client configuration file is
// for, and finds all that it needs in that file.
func (m *machine) send(account string, requests ...request) []answer {
	m.t.Helper()
	var file clientFile
	if err := json.Unmarshal([]byte(m.read("client_config.json")), &file); err != nil {
		m.t.Fatal(err)
	}
	endpoint, err := url.Parse(file.Custom.API["shop"].Endpoint)
	if err != nil {
		m.t.Fatal(err)
	}
	id, host, _ := strings.Cut(endpoint.Host, ".")
	if want := "execute-api." + file.Custom.API["shop"].Region + ".amazonaws.com"; host != want || endpoint.Scheme != "https" {
		m.t.Fatalf("the endpoint is %s, and its host should end with %s", endpoint, want)
	}
	s := session{
		Endpoint: m.server.URL, Region: file.Auth.Region, Account: account, Routed: account != standin.Account, API: id, Pool: file.Auth.Pool, Client: file.Auth.Client,
		Identities: file.Auth.Identities, Stage: strings.TrimPrefix(endpoint.Path, "/"), Group: "Admins", Requests: requests,
	}
	return s.send(m.t, m.server)
}

// can asks the program whether somebody may send a request.
func (m *machine) can(r request) bool {
	m.t.Helper()
	who := map[string]string{"guest": "guest", "user": "authenticated", "member": "group:Admins"}[r.Who]
	if who == "" {
		// A request without a signature is nobody's, who may what is open to everybody.
		out, _, _ := m.try("can", "guest", r.Method, r.Path, "--json")
		return strings.Contains(out, `"rule": "open"`)
	}
	_, _, code := m.try("can", who, r.Method, r.Path)
	return code == 0
}

// template returns a template that the program has uploaded, by its address in the bucket.
func (m *machine) template(url string) string {
	m.t.Helper()
	_, key, _ := strings.Cut(url, "/templates/")
	for _, c := range *m.seen {
		if c.Service == "s3" && strings.HasPrefix(c.Action, "PUT ") && strings.HasSuffix(c.Action, "/templates/"+key) {
			return string(c.Body)
		}
	}
	m.t.Fatalf("no template %s was uploaded", key)
	return ""
}

// oneLine checks that a text is one line that has the words.
func oneLine(t *testing.T, text string, words ...string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	last := lines[len(lines)-1]
	n := 0
	for _, line := range lines {
		if strings.HasPrefix(line, "gatewright: ") {
			n++
		}
	}
	if n != 1 || !strings.HasPrefix(last, "gatewright: ") {
		t.Errorf("the error is not one line at the end:\n%s", text)
	}
	for _, word := range words {
		if !strings.Contains(last, word) {
			t.Errorf("the error does not say %q: %s", word, last)
		}
	}
}

// sameJSON reports whether two texts are the same value in JSON.
func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}
