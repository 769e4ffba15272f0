package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/sandbox/function"
	"gatewright/sandbox/gateway"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/state"
	"gatewright/sandbox/trigger"
	"gatewright/test/depth"
)

// site is a running sandbox with one environment, one API and one function.
type site struct {
	*Sandbox
	t      *testing.T
	state  string
	folder string
}

const (
	testAPI      = "abcdefghij"
	testFunction = "items"
)

// answering is the source of a handler that logs its event and answers with a text.
func answering(text string) string {
	return fmt.Sprintf(`exports.handler = async (event) => {
  console.log("key is", process.env.KEY, event.httpMethod || event.source);
  if (event.source) {
    await new Promise((done) => setTimeout(done, 300));
    console.log("over");
  }
  if (event.httpMethod === "DELETE") await new Promise((done) => setTimeout(done, 60000));
  return { statusCode: 200, body: %q };
};`, text)
}

// openSite starts a sandbox that serves a function in Node.js.
func openSite(t *testing.T, o Options) *site {
	t.Helper()
	depth.Needs(t, "node")
	s := &site{t: t, state: t.TempDir(), folder: t.TempDir()}
	if o.State == "" {
		o.State = s.state
	}
	s.state = o.State
	must(t, os.Mkdir(filepath.Join(s.folder, "src"), 0o755))
	s.write(answering("hello"))
	f, err := Start(o)
	must(t, err)
	s.Sandbox = f
	t.Cleanup(func() { s.end() })
	must(t, f.Apply(Config{Environments: []Environment{s.environment()}}))
	return s
}

func (s *site) write(handler string) {
	s.t.Helper()
	must(s.t, os.WriteFile(filepath.Join(s.folder, "src", "index.js"), []byte(handler), 0o644))
}

// environment is the environment of the site.
func (s *site) environment() Environment {
	return Environment{
		Name: "dev", Region: "eu-west-1", AccountID: "000000000000",
		APIs: []gateway.API{{
			ID: testAPI, Environment: "dev", Label: "shop", Region: "eu-west-1", AccountID: "000000000000",
			Definition: &access.API{Label: "shop", Paths: []*access.Path{{Name: "/items", Function: testFunction, Access: access.Access{Setting: access.Open}}}},
		}},
		Functions: []function.Spec{{
			Environment: "dev", Name: testFunction, DeployedName: testFunction, Runtime: model.NodeJS, Folder: s.folder,
			Variables: map[string]string{"KEY": "tell-nobody"}, Region: "eu-west-1", AccountID: "000000000000",
		}},
		Secrets: []string{"tell-nobody"},
	}
}

// end closes the sandbox without waiting for running requests.
func (s *site) end() {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.Close(ctx); err != nil {
		s.t.Error(err)
	}
}

// get sends a GET to the API of the site, and returns status and body.
func (s *site) get(path string) (int, string) {
	s.t.Helper()
	response, err := http.Get(s.Address() + "/" + testAPI + "/dev" + path)
	must(s.t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	must(s.t, err)
	return response.StatusCode, string(body)
}

func (s *site) connect() *Client {
	s.t.Helper()
	c, err := Connect(s.state)
	must(s.t, err)
	return c
}

func TestProcessesOfAKilledSandboxAreEnded(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("NOT TESTED: the processes of this system are not read")
	}
	folder := t.TempDir()
	// left starts a process as a handler in the sandbox of a state folder would.
	left := func(folder string) (ended chan struct{}) {
		stray := exec.Command("sleep", "600")
		stray.Env = append(os.Environ(), "LAMBDA_RUNTIME_DIR="+filepath.Join(folder, state.WorkFolder, "runtime"))
		must(t, stray.Start())
		ended = make(chan struct{})
		go func() {
			defer close(ended)
			_ = stray.Wait()
		}()
		t.Cleanup(func() {
			_ = stray.Process.Kill()
			<-ended
		})
		return ended
	}
	own, other := left(folder), left(t.TempDir())
	must(t, state.Run{Version: state.RunVersion, PID: 7}.Write(folder))
	f, err := Start(Options{State: folder})
	must(t, err)
	<-own
	select {
	case <-other:
		t.Error("a process of another sandbox was ended")
	default:
	}
	must(t, f.Close(t.Context()))
}

func TestASandboxServesItsConfigAndLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	s := openSite(t, Options{})
	if status, body := s.get("/items"); status != http.StatusOK || body != "hello" {
		t.Fatalf("the API answers %d %s", status, body)
	}
	address, port := s.Address(), portOf(t, s.Address())
	s.end()
	if _, err := http.Get(address); err == nil {
		t.Error("something still listens")
	}
	if _, err := os.Stat(filepath.Join(s.state, state.RunFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("run.json is left: %v", err)
	}
	if err := s.Apply(Config{}); err == nil {
		t.Error("a closed sandbox accepts a Config")
	}
	if _, err := Connect(s.state); !errors.Is(err, ErrNotRunning) {
		t.Errorf("connecting gives %v", err)
	}
	again, err := Start(Options{State: s.state, Port: port})
	must(t, err)
	must(t, again.Close(context.Background()))
}

