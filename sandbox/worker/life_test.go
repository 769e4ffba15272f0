//go:build unix

package worker

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/test/await"
	"gatewright/test/depth"
)

func TestCloseLeavesNoProcess(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("NOT TESTED: the processes of this system are not read")
	}
	f := newFacility(t, nil)
	f.serve(t, model.NodeJS, map[string]string{"index.js": `
		const { spawn } = require("child_process");
		exports.handler = async (e) => {
			const child = spawn("sleep", ["600"]), stray = spawn("sleep", ["600"], {detached: true, stdio: e.quiet ? "ignore" : "inherit"});
			child.unref(); stray.unref();
			if (e.hang) { console.log(JSON.stringify([process.pid, child.pid, stray.pid])); await new Promise(r => setTimeout(r, 60000)); }
			return [process.pid, child.pid, stray.pid];
		}`}, nil)
	var pids []int
	for _, event := range []string{`{}`, `{"quiet":true}`} {
		var got []int
		if err := json.Unmarshal([]byte(f.result(t, event)), &got); err != nil {
			t.Fatal(err)
		}
		pids = append(pids, got...)
	}
	running := make(chan error, 1)
	go func() {
		_, err := f.call(`{"hang":true}`)
		running <- err
	}()
	await.Until(t, "the call that hangs", func() bool {
		_, rest, ok := strings.Cut(f.log(""), "INFO\t[")
		line, _, _ := strings.Cut(rest, "\n")
		var got []int
		if ok && json.Unmarshal([]byte("["+line), &got) == nil {
			pids = append(pids, got...)
		}
		return ok
	})
	f.close(t)
	if e, ok := (<-running).(*function.Error); !ok || e.Kind != function.Closed {
		t.Errorf("the call that ran ends with %v", e)
	}
	for _, pid := range pids {
		await.Until(t, fmt.Sprintf("the end of process %d", pid), func() bool { return !isRunning(pid) })
	}
	if e := f.refused(t, `{}`, function.Closed); e == nil {
		t.Error("a call after Close is served")
	}
}

// isRunning reports whether a process exists and is not a zombie.
func isRunning(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}

func TestAnEditIsServedAndHasAWarmWorker(t *testing.T) {
	t.Parallel()
	f := newFacility(t, nil)
	source := func(n int) map[string]string {
		return map[string]string{"index.js": `const v = require("./v"); exports.handler = async () => v`, "v.js": fmt.Sprintf("module.exports = %d", n)}
	}
	s := f.serve(t, model.NodeJS, source(0), nil)
	if got := f.result(t, `{}`); got != "0" {
		t.Fatalf("the answer is %s", got)
	}
	for n := 1; n < depth.Rounds(3, 4, 4); n++ {
		ready := len(f.eventTexts(function.EventReady))
		writeSource(t, s, map[string]string{"v.js": source(n)["v.js"]})
		await.Until(t, "a worker of the new source", func() bool { return len(f.eventTexts(function.EventReady)) > ready })
		a := f.answer(t, `{}`)
		if string(a.Payload) != fmt.Sprint(n) {
			t.Errorf("after edit %d the answer is %s", n, a.Payload)
		}
	}
	if changes := f.eventTexts(function.EventChange); len(changes) < 2 || changes[0] != "its source changed" {
		t.Errorf("the changes %q were reported", changes)
	}
}

func TestAnEditBeforeACallIsSeenByIt(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	f := newFacility(t, nil)
	source := func(n int) map[string]string {
		return map[string]string{"index.js": fmt.Sprintf("exports.handler = async () => %d", n)}
	}
	s := f.serve(t, model.NodeJS, source(0), nil)
	f.result(t, `{}`)
	for n := 1; n < 10; n++ {
		writeSource(t, s, source(n))
		f.edited()
		if got := f.result(t, `{}`); got != fmt.Sprint(n) {
			t.Errorf("after edit %d the answer is %s", n, got)
		}
	}
}

