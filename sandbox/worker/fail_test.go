package worker

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare"
	"gatewright/test/await"
	"gatewright/test/depth"
)

func TestAHandlerThatFailsIsAnAnswerWithItsError(t *testing.T) {
	t.Parallel()
	type handler struct {
		name             string
		runtime          model.Runtime
		source           string
		kind, message    string
		trace, logged    string
		endsWithTheError bool
	}
	rows := []handler{
		{"throws", model.NodeJS, `exports.handler = async () => { throw new TypeError("wrong") }`, "TypeError", "wrong", "index.js:1", `Invoke Error`, false},
		{"throws at once", model.NodeJS, `exports.handler = () => { throw new RangeError("far") }`, "RangeError", "far", "index.js:1", `RangeError`, false},
		{"throws a string", model.NodeJS, `exports.handler = async () => { throw "text" }`, "string", "text", "", `text`, false},
		{"calls back with an error", model.NodeJS, `exports.handler = (e, c, done) => done(new Error("no"))`, "Error", "no", "index.js:1", "no", false},
		{"never settles", model.NodeJS, `exports.handler = () => new Promise(() => {})`, "Runtime.NodeJsExit", "never settled", "", "NodeJsExit", false},
		{"an async handler that never settles", model.NodeJS, `exports.handler = async () => { await new Promise(() => {}) }`, "Runtime.NodeJsExit", "never settled", "", "NodeJsExit", false},
		{"an answer that is no JSON", model.NodeJS, `exports.handler = async () => 1n`, "Runtime.MarshalError", "BigInt", "", "", false},
		{"an uncaught exception", model.NodeJS, `exports.handler = () => new Promise(() => setTimeout(() => { throw new Error("late") }, 1))`, "Error", "late", "index.js:1", "Uncaught Exception", true},
		{"an unhandled rejection", model.NodeJS, `exports.handler = () => { Promise.reject(new Error("lost")); return new Promise(r => setTimeout(r, 5000)) }`, "Runtime.UnhandledPromiseRejection", "lost", "", "Unhandled Promise Rejection", true},
		{"raises", model.Python, "def handler(e, c):\n    raise KeyError('k')\n", "KeyError", "'k'", `index.py", line 2`, "KeyError", false},
		{"an answer that is no JSON", model.Python, "def handler(e, c):\n    return {1, 2}\n", "Runtime.MarshalError", "set", "", "", false},
	}
	for _, r := range []model.Runtime{model.NodeJS, model.Python} {
		t.Run(string(r), func(t *testing.T) {
			t.Parallel()
			// All handlers are in one file.
			source := "const handlers = []; exports.handler = (e, c, done) => handlers[e.row](e, c, done);\n"
			if r == model.Python {
				source = "def handler(e, c):\n    return handlers[e['row']](e, c)\nhandlers = []\n"
			}
			var own []handler
			for _, row := range rows {
				if row.runtime != r {
					continue
				}
				before := strings.Count(source, "\n")
				if r == model.Python {
					source += strings.Replace(row.source, "def handler(", fmt.Sprintf("def handler_%d(", len(own)), 1) + fmt.Sprintf("handlers.append(handler_%d)\n", len(own))
					row.trace = strings.Replace(row.trace, "line 2", fmt.Sprintf("line %d", before+2), 1)
				} else {
					source += "{ const exports = {}; " + row.source + "; handlers.push(exports.handler) }\n"
					row.trace = strings.Replace(row.trace, ":1", fmt.Sprintf(":%d", before+1), 1)
				}
				own = append(own, row)
			}
			f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
			f.serve(t, r, map[string]string{sourceName(r): source}, nil)
			for n, row := range own {
				crashes := len(f.eventTexts(function.EventCrash))
				a := f.answer(t, fmt.Sprintf(`{"row":%d}`, n))
				o := readError(t, a)
				if o.Type != row.kind || !strings.Contains(o.Message, row.message) {
					t.Errorf("%s: the error is %s: %s, want %s: %s", row.name, o.Type, o.Message, row.kind, row.message)
				}
				if trace := strings.Join(append(o.Trace, o.StackTrace...), "\n"); !strings.Contains(trace, row.trace) {
					t.Errorf("%s: the trace has no %s:\n%s", row.name, row.trace, trace)
				}
				if !strings.Contains(f.log(a.RequestID), row.logged) {
					t.Errorf("%s: the log has no %q:\n%s", row.name, row.logged, f.log(a.RequestID))
				}
				if row.endsWithTheError {
					// The next call has a worker again.
					await.Until(t, "the end of the worker is reported", func() bool { return len(f.eventTexts(function.EventCrash)) > crashes })
				}
			}
			if crashes := f.eventTexts(function.EventCrash); r == model.NodeJS && len(crashes) != 2 {
				t.Errorf("the workers that ended are %q", crashes)
			}
		})
	}
}