func portOf(t *testing.T, address string) int {
	t.Helper()
	_, text, err := net.SplitHostPort(strings.TrimPrefix(address, "http://"))
	must(t, err)
	port, err := net.LookupPort("tcp", text)
	must(t, err)
	return port
}

func TestASecondSandboxNamesTheFirst(t *testing.T) {
	t.Parallel()
	s := openSite(t, Options{})
	var running *state.RunningError
	if _, err := Start(Options{State: s.state}); !errors.As(err, &running) || running.PID != os.Getpid() || running.Address != s.Address() {
		t.Errorf("a second one gets %v", err)
	}
}

func TestABusyPortLeavesTheStateFree(t *testing.T) {
	t.Parallel()
	held, err := net.Listen("tcp4", "127.0.0.1:0")
	must(t, err)
	defer held.Close()
	state := t.TempDir()
	var taken *PortError
	if _, err := Start(Options{State: state, Port: portIn(held)}); !errors.As(err, &taken) {
		t.Fatalf("starting gives %v", err)
	}
	f, err := Start(Options{State: state, Port: taken.Free})
	must(t, err)
	must(t, f.Close(context.Background()))
}

func TestFollowersOfTheLogSeeNewLinesAndTheEnd(t *testing.T) {
	t.Parallel()
	s := openSite(t, Options{})
	c := s.connect()
	lines, ended := make(chan string, 100), make(chan error, 1)
	go func() {
		ended <- c.Logs(context.Background(), logs.Query{Environment: "dev", Function: testFunction}, true, func(l logs.Line) error {
			lines <- l.Text
			return nil
		})
	}()
	s.get("/items")
	for text := range lines {
		if strings.HasPrefix(text, "REPORT") {
			break
		}
	}
	s.end()
	if err := <-ended; err != nil {
		t.Errorf("following ends with %v", err)
	}
}

func TestASchedulesFunctionIsCalled(t *testing.T) {
	t.Parallel()
	s := openSite(t, Options{})
	s.fire(trigger.Entry{Environment: "dev", Function: testFunction}, time.Now())
	var log string
	for _, l := range s.Logs().Read(logs.Query{Function: testFunction}) {
		log += l.Text + "\n"
	}
	if !strings.Contains(log, "aws.events") {
		t.Errorf("the function logs\n%s", log)
	}
	failures := make(chan Event, 10)
	s.options.Notify = func(e Event) {
		if e.Kind == EventSchedule {
			failures <- e
		}
	}
	s.fire(trigger.Entry{Environment: "dev", Function: "nobody"}, time.Now())
	if e := <-failures; e.Function != "nobody" || strings.Contains(e.Text, "\n") {
		t.Errorf("the event of a failed call is %+v", e)
	}
}

func TestCloseWaitsForScheduledCalls(t *testing.T) {
	t.Parallel()
	s := openSite(t, Options{})
	s.get("/items")
	go s.fire(trigger.Entry{Environment: "dev", Function: testFunction}, time.Now())
	s.awaitLine("aws.events")
	must(t, s.Close(context.Background()))
	var texts []string
	for _, l := range s.Logs().Read(logs.Query{Function: testFunction}) {
		texts = append(texts, l.Text)
	}
	if !slices.Contains(texts, "over") {
		t.Errorf("the call was cut off:\n%s", strings.Join(texts, "\n"))
	}
}

// awaitLine waits until the function has logged a line with a text.
func (s *site) awaitLine(text string) {
	for {
		for _, l := range s.Logs().Read(logs.Query{Function: testFunction}) {
			if strings.Contains(l.Text, text) {
				return
			}
		}
		time.Sleep(time.Millisecond)
	}
}

func TestCloseKillsRunningRequestsWhenItsContextEnds(t *testing.T) {
	t.Parallel()
	s := openSite(t, Options{})
	request, err := http.NewRequest(http.MethodDelete, s.Address()+"/"+testAPI+"/dev/items", nil)
	must(t, err)
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		if response, err := http.DefaultClient.Do(request); err == nil {
			response.Body.Close()
		}
	}()
	s.awaitLine("DELETE")
	s.end()
	<-answered
}

func TestTheRunFileHasNoSecretsOfFunctions(t *testing.T) {
	t.Parallel()
	s := openSite(t, Options{})
	text, err := os.ReadFile(filepath.Join(s.state, state.RunFile))
	must(t, err)
	if strings.Contains(string(text), "tell-nobody") || !json.Valid(text) {
		t.Errorf("it holds %s", text)
	}
}

// must ends a test with an error.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
