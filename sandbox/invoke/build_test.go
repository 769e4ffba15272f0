package invoke

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/traffic"
	"gatewright/sandbox/worker"
	"gatewright/test/depth"
)

// site is a Service over HTTP. The function books may call orders, and nothing may call closed.
type site struct {
	*Service
	t       *testing.T
	address string
	// hanging are closed when the call that hangs may end.
	hanging chan struct{}
	logs    *logs.Store
	traffic *traffic.Store

	mu      sync.Mutex
	refused []string
	news    []string
	waits   []string
}

const (
	region  = "eu-west-1"
	account = "123456789012"
	// booksKey is the access key id of the function books.
	booksKey = "ASIABOOKS"
)

// orders answers with what it got, or as the event says.
const orders = `const fs = require("fs");
exports.handler = async (event, context) => {
  console.log("the event", JSON.stringify(event));
  if (event.count) fs.appendFileSync(event.count, "x");
  if (event.fail && !(event.until && fs.readFileSync(event.count, "utf8").length >= event.until)) throw new Error("no orders");
  if (event.exit) process.exit(3);
  if (event.hang) await new Promise((done) => setTimeout(done, 60000));
  if (event.long) return "x".repeat(event.long);
  return { event, arn: context.invokedFunctionArn, client: context.clientContext };
};`

// Invoke does what the function orders does, without Node.js.
func (s *site) Invoke(ctx context.Context, c function.Call) (function.Answer, error) {
	a := function.Answer{RequestID: c.RequestID, Payload: []byte(`"prod"`)}
	if c.Environment == "prod" {
		return a, nil
	}
	s.logs.Append(logs.Line{Environment: c.Environment, Function: c.Function, Request: c.RequestID, Level: logs.Info, Text: "the event " + string(c.Payload)})
	var e struct {
		Count      string
		Fail, Hang bool
		Until      int
		Long       int
	}
	// An event that is no object says nothing.
	_ = json.Unmarshal(c.Payload, &e)
	count := counter(e.Count)
	if e.Count != "" {
		if err := os.WriteFile(e.Count, []byte(strings.Repeat("x", count.calls()+1)), 0o600); err != nil {
			return a, err
		}
	}
	switch {
	case e.Fail && (e.Until == 0 || count.calls() < e.Until):
		a.Payload, a.Failed = []byte(`{"errorType":"Error","errorMessage":"no orders","trace":["Error: no orders"]}`), true
		return a, nil
	case e.Hang:
		select {
		case <-s.hanging:
			return a, &function.Error{Kind: function.TimedOut, Environment: c.Environment, Function: c.Function, Text: "no response within 2.0 s", CloudType: "Sandbox.Timedout"}
		case <-ctx.Done():
			return a, ctx.Err()
		}
	}
	answer := map[string]any{"event": json.RawMessage(c.Payload), "arn": model.ARN("lambda", region, account, "function:"+c.Function)}
	if c.Qualifier != "" {
		answer["arn"] = model.ARN("lambda", region, account, "function:"+c.Function+":"+c.Qualifier)
	}
	if c.ClientContext != "" {
		answer["client"] = json.RawMessage(c.ClientContext)
	}
	var err error
	if a.Payload, err = json.Marshal(answer); e.Long > 0 {
		a.Payload = []byte(`"` + strings.Repeat("x", e.Long) + `"`)
	}
	return a, err
}

// Waiting is called for calls of functions.
func (s *site) Waiting(environment, name string) (over func()) {
	s.say(&s.waits, environment+" "+name+" waits")
	return func() { s.say(&s.waits, environment+" "+name+" waits no more") }
}

func open(t *testing.T) *site {
	t.Helper()
	return openWith(t, nil)
}

// openNode is open with functions that run in Node.js.
func openNode(t *testing.T) *site {
	t.Helper()
	depth.Needs(t, "node")
	return openWith(t, worker.NewRunner)
}