func sourceName(r model.Runtime) string {
	if r == model.Python {
		return "index.py"
	}
	return "index.js"
}

func TestAProcessThatEndsDuringACallIsReported(t *testing.T) {
	t.Parallel()
	for r, source := range map[model.Runtime]string{
		model.NodeJS: `const ways = [
			() => process.exit(3), () => process.exit(0), () => process.kill(process.pid, "SIGKILL") && new Promise(r => setTimeout(r, 9000)), () => process.abort(),
		]; exports.handler = async (e) => e.ok ? "well" : ways[e.way]()`,
		model.Python: "import os, sys\ndef handler(e, c):\n    return 'well' if e.get('ok') else [os._exit, sys.exit][e['way']](7 - 3 * e['way'])\n",
	} {
		t.Run(string(r), func(t *testing.T) {
			t.Parallel()
			exits := []string{"exit status 3", "exit status 0", "signal: killed", "signal: aborted"}
			if runtime.GOOS == "windows" { // which has no signals
				exits[2], exits[3] = "exit status 1", "exit status 134"
			}
			if r == model.Python {
				exits = []string{"exit status 7", "exit status 4"}
			}
			f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
			f.serve(t, r, map[string]string{sourceName(r): source}, nil)
			for way, exit := range exits[:min(depth.Rounds(3, 4, 4), len(exits))] {
				if got := f.result(t, `{"ok":true}`); got != `"well"` {
					t.Fatalf("%s: the answer before it is %s", exit, got)
				}
				e := f.refused(t, fmt.Sprintf(`{"way":%d}`, way), function.Crashed)
				if !strings.Contains(e.Text, exit) || e.CloudType != "Runtime.ExitError" ||
					!strings.HasSuffix(e.CloudText, " Error: Runtime exited with error: "+exit) {
					t.Errorf("the error is %+v, want %s", e, exit)
				}
				id, _, _ := strings.Cut(strings.TrimPrefix(e.CloudText, "RequestId: "), " ")
				if log := f.log(id); !strings.Contains(log, "END RequestId: "+id) || !strings.Contains(log, exit) {
					t.Errorf("the log of the call is\n%s", log)
				}
			}
			if got := f.result(t, `{"ok":true}`); got != `"well"` {
				t.Errorf("the answer after all is %s", got)
			}
		})
	}
}

func TestACallOverItsTimeIsEndedAndTheNextHasANewWorker(t *testing.T) {
	t.Parallel()
	for name, source := range map[string]string{
		"waits": `let n = 0; exports.handler = async (e) => e.ok ? ++n : new Promise(r => setTimeout(r, 60000))`,
		"spins": `let n = 0; exports.handler = async (e) => { if (e.ok) return ++n; for (;;); }`,
	} {
		t.Run(name, func(t *testing.T) {
			if name == "spins" {
				depth.Gate(t) // TestACallAheadIsExecutedOnceHoweverTheOneBeforeEnds has a shorter loop
			}
			t.Parallel()
			f := newFacility(t, nil)
			s := f.serve(t, model.NodeJS, map[string]string{"index.js": source}, func(s *function.Spec) { s.Timeout = time.Second })
			e := f.refused(t, `{}`, function.TimedOut)
			if e.CloudType != "Sandbox.Timedout" || !strings.HasSuffix(e.CloudText, " Task timed out after 1.00 seconds") {
				t.Errorf("the error is %+v", e)
			}
			ended := len(f.eventTexts(function.EventStart))
			// The others have time, however slow the machine is.
			call := function.Call{Environment: s.Environment, Function: s.Name, Payload: []byte(`{"ok":1}`), Timeout: forLong}
			if a, err := f.Invoke(t.Context(), call); err != nil || string(a.Payload) != "1" {
				t.Errorf("the next call is answered %s, %v", a.Payload, err)
			}
			if n := len(f.eventTexts(function.EventStart)); ended < 1 || n < 2 {
				t.Errorf("%d workers were started before the end, %d in all", ended, n)
			}
		})
	}
}

