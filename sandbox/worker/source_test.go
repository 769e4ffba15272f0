package worker

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/test/await"
	"gatewright/test/depth"
)

// writer does what the event names with the source of the function, and returns the number
// of its process and the code of the error.
const writer = `
	const fs = require("fs"), path = require("path"), { execFileSync } = require("child_process");
	const { appendFile } = require("fs/promises");
	const file = path.join(__dirname, "made"), old = path.join(__dirname, "data.txt");
	const stream = () => new Promise((done, fail) => fs.createWriteStream(file).on("error", fail).on("finish", done).end("x"));
	const called = (name, ...rest) => new Promise((done, fail) => fs[name](...rest, (err) => err ? fail(err) : done()));
	const ways = {
		"nothing": () => {},
		"writeFileSync": () => fs.writeFileSync(file, "x"),
		"appendFileSync": () => fs.appendFileSync("made", "x"),
		"writeFile": () => called("writeFile", file, "x"),
		"promises": () => fs.promises.writeFile(file, "x"),
		"import": () => appendFile(file, "x"),
		"open": () => fs.openSync(old, "r+"),
		"flags": () => fs.openSync(file, fs.constants.O_CREAT | fs.constants.O_WRONLY),
		"stream": stream,
		"mkdir": () => fs.mkdirSync(path.join(__dirname, "a", "b"), { recursive: true }),
		"rename": () => fs.renameSync(old, file),
		"unlink": () => fs.promises.unlink(old),
		"url": () => fs.writeFileSync(require("url").pathToFileURL(file), "x"),
		"folder": () => fs.mkdirSync(__dirname, { recursive: true }),
		"none": () => fs.rmSync(file, { force: true }),
		"read": () => fs.readFileSync(old, "utf8"),
		"read stream": () => new Promise((done, fail) => fs.createReadStream(old).on("error", fail).on("data", done)),
		"tmp": () => fs.writeFileSync(path.join(require("os").tmpdir(), "gatewright-test-" + process.pid), "x"),
		"child": () => { try { execFileSync(process.execPath, ["-e", "require('fs').writeFileSync('made', 'x')"], { stdio: "pipe" }) } catch (err) { console.log(String(err.stderr)); throw Object.assign(new Error("child"), { code: /EROFS/.test(err.stderr) ? "EROFS" : "?" }); } },
	};
	exports.handler = async (e) => {
		let code = "";
		try { await ways[e.way](); } catch (err) { code = err.code ?? String(err); }
		return [process.pid, code];
	}`

const pythonWriter = `
import os, pathlib, shutil, sqlite3, subprocess, sys, tempfile
here = pathlib.Path(__file__).parent
def database():
    with sqlite3.connect(str(here / "data.db")) as c:
        c.execute("create table t (a)")
def tree():
    folder = tempfile.mkdtemp()
    pathlib.Path(folder, "data.txt").write_text("x")
    shutil.rmtree(folder)
def child():
    done = subprocess.run([sys.executable, "-c", "open('made', 'w')"], capture_output=True, text=True)
    print(done.stderr)
    if "Read-only" in done.stderr: raise OSError(30, "child")
ways = {
    "nothing": lambda: None,
    "writeFile": lambda: (here / "made").write_text("x"),
    "appendFileSync": lambda: open("made", "a"),
    "open": lambda: open(here / "data.txt", "r+"),
    "flags": lambda: os.open(str(here / "made"), os.O_CREAT | os.O_WRONLY),
    "mkdir": lambda: os.makedirs(here / "a" / "b"),
    "rename": lambda: os.rename(here / "data.txt", here / "made"),
    "unlink": lambda: os.remove("data.txt"),
    "folder": lambda: os.makedirs(here, exist_ok=True),
    "read": lambda: (here / "data.txt").read_text(),
    "tmp": lambda: tempfile.mkstemp(),
    "tree": tree,
    "child": child,
    "sqlite": database,
}
def handler(event, context):
    code = ""
    try:
        ways[event["way"]]()
    except OSError as error:
        code = {30: "EROFS"}.get(error.errno, str(error))
    except sqlite3.OperationalError as error:
        code = "EROFS" if not os.path.exists(here / "data.db") else str(error)
    return [os.getpid(), code]
`

// protects reports whether the system refuses writes of every process.
func (f *facility) protects(t testing.TB) bool {
	t.Helper()
	if runtime.GOOS != "linux" {
		return false
	}
	if !f.launcher.canProtect() {
		t.Log("NOT TESTED: this system does not let folders be read-only for a process")
		return false
	}
	return true
}

// allowed are the ways that the cloud does not refuse, bySystem those that only a system
// that protects folders refuses.
var (
	allowed  = map[string]bool{"nothing": true, "folder": true, "none": true, "read": true, "read stream": true, "tmp": true, "tree": true}
	bySystem = map[string]bool{"child": true, "sqlite": true}
)