func TestACallThatRunsWhileTheSourceChangesIsAnsweredByTheOldOne(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	f := newFacility(t, nil)
	s := f.serve(t, model.NodeJS, map[string]string{"index.js": `exports.handler = async (e) => { await new Promise(r => setTimeout(r, e.ms)); return "old" }`}, nil)
	f.result(t, `{"ms":0}`)
	answers := make(chan string)
	go func() {
		a, err := f.call(`{"ms":500}`)
		answers <- fmt.Sprint(string(a.Payload), err)
	}()
	await.Until(t, "the call has begun", func() bool { return strings.Count(f.log(""), "START RequestId") == 2 })
	writeSource(t, s, map[string]string{"index.js": `exports.handler = async () => "new"`})
	await.Until(t, "the change is seen", func() bool { return len(f.eventTexts(function.EventChange)) > 0 })
	if got := f.result(t, `{}`); got != `"new"` {
		t.Errorf("the new call has the answer %s", got)
	}
	if got := <-answers; got != `"old"<nil>` {
		t.Errorf("the old call has the answer %s", got)
	}
}

func TestApplyChangesWhatIsServed(t *testing.T) {
	t.Parallel()
	f := newFacility(t, nil)
	s := f.serve(t, model.NodeJS, map[string]string{"index.js": `exports.handler = async () => process.env.WHO`}, func(s *function.Spec) {
		s.Variables = map[string]string{"WHO": "first"}
	})
	if got := f.result(t, `{}`); got != `"first"` {
		t.Errorf("the answer is %s", got)
	}
	f.Apply([]function.Spec{s})
	f.result(t, `{}`)
	if n := len(f.eventTexts(function.EventStart)); n != 1 {
		t.Errorf("the same Spec started %d workers", n)
	}
	s.Variables = map[string]string{"WHO": "second"}
	f.Apply([]function.Spec{s})
	if got := f.result(t, `{}`); got != `"second"` {
		t.Errorf("the answer is %s", got)
	}
	f.Apply(nil)
	f.refused(t, `{}`, function.NoFunction)
}

func TestAWorkerThatNobodyCallsEnds(t *testing.T) {
	t.Parallel()
	f := newFacility(t, func(o *Options) { o.Idle = 50 * time.Millisecond })
	f.serve(t, model.NodeJS, map[string]string{"index.js": `exports.handler = async () => process.pid`}, nil)
	pid, _ := strconv.Atoi(f.result(t, `{}`))
	await.Until(t, "its end", func() bool { return !isRunning(pid) })
	f.result(t, `{}`)
	if crashes := f.eventTexts(function.EventCrash); len(crashes) != 0 {
		t.Errorf("its end was reported as a crash: %q", crashes)
	}
}

func TestACallerWhoLeavesDoesNotDisturbTheOthers(t *testing.T) {
	t.Parallel()
	f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
	f.serve(t, model.NodeJS, map[string]string{"index.js": `exports.handler = async (e) => { await new Promise(r => setTimeout(r, e.ms ?? 0)); console.log("done", e.n); return e.n }`}, nil)
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error)
	go func() {
		_, err := f.Invoke(ctx, function.Call{Environment: "dev", Function: "items", RequestID: "left", Payload: []byte(`{"n":1,"ms":200}`)})
		left <- err
	}()
	await.Until(t, "the call has begun", func() bool { return strings.Contains(f.log("left"), "START") })
	go func() {
		_, err := f.Invoke(ctx, function.Call{Environment: "dev", Function: "items", RequestID: "waited", Payload: []byte(`{"n":2}`)})
		left <- err
	}()
	leave()
	for range 2 {
		if err := await.Next(t, "the end of a call", left); err != context.Canceled {
			t.Errorf("the caller that leaves gets %v", err)
		}
	}
	if got := f.result(t, `{"n":3}`); got != "3" {
		t.Errorf("the answer is %s", got)
	}
	await.Until(t, "the end of the call that had begun", func() bool {
		return strings.Contains(f.log("left"), "done 1") && strings.Contains(f.log("left"), "END")
	})
}

