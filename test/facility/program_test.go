package facility

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"gatewright/internal/file"
	"gatewright/project"
	"gatewright/sandbox/prepare"
	"gatewright/sandbox/state"
	"gatewright/test/await"
	"gatewright/test/depth"
	"gatewright/test/program"
	"gatewright/test/registry"
)

func TestMain(m *testing.M) {
	program.Main(registry.Around(m), func() {
		if installed.folder != "" {
			_ = os.RemoveAll(installed.folder)
		}
	})
}

// facility is a project, and the sandbox that serves it if it runs.
type facility struct {
	t                   *testing.T
	program, dir, state string
	address, endpoint   string
	cmd                 *exec.Cmd
	mu                  sync.Mutex
	out, err            strings.Builder
	ended               chan struct{}
	endedWith           error
}

// newFacility makes a project in an empty folder.
func newFacility(t *testing.T) *facility {
	t.Helper()
	f := emptyFacility(t)
	f.run(0, "init", "--name", "shop", "--app-id", "d1shop", "--region", "eu-west-1")
	return f
}

// emptyFacility makes an empty folder for a project.
func emptyFacility(t *testing.T) *facility {
	t.Helper()
	depth.Needs(t, "node", "npm")
	f := &facility{t: t, program: program.Built(t), dir: t.TempDir(), state: t.TempDir()}
	t.Cleanup(f.kill)
	return f
}

func (f *facility) command(args ...string) *exec.Cmd {
	cmd := exec.Command(f.program, args...)
	cmd.Dir, cmd.Env = f.dir, cleanEnvironment("GATEWRIGHT_STATE="+f.state)
	return cmd
}

// run runs a command, which must end with the exit code, and returns its output.
func (f *facility) run(code int, args ...string) string {
	f.t.Helper()
	cmd := f.command(args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != code {
		f.t.Fatalf("%v exits %d (%v), want %d: %s", args, got, err, code, out.String())
	}
	return out.String()
}

// serve starts the sandbox, and waits until it prints that the client configuration file is
// written, or how to write one for a project of the Amplify CLI.
func (f *facility) serve(args ...string) {
	f.t.Helper()
	f.cmd = f.command(append([]string{"sandbox", "--port", "0", "-v"}, args...)...)
	out, err := f.cmd.StdoutPipe()
	if err != nil {
		f.t.Fatal(err)
	}
	f.out.Reset()
	f.err.Reset()
	f.cmd.Stderr = &lockedWriter{&f.mu, &f.err}
	if err := f.cmd.Start(); err != nil {
		f.t.Fatal(err)
	}
	f.ended = make(chan struct{})
	ready := make(chan struct{})
	go func(cmd *exec.Cmd, ended chan struct{}) {
		once := sync.OnceFunc(func() { close(ready) })
		for lines := bufio.NewScanner(out); lines.Scan(); {
			f.mu.Lock()
			f.out.WriteString(lines.Text() + "\n")
			f.mu.Unlock()
			if strings.HasPrefix(lines.Text(), "client_config.json ") || strings.HasPrefix(lines.Text(), "amplify_outputs.json ") || strings.HasPrefix(lines.Text(), "to lead a front end ") {
				once()
			}
		}
		f.endedWith = cmd.Wait()
		close(ended)
		once()
	}(f.cmd, f.ended)
	select {
	case <-ready:
	case <-time.After(await.Limit(f.t)):
		f.t.Fatalf("the sandbox does not become ready, and says\n%s", f.output())
	}
	f.address, f.endpoint = "", ""
	for _, line := range strings.Split(f.output(), "\n") {
		if address, ok := strings.CutPrefix(line, "listening on "); ok && f.address == "" {
			f.address = address
		}
		if endpoint, ok := strings.CutPrefix(line, "  API shop "); ok && f.endpoint == "" {
			f.endpoint = endpoint
		}
	}
	if !strings.HasPrefix(f.address, "http://127.0.0.1:") || f.endpoint == "" {
		f.t.Fatalf("the sandbox says\n%s", f.output())
	}
}

type lockedWriter struct {
	mu *sync.Mutex
	to io.Writer
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}

// output returns what the sandbox printed.
func (f *facility) output() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.out.String() + f.err.String()
}

// stop sends the sandbox a signal, and waits for its end with the exit code, which is -1 if
// the signal kills it.
func (f *facility) stop(signal os.Signal, code int) {
	f.t.Helper()
	if err := f.cmd.Process.Signal(signal); err != nil {
		f.t.Fatal(err)
	}
	await.Next(f.t, "the end of the sandbox", f.ended)
	if got := f.cmd.ProcessState.ExitCode(); got != code {
		f.t.Errorf("the sandbox exits %d, want %d:\n%s", got, code, f.output())
	}
	f.cmd = nil
}

func (f *facility) kill() {
	if f.cmd != nil {
		_ = f.cmd.Process.Kill()
		<-f.ended
	}
}

// request sends a request and returns its answer.
func (f *facility) request(method, path, body string) (status int, answer string, header http.Header) {
	f.t.Helper()
	request, err := http.NewRequest(method, f.endpoint+path, strings.NewReader(body))
	if err != nil {
		f.t.Fatal(err)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		f.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		f.t.Fatal(err)
	}
	return response.StatusCode, string(text), response.Header
}

// waitFor waits until a GET of the path is answered 200 with the text in the body.
func (f *facility) waitFor(path, text string) {
	f.t.Helper()
	var status int
	var body string
	defer func() {
		if f.t.Failed() {
			f.t.Logf("GET %s is answered %d %s:\n%s", path, status, body, f.output())
		}
	}()
	await.Until(f.t, "an answer of GET "+path+" with "+text, func() bool {
		status, body, _ = f.request("GET", path, "")
		return status == http.StatusOK && strings.Contains(body, text)
	})
}

// edit replaces a text in a file of the project.
func (f *facility) edit(name, old, next string) {
	f.t.Helper()
	place := filepath.Join(f.dir, filepath.FromSlash(name))
	text, err := os.ReadFile(place)
	if err != nil {
		f.t.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		f.t.Fatalf("%s lacks %q", name, old)
	}
	if err := os.WriteFile(place, []byte(strings.ReplaceAll(string(text), old, next)), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

// workers returns the name and id of each process whose folder is in the project.
func (f *facility) workers() []string {
	f.t.Helper()
	cache, err := project.UserCache(os.Getenv)
	if err != nil {
		f.t.Fatal(err)
	}
	// Each function is laid out in a folder of its own, all of them in this one.
	work := filepath.Join(f.dir, ".gatewright", "sandbox", state.WorkFolder)
	tasks := filepath.Dir(filepath.Dir(filepath.Dir(prepare.TaskFolder(cache, work, "dev", "items"))))
	var found []string
	folders, _ := filepath.Glob("/proc/[0-9]*/cwd")
	for _, name := range folders {
		folder, err := os.Readlink(name)
		if err == nil && strings.HasPrefix(folder, file.RealPath(tasks)+"/") {
			program, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "comm"))
			found = append(found, strings.TrimSpace(string(program))+" "+filepath.Base(filepath.Dir(name)))
		}
	}
	return found
}

// waitForNoWorkers waits until no worker runs.
func (f *facility) waitForNoWorkers() {
	f.t.Helper()
	if runtime.GOOS != "linux" {
		return
	}
	await.Until(f.t, "the end of all workers", func() bool { return len(f.workers()) == 0 })
}