func waysOf(source string) (ways []string) {
	_, table, _ := strings.Cut(source, "ways = {")
	for line := range strings.SplitSeq(table, "\n") {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), `"`); ok {
			name, _, _ = strings.Cut(name, `"`)
			ways = append(ways, name)
		}
	}
	return ways
}

func TestAFunctionCannotWriteIntoItsSourceAndIsToldOnce(t *testing.T) {
	t.Parallel()
	for kind, source := range map[model.Runtime]string{model.NodeJS: writer, model.Python: pythonWriter} {
		for _, way := range waysOf(source) {
			t.Run(string(kind)+"/"+way, func(t *testing.T) {
				depth.Gate(t)
				t.Parallel()
				f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
				needs(t, kind)
				if bySystem[way] && !f.protects(t) {
					return
				}
				f.serve(t, kind, map[string]string{sourceName(kind): source, "data.txt": "data"}, nil)
				want := "EROFS"
				if allowed[way] {
					want = ""
				}
				first := 0
				for range 3 {
					var got []any
					if err := json.Unmarshal([]byte(f.result(t, fmt.Sprintf(`{"way":%q}`, way))), &got); err != nil {
						t.Fatal(err)
					}
					pid, code := int(got[0].(float64)), got[1]
					if code != want {
						t.Errorf("the error is %v, want %q", code, want)
					}
					if first == 0 {
						first = pid
					}
					if pid != first {
						t.Error("another process answers")
					}
					// A change would be seen in this time.
					time.Sleep(4 * settling)
				}
				if changes := f.eventTexts(function.EventChange); len(changes) != 0 {
					t.Errorf("changes are reported: %q", changes)
				}
				told := f.eventTexts(function.EventWarning)
				logged := strings.Count(f.log(""), "write into /tmp instead")
				if allowed[way] && (len(told) != 0 || logged != 0) || !allowed[way] && (len(told) != 1 || logged != 1) {
					t.Errorf("told %d times, logged %d times: %q\n%s", len(told), logged, told, f.log(""))
				}
				if !allowed[way] && !bySystem[way] && !strings.HasPrefix(told[0], "it writes into its own source (src/") {
					t.Errorf("the warning is %q", told[0])
				}
			})
		}
	}
}

// TestEachWayToWriteIsRefusedAndTold is the test before this one with one worker, which is told of
// each write as if it was the first.
func TestEachWayToWriteIsRefusedAndTold(t *testing.T) {
	t.Parallel()
	for kind, source := range map[model.Runtime]string{model.NodeJS: writer, model.Python: pythonWriter} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
			needs(t, kind)
			protects := f.protects(t)
			s := f.serve(t, kind, map[string]string{sourceName(kind): source, "data.txt": "data"}, nil)
			told := 0
			for _, way := range waysOf(source) {
				if bySystem[way] && !protects {
					continue
				}
				want := "EROFS"
				if allowed[way] {
					want = ""
				} else {
					told++
				}
				for range 2 {
					a := f.answer(t, fmt.Sprintf(`{"way":%q}`, way))
					if got := string(a.Payload); !strings.HasSuffix(strings.ReplaceAll(got, " ", ""), fmt.Sprintf(",%q]", want)) {
						t.Errorf("%s: it gives %s, want %q", way, got, want)
					}
				}
				await.Until(t, "the warning about "+way, func() bool { return len(f.eventTexts(function.EventWarning)) >= told })
				all := f.eventTexts(function.EventWarning)
				if logged := strings.Count(f.log(""), "write into /tmp instead"); len(all) != told || logged != told {
					t.Fatalf("%s: told %d times, logged %d times, want %d: %q", way, len(all), logged, told, all)
				}
				if want == "" || bySystem[way] {
					f.forgetWrites()
					continue
				}
				if last := all[told-1]; !strings.HasPrefix(last, "it writes into its own source (src/") {
					t.Errorf("%s: the warning is %q", way, last)
				}
				f.forgetWrites()
			}
			if starts, changes := len(f.eventTexts(function.EventStart)), f.eventTexts(function.EventChange); starts != 1 || len(changes) != 0 {
				t.Errorf("%d workers were started, the changes are %q", starts, changes)
			}
			entries, err := os.ReadDir(filepath.Join(s.Folder, "src"))
			if err != nil || len(entries) != 2 {
				t.Errorf("the source has %v, %v", entries, err)
			}
		})
	}
}

// forgetWrites has the next write into the source told again.
func (f *facility) forgetWrites() {
	p := f.pool("dev")
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told.write.Store(false)
}

