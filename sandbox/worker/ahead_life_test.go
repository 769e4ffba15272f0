package worker

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
	"gatewright/test/await"
	"gatewright/test/depth"
)

func TestCallsAheadSurviveAnEditAndAChangedSpec(t *testing.T) {
	t.Parallel()
	f, s, begun := warmed(t, 1, forLong)
	n := 0
	for round := range depth.Rounds(2, 6, 6) {
		first, ahead := f.behind(t, &n, `,"spin":4`, "", 0)
		who := "first"
		if round%2 == 0 {
			s.Variables = map[string]string{"BEGUN": begun, "WHO": fmt.Sprint("round ", round)}
			who = s.Variables["WHO"]
			f.Apply([]function.Spec{s})
		} else {
			writeSource(t, s, map[string]string{"index.js": aheadSource + fmt.Sprint("\n// ", round)})
			f.pool("dev").checkSource(0)
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

func TestCallsAheadEndWithTheRunner(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name string
		end  func(*testing.T, *facility)
	}{
		{"Close", func(t *testing.T, f *facility) { f.close(t) }},
		{"a removed function", func(_ *testing.T, f *facility) { f.Apply(nil) }},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			f, _, begun := warmed(t, 1, forLong)
			n := 0
			first, ahead := f.behind(t, &n, `,"do":"hang"`, "", 300*time.Millisecond)
			row.end(t, f)
			ahead.failed(function.Closed)
			if o := first.outcome(); o.err == nil {
				t.Errorf("the call that ran has the answer %s", o.answer.Payload)
			}
			if times := timesBegun(t, begun, n+1); times != 0 {
				t.Errorf("the call ahead was begun %d times", times)
			}
			f.close(t)
			if answers := first.answers.Load() + ahead.answers.Load(); answers != 2 {
				t.Errorf("two calls got %d answers", answers)
			}
		})
	}
}

func TestACallAheadThatHasBegunRunsToItsEndWhenItsFunctionIsRemoved(t *testing.T) {
	// The function is removed after the call has begun, before the runner knows that.
	t.Parallel()
	rounds := depth.Rounds(1, 20, 20)
	for round := range rounds {
		f, _, begun := warmed(t, 1, forLong)
		n := 0
		first, ahead := f.behind(t, &n, `,"spin":1`, `,"spin":2`, 0)
		time.Sleep(time.Duration(round) * 4 * time.Millisecond / time.Duration(rounds))
		f.Apply(nil)
		first.answered(n)
		var e *function.Error
		o := ahead.outcome()
		switch times := timesBegun(t, begun, n+1); {
		case o.err == nil && times == 1:
		case errors.As(o.err, &e) && e.Kind == function.Closed && times == 0:
		default:
			t.Fatalf("the call ahead was begun %d times and ends with %.300s, %v", times, o.answer.Payload, o.err)
		}
	}
}

func TestACallAheadWhoseCallerLeavesIsNotBegun(t *testing.T) {
	t.Parallel()
	f, _, begun := warmed(t, 1, forLong)
	n := 0
	for range 5 {
		first, ahead := f.behind(t, &n, `,"spin":3`, "", 0)
		ahead.forget()
		if f.isAhead(ahead) {
			t.Fatal("the call is still ahead")
		}
		first.answered(n)
		f.begin(t, fmt.Sprintf(`{"n":%d}`, n+1000), 0).answered(n + 1000)
		if times := timesBegun(t, begun, n+1); times != 0 {
			t.Errorf("it was begun %d times", times)
		}
		if ahead.answers.Load() != 0 {
			t.Error("the caller that has left gets an answer")
		}
	}
	ctx, leave := context.WithCancel(t.Context())
	leave()
	if _, err := f.Invoke(ctx, function.Call{Environment: "dev", Function: "items", Payload: []byte(`{}`)}); !errors.Is(err, context.Canceled) {
		t.Errorf("the caller that has left gets %v", err)
	}
}

func TestPlainLinesOfACallAheadAreItsOwn(t *testing.T) {
	t.Parallel()
	for _, do := range []string{"write", "child"} {
		t.Run(do, func(t *testing.T) {
			t.Parallel()
			f, s, _ := warmed(t, 1, forLong)
			n := 0
			for round := range depth.Rounds(1, 10, 10) {
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
				f.Apply([]function.Spec{s})
			}
		})
	}
}

func TestEndedWorkersLeaveNoFileOpen(t *testing.T) {
	depth.Gate(t)
	files := func() int {
		open, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skipf("NOT TESTED: the open files of this process cannot be listed: %v", err)
		}
		return len(open)
	}
	f, _, _ := warmed(t, 1, forLong)
	before := files()
	n := 0
	for range depth.Rounds(1, 5, 5) {
		first, ahead := f.behind(t, &n, `,"do":"exit","spin":2`, "", 0)
		first.failed(function.Crashed)
		ahead.answered(n + 1)
	}
	await.Until(t, "the files of those that ended are closed", func() bool { return files() <= before })
}

// TestAFrameIsReadOnceOrTakenBack reads two frames as a worker does, while the second
// is taken back.
func TestAFrameIsReadOnceOrTakenBack(t *testing.T) {
	t.Parallel()
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
			if _, err := io.ReadFull(l.workerEnd, p); err != nil {
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
	taken, many := 0, depth.Rounds(1000, 4000, 4000)
	for n := 0; n < many; n += 2 {
		first, later := event(n), event(n+1)
		l.send(first, frame{}, &function.Spec{})
		// In half of the rounds the first has been read.
		early := random.IntN(2) == 0
		if early {
			expect(first)
		}
		l.send(later, frame{}, &function.Spec{})
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
	hangUp(l.workerEnd)
	if rest, more := <-read; more {
		t.Errorf("%.40q follows the last frame", rest)
	}
}