func TestADebuggerCanBeAttached(t *testing.T) {
	t.Parallel()
	f := newFacility(t, nil)
	f.serve(t, model.NodeJS, map[string]string{"index.js": `exports.handler = async () => 1`}, func(s *function.Spec) { s.Inspect = true })
	await.Until(t, "the address", func() bool { return len(f.eventTexts(function.EventInspect)) == 1 })
	address := strings.TrimPrefix(f.eventTexts(function.EventInspect)[0], "ws://")
	hostPort, _, _ := strings.Cut(address, "/")
	if !strings.HasPrefix(hostPort, "127.0.0.1:") {
		t.Fatalf("the address is %s", address)
	}
	socket, err := net.Dial("tcp", hostPort)
	if err != nil {
		t.Fatalf("the debugger's port: %v", err)
	}
	socket.Close()
}

func TestAResponseStreamIsCollected(t *testing.T) {
	t.Parallel()
	f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
	f.serve(t, model.NodeJS, map[string]string{"index.js": `
		exports.handler = awslambda.streamifyResponse(async (e, out, context) => {
			if (e.http) out = awslambda.HttpResponseStream.from(out, {statusCode: 201});
			for (let n = 0; n < e.n; n++) { out.write("part" + n); await new Promise(r => setTimeout(r, 1)); }
			if (e.fail) throw new TypeError("broke off");
			out.end("!");
		})`}, nil)
	for range 2 {
		if got := f.result(t, `{"n":3}`); got != "part0part1part2!" {
			t.Errorf("the response is %q", got)
		}
		if got := f.result(t, `{"n":1,"http":true}`); got != `{"statusCode":201}`+strings.Repeat("\x00", 8)+"part0!" {
			t.Errorf("the response is %q", got)
		}
		o := readError(t, f.answer(t, `{"n":2,"fail":true}`))
		if o.Type != "TypeError" || o.Message != "broke off" {
			t.Errorf("the error is %+v", o)
		}
	}
	if n := len(f.eventTexts(function.EventStart)); n != 1 {
		t.Errorf("%d workers were started\n%s", n, f.log(""))
	}
}

// TestAKilledSandboxLeavesNoWorker runs this test again as a process that serves a
// function, and kills it.
func TestAKilledSandboxLeavesNoWorker(t *testing.T) {
	if source := os.Getenv(servingVariable); source != "" {
		f := newFacility(t, nil)
		f.Apply([]function.Spec{{Environment: "dev", Name: "items", Runtime: model.NodeJS, Folder: source}})
		fmt.Println("PID", f.result(t, `{}`))
		time.Sleep(time.Hour)
	}
	needs(t, model.NodeJS)
	s := function.Spec{Folder: t.TempDir()}
	writeSource(t, s, map[string]string{"index.js": `setInterval(() => {}, 1000); exports.handler = async () => process.pid`})
	sandbox := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	sandbox.Env = append(os.Environ(), servingVariable+"="+s.Folder)
	out, err := sandbox.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := sandbox.Start(); err != nil {
		t.Fatal(err)
	}
	pid := 0
	for lines := bufio.NewScanner(out); pid == 0 && lines.Scan(); {
		fmt.Sscanf(lines.Text(), "PID %d", &pid)
	}
	sandbox.Process.Kill()
	sandbox.Wait()
	if pid == 0 {
		t.Fatal("the sandbox served no call")
	}
	await.Until(t, "the end of the worker", func() bool { return !isRunning(pid) })
}

func TestOneCallerNeedsOneWorker(t *testing.T) {
	t.Parallel()
	f := newFacility(t, func(o *Options) { o.MaxWorkers = 10 })
	f.serve(t, model.NodeJS, map[string]string{"index.js": `exports.handler = async () => 1`}, nil)
	for range 200 {
		f.result(t, `{}`)
	}
	if n := len(f.eventTexts(function.EventStart)); n != 1 {
		t.Errorf("%d workers were started", n)
	}
}
