package worker

import (
	"fmt"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
	"gatewright/test/depth"
)

func TestStrictMemoryIsThatOfTheHeapOfNode(t *testing.T) {
	t.Parallel()
	for memory, want := range map[int]string{10: "[--max-semi-space-size=1 --max-old-space-size=9]", 128: "[--max-semi-space-size=6 --max-old-space-size=115]", 1000: "[--max-semi-space-size=50 --max-old-space-size=900]"} {
		if got := fmt.Sprint(nodeHeap(memory, true)); got != want || nodeHeap(memory, false) != nil {
			t.Errorf("with %d MB Node.js gets %s, and %v unless memory is strict", memory, got, nodeHeap(memory, false))
		}
	}
}

func needsMemory(t testing.TB) {
	t.Helper()
	if !MeasuresMemory {
		t.Skip("NOT TESTED: this system does not tell the memory of a running process")
	}
}

func needsMemoryOfChildren(t testing.TB) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("NOT TESTED: this system does not tell the memory of the processes below one")
	}
}

// hog allocates event.mb MB, in this process or in a child, and gives them back.
const hog = `
	const { spawnSync } = require("child_process");
	const take = "const b = []; for (let n = 0; n < MB; n += 10) b.push(Buffer.alloc(10 << 20, 1)); b.length";
	exports.handler = async (e) => {
		const script = take.replace("MB", e.mb ?? 0);
		if (e.how === "child") return spawnSync(process.execPath, ["-e", script + "; setTimeout(() => {}, 60)"]).status;
		if (e.how === "objects") for (const all = []; ; ) all.push({ n: all.length, text: "x" + all.length });
		eval("(() => {" + script + "})()");
		if (e.how === "wait") await new Promise((done) => setTimeout(done, 60000));
		return e.mb ?? 0;
	}`

func gives(memory int) func(*function.Spec) { return func(s *function.Spec) { s.Memory = memory } }

// used returns the maximum in the REPORT line of a call.
func (f *facility) used(t testing.TB, id string) int {
	t.Helper()
	found := regexp.MustCompile(`Max Memory Used: (\d+) MB`).FindStringSubmatch(f.log(id))
	if found == nil {
		t.Fatalf("no maximum in\n%s", f.log(id))
	}
	used, _ := strconv.Atoi(found[1])
	return used
}

// errors returns the texts of a call's lines of the level ERROR.
func (f *facility) errors(id string) (texts []string) {
	for _, l := range f.lines(id) {
		if l.Level == logs.Error {
			texts = append(texts, l.Text)
		}
	}
	return texts
}

func TestReportHasTheMemoryOfTheWorker(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	needsMemory(t)
	for _, how := range []string{"", "child"} {
		t.Run("in "+how, func(t *testing.T) {
			t.Parallel()
			if how == "child" {
				needsMemoryOfChildren(t)
			}
			f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
			f.serve(t, model.NodeJS, map[string]string{"index.js": hog}, gives(1024))
			small := f.answer(t, `{}`)
			if small.MaxMemory < 20 || small.MaxMemory > 100 {
				t.Errorf("a plain call used %d MB", small.MaxMemory)
			}
			large := f.answer(t, fmt.Sprintf(`{"mb":300,"how":%q}`, how))
			if large.MaxMemory < 300 || large.MaxMemory > 500 || f.used(t, large.RequestID) != large.MaxMemory {
				t.Errorf("a call with 300 MB used %d MB; the log has %d", large.MaxMemory, f.used(t, large.RequestID))
			}
			// As in Lambda, it is the maximum of the whole environment.
			if later := f.answer(t, `{}`); later.MaxMemory < large.MaxMemory {
				t.Errorf("a later call used %d MB, less than an earlier one (%d)", later.MaxMemory, large.MaxMemory)
			}
			if found := f.errors(large.RequestID); len(found) != 0 {
				t.Errorf("errors without a reason: %q", found)
			}
		})
	}
}

func TestACallOverItsMemoryIsAnErrorInTheLogEachTime(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	needsMemory(t)
	f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
	f.serve(t, model.NodeJS, map[string]string{"index.js": hog}, gives(128))
	if plain := f.answer(t, `{}`); len(f.errors(plain.RequestID)) != 0 {
		t.Errorf("a plain call: %q", f.errors(plain.RequestID))
	}
	for range 2 {
		a := f.answer(t, `{"mb":300}`)
		want := fmt.Sprintf("its process has used %d MB of memory, %d MB more than the 128 MB that it has: the cloud ends a function there; "+
			"use less, or give it more: gatewright update function items --memory %d", a.MaxMemory, a.MaxMemory-128, (a.MaxMemory+63)/64*64)
		if found := f.errors(a.RequestID); len(found) != 1 || found[0] != want {
			t.Errorf("the errors are %q, want %q", found, want)
		}
	}
	if told := f.eventTexts(function.EventWarning); len(told) != 1 {
		t.Errorf("the warnings are %q", told)
	}
}

