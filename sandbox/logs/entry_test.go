package logs_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gatewright/sandbox/logs"
	"gatewright/sandbox/logs/entry"
)

func TestPlacesInStacksLeadToFilesOfTheProject(t *testing.T) {
	t.Parallel()
	of := entry.Source{Root: "/home/emma/my day", Real: "/data/my day", Folder: "backend/function/f/src"}
	for _, test := range []struct{ line, want string }{
		{"    at exports.handler (/home/emma/my day/backend/function/f/src/index.js:10:13)", "backend/function/f/src/index.js:10"},
		{"    at async /data/my day/backend/function/f/src/lib/a.js:3:48", "backend/function/f/src/lib/a.js:3"},
		{"    at async Promise.all (index 0)", ""},
		{"    at async load (file:///home/emma/my%20day/backend/function/f/src/index.mjs:7:9)", "backend/function/f/src/index.mjs:7"},
		{"    at new Shelf (/home/emma/my day/.gatewright/sandbox/function/build/f/0123456789abcdef0123456789abcdef/backend/function/f/src/shelf.js:4:11)", "backend/function/f/src/shelf.js:4"},
		{"    at Object.<anonymous> (/var/task/index.js:2:1)", "backend/function/f/src/index.js:2"},
		{"    at listen (/home/emma/my day/backend/function/f/src/node_modules/express/lib/app.js:1:2)", ""},
		{"    at Call.run (/home/emma/my day/.gatewright/sandbox/function/runtime/bootstrap.cjs:796:22)", ""},
		{"    at process.processTicksAndRejections (node:internal/process/task_queues:77:11)", ""},
		{"    at Array.reduce (<anonymous>)", ""},
		{"    at eval (eval at run (/home/emma/my day/backend/function/f/src/index.js:5:3), <anonymous>:1:7)", "backend/function/f/src/index.js:5"},
		{"    at frame (/home/emma/elsewhere/index.js:1:2)", ""},
		{"    at frame (/home/emma/my day/../secret/index.js:1:2)", ""},
		{`  File "/home/emma/my day/backend/function/f/src/index.py", line 16, in handler`, "backend/function/f/src/index.py:16"},
		{`  File "/usr/lib/python3.12/json/decoder.py", line 355, in raw_decode`, ""},
		{"\t/home/emma/my day/backend/function/f/src/main.go:12 +0x1d", "backend/function/f/src/main.go:12"},
		{"\tbooks/store/store.go:31 +0x1d", "backend/function/f/src/store/store.go:31"},
		{"\truntime/panic.go:792 +0x132", ""},
		{"\treflect/value.go:586 +0x8c", ""},
		{"\tnet/http/server.go:2136 +0x8c", ""},
		{"/home/emma/my day/backend/function/f/src/index.js:5", "backend/function/f/src/index.js:5"},
		{"nothing:12 here", ""},
	} {
		e := entry.Read([]logs.Line{{Level: logs.Error, Text: "Error: no\n" + test.line}})[0]
		got := ""
		for _, l := range entry.Body(&e, nil, of, true) {
			if name, ok := of.Name(l.Place); ok {
				got = fmt.Sprintf("%s:%d", name, l.Place.Line)
			}
		}
		if got != test.want {
			t.Errorf("%s\nleads to %q, want %q", test.line, got, test.want)
		}
	}
}

func TestTheSeverityIsWhatAnEntrySays(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		level logs.Level
		text  string
		want  entry.Severity
	}{
		{logs.Info, "hello", entry.Info},
		{"", "hello", entry.Plain},
		{logs.Error, "no", entry.Error},
		{logs.Info, `{"level":"error","msg":"no"}`, entry.Error},
		{logs.Info, `{"severity":"WARNING","message":"low"}`, entry.Warn},
		{"", `{"level":10}`, entry.Trace},
		{"", `{"level":60,"msg":"gone"}`, entry.Fatal},
		{logs.Info, `{"level":7}`, entry.Info},
		{logs.Info, `{"level":"error"`, entry.Info},
		{logs.Info, `{"level":{"level":"error"}}`, entry.Info},
		{logs.Error, "(node:7) Warning: Setting NODE_TLS_REJECT_UNAUTHORIZED", entry.Warn},
		{logs.Error, "(node:7) no", entry.Error},
		{"", "panic: no", entry.Error},
		{"", "Traceback (most recent call last):", entry.Error},
		{logs.Platform, "START RequestId: 1", entry.Plain},
		{logs.Platform, "function f of environment dev: its source fails before the first call: SyntaxError: x; fix the source", entry.Error},
		{logs.Platform, "the process ended between calls (exit status 1)", entry.Warn},
	} {
		if got := entry.Read([]logs.Line{{Level: test.level, Text: test.text}})[0].Severity; got != test.want {
			t.Errorf("%s %s is %q, want %q", test.level, test.text, got.Word(), test.want.Word())
		}
	}
}

