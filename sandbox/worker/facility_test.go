package worker

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/prepare"
	"gatewright/sandbox/prepare/preparetest"
	"gatewright/test/await"
)

// facility is a Runner with its logs and events.
type facility struct {
	*Runner
	logs *logs.Store

	mu     sync.Mutex
	events []function.Event
}

func newFacility(t testing.TB, change func(*Options)) *facility {
	t.Helper()
	store, err := logs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f := &facility{logs: store}
	o := Options{Logs: store, State: t.TempDir(), MaxWorkers: 2, Notify: func(e function.Event) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.events = append(f.events, e)
	}}
	if change != nil {
		change(&o)
	}
	f.Runner = NewRunner(o)
	f.leastStart = await.Limit(t)
	t.Cleanup(func() {
		f.close(t)
		store.Close()
	})
	return f
}

func (f *facility) close(t testing.TB) {
	t.Helper()
	// The context of the test has ended when it cleans up.
	ctx, cancel := context.WithTimeout(context.Background(), await.Limit(t))
	defer cancel()
	if err := f.Close(ctx); err != nil {
		t.Errorf("Close: %v", err)
	}
}

// eventTexts returns the texts of all events of a kind.
func (f *facility) eventTexts(kind string) (texts []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, e := range f.events {
		if e.Kind == kind {
			texts = append(texts, e.Text)
		}
	}
	return texts
}

// serve runs one function, "items" of environment "dev", with these files below src.
func (f *facility) serve(t testing.TB, runtime model.Runtime, files map[string]string, change func(*function.Spec)) function.Spec {
	t.Helper()
	needs(t, runtime)
	s := function.Spec{
		Environment: "dev", Name: "items", DeployedName: "items-dev", Runtime: runtime,
		Folder: t.TempDir(), Region: "eu-west-1", AccountID: "123456789012",
	}
	writeSource(t, s, files)
	if change != nil {
		change(&s)
	}
	f.Apply([]function.Spec{s})
	return s
}

func writeSource(t testing.TB, s function.Spec, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(s.Folder, "src", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// needs skips a test on a machine without the runtime.
func needs(t testing.TB, runtime model.Runtime) {
	t.Helper()
	preparetest.NeedsProgram(t, map[model.Runtime]string{model.NodeJS: "node", model.Python: prepare.Interpreters[model.Python][0], model.Go: "go"}[runtime])
}

// call invokes the function with an event and returns the result of Invoke.
func (f *facility) call(event string) (function.Answer, error) {
	return f.Invoke(context.Background(), function.Call{Environment: "dev", Function: "items", Payload: []byte(event)})
}

// answer is call for an event that must get an answer.
func (f *facility) answer(t testing.TB, event string) function.Answer {
	t.Helper()
	a, err := f.call(event)
	if err != nil {
		t.Fatalf("the call %s: %v\n%s", event, err, f.log(""))
	}
	return a
}

// result is answer for an event that must not make the handler fail.
func (f *facility) result(t testing.TB, event string) string {
	t.Helper()
	a := f.answer(t, event)
	if a.Failed {
		t.Fatalf("the handler failed for %s: %s\n%s", event, a.Payload, f.log(""))
	}
	return string(a.Payload)
}

// refused is call for an event that must fail with an error of a kind.
func (f *facility) refused(t testing.TB, event string, kind function.ErrorKind) *function.Error {
	t.Helper()
	a, err := f.call(event)
	var e *function.Error
	if !errors.As(err, &e) {
		t.Fatalf("the call %s: %v, answer %s; want the error %q\n%s", event, err, a.Payload, kind, f.log(""))
	}
	if e.Kind != kind {
		t.Fatalf("the call %s: %v (%s), want the kind %q\n%s", event, e, e.Kind, kind, f.log(""))
	}
	if text := e.Error(); strings.ContainsAny(text, "\n\r\x1b") || text == "" {
		t.Errorf("the error is not one line: %q", text)
	}
	return e
}

// edited has the next call see what was changed before.
func (f *facility) edited() { f.pool("dev").sources.Load().Settle(0) }

// log returns the log of a request; "" means the whole log.
func (f *facility) log(request string) string {
	var b strings.Builder
	for _, l := range f.logs.Read(logs.Query{Environment: "dev", Function: "items", Request: request}) {
		b.WriteString(l.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// lines returns the lines of a request, except the lines that the sandbox added.
func (f *facility) lines(request string) (lines []logs.Line) {
	for _, l := range f.logs.Read(logs.Query{Environment: "dev", Function: "items", Request: request}) {
		if l.Level != logs.Platform {
			l.Time = time.Time{}
			lines = append(lines, l)
		}
	}
	return lines
}

// errorObject is the payload of a failed answer.
type errorObject struct {
	Type       string   `json:"errorType"`
	Message    string   `json:"errorMessage"`
	Trace      []string `json:"trace"`
	StackTrace []string `json:"stackTrace"`
}

func readError(t testing.TB, a function.Answer) errorObject {
	t.Helper()
	var o errorObject
	if err := json.Unmarshal(a.Payload, &o); err != nil || !a.Failed {
		t.Fatalf("failed: %t, %s is no error object: %v", a.Failed, a.Payload, err)
	}
	return o
}
