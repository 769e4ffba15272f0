package dashboard

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gatewright/deploy"
	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox/logs"
)

func TestADurationIsReadFromItsReport(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"REPORT RequestId: 4f1c\tDuration: 3.52 ms\tBilled Duration: 4 ms\tMemory Size: 128 MB":                           3520 * time.Microsecond,
		"REPORT RequestId: 4f1c\tInit Duration: 140.10 ms\tDuration: 12.00 ms\tBilled Duration: 12 ms\tMemory Size: 1 MB": 12 * time.Millisecond,
	} {
		if got, ok := reported(text); got != want || !ok {
			t.Errorf("%q gives %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "START RequestId: 1", "REPORT", "REPORT RequestId: 1\tDuration: x ms", "REPORT RequestId: 1\tDuration: -3.00 ms", "REPORT RequestId: 1\tBilled Duration: 4 ms"} {
		if got, ok := reported(text); ok {
			t.Errorf("%q gives %v", text, got)
		}
	}
}

func TestASparklineIsAsHighAsItsLongestCall(t *testing.T) {
	if got := sparkline([]time.Duration{0, 5, 10, 80, 40}); got != "▁▁▁█▄" {
		t.Errorf("it is %s", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		durations := rapid.SliceOf(rapid.Map(rapid.Int64Min(0), func(n int64) time.Duration { return time.Duration(n) })).Draw(t, "durations")
		if got := []rune(sparkline(durations)); len(got) != len(durations) {
			t.Fatalf("%d calls have %d steps", len(durations), len(got))
		}
	})
}

// lineOf is a line of a function of dev, n seconds after the others.
func lineOf(n int, function, request string, level logs.Level, text string) logs.Line {
	return logs.Line{Time: time.Unix(1700000000+int64(n), 0), Environment: "dev", Function: function, Request: request, Level: level, Text: text}
}

func TestCallsAreCountedForEachFunctionAndFailuresOnce(t *testing.T) {
	o := &observed{lines: []logs.Line{
		lineOf(0, "f", "a", logs.Platform, "START RequestId: a"),
		lineOf(1, "f", "a", logs.Error, "first\n  second"),
		lineOf(2, "f", "a", logs.Error, "again"),
		lineOf(3, "f", "a", logs.Platform, "REPORT RequestId: a\tDuration: 8.00 ms"),
		lineOf(4, "g", "b", logs.Info, "\x1b[31mred"),
		lineOf(5, "g", "b", logs.Platform, "REPORT RequestId: b\tDuration: 2.00 ms"),
		lineOf(6, "f", "c", logs.Platform, "REPORT RequestId: c\tDuration: 1.00 ms"),
		lineOf(7, logs.Gateway, "c", logs.Warn, "GET /x 403: no"),
	}}
	o.count()
	f, g := o.calls[called{"dev", "f"}], o.calls[called{"dev", "g"}]
	if len(o.calls) != 2 || f == nil || g == nil {
		t.Fatalf("there are calls of %v", o.calls)
	}
	if f.count != 2 || f.failed != 1 || g.count != 1 || g.failed != 0 {
		t.Errorf("f was called %d times and failed %d, g %d and %d", f.count, f.failed, g.count, g.failed)
	}
	if diff := cmp.Diff([]time.Duration{8 * time.Millisecond, time.Millisecond}, f.durations); diff != "" {
		t.Error(diff)
	}
	if tail := fmt.Sprint(g.tail); strings.Contains(tail, "\x1b") || !strings.Contains(tail, "red") {
		t.Errorf("the log of g is %q", tail)
	}
	var ends []string
	for _, entry := range f.tail {
		last := entry[len(entry)-1]
		ends = append(ends, strings.TrimSpace(last[len("15:04:05.000"):]))
	}
	if diff := cmp.Diff([]string{"second", "ERROR    again", "the call took 8.0 ms", "the call took 1.0 ms"}, ends); diff != "" {
		t.Errorf("the log of f is %q: %s", f.tail, diff)
	}
}

func TestTheFeedHasRefusalsCodesAndFailures(t *testing.T) {
	feed := feedOf([]logs.Line{
		lineOf(0, "f", "a", logs.Info, "nothing of note"),
		lineOf(1, "f", "a", logs.Platform, "END RequestId: a"),
		lineOf(2, logs.Gateway, "a", logs.Warn, "GET /books 403: nobody may"),
		lineOf(3, logs.Identity, "", logs.Info, "the code for the sign-up of ann is 123456"),
		lineOf(4, "f", "a", logs.Error, "TypeError: x\n  at y"),
	})
	var got []string
	for _, h := range feed {
		got = append(got, h.what+": "+h.text)
	}
	want := []string{"refused: GET /books 403: nobody may", "code: the code for the sign-up of ann is 123456", "error: function f: TypeError: x"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestWhatTheSandboxAndItsLogTellStandsThereOnce(t *testing.T) {
	at := time.Unix(1700000000, 0)
	code := happening{at: at, environment: "dev", what: codeWord, text: "the code is 1"}
	later := code
	later.at = at.Add(time.Second)
	muchLater := code
	muchLater.at = at.Add(time.Hour)
	refused := happening{at: at.Add(-time.Second), environment: "dev", what: "refused", text: "GET /"}
	got := merged([]happening{code}, []happening{refused, later, muchLater})
	if diff := cmp.Diff([]happening{refused, code, muchLater}, got, cmp.AllowUnexported(happening{})); diff != "" {
		t.Error(diff)
	}
}

// contentsOf is each file and folder below a place, with size and time.
func contentsOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	must(t, filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			all[name] = fmt.Sprint(info.Mode(), info.Size(), info.ModTime().UnixNano())
		}
		return err
	}))
	return all
}