// call are the lines of an invocation.
func call(request string, inside ...logs.Line) []logs.Line {
	lines := append([]logs.Line{{Level: logs.Platform, Text: "START RequestId: " + request + " Version: $LATEST"}}, inside...)
	lines = append(lines, logs.Line{Level: logs.Platform, Text: "END RequestId: " + request},
		logs.Line{Level: logs.Platform, Text: "REPORT RequestId: " + request + "\tInit Duration: 140.10 ms\tDuration: 3.52 ms\tBilled Duration: 4 ms\tMemory Size: 128 MB\tMax Memory Used: 45 MB"})
	for i := range lines {
		lines[i].Request, lines[i].Function = request, "f"
	}
	return lines
}

func TestAnInvocationIsToldInOneLine(t *testing.T) {
	t.Parallel()
	const id = "4f1c0d3e-8a52-4c6e-9b07-2f7d1f0f6c11"
	const usual = "  cold, 140 ms to start  45 of 128 MB"
	for _, test := range []struct {
		inside []logs.Line
		want   string
	}{
		{nil, "4f1c0d3e  3.5 ms" + usual},
		{[]logs.Line{{Level: logs.Error, Text: "console.error is no failure"}}, "4f1c0d3e  3.5 ms" + usual},
		{[]logs.Line{{Level: logs.Platform, Text: id + " Task timed out after 3.00 seconds"}}, "4f1c0d3e  3.5 ms  failed: timed out after 3.00 seconds" + usual},
		{[]logs.Line{{Level: logs.Platform, Text: "RequestId: " + id + " Error: Runtime exited with error: signal: killed"}, {Level: logs.Platform, Text: "Runtime.ExitError"}}, "4f1c0d3e  3.5 ms  failed: the process ended, signal: killed" + usual},
		{[]logs.Line{{Level: logs.Error, Text: "Invoke Error \t{\"errorType\":\"RangeError\",\"errorMessage\":\"x\",\"stack\":[]}"}}, "4f1c0d3e  3.5 ms  failed: RangeError" + usual},
		{[]logs.Line{{Level: logs.Error, Text: "Invoke Error \t\"text\""}}, "4f1c0d3e  3.5 ms  failed: string" + usual},
		{[]logs.Line{{Level: logs.Error, Text: "[ERROR] KeyError: 'price'\nTraceback (most recent call last):"}}, "4f1c0d3e  3.5 ms  failed: KeyError" + usual},
		{[]logs.Line{{Level: logs.Error, Text: "GET /dev/items 502: function f ended with an error"}}, "4f1c0d3e  3.5 ms  failed: no response  GET /dev/items 502" + usual},
	} {
		var g entry.Log
		g.Add(entry.Read(call(id, test.inside...)))
		if got := g.At(0).Of.Heading().Text(); got != test.want {
			t.Errorf("it is %q, want %q", got, test.want)
		}
	}
	var g entry.Log
	g.Add(entry.Read(call(id)[:1]))
	if got := g.At(0).Of.Heading().Text(); got != "4f1c0d3e  has not ended" {
		t.Errorf("before its end it is %q", got)
	}
}

func TestJSONIsReadable(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{`{"level":"info","time":"2026-11-25T00:00:00Z","msg":"listed","items":10,"who":"emma k"}`, `listed  items=10  who="emma k"`},
		{`{"message":"has a type","type":"order","requestId":"r1"}`, `has a type  type=order`},
		{`{"a":1,"b":[1,2]}`, `{"a":1,"b":[1,2]}`},
		{`{"msg":"no","err":{"name":"TypeError","message":"x is null","stack":"TypeError: x is null\n    at f (/p/src/a.js:1:2)"}}`, "no\nTypeError: x is null\n  at f (src/a.js:1:2)"},
		{`{"errorType":"KeyError","errorMessage":"'price'","stackTrace":["  File \"/p/src/a.py\", line 2, in f\n    x[\"price\"]\n"]}`, "KeyError: 'price'\n  File \"src/a.py\", line 2, in f\n    x[\"price\"]"},
		{`{"msg":"a","msg":"b"}`, "a  msg=b"},
		{`{not json}`, `{not json}`},
		{"{\"msg\":\"two\\nlines\\u001b[2J\"}", "two\nlines␛[2J"},
	} {
		e := entry.Read([]logs.Line{{Level: logs.Info, Request: "r1", Text: test.text}})[0]
		var got []string
		for _, l := range entry.Body(&e, nil, entry.Source{Root: "/p", Folder: "src"}, false) {
			got = append(got, l.Text())
		}
		if strings.Join(got, "\n") != test.want {
			t.Errorf("%s is shown as\n%s\nwant\n%s", test.text, strings.Join(got, "\n"), test.want)
		}
	}
}

