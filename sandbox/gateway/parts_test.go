package gateway

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gatewright/internal/openapi"
	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/traffic"
	"gatewright/sandbox/worker"
	"gatewright/test/await"
	"gatewright/test/depth"
)

// timed is a handler that tells when its process, and its call, began and ended, in milliseconds.
const timed = `const { performance } = require("perf_hooks");
const until = (ms) => new Promise((done) => setTimeout(done, ms));
const now = () => performance.timeOrigin + performance.now();
exports.handler = async (event) => {
  const began = now(), query = event.queryStringParameters || {};
  if (query.dies) process.exit(3);
  await until(Number(query.ms || 0));
  return { statusCode: 200, body: JSON.stringify({ process: performance.timeOrigin, began, ended: now() }) };
};`

// told is what the handler timed tells.
type told struct{ Process, Began, Ended float64 }

// serveTimed serves the restricted API, whose paths call the handler timed with one worker; the path
// /books is answered with examples.
func serveTimed(t *testing.T) *running {
	t.Helper()
	depth.Needs(t, "node")
	folder := t.TempDir()
	src := filepath.Join(folder, "src")
	if err := os.Mkdir(src, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(src, "index.js"), []byte(timed), 0o644); err != nil {
		t.Fatal(err)
	}
	var runner *worker.Runner
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), await.Limit(t))
		defer cancel()
		if err := runner.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	r := startRestricted(t, func(g *Gateway) {
		recorded(g)
		runner = worker.NewRunner(worker.Options{Logs: g.options.Logs, State: t.TempDir(), MaxWorkers: 1})
		var specs []function.Spec
		for _, name := range []string{"open", "stall"} {
			specs = append(specs, function.Spec{Environment: "dev", Name: name, Runtime: model.NodeJS, Folder: folder, Region: "eu-west-1", AccountID: testAccount})
		}
		runner.Apply(specs)
		g.options.Invoker, g.options.Now = runner, time.Now
	})
	d, err := openapi.Read("backend/api/shop/openapi.json", []byte(shopContract))
	if err != nil {
		t.Fatal(err)
	}
	api := restrictedAPI()
	api.Contract, api.Mock = NewContract(d), []string{"/books"}
	api.Definition.Paths[2].Access = api.Definition.Paths[0].Access
	r.gateway.Apply([]API{api})
	return r
}

func (r *running) ask(t *testing.T, path string) (status int, body string) {
	t.Helper()
	response, err := http.Get("http://" + r.address + "/" + testID + "/dev" + path)
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Error(err)
	}
	return response.StatusCode, string(text)
}

// kindsOf are the kinds of the parts of a call, whose sum must be what it took.
func kindsOf(t *testing.T, c *traffic.Call) string {
	t.Helper()
	var kinds []string
	var sum time.Duration
	for _, p := range c.Parts {
		kinds = append(kinds, string(p.Kind))
		sum += p.Took
		if p.Took <= 0 {
			t.Errorf("a part of %s %d took %d ns", c.Target, c.Status, p.Took)
		}
	}
	if sum != c.Took || c.Took <= 0 {
		t.Errorf("the parts of %s %d have %d ns, of %d", c.Target, c.Status, sum, c.Took)
	}
	return strings.Join(kinds, " ")
}

// until is when the first parts of a call ended, those before and with a kind.
func until(c *traffic.Call, kind traffic.PartKind) time.Time {
	at := c.Time
	for _, p := range c.Parts {
		if at = at.Add(p.Took); p.Kind == kind {
			break
		}
	}
	return at
}

func took(c *traffic.Call, kind traffic.PartKind) (sum time.Duration) {
	for _, p := range c.Parts {
		if p.Kind == kind {
			sum += p.Took
		}
	}
	return sum
}