func TestWhereNoSandboxRunsNothingIsMade(t *testing.T) {
	dir := paths(t, 1)
	before := contentsOf(t, dir)
	for o, n := observe(dir, nil), 0; n < 2; n++ {
		if o.running || o.err != "" || len(o.lines) > 0 {
			t.Errorf("it says %+v", o)
		}
		o = observe(dir, o)
	}
	if diff := cmp.Diff(before, contentsOf(t, dir)); diff != "" {
		t.Errorf("looking for a sandbox changed files: %s", diff)
	}
}

// handler gives the function f of a project a source.
func handler(t *testing.T, dir, source string) {
	t.Helper()
	deploytest.NeedNode(t)
	must(t, os.WriteFile(filepath.Join(dir, "backend", "function", "f", "src", "index.js"), []byte(source), 0o644))
}

// serving runs the sandbox of a project beside the test, and gives the address of
// the API shop.
func serving(t *testing.T, dir string) (endpoint string, stop func()) {
	t.Helper()
	client, stop := deploytest.Serve(t, dir)
	status, err := client.Status(t.Context())
	must(t, err)
	return status.APIs[0].Endpoint, stop
}

func statusOfCall(t *testing.T, url string) int {
	t.Helper()
	answer, err := http.Get(url)
	must(t, err)
	_ = answer.Body.Close()
	return answer.StatusCode
}

const hello = `exports.handler = async () => { console.log("hello from here"); return { statusCode: 200, body: "{}" } }`

func TestARunningSandboxIsSeenAndItsEndToo(t *testing.T) {
	dir := paths(t, 1)
	handler(t, dir, hello)
	endpoint, stop := serving(t, dir)
	if status := statusOfCall(t, endpoint+"/area0/thing0/1"); status != http.StatusOK {
		t.Fatalf("the API answers %d", status)
	}
	o := observe(dir, nil)
	if !o.running || o.err != "" || !strings.Contains(endpoint, o.address()) || !o.serves("dev") || o.serves("qa") {
		t.Errorf("it says %+v", o)
	}
	c := o.calls[called{"dev", "f"}]
	if c == nil || c.count != 1 || c.failed != 0 || len(c.durations) != 1 || !strings.Contains(fmt.Sprint(c.tail), "hello from here") {
		t.Errorf("of f it says %+v", c)
	}
	again := observe(dir, o)
	if again.client != o.client || !again.running {
		t.Error("the second look asks another client")
	}
	stop()
	if o := observe(dir, again); o.running || o.err != "" || o.client != nil {
		t.Errorf("after its end it says %+v", o)
	}
}

func TestASecretIsNamedWithWhetherItHasAValue(t *testing.T) {
	dir := paths(t, 1)
	p, err := project.Open(dir)
	must(t, err)
	next, err := p.Backend.Edit(func(b *model.Backend) error {
		f := *b.Function("f")
		f.Secrets = []string{"KEY", "TOKEN"}
		return b.UpdateFunction(&f)
	})
	must(t, err)
	plan, err := p.Plan(next)
	must(t, err)
	must(t, errors.Join(plan.Commit(), p.Close()))
	file := filepath.Join(dir, filepath.FromSlash(deploy.SecretFile("dev")))
	must(t, os.MkdirAll(filepath.Dir(file), 0o700))
	must(t, os.WriteFile(file, []byte(`{"KEY": "the value itself"}`), 0o600))
	s, _, err := read(dir, "")
	must(t, err)
	text := ""
	for _, fact := range s.functions.rows[0].facts {
		text += fact.text + "\n"
	}
	if !strings.Contains(text, "secrets: KEY (has a value here), TOKEN (no value here)") || strings.Contains(text, "the value itself") {
		t.Errorf("the function has\n%s", text)
	}
}
