package worker

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
	"gatewright/test/await"
	"gatewright/test/depth"
)

func TestLinesBelongToTheirRequests(t *testing.T) {
	t.Parallel()
	f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
	f.serve(t, model.NodeJS, map[string]string{"index.js": `
		console.log("starting");
		exports.handler = async (e) => {
			console.log("plain %d", e.n, {a: 1});
			console.error(new Error("bad").message + "\nsecond line");
			console.warn("w"); console.debug("d"); console.trace("t");
			process.stdout.write("raw\nand no end");
			require("child_process").execFileSync(process.execPath, ["-e", "console.log('from a child')"], {stdio: "inherit"});
			console.info("last");
		}`}, nil)
	for n := range depth.Rounds(2, 3, 3) {
		a := f.answer(t, fmt.Sprintf(`{"n":%d}`, n))
		want := []logs.Line{
			{Level: logs.Info, Text: fmt.Sprintf("plain %d { a: 1 }", n)},
			{Level: logs.Error, Text: "bad\nsecond line"},
			{Level: logs.Warn, Text: "w"},
			{Level: logs.Debug, Text: "d"},
			{Level: logs.Trace, Text: "t"},
			{Text: "raw"},
			{Text: "and no endfrom a child"},
			{Level: logs.Info, Text: "last"},
		}
		got := f.lines(a.RequestID)
		if len(got) != len(want) {
			t.Fatalf("the log of the call is\n%s", f.log(a.RequestID))
		}
		for k, w := range want {
			w.Environment, w.Function, w.Request = "dev", "items", a.RequestID
			if got[k] != w {
				t.Errorf("line %d is %+v, want %+v", k, got[k], w)
			}
		}
		log := f.log(a.RequestID)
		for _, text := range []string{
			`START RequestId: ` + a.RequestID + ` Version: \$LATEST\n`,
			`END RequestId: ` + a.RequestID + `\n.*REPORT RequestId: ` + a.RequestID + `\t(Init Duration: [0-9.]+ ms\t)?Duration: [0-9.]+ ms\tBilled Duration: [0-9]+ ms\tMemory Size: 128 MB`,
		} {
			if !regexp.MustCompile(text).MatchString(log) {
				t.Errorf("the log has no %s:\n%s", text, log)
			}
		}
		if strings.Contains(log, "Init Duration") != (n == 0) || (a.Init > 0) != (n == 0) {
			t.Errorf("call %d: Init %v\n%s", n, a.Init, log)
		}
		if runtime.GOOS == "linux" && (a.MaxMemory < 10 || !strings.Contains(log, "Max Memory Used: ")) {
			t.Errorf("%d MB were used", a.MaxMemory)
		}
	}
	if !strings.Contains(f.log(""), "\t-\tINFO\tstarting\n") {
		t.Errorf("the log lacks the lines from before the first call:\n%s", f.log(""))
	}
}

func TestPythonLinesBelongToTheirRequests(t *testing.T) {
	t.Parallel()
	f := newFacility(t, nil)
	f.serve(t, model.Python, map[string]string{"index.py": `
import logging, sys
def handler(event, context):
    print("one", event["n"])
    print("two\nlines")
    logging.warning("careful\n%s", "second")
    logging.info("not shown")
    sys.stderr.write("err\n")
    print("no end", end="")
    return context.aws_request_id
`}, nil)
	for n := range 2 {
		a := f.answer(t, fmt.Sprintf(`{"n":%d}`, n))
		if string(a.Payload) != `"`+a.RequestID+`"` {
			t.Errorf("the context has the id %s, want %s", a.Payload, a.RequestID)
		}
		var got []string
		for _, l := range f.lines(a.RequestID) {
			got = append(got, string(l.Level)+":"+l.Text)
		}
		want := []string{fmt.Sprintf(":one %d", n), ":two\nlines", "WARN:careful\nsecond", ":err", ":no end"}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("the lines are %q, want %q", got, want)
		}
	}
}

