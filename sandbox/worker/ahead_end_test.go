package worker

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/test/await"
	"gatewright/test/depth"
)

func TestACallAheadIsExecutedOnceHoweverTheOneBeforeEnds(t *testing.T) {
	t.Parallel()
	rounds := depth.Rounds(1, 5, 5)
	f, _, begun := warmed(t, 1, forLong)
	n := 0
	crashed := func(exit string) func(*testing.T, *pending) {
		return func(t *testing.T, c *pending) {
			e := c.failed(function.Crashed)
			if want := "RequestId: " + c.id + " Error: Runtime exited with error: " + exit; e.CloudText != want {
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
		if e := c.failed(function.TimedOut); !strings.HasPrefix(e.CloudText, c.id+" Task timed out after ") {
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
		// breaks means that the connection cannot be used any more.
		breaks bool
	}{
		{"exits", `,"do":"exit","spin":2`, 0, crashed("exit status 3"), false},
		{"is killed", `,"do":"kill","spin":2`, 0, crashed("signal: killed"), false},
		{"throws where nobody catches", `,"do":"uncaught","spin":2`, 0, threw("uncaught n="), false},
		{"hangs to its deadline", `,"do":"hang"`, 4 * time.Millisecond, late, false},
		{"loops to its deadline", `,"do":"spin"`, 4 * time.Millisecond, late, false},
		{"hangs for long", `,"do":"hang"`, 50 * time.Millisecond, late, false},
		{"answers and exits", `,"do":"exit later"`, 0, well, false},
		{"answers and throws", `,"do":"throw later"`, 0, well, false},
		{"answers 6 MB", `,"do":"much"`, 0, func(t *testing.T, c *pending) {
			if o := c.outcome(); o.err != nil || len(o.answer.Payload) != 6<<20+2 {
				t.Errorf("it ends with %d bytes, %v", len(o.answer.Payload), o.err)
			}
		}, false},
		{"answers too much", `,"do":"too much"`, 0, func(_ *testing.T, c *pending) { c.failed(function.TooLarge) }, false},
		{"answers what is no JSON", `,"do":"no JSON"`, 0, threw("BigInt"), false},
		{"writes what is no HTTP", `,"do":"no HTTP","spin":2`, 0, crashed("exit status 1"), true},
		{"answers another's call", `,"do":"another's"`, 0, well, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			switch row.name {
			case "exits", "loops to its deadline", "answers and throws", "answers what is no JSON", "writes what is no HTTP":
			default:
				// The call before ends in the same way as in one of these rows, or with much data.
				depth.Gate(t)
			}
			for range rounds {
				first, ahead := f.behind(t, &n, row.first, "", row.timeout)
				row.check(t, first)
				if row.breaks {
					// The call may have begun, but its answer cannot be read.
					ahead.outcome()
				} else {
					ahead.answered(n + 1)
				}
				// A call that times out before its worker has read it never begins.
				if times := timesBegun(t, begun, n); times > 1 || times == 0 && row.timeout == 0 {
					t.Errorf("call %d was begun %d times\n%s", n, times, f.log(""))
				}
				if times := timesBegun(t, begun, n+1); times != 1 {
					t.Errorf("call %d, which was ahead, was begun %d times\n%s", n+1, times, f.log(""))
				}
				if answers := first.answers.Load() + ahead.answers.Load(); answers != 2 {
					t.Errorf("two calls got %d answers", answers)
				}
			}
		})
	}
}

func TestALoopAfterAnAnswerDelaysOnlyTheNextCall(t *testing.T) {
	t.Parallel()
	f, _, begun := warmed(t, 1, aheadPatience)
	// The first call starts the loop; the second and the third wait behind it. Neither
	// has been read when the first is answered.
	for round := range depth.Rounds(1, 3, 3) {
		f.warm(t, "dev", 1)
		n := 10 * (round + 1)
		gate := filepath.Join(t.TempDir(), "gate")
		first := f.begin(t, fmt.Sprintf(`{"n":%d,"do":"hang later","gate":%q}`, n, gate), 0)
		p := f.pool("dev")
		second := f.begin(t, fmt.Sprintf(`{"n":%d}`, n+1), 500*time.Millisecond)
		third := f.begin(t, fmt.Sprintf(`{"n":%d}`, n+2), 0)
		await.Until(t, "none is ahead of a slow call", func() bool {
			p.mu.Lock()
			defer p.mu.Unlock()
			return len(p.waiting) == 2
		})
		// Make the pool expect short calls again.
		p.mu.Lock()
		p.usualTime = 0
		p.mu.Unlock()
		if err := os.WriteFile(gate, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		first.answered(n)
		second.failed(function.TimedOut)
		third.answered(n + 2)
		for k, want := range []int{1, 0, 1} {
			if times := timesBegun(t, begun, n+k); times != want {
				t.Errorf("call %d was begun %d times, want %d", n+k, times, want)
			}
		}
	}
}

func TestALargeEventForAWorkerThatDoesNotReadDelaysNobody(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	f, _, _ := warmed(t, 1, aheadPatience)
	gate := filepath.Join(t.TempDir(), "gate")
	first := f.begin(t, fmt.Sprintf(`{"n":1,"do":"hang later","gate":%q}`, gate), 0)
	large := f.begin(t, `{"n":2,"x":"`+strings.Repeat("x", 4<<20)+`"}`, 2*time.Second)
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	first.answered(1)
	if large.answers.Load() != 0 {
		t.Error("the first caller got its answer after the timeout of the second")
	}
	large.failed(function.TimedOut)
	f.begin(t, `{"n":3}`, 0).answered(3)
	f.close(t)
}

func TestACallThatAWorkerHasNotReadGoesToAnother(t *testing.T) {
	t.Parallel()
	f, _, begun := warmed(t, 1, aheadPatience)
	for _, size := range []int{0, 4 << 20}[:depth.Rounds(1, 2, 2)] {
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
		await.Until(t, "the worker has the second call", func() bool {
			p.mu.Lock()
			defer p.mu.Unlock()
			for w := range p.workers {
				if w.current != nil && w.current.id == second.id {
					w.process.Kill()
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
	depth.Gate(t)
	t.Parallel()
	f, _, _ := warmed(t, 1, aheadPatience)
	f.serve(t, model.NodeJS, map[string]string{"index.js": `
		const fs = require("fs"), { writeSync } = fs;
		fs.writeSync = (fd, ...rest) => {
			const n = writeSync(fd, ...rest);
			if (fd === 3) process.exit(7);
			return n;
		};
		exports.handler = async () => 1;`}, nil)
	before := len(f.eventTexts(function.EventStart))
	f.refused(t, `{}`, function.Crashed)
	if n := len(f.eventTexts(function.EventStart)) - before; n > 2 {
		t.Errorf("%d workers were started for one call", n)
	}
}
