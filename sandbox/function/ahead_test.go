package function

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gatewright/model"
	"gatewright/sandbox/logs"
)

// aheadSource is a handler that does what its event says, and writes each event's
// number to a file when it begins with it.
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
		case "another's": fs.writeSync(3, "POST /2018-06-01/runtime/invocation/none/response HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}"); break;
		case "write": process.stdout.write("n=" + e.n + "\n"); break;
		case "child": require("child_process").execFileSync("/bin/sh", ["-c", "echo n=" + e.n], {stdio: "inherit"}); break;
		}
		return {n: e.n, who: process.env.WHO, id: c.awsRequestId};
	}`

// warmed is a function of aheadSource whose workers, most of them, may all have a
// call ahead. The file that it gives has the number of each event that was begun.
func warmed(t *testing.T, most int, change func(*Spec)) (f *facility, s Spec, begun string) {
	t.Helper()
	f = newFacility(t, func(o *Options) { o.Most = most })
	begun = filepath.Join(t.TempDir(), "begun")
	s = f.serve(t, model.NodeJS, map[string]string{"index.js": aheadSource}, func(s *Spec) {
		s.Variables = map[string]string{"BEGUN": begun, "WHO": "first"}
		s.Timeout = 20 * time.Second
		if change != nil {
			change(s)
		}
	})
	if f.pool("dev").link(t) == nil {
		t.Skip("NOT TESTED: a process inherits no connection on this system")
	}
	f.warm(t, "dev", most)
	return f, s, begun
}

func (f *facility) pool(environment string) *pool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.pools[key{environment, "items"}]
}

// link is the connection of a worker, which is started for it.
func (p *pool) link(t *testing.T) *link {
	t.Helper()
	if _, err := p.runner.Invoke(t.Context(), Call{Environment: p.environment, Function: p.name, Payload: []byte(`{}`)}); err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for w := range p.workers {
		return w.link
	}
	return nil
}

// warm makes short calls until each of so many workers may have a call ahead.
func (f *facility) warm(t *testing.T, environment string, most int) {
	t.Helper()
	p := f.pool(environment)
	eventually(t, "the workers are warm", func() bool {
		var callers sync.WaitGroup
		for range 2 * most {
			callers.Go(func() {
				for range leastCalls {
					if _, err := f.Invoke(t.Context(), Call{Environment: environment, Function: "items", Payload: []byte(`{}`)}); err != nil {
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
			if w.generation == p.generation && w.state != ending && w.calls >= leastCalls && !w.output.plain.Load() {
				ready++
			}
		}
		return t.Failed() || ready == most && p.usual < shortCall && len(p.waiting) == 0
	})
}

// pending is a call that was begun and not waited for.
type pending struct {
	t        *testing.T
	id       string
	outcomes chan outcome
	told     atomic.Int32
	forget   func()
}

func (f *facility) begin(t *testing.T, event string, timeout time.Duration) *pending {
	c := &pending{t: t, id: newRequestID(), outcomes: make(chan outcome, 8)}
	c.forget = f.Begin(Call{Environment: "dev", Function: "items", RequestID: c.id, Payload: []byte(event), Timeout: timeout}, func(a Answer, err error) {
		c.told.Add(1)
		c.outcomes <- outcome{answer: a, err: err}
	})
	return c
}

// outcome is how a call ended. It must be told.
func (c *pending) outcome() outcome {
	c.t.Helper()
	select {
	case o := <-c.outcomes:
		if o.answer.RequestID != c.id {
			c.t.Errorf("the call %s is told the answer of %s", c.id, o.answer.RequestID)
		}
		return o
	case <-time.After(30 * time.Second):
		c.t.Fatal("a call is not answered")
		return outcome{}
	}
}

// answered fails unless the call has the answer of the handler for its number.
func (c *pending) answered(n int) {
	c.t.Helper()
	o := c.outcome()
	if want := fmt.Sprintf(`{"n":%d,`, n); o.err != nil || o.answer.Failed || !strings.HasPrefix(string(o.answer.Payload), want) {
		c.t.Errorf("the call %d ends with %.300s, %v", n, o.answer.Payload, o.err)
	}
}

// failed fails unless the call ended with an error of a kind.
func (c *pending) failed(kind ErrorKind) *Error {
	c.t.Helper()
	o := c.outcome()
	var e *Error
	if !errors.As(o.err, &e) || e.Kind != kind {
		c.t.Fatalf("the call ends with %.300s, %v; want it %s", o.answer.Payload, o.err, kind)
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

// behind makes a call of the one worker, and another that it has ahead. Where the
// first one took so long that the other was not handed ahead, both are made again.
// The first has the number n, the other n+1.
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
		// Whatever they did to the worker.
		p := f.pool("dev")
		p.mu.Lock()
		p.bump(false)
		p.mu.Unlock()
	}
	t.Fatal("no call was handed ahead")
	return nil, nil
}

// timesBegun is how often a handler began with an event.
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

func TestOfThousandsOfShortCallsEachIsExecutedOnceAndInItsOrder(t *testing.T) {
	const callers = 32
	calls := 100
	if testing.Short() {
		calls = 15
	}
	for _, most := range []int{1, 4} {
		t.Run(fmt.Sprint(most, " workers"), func(t *testing.T) {
			f, s, begun := warmed(t, most, nil)
			other := s
			other.Environment, other.Folder = "test", t.TempDir()
			other.Variables = map[string]string{"BEGUN": begun + ".test", "WHO": "second"}
			writeSource(t, other, map[string]string{"index.js": aheadSource})
			f.Apply([]Spec{s, other})
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
							// One that is too large to be handed ahead.
							size = mostAhead + n
						}
						id := newRequestID()
						event := fmt.Sprintf(`{"n":%d,"x":"%s"}`, n, strings.Repeat("x", size))
						a, err := f.Invoke(t.Context(), Call{Environment: environment, Function: "items", RequestID: id, Payload: []byte(event)})
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
			if handed.Load() == 0 {
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
	for _, most := range []int{2, 4} {
		t.Run(fmt.Sprint(most, " workers"), func(t *testing.T) {
			f, _, begun := warmed(t, most, nil)
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
				if slow.told.Load() != 0 {
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
				t.Error("no call was handed ahead of the slow one")
			}
		})
	}
}

func TestACallAheadIsExecutedOnceHoweverTheOneBeforeEnds(t *testing.T) {
	rounds := 5
	if testing.Short() {
		rounds = 2
	}
	crashed := func(exit string) func(*testing.T, *pending) {
		return func(t *testing.T, c *pending) {
			e := c.failed(Crashed)
			if want := c.id + " Error: Runtime exited with error: " + exit; e.CloudText != want {
				t.Errorf("the error is %s, want %s", e.CloudText, want)
			}
		}
	}
	threw := func(text string) func(*testing.T, *pending) {
		return func(t *testing.T, c *pending) {
			if o := c.outcome(); o.err != nil || !o.answer.Failed || !strings.Contains(string(o.answer.Payload), text) {
				t.Errorf("it ends with %.300s, %v", o.answer.Payload, o.err)
			}
		}
	}
	late := func(t *testing.T, c *pending) {
		if e := c.failed(TimedOut); !strings.HasPrefix(e.CloudText, c.id+" Task timed out after ") {
			t.Errorf("the error is %s", e.CloudText)
		}
	}
	well := func(t *testing.T, c *pending) {
		if o := c.outcome(); o.err != nil || o.answer.Failed || !strings.Contains(string(o.answer.Payload), c.id) {
			t.Errorf("it ends with %.300s, %v", o.answer.Payload, o.err)
		}
	}
	for _, row := range []struct {
		name, first string
		timeout     time.Duration
		check       func(*testing.T, *pending)
		// breaks says that the connection is of no use any more.
		breaks bool
	}{
		{"exits", `,"do":"exit","spin":2`, 0, crashed("exit status 3"), false},
		{"is killed", `,"do":"kill","spin":2`, 0, crashed("signal: killed"), false},
		{"throws where nobody catches", `,"do":"uncaught","spin":2`, 0, threw("uncaught n="), false},
		{"hangs to its deadline", `,"do":"hang"`, 4 * time.Millisecond, late, false},
		{"loops to its deadline", `,"do":"spin"`, 4 * time.Millisecond, late, false},
		{"hangs for long", `,"do":"hang"`, 300 * time.Millisecond, late, false},
		{"answers and exits", `,"do":"exit later"`, 0, well, false},
		{"answers and throws", `,"do":"throw later"`, 0, well, false},
		{"answers 6 MB", `,"do":"much"`, 0, func(t *testing.T, c *pending) {
			if o := c.outcome(); o.err != nil || len(o.answer.Payload) != 6<<20+2 {
				t.Errorf("it ends with %d bytes, %v", len(o.answer.Payload), o.err)
			}
		}, false},
		{"answers too much", `,"do":"too much"`, 0, func(_ *testing.T, c *pending) { c.failed(TooLarge) }, false},
		{"answers what is no JSON", `,"do":"no JSON"`, 0, threw("BigInt"), false},
		{"writes what is no HTTP", `,"do":"no HTTP","spin":2`, 0, crashed("exit status 1"), true},
		{"answers another's call", `,"do":"another's"`, 0, well, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			f, _, begun := warmed(t, 1, nil)
			n := 0
			for range rounds {
				first, ahead := f.behind(t, &n, row.first, "", row.timeout)
				row.check(t, first)
				if row.breaks {
					// It may have been begun already, and its answer cannot be read.
					ahead.outcome()
				} else {
					ahead.answered(n + 1)
				}
				for k := range 2 {
					if times := timesBegun(t, begun, n+k); times != 1 {
						t.Errorf("call %d was begun %d times\n%s", n+k, times, f.log(""))
					}
				}
				if told := first.told.Load() + ahead.told.Load(); told != 2 {
					t.Errorf("two calls were told %d answers", told)
				}
			}
		})
	}
}

func TestAHandlerThatLeavesALoopBehindHoldsNothingButTheNextCall(t *testing.T) {
	f, _, begun := warmed(t, 1, nil)
	// The first call leaves the loop; the second finds it, and the third waits
	// behind that. None of them has been read when the first is answered.
	for round := range 3 {
		f.warm(t, "dev", 1)
		n := 10 * (round + 1)
		gate := filepath.Join(t.TempDir(), "gate")
		first := f.begin(t, fmt.Sprintf(`{"n":%d,"do":"hang later","gate":%q}`, n, gate), 0)
		p := f.pool("dev")
		second := f.begin(t, fmt.Sprintf(`{"n":%d}`, n+1), 500*time.Millisecond)
		third := f.begin(t, fmt.Sprintf(`{"n":%d}`, n+2), 0)
		eventually(t, "none is ahead of a slow call", func() bool {
			p.mu.Lock()
			defer p.mu.Unlock()
			return len(p.waiting) == 2
		})
		// As after short calls.
		p.mu.Lock()
		p.usual = 0
		p.mu.Unlock()
		if err := os.WriteFile(gate, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		first.answered(n)
		second.failed(TimedOut)
		third.answered(n + 2)
		for k, want := range []int{1, 0, 1} {
			if times := timesBegun(t, begun, n+k); times != want {
				t.Errorf("call %d was begun %d times, want %d", n+k, times, want)
			}
		}
	}
}

func TestALargeEventForAWorkerThatDoesNotReadHoldsNobody(t *testing.T) {
	f, _, _ := warmed(t, 1, nil)
	gate := filepath.Join(t.TempDir(), "gate")
	first := f.begin(t, fmt.Sprintf(`{"n":1,"do":"hang later","gate":%q}`, gate), 0)
	large := f.begin(t, `{"n":2,"x":"`+strings.Repeat("x", 4<<20)+`"}`, 2*time.Second)
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	first.answered(1)
	if large.told.Load() != 0 {
		t.Error("the first caller was told after the time of the second was over")
	}
	large.failed(TimedOut)
	f.begin(t, `{"n":3}`, 0).answered(3)
	f.close(t)
}

func TestACallThatAWorkerHasNotReadGoesToAnother(t *testing.T) {
	f, _, begun := warmed(t, 1, nil)
	for _, size := range []int{0, 4 << 20} {
		n := 10 + size
		gate := filepath.Join(t.TempDir(), "gate")
		f.warm(t, "dev", 1)
		first := f.begin(t, fmt.Sprintf(`{"n":%d,"do":"hang later","gate":%q}`, n, gate), 0)
		second := f.begin(t, fmt.Sprintf(`{"n":%d,"x":"%s"}`, n+1, strings.Repeat("x", size)), 0)
		if err := os.WriteFile(gate, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		first.answered(n)
		p := f.pool("dev")
		eventually(t, "the worker has the second call", func() bool {
			p.mu.Lock()
			defer p.mu.Unlock()
			for w := range p.workers {
				if w.current != nil && w.current.id == second.id {
					w.cmd.Process.Kill()
					return true
				}
			}
			return false
		})
		second.answered(n + 1)
		if times := timesBegun(t, begun, n+1); times != 1 {
			t.Errorf("it was begun %d times", times)
		}
	}
}

func TestAWorkerThatEndsBeforeEveryFirstCallFailsIt(t *testing.T) {
	f, _, _ := warmed(t, 1, nil)
	f.serve(t, model.NodeJS, map[string]string{"index.js": `
		const fs = require("fs"), { writeSync } = fs;
		fs.writeSync = (fd, ...rest) => {
			const n = writeSync(fd, ...rest);
			if (fd === 3) process.exit(7);
			return n;
		};
		exports.handler = async () => 1;`}, nil)
	before := len(f.said(EventStart))
	f.refused(t, `{}`, Crashed)
	if n := len(f.said(EventStart)) - before; n > 2 {
		t.Errorf("%d workers were started for one call", n)
	}
}

func TestAnEditAndAChangedSpecMeetCallsAhead(t *testing.T) {
	f, s, begun := warmed(t, 1, nil)
	n := 0
	for round := range 6 {
		first, ahead := f.behind(t, &n, `,"spin":4`, "", 0)
		who := "first"
		if round%2 == 0 {
			s.Variables = map[string]string{"BEGUN": begun, "WHO": fmt.Sprint("round ", round)}
			who = s.Variables["WHO"]
			f.Apply([]Spec{s})
		} else {
			writeSource(t, s, map[string]string{"index.js": aheadSource + fmt.Sprint("\n// ", round)})
			f.pool("dev").look(0)
			who = s.Variables["WHO"]
		}
		last := f.begin(t, fmt.Sprintf(`{"n":%d}`, n+1000), 0)
		first.answered(n)
		ahead.answered(n + 1)
		o := last.outcome()
		if want := fmt.Sprintf(`"who":%q`, who); !strings.Contains(string(o.answer.Payload), want) {
			t.Errorf("after the change the answer is %s, %v, want %s", o.answer.Payload, o.err, want)
		}
		for _, k := range []int{n, n + 1, n + 1000} {
			if times := timesBegun(t, begun, k); times != 1 {
				t.Errorf("call %d was begun %d times", k, times)
			}
		}
	}
}

func TestCallsAheadAreToldOfTheEnd(t *testing.T) {
	for _, row := range []struct {
		name string
		end  func(*testing.T, *facility)
	}{
		{"Close", func(t *testing.T, f *facility) { f.close(t) }},
		{"a function that is gone", func(_ *testing.T, f *facility) { f.Apply(nil) }},
	} {
		t.Run(row.name, func(t *testing.T) {
			f, _, begun := warmed(t, 1, nil)
			n := 0
			first, ahead := f.behind(t, &n, `,"do":"hang"`, "", 300*time.Millisecond)
			row.end(t, f)
			ahead.failed(Closed)
			if o := first.outcome(); o.err == nil {
				t.Errorf("the call that ran has the answer %s", o.answer.Payload)
			}
			if times := timesBegun(t, begun, n+1); times != 0 {
				t.Errorf("the call ahead was begun %d times", times)
			}
			f.close(t)
			if told := first.told.Load() + ahead.told.Load(); told != 2 {
				t.Errorf("two calls were told %d answers", told)
			}
		})
	}
}

func TestACallAheadThatHasBegunRunsToItsEndWhenItsFunctionIsGone(t *testing.T) {
	// Where the function goes between the begin of a call and the news of it.
	for round := range 20 {
		f, _, begun := warmed(t, 1, nil)
		n := 0
		first, ahead := f.behind(t, &n, `,"spin":1`, `,"spin":2`, 0)
		time.Sleep(time.Duration(round) * 200 * time.Microsecond)
		f.Apply(nil)
		first.answered(n)
		var e *Error
		o := ahead.outcome()
		switch times := timesBegun(t, begun, n+1); {
		case o.err == nil && times == 1:
		case errors.As(o.err, &e) && e.Kind == Closed && times == 0:
		default:
			t.Fatalf("the call ahead was begun %d times and ends with %.300s, %v", times, o.answer.Payload, o.err)
		}
		if testing.Short() && round > 4 {
			return
		}
	}
}

func TestACallAheadWhoseCallerLeavesIsNotBegun(t *testing.T) {
	f, _, begun := warmed(t, 1, nil)
	n := 0
	for range 5 {
		first, ahead := f.behind(t, &n, `,"spin":3`, "", 0)
		ahead.forget()
		if f.isAhead(ahead) {
			t.Fatal("it is ahead of another yet")
		}
		first.answered(n)
		f.begin(t, fmt.Sprintf(`{"n":%d}`, n+1000), 0).answered(n + 1000)
		if times := timesBegun(t, begun, n+1); times != 0 {
			t.Errorf("it was begun %d times", times)
		}
		if ahead.told.Load() != 0 {
			t.Error("who left was told")
		}
	}
	ctx, leave := context.WithCancel(t.Context())
	leave()
	if _, err := f.Invoke(ctx, Call{Environment: "dev", Function: "items", Payload: []byte(`{}`)}); !errors.Is(err, context.Canceled) {
		t.Errorf("who has left gets %v", err)
	}
}

func TestPlainLinesOfACallAheadAreItsOwn(t *testing.T) {
	for _, do := range []string{"write", "child"} {
		t.Run(do, func(t *testing.T) {
			f, s, _ := warmed(t, 1, nil)
			n := 0
			for round := range 10 {
				first, ahead := f.behind(t, &n, "", fmt.Sprintf(`,"do":%q`, do), 0)
				first.answered(n)
				ahead.answered(n + 1)
				last := f.begin(t, fmt.Sprintf(`{"n":%d,"do":%q}`, n+1000, do), 0)
				last.answered(n + 1000)
				if lines := f.lines(first.id); len(lines) != 0 {
					t.Errorf("the call before has the lines %v", lines)
				}
				for c, k := range map[*pending]int{ahead: n + 1, last: n + 1000} {
					want := logs.Line{Environment: "dev", Function: "items", Request: c.id, Text: fmt.Sprint("n=", k)}
					if lines := f.lines(c.id); len(lines) != 1 || lines[0] != want {
						t.Errorf("call %d has the lines %v\n%s", k, lines, f.log(""))
					}
				}
				// A worker that wrote a plain line has no more calls ahead.
				s.Variables = map[string]string{"BEGUN": s.Variables["BEGUN"], "ROUND": fmt.Sprint(round)}
				f.Apply([]Spec{s})
			}
		})
	}
}

func TestEndedWorkersLeaveNoFileOpen(t *testing.T) {
	files := func() int {
		open, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skipf("NOT TESTED: the open files of this process are not to be had: %v", err)
		}
		return len(open)
	}
	f, _, _ := warmed(t, 1, nil)
	before := files()
	n := 0
	for range 5 {
		first, ahead := f.behind(t, &n, `,"do":"exit","spin":2`, "", 0)
		first.failed(Crashed)
		ahead.answered(n + 1)
	}
	eventually(t, "the files of those that ended are closed", func() bool { return files() <= before })
}

// TestAFrameIsReadOnceOrTakenBack reads frames as a worker does while the later one
// of two is taken back.
func TestAFrameIsReadOnceOrTakenBack(t *testing.T) {
	l := newLink()
	if l == nil {
		t.Skip("NOT TESTED: a process inherits no connection on this system")
	}
	defer l.close()
	read := make(chan string)
	go func() {
		defer close(read)
		take := func(size int) []byte {
			p := make([]byte, size)
			if _, err := io.ReadFull(l.other, p); err != nil {
				return nil
			}
			return p
		}
		for {
			head := take(frameHead)
			if head == nil {
				return
			}
			lines, size := binary.LittleEndian.Uint32(head), binary.LittleEndian.Uint32(head[4:])
			rest := take(int(lines + size))
			id, _, _ := strings.Cut(string(rest[:lines]), "\n")
			read <- id + " " + string(rest[lines:])
		}
	}()
	random := rand.New(rand.NewPCG(1, 2))
	event := func(n int) *invocation {
		return &invocation{id: fmt.Sprint("call-", n), payload: []byte(strings.Repeat(fmt.Sprint(n%10), random.IntN(3*mostAhead/2)))}
	}
	expect := func(i *invocation) {
		t.Helper()
		if got := <-read; got != i.id+" "+string(i.payload) {
			t.Fatalf("a frame of %d bytes is read that begins with %.40q, want %s", len(got), got, i.id)
		}
	}
	taken, many := 0, 4000
	for n := 0; n < many; n += 2 {
		first, later := event(n), event(n+1)
		l.send(first, frame{}, &Spec{})
		// In half of them the first has been read.
		early := random.IntN(2) == 0
		if early {
			expect(first)
		}
		l.send(later, frame{}, &Spec{})
		for range random.IntN(4) {
			runtime.Gosched()
		}
		back := l.takeBack(later)
		if !early {
			expect(first)
		}
		if back {
			taken++
		} else {
			expect(later)
		}
	}
	if taken == 0 || taken == many/2 {
		t.Errorf("%d of %d were taken back", taken, many/2)
	}
	t.Logf("%d of %d were taken back", taken, many/2)
	hangUp(l.other)
	if rest, more := <-read; more {
		t.Errorf("%.40q is read behind the last", rest)
	}
}