func TestACallMayHaveItsOwnTimeout(t *testing.T) {
	t.Parallel()
	f := newFacility(t, nil)
	f.serve(t, model.NodeJS, map[string]string{"index.js": `exports.handler = async (e) => new Promise(r => setTimeout(r, 60000))`}, nil)
	_, err := f.Invoke(t.Context(), function.Call{Environment: "dev", Function: "items", Payload: []byte("{}"), Timeout: 50 * time.Millisecond})
	if e, ok := err.(*function.Error); !ok || e.Kind != function.TimedOut {
		t.Errorf("the error is %v", err)
	}
}

func TestAFunctionThatDoesNotStartSaysWhy(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	for _, row := range []struct {
		name    string
		runtime model.Runtime
		files   map[string]string
		handler string
		want    string
	}{
		{"throws", model.NodeJS, map[string]string{"index.js": "\nthrow new Error('no table');"}, "", `Error: no table, at index.js:2`},
		{"does not parse", model.NodeJS, map[string]string{"index.js": "\n\nexports.handler = async ( => 1"}, "", `Runtime.UserCodeSyntaxError.*, at index.js:3`},
		{"does not parse as an ES module", model.NodeJS, map[string]string{"index.mjs": "export const handler = async ( => 1"}, "", `Runtime.UserCodeSyntaxError.*, at index.mjs:1`},
		{"needs what is not there", model.NodeJS, map[string]string{"index.js": `require("nowhere")`}, "", `Runtime.ImportModuleError: Error: Cannot find module 'nowhere'`},
		{"imports what is not there", model.NodeJS, map[string]string{"index.mjs": `import "nowhere"; export const handler = 1`}, "", `Runtime.ImportModuleError.*'nowhere'`},
		{"no handler", model.NodeJS, map[string]string{"index.js": `exports.other = 1`}, "", `Runtime.HandlerNotFound: index.handler is undefined or not exported`},
		{"not a function", model.NodeJS, map[string]string{"index.js": `exports.handler = 1`}, "", `Runtime.HandlerNotFound: index.handler is not a function`},
		{"no file", model.NodeJS, map[string]string{"other.js": ``}, "", `Runtime.ImportModuleError: Error: Cannot find module 'index'`},
		{"never loads", model.NodeJS, map[string]string{"index.mjs": `await new Promise(() => {})`}, "", `never finished loading`},
		{"exits", model.NodeJS, map[string]string{"index.js": `console.log("bye"); process.exit(9)`}, "", `before the first call \(exit status 9\): bye`},
		{"above its folder", model.NodeJS, map[string]string{"index.js": ``}, "../x.handler", `leads out of the function's folder`},
		{"elsewhere", model.NodeJS, map[string]string{"index.js": ``}, "/etc/x.handler", `leads out of the function's folder`},
		{"no name", model.NodeJS, map[string]string{"index.js": ``}, "index", `Runtime.MalformedHandlerName`},
		{"raises", model.Python, map[string]string{"index.py": "\nraise ValueError('no table')\n"}, "", `ValueError: no table, at index.py:2`},
		{"does not parse", model.Python, map[string]string{"index.py": "def handler(:\n"}, "", `Runtime.UserCodeSyntaxError.*, at index.py:1`},
		{"imports what is not there", model.Python, map[string]string{"index.py": "import nowhere\n"}, "", `Runtime.ImportModuleError: Unable to import module 'index': No module named 'nowhere'`},
		{"no handler", model.Python, map[string]string{"index.py": "x = 1\n"}, "", `Runtime.HandlerNotFound: Handler 'handler' missing on module 'index'`},
	} {
		t.Run(string(row.runtime)+" "+row.name, func(t *testing.T) {
			switch row.name {
			case "throws", "exits", "above its folder", "elsewhere", "raises":
			default:
				// They end in the same way as one of these.
				depth.Gate(t)
			}
			t.Parallel()
			f := newFacility(t, nil)
			f.serve(t, row.runtime, row.files, func(s *function.Spec) { s.Handler = row.handler })
			e := f.refused(t, `{}`, function.NotStarted)
			if !regexp.MustCompile(row.want).MatchString(e.Text) {
				t.Errorf("the error is %q, want %q\n%s", e.Text, row.want, f.log(""))
			}
			if !strings.Contains(f.log(""), "before the first call") && !strings.Contains(f.log(""), "leads out") {
				t.Errorf("the log has no reason:\n%s", f.log(""))
			}
		})
	}
}