func openWith(t *testing.T, run func(worker.Options) *worker.Runner) *site {
	t.Helper()
	store, err := logs.Open(t.TempDir())
	must(t, err)
	s := &site{t: t, logs: store, traffic: traffic.New(time.Now()), hanging: make(chan struct{})}
	var runner Runner = s
	var real *worker.Runner
	if run != nil {
		real = run(worker.Options{Logs: store, State: t.TempDir(), MaxWorkers: 2})
		runner = real
	}
	s.Service = New(Options{
		Runner: runner, Logs: store, Traffic: s.traffic, Pauses: []time.Duration{time.Millisecond, time.Millisecond},
		May: func(caller, called Function, arn string) string {
			if caller.Name == "books" && (strings.Contains(arn, ":function:orders") || strings.Contains(arn, ":function:missing")) {
				return ""
			}
			s.say(&s.refused, caller.Name+" "+called.Deployed)
			return caller.Name + " may not call " + arn
		},
		Notify: func(e function.Event) { s.say(&s.news, e.Function+" "+e.Text) },
	})
	var specs []function.Spec
	served := Served{Callers: map[string]Function{}}
	for _, f := range []struct{ environment, name, deployed, source string }{
		{"dev", "books", "books", orders},
		{"dev", "orders", "orders", orders},
		{"dev", "secret", "secret", orders},
		{"dev", "closed", "closed", orders},
		{"dev", "broken", "broken", `throw new Error("not today");`},
		{"prod", "orders", "orders", `exports.handler = async () => "prod";`},
	} {
		folder := t.TempDir()
		must(t, os.Mkdir(filepath.Join(folder, "src"), 0o700))
		must(t, os.WriteFile(filepath.Join(folder, "src", "index.js"), []byte(f.source), 0o600))
		// Only the function whose time is over in a test has a short one.
		timeout := time.Hour
		if f.name == "closed" {
			timeout = 2 * time.Second
		}
		specs = append(specs, function.Spec{
			Environment: f.environment, Name: f.name, DeployedName: f.deployed, Runtime: model.NodeJS, Folder: folder, Region: region, AccountID: account, Timeout: timeout,
		})
		served.Functions = append(served.Functions, Function{f.environment, f.name, f.deployed, f.deployed + "-" + f.environment, region, account, "nodejs"})
	}
	served.Callers[booksKey] = served.Functions[0]
	if real != nil {
		real.Apply(specs)
	}
	s.Apply(served)
	server := httptest.NewServer(s)
	s.address = server.URL
	t.Cleanup(func() {
		server.Close()
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		s.Close(ended)
		if real != nil {
			must(t, real.Close(context.Background()))
		}
		s.Wait()
		must(t, store.Close())
	})
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (s *site) say(list *[]string, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*list = append(*list, text)
}

// said are what was told so far.
func (s *site) said(list *[]string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(*list)
}

// answered is an answer of the API.
type answered struct {
	status int
	header http.Header
	body   string
}

// send sends a request, with headers of the form "name: value".
func (s *site) send(method, path, body string, headers ...string) answered {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.address+path, strings.NewReader(body))
	must(s.t, err)
	for _, header := range headers {
		if name, value, given := strings.Cut(header, ": "); given {
			r.Header.Set(name, value)
			if name == "Host" {
				r.Host = value
			}
		}
	}
	response, err := http.DefaultClient.Do(r)
	must(s.t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	must(s.t, err)
	return answered{response.StatusCode, response.Header, string(text)}
}

// invoke calls a function, whose name is as in a URL.
func (s *site) invoke(name, body string, headers ...string) answered {
	s.t.Helper()
	return s.send("POST", "/2015-03-31/functions/"+name+"/invocations", body, headers...)
}

// byBooks is the header of a request that the function books signed.
const byBooks = "Authorization: AWS4-HMAC-SHA256 Credential=" + booksKey + "/20261126/eu-west-1/lambda/aws4_request, SignedHeaders=host, Signature=x"

// text is the member of a JSON object that is the message of an error. Each exception has it in
// the one of its names that the API's model says.
func (a answered) text() string {
	var body map[string]any
	_ = json.Unmarshal([]byte(a.body), &body)
	name := "message"
	switch a.header.Get("X-Amzn-Errortype") {
	case notFound, serviceFailed, recursive, accessDenied:
		name = "Message"
	case "":
		name = "errorMessage"
	}
	text, _ := body[name].(string)
	return text
}

// kind is the member Type of a refusal, "" if there is none.
func (a answered) kind() string {
	var body map[string]any
	_ = json.Unmarshal([]byte(a.body), &body)
	text, _ := body["Type"].(string)
	return text
}

// kindOf is the Type that a refusal must have.
func kindOf(status int, code string) string {
	switch {
	case code == notValid || code == accessDenied:
		return ""
	case status >= http.StatusInternalServerError:
		return "Service"
	}
	return "User"
}

func (s *site) log(function string) string {
	var b strings.Builder
	for _, l := range s.logs.Read(logs.Query{Function: function}) {
		b.WriteString(l.String() + "\n")
	}
	return b.String()
}
