package handler

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"gatewright/test/depth"
)

// engine is a process that calls handlers with a driver in testdata: a call is one line of
// JSON in and one line out.
type engine struct {
	// root is the folder of the functions.
	root string
	// dynamo is the address of a key-value store, only for Node.js; tables counts its tables.
	dynamo string
	tables int

	calls  sync.Mutex
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
	stop   func()
}

// call is one line for a driver.
type call struct {
	Folder   string            `json:"folder"`
	Events   []json.RawMessage `json:"events"`
	Together bool              `json:"together"`
	Env      map[string]string `json:"env,omitempty"`
}

// result is what a handler returns. API Gateway refuses one with other fields.
type result struct {
	StatusCode        int                 `json:"statusCode"`
	Headers           map[string]string   `json:"headers"`
	MultiValueHeaders map[string][]string `json:"multiValueHeaders"`
	Body              string              `json:"body"`
	IsBase64Encoded   bool                `json:"isBase64Encoded"`
}

// The first test that needs an engine starts it, and TestMain ends it.
var (
	nodeOnce     = sync.OnceValues(startNode)
	packagesOnce = sync.OnceValues(startWithPackages)
	pythonOnce   = sync.OnceValues(startPython)
	running      = struct {
		sync.Mutex
		engines []*engine
	}{}
)

func TestMain(m *testing.M) {
	code := m.Run()
	for _, e := range running.engines {
		e.stop()
	}
	os.Exit(code)
}

// nodeEngine is a Node.js without packages.
func nodeEngine(t testing.TB) *engine {
	t.Helper()
	depth.Needs(t, "node")
	return usable(t, nodeOnce)
}

// packagesEngine is a Node.js with the packages of the templates, from npm's registry, and a
// key-value store.
func packagesEngine(t testing.TB) *engine {
	t.Helper()
	depth.Whole(t)
	depth.Needs(t, "node", "npm")
	return usable(t, packagesOnce)
}

func pythonEngine(t testing.TB) *engine {
	t.Helper()
	depth.Needs(t, "python3")
	return usable(t, pythonOnce)
}

func usable(t testing.TB, start func() (*engine, error)) *engine {
	t.Helper()
	e, err := start()
	if errors.Is(err, errNoPackages) {
		depth.Lacks(t, "npm's registry", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func startNode() (*engine, error) { return startIn("node", "driver.js") }

func startPython() (*engine, error) {
	return startIn("python3", "driver.py", "PYTHONDONTWRITEBYTECODE=1")
}

// startIn starts an engine in a folder of its own.
func startIn(program, driver string, env ...string) (*engine, error) {
	root, err := os.MkdirTemp("", "gatewright-engine-")
	if err != nil {
		return nil, err
	}
	e, err := startEngine(root, program, driver, env...)
	if err != nil {
		os.RemoveAll(root)
	}
	return e, err
}

func startWithPackages() (e *engine, err error) {
	root, err := os.MkdirTemp("", "gatewright-node-")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(root)
		}
	}()
	if err := install(root); err != nil {
		return nil, err
	}
	port, stopDynalite, err := startDynalite(root)
	if err != nil {
		return nil, err
	}
	dynamo := "http://127.0.0.1:" + port
	e, err = startEngine(root, "node", "driver.js",
		"AWS_ENDPOINT_URL_DYNAMODB="+dynamo, "AWS_REGION=eu-west-1",
		"AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test")
	if err != nil {
		stopDynalite()
		return nil, err
	}
	e.dynamo = dynamo
	stopDriver := e.stop
	e.stop = func() {
		stopDynalite()
		stopDriver()
	}
	return e, nil
}

func startEngine(root, program, driver string, env ...string) (*engine, error) {
	script, err := filepath.Abs(filepath.Join("testdata", driver))
	if err != nil {
		return nil, err
	}
	process := exec.Command(program, script)
	process.Env = append(os.Environ(), env...)
	e := &engine{root: root}
	process.Stderr = &e.stderr
	if e.in, err = process.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, err
	}
	e.out = bufio.NewReader(out)
	e.stop = func() {
		e.in.Close()
		process.Wait()
		os.RemoveAll(root)
	}
	running.Lock()
	running.engines = append(running.engines, e)
	running.Unlock()
	return e, nil
}

// write writes files into a new folder in which Node.js finds the installed packages.
func (e *engine) write(t failer, files []File) (folder string) {
	t.Helper()
	folder, err := os.MkdirTemp(e.root, "function-")
	if err != nil {
		t.Fatalf("make a folder: %v", err)
	}
	if err := writeFiles(folder, files); err != nil {
		t.Fatalf("write the function: %v", err)
	}
	return folder
}

func writeFiles(folder string, files []File) error {
	for _, file := range files {
		name := filepath.Join(folder, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(name, file.Data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// failer is what testing.T and rapid.T have in common.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// do calls the handler in c.Folder with each event.
func (e *engine) do(t failer, c call) []result {
	t.Helper()
	e.calls.Lock()
	defer e.calls.Unlock()
	line, err := json.Marshal(c)
	if err != nil {
		t.Fatalf("write the call: %v", err)
	}
	if _, err := e.in.Write(append(line, '\n')); err != nil {
		t.Fatalf("call the driver: %v\n%s", err, &e.stderr)
	}
	answer, err := e.out.ReadBytes('\n')
	if err != nil {
		t.Fatalf("the driver ended: %v\n%s", err, &e.stderr)
	}
	var outcomes []struct {
		Result json.RawMessage
		Error  string
	}
	if err := json.Unmarshal(answer, &outcomes); err != nil {
		t.Fatalf("read the driver's answer: %v\n%s", err, answer)
	}
	results := make([]result, len(outcomes))
	for i, outcome := range outcomes {
		if outcome.Error != "" {
			t.Fatalf("the handler failed for %s: %s", c.Events[i], outcome.Error)
		}
		results[i] = readResult(t, outcome.Result)
	}
	return results
}

// readResult reads the result of a handler, and fails if API Gateway would refuse it.
func readResult(t failer, text []byte) result {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var r result
	if err := decoder.Decode(&r); err != nil {
		t.Fatalf("API Gateway would refuse the result: %v: %s", err, text)
	}
	return r
}

// render is Files for a valid Spec.
func render(t failer, s Spec) []File {
	t.Helper()
	files, err := Files(s)
	if err != nil {
		t.Fatalf("Files(%+v): %v", s, err)
	}
	return files
}