func TestPlainFunctionsAreNotOverTheLeastMemory(t *testing.T) {
	t.Parallel()
	depth.Gate(t)
	depth.WithoutRace(t)
	needsMemory(t)
	const calls = 2000
	sources := map[model.Runtime]string{
		model.NodeJS: `exports.handler = async (e) => ({ statusCode: 200, body: JSON.stringify({ e, at: new Date() }) })`,
		model.Python: "import json\ndef handler(event, context):\n    return {'statusCode': 200, 'body': json.dumps(event)}\n",
	}
	for kind, source := range sources {
		t.Run(string(kind), func(t *testing.T) {
			f := newFacility(t, func(o *Options) { o.MaxWorkers, o.StrictMemory = 1, true })
			f.serve(t, kind, map[string]string{sourceName(kind): source}, gives(model.DefaultMemory))
			most := 0
			event := fmt.Sprintf(`{"body":%q}`, strings.Repeat("x", 10_000))
			for range calls {
				most = max(most, f.answer(t, event).MaxMemory)
			}
			t.Logf("%d calls with 10 KB: %d MB", calls, most)
		})
	}
}

// Without arguments, Node.js has more than 140 MB in these calls, and would be killed.
func TestStrictMemoryDoesNotCountGarbage(t *testing.T) {
	t.Parallel()
	depth.Gate(t)
	depth.WithoutRace(t)
	needsMemory(t)
	f := newFacility(t, func(o *Options) { o.MaxWorkers, o.StrictMemory = 1, true })
	f.serve(t, model.NodeJS, map[string]string{"index.js": `
		const text = JSON.stringify(Array.from({ length: 20000 }, (_, n) => ({ id: n, name: "name " + n, tags: ["a", "b"] })));
		exports.handler = async () => JSON.parse(text).map((row) => ({ ...row, more: 1 })).length`}, gives(128))
	most := 0
	for range 100 {
		a := f.answer(t, `{}`)
		if most = max(most, a.MaxMemory); len(f.errors(a.RequestID)) != 0 {
			t.Fatalf("errors of a call with a body of 1 MB: %q", f.errors(a.RequestID))
		}
	}
	t.Logf("%d MB", most)
}

func TestStrictMemoryKillsAsTheCloudDoes(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	needsMemory(t)
	type killed struct{ name, event string }
	rows := []killed{
		{"a call that goes on", `{"mb":300,"how":"wait"}`},
		{"a call that is quick", `{"mb":140}`},
		{"a heap of objects", `{"how":"objects"}`},
		{"a child", `{"mb":300,"how":"child"}`},
	}
	// One worker after the other has the same function.
	f := newFacility(t, func(o *Options) { o.MaxWorkers, o.StrictMemory = 1, true })
	f.serve(t, model.NodeJS, map[string]string{"index.js": hog}, gives(128))
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			if row.name == "a child" {
				needsMemoryOfChildren(t)
			}
			if row.name != "a call that is quick" {
				depth.Gate(t)
			}
			e := f.refused(t, row.event, function.Crashed)
			id, words, _ := strings.Cut(strings.TrimPrefix(e.CloudText, "RequestId: "), " ")
			if e.CloudType != "Runtime.ExitError" || words != "Error: Runtime exited with error: signal: killed" {
				t.Errorf("the error is %q %q", e.CloudType, e.CloudText)
			}
			if want := "it used more memory than the 128 MB that it has and was killed, as in the cloud"; e.Text != want {
				t.Errorf("the reason is %q", e.Text)
			}
			log := f.log(id)
			for _, want := range []string{e.CloudText, "Runtime.ExitError", "Memory Size: 128 MB\tMax Memory Used: 128 MB"} {
				if !strings.Contains(log, want) {
					t.Errorf("the log lacks %q:\n%s", want, log)
				}
			}
			if got := f.result(t, `{"mb":10}`); got != "10" {
				t.Errorf("the next call is answered with %s", got)
			}
		})
	}
}

func TestStrictMemoryCountsForTheStart(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	needsMemory(t)
	f := newFacility(t, func(o *Options) { o.StrictMemory = true })
	f.serve(t, model.NodeJS, map[string]string{"index.js": `
		const all = []; for (let n = 0; n < 30; n++) all.push(Buffer.alloc(10 << 20, 1));
		exports.handler = async () => all.length`}, gives(128))
	e := f.refused(t, `{}`, function.NotStarted)
	if e.CloudText != "Error: Runtime exited with error: signal: killed" || e.CloudType != "Runtime.ExitError" {
		t.Errorf("the error is %+v", e)
	}
}