func TestALongTextIsShortUntilItIsUnfolded(t *testing.T) {
	t.Parallel()
	e := entry.Read([]logs.Line{{Level: logs.Info, Text: strings.Repeat("é", 150<<10)}})[0]
	if short := entry.Body(&e, nil, entry.Source{}, false); len(short) != 1 || len(short[0].Text()) > 2000 || !strings.HasSuffix(short[0].Text(), "… 298 KB more") {
		t.Errorf("folded it has %d lines: ...%s", len(short), short[0].Text()[len(short[0].Text())-40:])
	}
	whole := 0
	for _, l := range entry.Body(&e, nil, entry.Source{}, true) {
		whole += strings.Count(l.Text(), "é")
	}
	if whole != 150<<10 {
		t.Errorf("unfolded it has %d of its %d characters", whole, 150<<10)
	}
	e.Text = strings.Repeat("line\n", 40)
	lines := entry.Body(&e, nil, entry.Source{}, false)
	if len(lines) != 13 || lines[12].Text() != "28 more lines" {
		t.Errorf("of 40 lines these are shown: %v", lines)
	}
}

func TestAStackThatIsPrintedLineByLineIsOneEntry(t *testing.T) {
	t.Parallel()
	var lines []logs.Line
	for _, text := range []string{
		"before", "Traceback (most recent call last):", "  File \"/p/src/a.py\", line 2, in f\n    x()", "KeyError: 'price'", "",
		"During handling of the above exception, another exception occurred:", "", "Traceback (most recent call last):", "  File \"/p/src/a.py\", line 4, in g", "ValueError: no", "after",
	} {
		lines = append(lines, logs.Line{Request: "r", Text: text}, logs.Line{Request: "other", Text: "between"})
	}
	var g entry.Log
	g.Add(entry.Read(lines))
	var got []string
	for n := range g.End() {
		if e := g.At(n); e.Request == "r" && !e.Folded() {
			got = append(got, fmt.Sprintf("%s +%d", e.Text, len(g.More(n))))
		}
	}
	if strings.Join(got, ", ") != "before +0, Traceback (most recent call last): +8, after +0" {
		t.Errorf("the entries are %q", got)
	}
	if g.Shown(6) != 2 {
		t.Errorf("entry 6 is shown by entry %d", g.Shown(6))
	}
}

func TestOfALogOnlyTheLastEntriesAreKept(t *testing.T) {
	t.Parallel()
	var g entry.Log
	batch := make([]logs.Line, 0, 5000)
	at := time.Now()
	for i := range 1000 {
		batch = append(batch, call(fmt.Sprintf("request-%d", i), logs.Line{Time: at, Level: logs.Info, Text: "x"})...)
	}
	for range 100 {
		g.Add(entry.Read(batch))
	}
	if kept := g.End() - g.First(); g.End() != 100*len(batch) || kept > entry.Most || kept < entry.Most*9/10 {
		t.Errorf("of %d entries %d are kept, and they are numbered to %d", 100*len(batch), kept, g.End())
	}
	// Of the first invocation that is kept only the end may be left: that stands for it.
	first := g.First()
	for g.At(first).Folded() {
		first++
	}
	g.Add(entry.Read([]logs.Line{{Text: strings.Repeat("x", 1<<20)}}))
	for range 100 {
		g.Add(entry.Read([]logs.Line{{Text: strings.Repeat("x", 1<<20)}}))
	}
	if kept := g.End() - g.First(); kept > 2*4096 {
		t.Errorf("with long texts %d entries are kept", kept)
	}
}

func TestAnyTextIsShownPrintable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
			rapid.SampledFrom([]string{"Invoke Error \t{\"stack\":[\"\\u001b[2J\\n    at a (b:1:2)\"]}", "{\"a\":\"\\u009b\"}", "\t at x (\x1b:1:2)", "  File \"\x07\", line 1"})).Draw(t, "text")
		level := rapid.SampledFrom([]logs.Level{"", logs.Error, logs.Platform, "\x1b"}).Draw(t, "level")
		lines := []logs.Line{{Level: level, Request: "\x1b[2J", Text: text}, {Text: text}, {Text: " " + text}}
		var g entry.Log
		g.Add(entry.Read(lines))
		for n := range g.End() {
			for _, whole := range []bool{false, true} {
				for _, l := range entry.Body(g.At(n), g.More(n), entry.Source{Root: "/", Folder: "src"}, whole) {
					if at := strings.IndexFunc(l.Text(), func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }); at >= 0 {
						t.Fatalf("%q has a control character", l.Text())
					}
				}
			}
		}
	})
}

