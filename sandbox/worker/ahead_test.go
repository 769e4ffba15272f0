package worker

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gatewright/internal/uuid"
	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/test/await"
	"gatewright/test/depth"
)

// aheadSource is a handler that does what its event says. It writes each event's
// number to a file when it begins.
const aheadSource = `
	const fs = require("fs");
	const spin = (ms) => { for (const end = Date.now() + ms; Date.now() < end; ); };
	exports.handler = async (e, c) => {
		if (e.n !== undefined) fs.appendFileSync(process.env.BEGUN, e.n + "\n");
		if (e.spin) spin(e.spin);
		while (e.gate && !fs.existsSync(e.gate)) await new Promise(r => setTimeout(r, 1));
		switch (e.do) {
		case "exit": process.exit(3);
		case "kill": process.kill(process.pid, "SIGKILL"); spin(9000);
		case "uncaught": setImmediate(() => { throw new Error("uncaught n=" + e.n); }); return new Promise(() => {});
		case "hang": return new Promise(r => setTimeout(r, 90000));
		case "spin": for (;;);
		case "exit later": setImmediate(() => process.exit(5)); break;
		case "throw later": setImmediate(() => { throw new Error("later"); }); break;
		case "hang later": setImmediate(() => { for (;;); }); break;
		case "much": return "m".repeat(6 << 20);
		case "too much": return "m".repeat((6 << 20) + 200);
		case "no JSON": return 1n;
		case "no HTTP": fs.writeSync(3, "\x16\x03 nonsense\r\n\r\n"); break;
		case "another's": fs.writeSync(3, "POST /" + process.env.AWS_LAMBDA_RUNTIME_API.split("/")[1] + "/2018-06-01/runtime/invocation/none/response HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}"); break;
		case "write": process.stdout.write("n=" + e.n + "\n"); break;
		case "child": require("child_process").execFileSync("/bin/sh", ["-c", "echo n=" + e.n], {stdio: "inherit"}); break;
		}
		return {n: e.n, who: process.env.WHO, id: c.awsRequestId};
	}`

// warmed serves aheadSource with a number of workers that may all have a call ahead.
// The file begun has the number of each event that was begun. However slow the machine is, calls
// count as short; a call ahead is taken back if the one before it takes longer than patience.
func warmed(t *testing.T, most int, patience time.Duration) (f *facility, s function.Spec, begun string) {
	t.Helper()
	f = newFacility(t, func(o *Options) { o.MaxWorkers = most })
	f.shortCall, f.aheadPatience = forLong, patience
	begun = filepath.Join(t.TempDir(), "begun")
	s = f.serve(t, model.NodeJS, map[string]string{"index.js": aheadSource}, func(s *function.Spec) {
		s.Variables = map[string]string{"BEGUN": begun, "WHO": "first"}
		s.Timeout = forLong
	})
	if f.pool("dev").link(t) == nil {
		t.Skip("NOT TESTED: a process inherits no connection on this system")
	}
	f.warm(t, "dev", most)
	return f, s, begun
}

// forLong is longer than any test.
const forLong = time.Hour

func (f *facility) pool(environment string) *pool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.pools[key{environment, "items"}]
}

// link returns the connection of a worker, which it starts.
func (p *pool) link(t *testing.T) *link {
	t.Helper()
	if _, err := p.runner.Invoke(t.Context(), function.Call{Environment: p.environment, Function: p.name, Payload: []byte(`{}`)}); err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for w := range p.workers {
		return w.link
	}
	return nil
}