// What the bootstraps refuse does not depend on the system.
func TestTheBootstrapsRefuseAWriteWithoutTheSystem(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	for kind, source := range map[model.Runtime]string{model.NodeJS: writer, model.Python: pythonWriter} {
		f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
		// Then there is no guardian process.
		<-f.launcher.close()
		s := f.serve(t, kind, map[string]string{sourceName(kind): source, "data.txt": "data"}, nil)
		for _, way := range waysOf(source) {
			if bySystem[way] {
				continue
			}
			want := `"EROFS"`
			if allowed[way] {
				want = `""`
			}
			if got := f.result(t, fmt.Sprintf(`{"way":%q}`, way)); !strings.Contains(got, want) {
				t.Errorf("%s, %s: %s", kind, way, got)
			}
		}
		entries, err := os.ReadDir(filepath.Join(s.Folder, "src"))
		if err != nil || len(entries) != 2 {
			t.Errorf("%s: the source has %v, %v", kind, entries, err)
		}
		if changes := f.eventTexts(function.EventChange); len(changes) != 0 {
			t.Errorf("%s: changes are reported: %q", kind, changes)
		}
	}
}

func TestAnEditIsSeenWhileAFunctionWantsToWrite(t *testing.T) {
	t.Parallel()
	f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
	source := func(n int) map[string]string {
		return map[string]string{"index.js": fmt.Sprintf(`
			const fs = require("fs");
			exports.handler = async () => { try { fs.appendFileSync("log.txt", "x"); } catch {} return %d; }`, n)}
	}
	s := f.serve(t, model.NodeJS, source(0), nil)
	for n := range depth.Rounds(2, 4, 4) {
		writeSource(t, s, source(n))
		await.Until(t, "the edit is served", func() bool { return f.result(t, `{}`) == fmt.Sprint(n) })
	}
	if _, err := os.Stat(filepath.Join(s.Folder, "src", "log.txt")); err == nil {
		t.Error("the file was written")
	}
}

func TestAProgramCannotWriteIntoItsSource(t *testing.T) {
	t.Parallel()
	f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
	if !f.protects(t) {
		t.Skip("NOT TESTED: needs a system that protects folders")
	}
	s := f.serveProgram(t, nil)
	a, err := f.call(`{"do":"write"}`)
	if err != nil || !a.Failed {
		t.Fatal(a, err)
	}
	if !strings.Contains(string(a.Payload), "read-only file system") {
		t.Errorf("the answer is %s", a.Payload)
	}
	await.Until(t, "the warning", func() bool { return len(f.eventTexts(function.EventWarning)) > 0 })
	if told := f.eventTexts(function.EventWarning); len(told) != 1 || !strings.Contains(told[0], "write into /tmp instead") {
		t.Errorf("the warnings are %q", told)
	}
	if _, err := os.Stat(filepath.Join(s.Folder, "src", "made.txt")); err == nil {
		t.Error("the file was written")
	}
}

func TestAFolderThatCannotBeReadOnlyIsToldOnce(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	f := newFacility(t, func(o *Options) { o.MaxWorkers = 2 })
	if !f.protects(t) {
		t.Skip("NOT TESTED: needs a system that protects folders")
	}
	// The system takes no folder of such a name.
	tooLong := "arn:aws:lambda:eu-west-1:1:layer:" + strings.Repeat("x", 300)
	f.serve(t, model.NodeJS, map[string]string{"index.js": waiter}, func(s *function.Spec) { s.Layers = []string{tooLong} })
	first, second := beginWaiting(t, f, "first", false), beginWaiting(t, f, "second", false)
	first.release()
	second.release()
	told := slices.DeleteFunc(f.eventTexts(function.EventWarning), func(text string) bool {
		return !strings.HasPrefix(text, "its source cannot be read-only, as it is in the cloud: ")
	})
	if len(told) != 1 || !strings.Contains(told[0], tooLong[:100]) {
		t.Errorf("the warnings are %q", f.eventTexts(function.EventWarning))
	}
}

func TestAWriteOfTheOldSourceDoesNotHideThatOfTheNewOne(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	f := newFacility(t, func(o *Options) { o.MaxWorkers = 2 })
	source := func(file string) map[string]string {
		return map[string]string{"index.js": strings.Replace(waiter, "return event.name", `try { fs.appendFileSync("`+file+`", "x"); } catch {} return event.name`, 1)}
	}
	s := f.serve(t, model.NodeJS, source("old.txt"), nil)
	old := beginWaiting(t, f, "old", false)
	writeSource(t, s, source("new.txt"))
	renewed := beginWaiting(t, f, "new", false)
	old.release()
	await.Until(t, "the warning about the old source", func() bool { return len(f.eventTexts(function.EventWarning)) == 1 })
	renewed.release()
	await.Until(t, "the warning about the new source", func() bool { return len(f.eventTexts(function.EventWarning)) == 2 })
	for n, file := range []string{"old.txt", "new.txt"} {
		if told := f.eventTexts(function.EventWarning); !strings.Contains(told[n], file) {
			t.Errorf("warning %d is %q", n, told[n])
		}
	}
}