func TestAStackOfPythonKeepsItsNewestCalls(t *testing.T) {
	t.Parallel()
	const src = "/home/emma/day/backend/function/f/src/index.py"
	var text strings.Builder
	text.WriteString("[ERROR] ValueError: no\nTraceback (most recent call last):\n")
	for n := 1; n <= 9; n++ {
		fmt.Fprintf(&text, "  File %q, line %d, in deep\n    return deep(n - 1)\n           ^^^^^^^^^^^\n", src, n)
	}
	fmt.Fprintf(&text, "  File %q, line 99, in deep\n    raise ValueError(\"no\")\n", src)
	of := entry.Source{Root: "/home/emma/day", Folder: "backend/function/f/src"}
	e := entry.Read([]logs.Line{{Level: logs.Error, Text: text.String()}})[0]
	lines := entry.Body(&e, nil, of, false)
	var got []string
	for _, l := range lines {
		got = append(got, l.Text())
	}
	want := []string{
		"ValueError: no", "Traceback (most recent call last):", `  File "src/index.py", line 1, in deep`, "    return deep(n - 1)", "19 more lines",
		`  File "src/index.py", line 8, in deep`, "    return deep(n - 1)", "           ^^^^^^^^^^^",
		`  File "src/index.py", line 9, in deep`, "    return deep(n - 1)", "           ^^^^^^^^^^^", `  File "src/index.py", line 99, in deep`, `    raise ValueError("no")`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("it is read as\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if at := entry.Origin(lines); at.Line != 99 {
		t.Errorf("the failure came up at line %d, want 99", at.Line)
	}
	whole := entry.Body(&e, nil, of, true)
	if len(whole) != strings.Count(text.String(), "\n") {
		t.Errorf("the whole has %d lines, want all of what was written", len(whole))
	}
}

func TestAStackOfNodeCameUpAtItsFirstPlace(t *testing.T) {
	t.Parallel()
	const text = "Error: no\n    at add (/home/emma/day/backend/function/f/src/sum.js:3:1)\n    at handler (/home/emma/day/backend/function/f/src/index.js:9:1)"
	e := entry.Read([]logs.Line{{Level: logs.Error, Text: text}})[0]
	if at := entry.Origin(entry.Body(&e, nil, entry.Source{Root: "/home/emma/day", Folder: "backend/function/f/src"}, false)); at.Line != 3 {
		t.Errorf("the failure came up at line %d, want 3", at.Line)
	}
}

func TestTheErrorOfAHandlerInGoIsRead(t *testing.T) {
	t.Parallel()
	const id = "4f1c0d3e-8a52-4c6e-9b07-2f7d1f0f6c11"
	const text = `2026/11/26 01:31:50 {"errorMessage":"assignment to entry in nil map","errorType":"plainError","stackTrace":[` +
		`{"path":"github.com/aws/aws-lambda-go@v1.55.1/lambda/errors.go","line":39,"label":"lambdaPanicResponse"},{"path":"runtime/panic.go","line":860,"label":"gopanic"},` +
		`{"path":"gg-handler/store/store.go","line":114,"label":"boom"},{"path":"gg-handler/main.go","line":31,"label":"handle"},` +
		`{"path":"reflect/value.go","line":586,"label":"Value.call"},{"path":"reflect/value.go","line":369,"label":"Value.Call"}]}`
	of := entry.Source{Root: "/home/emma/day", Folder: "backend/function/f/src"}
	var g entry.Log
	g.Add(entry.Read(call(id, logs.Line{Text: text}, logs.Line{Text: `2026/11/26 01:31:50 {"left": 3}`})))
	failed := g.At(1)
	if failed.Severity != entry.Error || !strings.Contains(g.At(0).Of.Heading().Text(), "failed: plainError") {
		t.Errorf("it is %q, and the invocation %q", failed.Severity.Word(), g.At(0).Of.Heading().Text())
	}
	var got []string
	lines := entry.Body(failed, nil, of, false)
	for _, l := range lines {
		got = append(got, l.Text())
	}
	want := "plainError: assignment to entry in nil map\n  at lambdaPanicResponse (github.com/aws/aws-lambda-go@v1.55.1/lambda/errors.go:39)\n" +
		"  at gopanic (runtime/panic.go:860)\n  at boom (src/store/store.go:114)\n  at handle (src/main.go:31)\n  2 frames outside of the project"
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("it is read as\n%s\nwant\n%s", text, want)
	}
	if name, _ := of.Name(entry.Origin(lines)); name != "backend/function/f/src/store/store.go" {
		t.Errorf("it leads to %q", name)
	}
	if other := g.At(2); other.Severity != entry.Plain {
		t.Errorf("a line of package log is %q", other.Severity.Word())
	}
}