func TestThePartsOfACallAreWhatHappened(t *testing.T) {
	t.Parallel()
	r := serveTimed(t)
	last := func() *traffic.Call {
		calls := r.gateway.options.Traffic.Calls(traffic.Query{Last: 1})
		return &calls[0]
	}
	check := func(path string, status int, want string) *traffic.Call {
		t.Helper()
		if got, body := r.ask(t, path); got != status {
			t.Errorf("%s is answered %d %s", path, got, body)
		}
		c := last()
		// The queue may be shorter than the clock tells.
		if kinds := kindsOf(t, c); strings.ReplaceAll(kinds, "gate wait ", "gate ") != want {
			t.Errorf("%s %d has the parts %s, want %s", path, status, kinds, want)
		}
		return c
	}
	check("/nowhere", 403, "gate")
	check("/vault", 403, "gate")
	check("/books", 200, "gate answer")

	// The handler's own clock lies within the parts; both clocks are those of this machine.
	const slack = 5 * time.Millisecond
	at := func(ms float64) time.Time { return time.UnixMicro(int64(ms * 1000)) }
	for _, cold := range []bool{true, false} {
		status, body := r.ask(t, "/open?ms=30")
		var h told
		if err := json.Unmarshal([]byte(body), &h); err != nil || status != 200 {
			t.Fatalf("%d %s %v", status, body, err)
		}
		c := last()
		want := "gate handler answer"
		if cold {
			want = "gate prepare start handler answer"
			if process := at(h.Process); process.Before(until(c, traffic.Prepare).Add(-slack)) || process.After(until(c, traffic.Start).Add(slack)) {
				t.Errorf("the process began at %v, and its start is no part of %+v from %v", process, c.Parts, c.Time)
			}
		}
		if kinds := kindsOf(t, c); strings.ReplaceAll(kinds, "gate wait ", "gate ") != want {
			t.Errorf("the parts are %s, want %s", kinds, want)
		}
		began, ended := until(c, traffic.Handler).Add(-took(c, traffic.Handler)), until(c, traffic.Handler)
		if at(h.Began).Before(began.Add(-slack)) || at(h.Ended).After(ended.Add(slack)) {
			t.Errorf("the handler ran from %v to %v, its part is from %v to %v", at(h.Began), at(h.Ended), began, ended)
		}
	}

	// One worker: of calls at once, each waits for the handlers of those before it.
	from := last().Number
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if status, body := r.ask(t, "/open?ms=60"); status != 200 {
				t.Errorf("%d %s", status, body)
			}
		})
	}
	all.Wait()
	for n, c := range r.gateway.options.Traffic.Calls(traffic.Query{After: from}) {
		if kinds := kindsOf(t, &c); kinds != "gate wait handler answer" {
			t.Errorf("the parts of call %d are %s", n, kinds)
		}
		// 60 ms of each handler before it, less what the clocks of Node.js round away, and but for what
		// the requests came later than the first one.
		if least := 55*time.Millisecond*time.Duration(n) - c.Time.Sub(r.gateway.options.Traffic.Calls(traffic.Query{After: from})[0].Time); took(&c, traffic.Wait) < least {
			t.Errorf("call %d of 3 waited %v, at least %v were before it", n+1, took(&c, traffic.Wait), least)
		}
	}
	check("/open?dies=1", 502, "gate handler answer")
	check("/open", 200, "gate prepare start handler answer")
}

func TestACallThatIsGivenUpHasThePartsUntilThen(t *testing.T) {
	t.Parallel()
	r := serveTimed(t)
	r.ask(t, "/open")
	r.gateway.limits.integration = 300 * time.Millisecond
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			if status, _ := r.ask(t, "/open?ms=1500"); status != 504 {
				t.Errorf("answered %d", status)
			}
		})
	}
	all.Wait()
	kinds := map[string]int{}
	for _, c := range r.gateway.options.Traffic.Calls(traffic.Query{After: 1}) {
		kinds[kindsOf(t, &c)]++
	}
	// A second worker is started only when the call of the first one was given up.
	running, waiting := kinds["gate wait handler answer"]+kinds["gate handler answer"], 0
	for kind, n := range kinds {
		if strings.HasPrefix(kind, "gate wait answer") || strings.HasPrefix(kind, "gate wait prepare") {
			waiting += n
		}
	}
	if running != 1 || waiting != 1 {
		t.Errorf("the parts of a call that ran, and of one that waited, are %v", kinds)
	}
	// What happens after the end changes nothing.
	before := r.gateway.options.Traffic.Calls(traffic.Query{After: 1})
	r.ask(t, "/open?ms=1")
	for i, c := range r.gateway.options.Traffic.Calls(traffic.Query{After: 1})[:2] {
		if c.PartsInWords(time.Duration.String) != before[i].PartsInWords(time.Duration.String) {
			t.Errorf("the parts were %v and are %v", before[i].Parts, c.Parts)
		}
	}
}
