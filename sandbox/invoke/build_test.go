package invoke

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
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
)

// site is a Service over HTTP whose functions run in Node.js. The function books may call
// orders, and nothing may call closed.
type site struct {
	*Service
	t       *testing.T
	address string
	runner  *function.Runner
	logs    *logs.Store
	traffic *traffic.Store

	mu      sync.Mutex
	refused []string
	news    []string
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

func open(t *testing.T) *site {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("Node.js is not usable: %v", err)
		}
		t.Skipf("NOT TESTED with Node.js, which is not usable here: %v", err)
	}
	store, err := logs.Open(t.TempDir())
	must(t, err)
	s := &site{t: t, logs: store, traffic: traffic.New(time.Now())}
	s.runner = function.NewRunner(function.Options{Logs: store, State: t.TempDir(), MaxWorkers: 2})
	s.Service = New(Options{
		Runner: s.runner, Logs: store, Traffic: s.traffic, Pauses: []time.Duration{time.Millisecond, time.Millisecond},
		May: func(caller Function, arn string) Permission {
			switch {
			case caller.Name != "books":
				return Absent
			case strings.HasSuffix(arn, ":function:secret"):
				return Denied
			case strings.Contains(arn, ":function:orders") || strings.Contains(arn, ":function:missing"):
				return Granted
			}
			return Absent
		},
		Refused: func(caller, called Function) { s.say(&s.refused, caller.Name+" "+called.Deployed) },
		Notify:  func(e function.Event) { s.say(&s.news, e.Function+" "+e.Text) },
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
		specs = append(specs, function.Spec{
			Environment: f.environment, Name: f.name, DeployedName: f.deployed, Runtime: model.NodeJS, Folder: folder, Region: region, AccountID: account, Timeout: 2 * time.Second,
		})
		served.Functions = append(served.Functions, Function{f.environment, f.name, f.deployed, f.deployed + "-" + f.environment, region, account, "nodejs"})
	}
	served.Callers[booksKey] = served.Functions[0]
	s.runner.Apply(specs)
	s.Apply(served)
	server := httptest.NewServer(s)
	s.address = server.URL
	t.Cleanup(func() {
		server.Close()
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		s.Close(ended)
		must(t, s.runner.Close(context.Background()))
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

// text is the member of a JSON object that is the message of an error.
func (a answered) text() string {
	var body struct{ Message, ErrorMessage string }
	_ = json.Unmarshal([]byte(a.body), &body)
	return body.Message + body.ErrorMessage
}

func (s *site) log(function string) string {
	var b strings.Builder
	for _, l := range s.logs.Read(logs.Query{Function: function}) {
		b.WriteString(l.String() + "\n")
	}
	return b.String()
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if holds() {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s: not within 20 seconds", what)
		}
	}
}
