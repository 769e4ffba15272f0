package worker

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/test/await"
	"gatewright/test/depth"
)

func TestEveryCallerGetsItsOwnAnswer(t *testing.T) {
	t.Parallel()
	for _, r := range []model.Runtime{model.NodeJS, model.Python} {
		t.Run(string(r), func(t *testing.T) {
			t.Parallel()
			source := `exports.handler = async (e, c) => { await new Promise(r => setTimeout(r, e % 7)); return [e, c.awsRequestId] }`
			if r == model.Python {
				source = "def handler(e, c):\n    return [e, c.aws_request_id]\n"
			}
			f := newFacility(t, nil)
			f.serve(t, r, map[string]string{sourceName(r): source}, nil)
			var all sync.WaitGroup
			for n := range 100 {
				all.Go(func() {
					a, err := f.call(fmt.Sprint(n))
					got := strings.ReplaceAll(string(a.Payload), " ", "")
					if want := fmt.Sprintf("[%d,%q]", n, a.RequestID); err != nil || got != want {
						t.Errorf("the caller gets %s %v, want %s", got, err, want)
					}
				})
			}
			all.Wait()
		})
	}
}

func TestCallsAreServedInTheOrderTheyCame(t *testing.T) {
	t.Parallel()
	f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
	gate := filepath.Join(t.TempDir(), "gate")
	f.serve(t, model.NodeJS, map[string]string{"index.js": `
		const fs = require("fs"), seen = [];
		exports.handler = async (e) => {
			seen.push(e);
			while (!fs.existsSync(process.env.GATE)) await new Promise(r => setTimeout(r, 5));
			return seen;
		}`}, func(s *function.Spec) { s.Variables = map[string]string{"GATE": gate} })
	p := f.pools[key{"dev", "items"}]
	var callers sync.WaitGroup
	for n := range 8 {
		callers.Go(func() {
			if _, err := f.call(fmt.Sprint(n)); err != nil {
				t.Errorf("call %d: %v", n, err)
			}
		})
		await.Until(t, "the call waits, or runs as the first", func() bool {
			p.mu.Lock()
			defer p.mu.Unlock()
			return len(p.waiting) == n && strings.Contains(f.log(""), "START")
		})
	}
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	callers.Wait()
	if got := f.result(t, "8"); got != "[0,1,2,3,4,5,6,7,8]" {
		t.Errorf("the order is %s", got)
	}
}

// TestNobodyGetsTheAnswerOfAnother makes thousands of calls while the handlers
// crash, hang, fail and exit after their answer, and the source is edited.
func TestNobodyGetsTheAnswerOfAnother(t *testing.T) {
	t.Parallel()
	calls := depth.Rounds(50, 1000, 3000)
	source := func(version int) map[string]string {
		return map[string]string{"index.js": fmt.Sprintf(`
			exports.handler = async (e, c) => {
				switch (e.do) {
				case "crash": process.exit(e.n %% 5);
				case "kill": process.kill(process.pid, "SIGKILL"); return new Promise(r => setTimeout(r, 9000));
				case "hang": return new Promise(r => setTimeout(r, 90000));
				case "throw": throw new Error("n=" + e.n);
				case "reject": Promise.reject(new Error("n=" + e.n)); return new Promise(r => setTimeout(r, 9000));
				case "late": setTimeout(() => process.exit(1), e.n %% 3);
				}
				console.log("n=" + e.n);
				return {n: e.n, id: c.awsRequestId, version: %d};
			}`, version)}
	}
	f := newFacility(t, func(o *Options) { o.MaxWorkers = 3 })
	s := f.serve(t, model.NodeJS, source(0), func(s *function.Spec) { s.Timeout = forLong })

	// Editors replace the old file by a new one.
	edit := func(version int) {
		name := filepath.Join(s.Folder, "src", "index.js")
		if os.WriteFile(name+".new", []byte(source(version)["index.js"]), 0o600) == nil {
			os.Rename(name+".new", name)
		}
	}

	work := make(chan int)
	var mu sync.Mutex
	outcomes := map[string]int{}
	var callers sync.WaitGroup
	for range 16 {
		callers.Go(func() {
			for n := range work {
				event, timeout := fmt.Sprintf(`{"n":%d}`, n), time.Duration(0)
				if rand.IntN(40) == 0 {
					do := []string{"crash", "kill", "hang", "throw", "reject", "late"}[rand.IntN(6)]
					event = fmt.Sprintf(`{"n":%d,"do":%q}`, n, do)
					if do == "hang" {
						timeout = 30 * time.Millisecond
					}
				}
				kind := check(t, f, n, event, timeout)
				mu.Lock()
				outcomes[kind]++
				mu.Unlock()
			}
		})
	}
	for n := range calls {
		if n%50 == 49 {
			edit(n)
		}
		work <- n
	}
	close(work)
	callers.Wait()
	if outcomes["well"] < calls*8/10 {
		t.Errorf("the outcomes of %d calls are %v", calls, outcomes)
	}
	t.Logf("outcomes: %v, workers: %d", outcomes, len(f.eventTexts(function.EventStart)))
}

// check makes a call and returns its outcome. The id and texts of the answer must be its own.
func check(t *testing.T, f *facility, n int, event string, timeout time.Duration) string {
	a, err := f.Invoke(t.Context(), function.Call{Environment: "dev", Function: "items", Payload: []byte(event), Timeout: timeout})
	var e *function.Error
	switch {
	case errors.As(err, &e):
		if e.Kind != function.Crashed && e.Kind != function.TimedOut {
			t.Errorf("the call %s: %v", event, err)
		}
		if !strings.HasPrefix(strings.TrimPrefix(e.CloudText, "RequestId: "), a.RequestID) {
			t.Errorf("the error of the call %s is another's: %s", a.RequestID, e.CloudText)
		}
		return string(e.Kind)
	case err != nil:
		t.Errorf("the call %s: %v", event, err)
		return "error"
	case a.Failed:
		if !strings.Contains(string(a.Payload), fmt.Sprintf(`n=%d"`, n)) {
			t.Errorf("the error of the call %d is another's: %s", n, a.Payload)
		}
		return "failed"
	}
	if want := fmt.Sprintf(`{"n":%d,"id":"%s","version":`, n, a.RequestID); !strings.HasPrefix(string(a.Payload), want) {
		t.Errorf("the response of the call %d is %s, want %s", n, a.Payload, want)
	}
	for _, l := range f.lines(a.RequestID) {
		if l.Text != fmt.Sprintf("n=%d", n) {
			t.Errorf("the call %d has the line %q", n, l.Text)
		}
	}
	return "well"
}