func TestAFunctionThatHangsBeforeItsFirstCallIsEnded(t *testing.T) {
	t.Parallel()
	f := newFacility(t, nil)
	f.leastStart = 100 * time.Millisecond
	f.serve(t, model.NodeJS, map[string]string{"index.js": `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`}, func(s *function.Spec) { s.Timeout = time.Second })
	if e := f.refused(t, `{}`, function.NotStarted); !strings.Contains(e.Text, "was not ready within 1.0 s") {
		t.Errorf("the error is %v", e)
	}
}

func TestThreeFailedStartsStopUntilTheSourceChanges(t *testing.T) {
	t.Parallel()
	f := newFacility(t, nil)
	s := f.serve(t, model.NodeJS, map[string]string{"index.js": `throw new Error("broken")`}, nil)
	for range mostFailures {
		f.refused(t, `{}`, function.NotStarted)
	}
	starts := len(f.eventTexts(function.EventStart))
	for range 5 {
		if e := f.refused(t, `{}`, function.StoppedTrying); !strings.Contains(e.Text, "broken") {
			t.Errorf("the error does not say why: %v", e)
		}
	}
	if now := len(f.eventTexts(function.EventStart)); now != starts || starts != mostFailures {
		t.Errorf("%d starts, then %d", starts, now)
	}
	if len(f.eventTexts(function.EventStopped)) != 1 {
		t.Errorf("the stop was reported %d times", len(f.eventTexts(function.EventStopped)))
	}
	writeSource(t, s, map[string]string{"index.js": `exports.handler = async () => "mended"`})
	await.Until(t, "the function is mended", func() bool {
		a, err := f.call(`{}`)
		return err == nil && string(a.Payload) == `"mended"`
	})
}

func TestAMissingSourceIsNamedAndServedWhenItIsBack(t *testing.T) {
	t.Parallel()
	f := newFacility(t, nil)
	s := f.serve(t, model.NodeJS, map[string]string{"index.js": "exports.handler = async () => 'well'"}, nil)
	source := filepath.Join(s.Folder, "src")
	if err := os.Rename(source, source+".away"); err != nil {
		t.Fatal(err)
	}
	if e := f.refused(t, `{}`, function.NotStarted); e.Text != "its folder src does not exist" {
		t.Errorf("the error is %v", e)
	}
	if err := os.Rename(source+".away", source); err != nil {
		t.Fatal(err)
	}
	if got := f.result(t, `{}`); got != `"well"` {
		t.Errorf("then the answer is %s", got)
	}
}

func TestAMissingRuntimeIsNamedAndTheOthersRunOn(t *testing.T) {
	needs(t, model.Python)
	f := newFacility(t, nil)
	folder := t.TempDir()
	python := function.Spec{Environment: "dev", Name: "other", Runtime: model.Python, Folder: folder}
	writeSource(t, python, map[string]string{"index.py": "def handler(e, c):\n    return 'well'\n"})
	onlyPython(t)
	f.Apply([]function.Spec{{Environment: "dev", Name: "items", Runtime: model.NodeJS, Folder: folder}, python})
	// It may be installed at any time, so every call has this reason.
	for range mostFailures + 1 {
		if e := f.refused(t, `{}`, function.NoRuntime); !strings.Contains(e.Fix, "install Node.js") {
			t.Errorf("the error is %v", e)
		}
	}
	if texts := f.eventTexts(function.EventCrash); len(texts) != 1 {
		t.Errorf("the events are %q", texts)
	}
	a, err := f.Invoke(t.Context(), function.Call{Environment: "dev", Function: "other", Payload: []byte("{}")})
	if err != nil || string(a.Payload) != `"well"` {
		t.Errorf("the other function answers %s, %v", a.Payload, err)
	}
}

// onlyPython leaves only Python in PATH.
func onlyPython(t *testing.T) {
	t.Helper()
	// python3 may be a script that needs more in PATH.
	name := prepare.Interpreters[model.Python][0]
	program, err := exec.Command(name, "-c", "import sys; print(sys.executable, end='')").Output()
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" { // Python there needs the files beside it
		t.Setenv("PATH", filepath.Dir(string(program)))
		return
	}
	folder := t.TempDir()
	if err := os.Symlink(string(program), filepath.Join(folder, name)); err != nil {
		t.Skipf("NOT TESTED: no link can be made: %v", err)
	}
	t.Setenv("PATH", folder)
}