// warm makes short calls until a number of workers may have a call ahead.
func (f *facility) warm(t *testing.T, environment string, most int) {
	t.Helper()
	p := f.pool(environment)
	await.Until(t, "the workers are warm", func() bool {
		var callers sync.WaitGroup
		for range 2 * most {
			callers.Go(func() {
				for range leastCalls {
					if _, err := f.Invoke(t.Context(), function.Call{Environment: environment, Function: "items", Payload: []byte(`{}`)}); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		callers.Wait()
		p.mu.Lock()
		defer p.mu.Unlock()
		ready := 0
		for w := range p.workers {
			if w.generation == p.generation && w.state != ending && w.calls >= leastCalls && !w.output.hasPlain.Load() {
				ready++
			}
		}
		return t.Failed() || ready == most && p.usualTime < f.shortCall && len(p.waiting) == 0
	})
}

// pending is a call that nobody waits for yet.
type pending struct {
	t        *testing.T
	id       string
	outcomes chan outcome
	answers  atomic.Int32
	forget   func()
}

func (f *facility) begin(t *testing.T, event string, timeout time.Duration) *pending {
	c := &pending{t: t, id: uuid.New(), outcomes: make(chan outcome, 8)}
	c.forget = f.Begin(function.Call{Environment: "dev", Function: "items", RequestID: c.id, Payload: []byte(event), Timeout: timeout}, func(a function.Answer, err error) {
		c.answers.Add(1)
		c.outcomes <- outcome{answer: a, err: err}
	})
	return c
}

// outcome waits for the end of the call.
func (c *pending) outcome() outcome {
	c.t.Helper()
	o := await.Next(c.t, "the end of the call "+c.id, c.outcomes)
	if o.answer.RequestID != c.id {
		c.t.Errorf("the call %s gets the response of %s", c.id, o.answer.RequestID)
	}
	return o
}

// answered checks that the call gets the answer for its number.
func (c *pending) answered(n int) {
	c.t.Helper()
	o := c.outcome()
	if want := fmt.Sprintf(`{"n":%d,`, n); o.err != nil || o.answer.Failed || !strings.HasPrefix(string(o.answer.Payload), want) {
		c.t.Errorf("the call %d ends with %.300s, %v", n, o.answer.Payload, o.err)
	}
}

// failed checks that the call ends with an error of a kind.
func (c *pending) failed(kind function.ErrorKind) *function.Error {
	c.t.Helper()
	o := c.outcome()
	var e *function.Error
	if !errors.As(o.err, &e) || e.Kind != kind {
		c.t.Fatalf("the call ends with %.300s, %v; want the error %s", o.answer.Payload, o.err, kind)
	}
	return e
}

// isAhead reports whether a worker has the call as its next one.
func (f *facility) isAhead(c *pending) bool {
	p := f.pool("dev")
	p.mu.Lock()
	defer p.mu.Unlock()
	for w := range p.workers {
		if w.ahead != nil && w.ahead.id == c.id {
			return true
		}
	}
	return false
}

// behind makes a call to the only worker, and a second call that is ahead. If the first
// took too long for that, it makes both again. Their numbers are n and n+1.
func (f *facility) behind(t *testing.T, n *int, first, second string, timeout time.Duration) (a, b *pending) {
	t.Helper()
	for range 50 {
		f.warm(t, "dev", 1)
		*n += 2
		a = f.begin(t, fmt.Sprintf(`{"n":%d%s}`, *n, first), timeout)
		b = f.begin(t, fmt.Sprintf(`{"n":%d%s}`, *n+1, second), 0)
		if f.isAhead(b) {
			return a, b
		}
		a.outcome()
		b.outcome()
		// These calls may have ended the worker.
		p := f.pool("dev")
		p.mu.Lock()
		p.renew(false)
		p.mu.Unlock()
	}
	t.Fatal("no call was given ahead")
	return nil, nil
}

// timesBegun returns how often a handler began an event.
func timesBegun(t *testing.T, file string, n int) (times int) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.TrimSpace(line) == strconv.Itoa(n) {
			times++
		}
	}
	return times
}

func TestEachOfThousandsOfShortCallsIsExecutedOnceAndInOrder(t *testing.T) {
	t.Parallel()
	const callers = 32
	calls := depth.Rounds(15, 100, 100)
	for _, most := range []int{1, 4} {
		t.Run(fmt.Sprint(most, " workers"), func(t *testing.T) {
			if most == 4 {
				depth.Gate(t)
			}
			t.Parallel()
			f, s, begun := warmed(t, most, forLong)
			other := s
			other.Environment, other.Folder = "test", t.TempDir()
			other.Variables = map[string]string{"BEGUN": begun + ".test", "WHO": "second"}
			writeSource(t, other, map[string]string{"index.js": aheadSource})
			f.Apply([]function.Spec{s, other})
			f.warm(t, "test", most)

			who := map[string]string{"dev": "first", "test": "second"}
			var handed atomic.Int32
			over := make(chan struct{})
			var watcher sync.WaitGroup
			watcher.Go(func() {
				p := f.pool("dev")
				for {
					select {
					case <-over:
						return
					case <-time.After(200 * time.Microsecond):
					}
					p.mu.Lock()
					for w := range p.workers {
						if w.ahead != nil {
							handed.Add(1)
						}
					}
					p.mu.Unlock()
				}
			})
			var all sync.WaitGroup
			for caller := range callers {
				all.Go(func() {
					environment := []string{"dev", "test"}[caller%2]
					for k := range calls {
						n := caller*calls + k
						size := 0
						if n%20 == 0 {
							// This event is too large to be given ahead.
							size = mostAhead + n
						}
						id := uuid.New()
						event := fmt.Sprintf(`{"n":%d,"x":"%s"}`, n, strings.Repeat("x", size))
						a, err := f.Invoke(t.Context(), function.Call{Environment: environment, Function: "items", RequestID: id, Payload: []byte(event)})
						want := fmt.Sprintf(`{"n":%d,"who":%q,"id":%q}`, n, who[environment], id)
						if err != nil || string(a.Payload) != want {
							t.Errorf("the answer is %s, %v, want %s", a.Payload, err, want)
							return
						}
					}
				})
			}
			all.Wait()
			close(over)
			watcher.Wait()
			// On a busy machine, a worker of four is seldom behind the callers.
			if handed.Load() == 0 && most == 1 {
				t.Error("no call was seen ahead")
			}
			next := map[int]int{}
			for _, file := range []string{begun, begun + ".test"} {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				for line := range strings.Lines(string(text)) {
					n, err := strconv.Atoi(strings.TrimSpace(line))
					if err != nil {
						t.Fatal(err)
					}
					if caller := n / calls; n%calls != next[caller] {
						t.Errorf("caller %d: call %d was begun instead of call %d", caller, n%calls, next[caller])
					}
					next[n/calls]++
				}
			}
			for caller := range callers {
				if next[caller] != calls {
					t.Errorf("caller %d: %d calls of %d were begun", caller, next[caller], calls)
				}
			}
			t.Logf("calls ahead were seen %d times", handed.Load())
		})
	}
}

func TestNobodyWaitsBehindASlowCall(t *testing.T) {
	t.Parallel()
	for _, most := range []int{2, 4} {
		t.Run(fmt.Sprint(most, " workers"), func(t *testing.T) {
			if most == 4 {
				depth.Gate(t)
			}
			t.Parallel()
			f, _, begun := warmed(t, most, aheadPatience)
			gate := filepath.Join(t.TempDir(), "gate")
			handed := false
			for n := 0; n < 50*100 && !handed; n += 100 {
				f.warm(t, "dev", most)
				gate := gate + fmt.Sprint(n)
				slow := f.begin(t, fmt.Sprintf(`{"n":%d,"gate":%q}`, n, gate), 0)
				var others []*pending
				for k := 1; k < 20; k++ {
					c := f.begin(t, fmt.Sprintf(`{"n":%d}`, n+k), 0)
					others = append(others, c)
					p := f.pool("dev")
					p.mu.Lock()
					for w := range p.workers {
						handed = handed || w.current != nil && w.current.id == slow.id && w.ahead != nil
					}
					p.mu.Unlock()
				}
				for k, c := range others {
					c.answered(n + k + 1)
				}
				if slow.answers.Load() != 0 {
					t.Fatal("the slow call did not wait for the gate")
				}
				if err := os.WriteFile(gate, nil, 0o600); err != nil {
					t.Fatal(err)
				}
				slow.answered(n)
				for k := range 20 {
					if times := timesBegun(t, begun, n+k); times != 1 {
						t.Errorf("call %d was begun %d times", n+k, times)
					}
				}
			}
			if !handed {
				t.Error("no call was given ahead behind the slow one")
			}
		})
	}
}