// As in Lambda, unfinished work does not delay the answer: the process runs on for a
// moment until it waits for the next event, and is frozen until that comes.
func TestUnfinishedWorkGoesOnInTheNextCallAsInLambda(t *testing.T) {
	t.Parallel()
	if newLink() == nil {
		t.Skip("NOT TESTED: a process inherits no connection on this system, by whose reading the test sees that it stands still")
	}
	f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
	still, due := filepath.Join(t.TempDir(), "still"), filepath.Join(t.TempDir(), "due")
	f.serve(t, model.NodeJS, map[string]string{"index.js": `
		const fs = require("fs"), { readSync } = fs;
		let done = 0, left;
		fs.readSync = (fd, ...rest) => {
			if (fd === 3 && left) fs.writeFileSync(` + fmt.Sprintf("%q", still) + `, "");
			return readSync(fd, ...rest);
		};
		const leave = (all) => {
			if (!fs.existsSync(` + fmt.Sprintf("%q", due) + `)) return setTimeout(leave, 1, all);
			done++; console.log("afterwards"); all();
		};
		exports.handler = async () => {
			const before = done;
			if (left) await left;
			left = new Promise(leave);
			return [before, done];
		}`}, nil)
	if got := f.result(t, `{}`); got != `[0,0]` {
		t.Errorf("the first answer is %s", got)
	}
	await.Until(t, "it stands still", func() bool {
		_, err := os.Stat(still)
		return err == nil
	})
	if err := os.WriteFile(due, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	a := f.answer(t, `{}`)
	if got := string(a.Payload); got != `[0,2]` {
		t.Errorf("the second answer is %s, want no work between the calls, and both steps in the second", got)
	}
	if got := strings.Count(f.log(a.RequestID), "afterwards"); got != 2 {
		t.Errorf("the second call's log has %d lines of what was done in it:\n%s", got, f.log(a.RequestID))
	}
}

func TestLinesAreTheSameHoweverTheyArrive(t *testing.T) {
	t.Parallel()
	store, err := logs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	run := 0
	rapid.Check(t, func(t *rapid.T) {
		run++
		function := fmt.Sprint("f", run)
		o := newOutput(nil, store, "dev", function)
		o.setRequest("r-0")
		var written []byte
		var want []string
		for range rapid.IntRange(0, 20).Draw(t, "lines") {
			text := rapid.StringMatching(`[a-zé\t ]{0,20}`).Draw(t, "text")
			if rapid.Bool().Draw(t, "entry") {
				more := rapid.StringMatching(`[a-z]{0,5}`).Draw(t, "more")
				written = fmt.Appendf(written, "\x1er-9\tWARN\t%s\x1e%s\n", text, more)
				want = append(want, "r-9 WARN "+text+"\n"+more)
			} else {
				written = fmt.Appendf(written, "%s\n", text)
				want = append(want, "r-0  "+text)
			}
		}
		for len(written) > 0 {
			n := rapid.IntRange(1, len(written)).Draw(t, "part")
			o.mu.Lock()
			o.split(slices.Clone(written[:n]))
			o.mu.Unlock()
			written = written[n:]
		}
		var got []string
		for _, l := range store.Read(logs.Query{Environment: "dev", Function: function}) {
			got = append(got, l.Request+" "+string(l.Level)+" "+l.Text)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("the lines are %q, want %q", got, want)
		}
	})
}

func TestALineWithoutEndIsCut(t *testing.T) {
	t.Parallel()
	f := newFacility(t, nil)
	f.serve(t, model.NodeJS, map[string]string{"index.js": `
		exports.handler = async () => { process.stdout.write("x".repeat(1000000)); console.log("y".repeat(1000000)); console.log("end") }`}, nil)
	a := f.answer(t, `{}`)
	all := 0
	lines := f.lines(a.RequestID)
	for _, l := range lines {
		if len(l.Text) > longestEntry {
			t.Errorf("a line of %d bytes", len(l.Text))
		}
		all += strings.Count(l.Text, "x")
	}
	if all != 1000000 || lines[len(lines)-1].Text != "end" {
		t.Errorf("%d characters in %d lines", all, len(lines))
	}
}

func TestLogsHaveTheFormatAndLevelOfTheVariables(t *testing.T) {
	t.Parallel()
	for r, source := range map[model.Runtime]string{
		model.NodeJS: `exports.handler = async () => { console.info("no"); console.warn("careful", 1); }`,
		model.Python: "import logging\ndef handler(e, c):\n    logging.info('no')\n    logging.warning('careful %d', 1)\n",
	} {
		t.Run(string(r), func(t *testing.T) {
			f := newFacility(t, nil)
			f.serve(t, r, map[string]string{sourceName(r): source}, func(s *function.Spec) {
				s.Variables = map[string]string{"AWS_LAMBDA_LOG_FORMAT": "JSON", "AWS_LAMBDA_LOG_LEVEL": "WARN"}
			})
			a := f.answer(t, `{}`)
			lines := f.lines(a.RequestID)
			if len(lines) != 1 || lines[0].Level != logs.Warn {
				t.Fatalf("the log is\n%s", f.log(a.RequestID))
			}
			var record struct{ Message, RequestID string }
			if err := json.Unmarshal([]byte(lines[0].Text), &record); err != nil || record.Message != "careful 1" || record.RequestID != a.RequestID {
				t.Errorf("the record is %s: %v", lines[0].Text, err)
			}
		})
	}
}