func TestWhatIsTooLargeIsRefused(t *testing.T) {
	t.Parallel()
	for _, r := range []model.Runtime{model.NodeJS, model.Python} {
		t.Run(string(r), func(t *testing.T) {
			if r == model.Python {
				depth.Gate(t) // the limits are the sandbox's
			}
			t.Parallel()
			source := `exports.handler = async (e) => e.n ? "x".repeat(e.n) : e.s.length`
			if r == model.Python {
				source = "def handler(e, c):\n    return 'x' * e['n'] if 'n' in e else len(e['s'])\n"
			}
			f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
			f.serve(t, r, map[string]string{sourceName(r): source}, nil)
			event := func(size int) string { return `{"s":"` + strings.Repeat("x", size-len(`{"s":""}`)) + `"}` }
			if got := f.result(t, event(function.MaxPayload)); got != fmt.Sprint(function.MaxPayload-len(`{"s":""}`)) {
				t.Errorf("%s characters of the largest event arrived", got)
			}
			f.refused(t, event(function.MaxPayload+1), function.TooLarge)
			if got := f.result(t, fmt.Sprintf(`{"n":%d}`, function.MaxPayload-2)); len(got) != function.MaxPayload {
				t.Errorf("the largest result has %d bytes", len(got))
			}
			e := f.refused(t, fmt.Sprintf(`{"n":%d}`, function.MaxPayload+200), function.TooLarge)
			if e.CloudType != "Function.ResponseSizeTooLarge" || !strings.Contains(e.CloudText, "(6291556 bytes)") {
				t.Errorf("the error is %+v", e)
			}
			f.result(t, `{"s":"again"}`)
			if len(f.eventTexts(function.EventStart)) != 1 {
				t.Errorf("%d workers were started", len(f.eventTexts(function.EventStart)))
			}
		})
	}
}

func TestValuesOfVariablesAreInNoErrorOrEvent(t *testing.T) {
	t.Parallel()
	f := newFacility(t, nil)
	f.logs.Redact([]string{"s3cret-value"})
	f.serve(t, model.NodeJS, map[string]string{"index.js": `throw new Error("refused: " + process.env.TOKEN)`}, func(s *function.Spec) {
		s.Variables = map[string]string{"TOKEN": "s3cret-value"}
	})
	e := f.refused(t, `{}`, function.NotStarted)
	everything := e.Error() + e.CloudText + strings.Join(f.eventTexts(function.EventCrash), " ") + f.log("")
	if strings.Contains(everything, "s3cret-value") {
		t.Errorf("the secret is in %s", everything)
	}
}

// TestNamesOfTheProjectAreNoSecrets has variables with a region and a table's name, which a
// message may need.
func TestNamesOfTheProjectAreNoSecrets(t *testing.T) {
	t.Parallel()
	f := newFacility(t, nil)
	f.serve(t, model.NodeJS, map[string]string{"index.js": `throw new Error([process.env.REGION, process.env.TABLE, process.env.TOKEN].join(" "))`}, func(s *function.Spec) {
		s.Region, s.Public = "eu-west-1", []string{"notesTable-dev"}
		s.Variables = map[string]string{"REGION": "eu-west-1", "TABLE": "notesTable-dev", "TOKEN": "s3cret-value"}
	})
	if e := f.refused(t, `{}`, function.NotStarted); !strings.Contains(e.Error(), "eu-west-1 notesTable-dev <redacted>") {
		t.Errorf("the error is %s", e)
	}
}

func TestPythonWritesNothingBesideTheSource(t *testing.T) {
	t.Parallel()
	f := newFacility(t, nil)
	spec := f.serve(t, model.Python, map[string]string{"index.py": "import more\n\n\ndef handler(e, c):\n    return more.word\n", "more.py": "word = 'imported'\n"}, nil)
	if got := f.result(t, "{}"); got != `"imported"` {
		t.Errorf("it gives %s", got)
	}
	entries, err := os.ReadDir(filepath.Join(spec.Folder, "src"))
	if err != nil || len(entries) != 2 {
		t.Errorf("%v: the source has %v", err, entries)
	}
}
