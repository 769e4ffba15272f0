package logs_test

import (
	"strings"
	"testing"

	"gatewright/internal/text/prose"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/logs/entry"
)

// shownOf are the lines that are shown of a text, folded or whole.
func shownOf(l logs.Line, whole bool) string {
	e := entry.Read([]logs.Line{l})[0]
	var lines []string
	for _, line := range entry.Body(&e, nil, entry.Source{Root: "/p", Folder: "src"}, whole) {
		lines = append(lines, line.Text())
	}
	return strings.Join(lines, "\n")
}

func TestWhatLoggersAndRuntimesWriteIsReadable(t *testing.T) {
	t.Parallel()
	const stack = `"stack":["RangeError: x","    at f (/p/src/a.js:1:2)","    at g (node:internal/a:1:2)","    at h (node:internal/b:1:2)"]`
	for name, test := range map[string]struct {
		level               logs.Level
		text, folded, whole string
	}{
		"an error without a stack":           {logs.Info, `{"msg":"no","err":{"name":"TypeError","message":"x"},"n":1}`, "no  n=1\nTypeError: x", ""},
		"an error that is only a code":       {logs.Info, `{"msg":"no","error":{"code":"E1"}}`, `no  error={"code":"E1"}`, ""},
		"an error that is a text":            {logs.Info, `{"msg":"no","error":"refused"}`, "no  error=refused", ""},
		"two errors":                         {logs.Info, `{"msg":"no","cause":{"message":"a"},"err":{"message":"b"}}`, "no  err={\"message\":\"b\"}\na", ""},
		"an error of its own":                {logs.Info, `{"name":"ValueError","msg":"x","trace":"ValueError: x\n    at f (/p/src/a.js:1:2)\n","n":1}`, "ValueError: x  n=1\n  at f (src/a.js:1:2)", ""},
		"an error without a message":         {logs.Info, `{"errorType":"X","stack_trace":["X","    at f (/p/src/a.js:1:2)"]}`, "X\n  at f (src/a.js:1:2)", ""},
		"what is obvious":                    {logs.Info, `{"log.level":"info","@timestamp":"t","pid":7,"hostname":"h","lvl":30,"id":"r1","msg":"x","note":"","q":"a=b"}`, `x  note=""  q="a=b"`, ""},
		"an object without a message":        {logs.Info, `{"type":"order","level":"info"}`, `{"type":"order","level":"info"}`, "{\n  \"type\": \"order\",\n  \"level\": \"info\"\n}"},
		"two objects":                        {logs.Info, `{"msg":"a"}{"msg":"b"}`, `{"msg":"a"}{"msg":"b"}`, ""},
		"an object that does not end":        {logs.Info, `{"msg":"a","b":[1}`, `{"msg":"a","b":[1}`, `{"msg":"a","b":[1}`},
		"a failed invocation":                {logs.Error, "Invoke Error \t" + `{"errorType":"RangeError","errorMessage":"x","code":"E1",` + stack + `}`, "RangeError: x  code=E1\n  at f (src/a.js:1:2)\n  2 frames outside of the project", "Invoke Error\n{\n  \"errorType\": \"RangeError\",\n  \"errorMessage\": \"x\",\n  \"code\": \"E1\",\n  \"stack\": [\n    \"RangeError: x\",\n    \"    at f (/p/src/a.js:1:2)\",\n    \"    at g (node:internal/a:1:2)\",\n    \"    at h (node:internal/b:1:2)\"\n  ]\n}"},
		"an exception that nobody caught":    {logs.Error, "Uncaught Exception \t" + `{"errorType":"RangeError","errorMessage":"x",` + stack + `}`, "Uncaught Exception: RangeError: x\n  at f (src/a.js:1:2)\n  2 frames outside of the project", ""},
		"a rejection without a type":         {logs.Error, "Unhandled Promise Rejection \t" + `{"errorMessage":"x"}`, "Unhandled Promise Rejection: x", ""},
		"a thrown text":                      {logs.Error, "Invoke Error \t" + `"no"`, "string: no", ""},
		"a thrown list":                      {logs.Error, "Invoke Error \t" + `[1, "a"]`, `array: [1, "a"]`, "Invoke Error\n[\n  1,\n  \"a\"\n]"},
		"thrown nothing":                     {logs.Error, "Invoke Error \tnull", "null: null", ""},
		"a thrown truth":                     {logs.Error, "Invoke Error \tfalse", "boolean: false", ""},
		"a thrown number":                    {logs.Error, "Invoke Error \t42", "number: 42", ""},
		"what is no JSON":                    {logs.Error, "Invoke Error \tno", "Invoke Error     no", "Invoke Error     no"},
		"an object that is no error":         {logs.Error, "Invoke Error \t" + `{"a":1}`, `Invoke Error     {"a":1}`, ""},
		"a tab in what is no error":          {logs.Info, "Invoke Error \t" + `"no"`, `Invoke Error     "no"`, ""},
		"an error of Go":                     {"", `2026/11/26 01:31:50 {"errorMessage":"no","errorType":"errorString"}`, "errorString: no", ""},
		"an error of Go with another frame":  {"", `2026/11/26 01:31:50 {"errorMessage":"no","errorType":"e","stackTrace":[{"path":"h/a.go","line":3},{"path":"h/b.go"},"text"]}`, "e: no\n  at  (src/a.go:3)\n{\"path\":\"h/b.go\"}\ntext", "2026/11/26 01:31:50 \n{\n  \"errorMessage\": \"no\",\n  \"errorType\": \"e\",\n  \"stackTrace\": [\n    {\n      \"path\": \"h/a.go\",\n      \"line\": 3\n    },\n    {\n      \"path\": \"h/b.go\"\n    },\n    \"text\"\n  ]\n}"},
		"a JSON line of Go":                  {"", `2026/11/26 01:31:50 {"errorMessage":"no"}`, `2026/11/26 01:31:50 {"errorMessage":"no"}`, ""},
		"a level in the text":                {logs.Error, "[ERROR] ValueError: no", "ValueError: no", "[ERROR] ValueError: no"},
		"another level in the text":          {logs.Info, "[ERROR] ValueError: no", "[ERROR] ValueError: no", ""},
		"frames outside of the project only": {logs.Error, "Error: no\n    at a (node:a:1:1)\n    at b (node:b:1:1)\n    at c (node:c:1:1)\n    at d (node:d:1:1)\n    at e (node:e:1:1)\nafter", "Error: no\n  at a (node:a:1:1)\n  at b (node:b:1:1)\n  at c (node:c:1:1)\n  2 frames outside of the project\nafter", ""},
		"one frame outside of the project":   {logs.Error, "Error: no\n    at f (/p/src/a.js:1:2)\n    at b (node:b:1:1)\r\n", "Error: no\n  at f (src/a.js:1:2)\n  at b (node:b:1:1)", "Error: no\n    at f (/p/src/a.js:1:2)\n    at b (node:b:1:1)"},
		"a frame of a package":               {logs.Error, "Error: no\n    at f (/p/src/node_modules/x/a.js:1:2)\n    at g (/p/other/b.js:3:4)", "Error: no\n  at f (node_modules/x/a.js:1:2)\n  at g (other/b.js:3:4)", ""},
	} {
		l := logs.Line{Level: test.level, Request: "r1", Text: test.text}
		if got := shownOf(l, false); got != test.folded {
			t.Errorf("%s is folded\n%q\nwant\n%q", name, got, test.folded)
		}
		if got := shownOf(l, true); test.whole != "" && got != test.whole {
			t.Errorf("%s is whole\n%q\nwant\n%q", name, got, test.whole)
		}
	}
}

func TestAnInvocationIsToldByWhatItsLinesSay(t *testing.T) {
	t.Parallel()
	const id, unended = "4f1c0d3e-8a52-4c6e-9b07-2f7d1f0f6c11", "4f1c0d3e  has not ended"
	for name, test := range map[string]struct {
		lines []logs.Line
		want  string
	}{
		"a status":            {[]logs.Line{{Level: logs.Platform, Text: "REPORT RequestId: " + id + "\tDuration: 1500.00 ms\tMemory Size: 128 MB\tStatus: timeout"}}, "4f1c0d3e  1.5 s  failed: timeout  128 MB"},
		"a status of success": {[]logs.Line{{Level: logs.Platform, Text: "REPORT RequestId: " + id + "\tDuration: 0.50 ms\tStatus: success"}}, "4f1c0d3e  0.5 ms"},
		"a strange report":    {[]logs.Line{{Level: logs.Platform, Text: "REPORT RequestId: " + id + "\tDuration: -5 ms\tInit Duration: x\tMemory Size: many MB\tMax Memory Used: 5 MB"}}, "4f1c0d3e  0.0 ms"},
		"an import":           {[]logs.Line{{Level: logs.Error, Text: "[ERROR] Runtime.ImportModuleError: Unable to import module"}}, unended + "  failed: Runtime.ImportModuleError"},
		"words of an error":   {[]logs.Line{{Level: logs.Error, Text: "[ERROR] it is so: no"}}, unended},
		"no kind of error":    {[]logs.Line{{Level: logs.Error, Text: "[ERROR] no"}}, unended},
		"an exception":        {[]logs.Line{{Level: logs.Error, Text: "Uncaught Exception \t{\"errorType\":\"E\",\"errorMessage\":\"x\"}"}}, unended + "  failed: E"},
		"a rejection":         {[]logs.Line{{Level: logs.Error, Text: "Unhandled Promise Rejection \tno JSON"}}, unended + "  failed: unhandled promise rejection"},
		"another title":       {[]logs.Line{{Level: logs.Error, Text: "Another Error \t{\"errorType\":\"E\"}"}}, unended},
		"two errors":          {[]logs.Line{{Level: logs.Error, Text: "[ERROR] A: x"}, {Level: logs.Error, Text: "[ERROR] B: x"}}, unended + "  failed: A"},
		"an error then death": {[]logs.Line{{Level: logs.Error, Text: "[ERROR] A: x"}, {Level: logs.Platform, Text: id + " Task timed out after 3.00 seconds"}}, unended + "  failed: timed out after 3.00 seconds"},
		"an answer and why":   {[]logs.Line{{Level: logs.Error, Text: "[ERROR] A: x"}, {Level: logs.Error, Text: "POST /dev/a b 504: it timed out"}}, unended + "  failed: A  POST /dev/a b 504"},
		"an answer of 400":    {[]logs.Line{{Level: logs.Error, Text: "GET /dev 400: x"}}, unended + "  failed: no response  GET /dev 400"},
		"no failure":          {[]logs.Line{{Level: logs.Error, Text: "GET /dev 399: x"}}, unended},
		"no number":           {[]logs.Line{{Level: logs.Error, Text: "GET /dev 5x2: x"}}, unended},
		"a long number":       {[]logs.Line{{Level: logs.Error, Text: "GET /dev 5020: x"}}, unended},
		"no method":           {[]logs.Line{{Level: logs.Error, Text: "get /dev 502: x"}}, unended},
		"no path":             {[]logs.Line{{Level: logs.Error, Text: "GET x /dev 502: x"}}, unended},
		"no reason":           {[]logs.Line{{Level: logs.Error, Text: "GET /dev 502"}}, unended},
		"its end elsewhere":   {[]logs.Line{{Level: logs.Platform, Text: "RequestId: another Error: Runtime exited with error: exit status 1"}}, unended},
	} {
		lines := append([]logs.Line{{Level: logs.Platform, Text: "START RequestId: " + id + " Version: $LATEST"}}, test.lines...)
		for i := range lines {
			lines[i].Request, lines[i].Function = id, "f"
		}
		var g entry.Log
		g.Add(entry.Read(lines))
		if got := g.At(0).Of.Heading().Text(); got != test.want {
			t.Errorf("%s: it is %q, want %q", name, got, test.want)
		}
	}
}

func TestEachLevelHasItsTone(t *testing.T) {
	t.Parallel()
	for level, want := range map[logs.Level][2]prose.Tone{
		"":            {prose.Plain, prose.Plain},
		logs.Trace:    {prose.Muted, prose.Muted},
		logs.Debug:    {prose.Muted, prose.Muted},
		logs.Info:     {prose.Muted, prose.Plain},
		logs.Warn:     {prose.Warning, prose.Warning},
		logs.Error:    {prose.Bad, prose.Bad},
		logs.Fatal:    {prose.Bad, prose.Bad},
		logs.Platform: {prose.Muted, prose.Muted},
	} {
		e := entry.Read([]logs.Line{{Level: level, Text: "x"}})[0]
		if got := e.Tone(); got != want[0] {
			t.Errorf("the level %q has tone %v, want %v", level, got, want[0])
		}
		if got := entry.Body(&e, nil, entry.Source{}, false)[0].Parts[0].Tone; got != want[1] {
			t.Errorf("the message at %q has tone %v, want %v", level, got, want[1])
		}
	}
}

func TestEachNameThatLoggersGiveIsKnown(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ names, text, want string }{
		{"level severity levelname log.level lvl", `{"NAME":"warn","msg":"x"}`, "x"},
		{"time timestamp ts @timestamp date pid hostname", `{"msg":"x","NAME":"1","n":2}`, "x  n=2"},
		{"message msg", `{"NAME":"x","n":2}`, "x  n=2"},
		{"err error exception reason cause", `{"msg":"no","NAME":{"name":"E","message":"m"}}`, "no\nE: m"},
		{"stack stackTrace trace stack_trace exc_info", `{"name":"E","message":"m","NAME":["E: m","    at f (/p/src/a.js:1:2)"]}`, "E: m\n  at f (src/a.js:1:2)"},
	} {
		for _, name := range strings.Fields(row.names) {
			l := logs.Line{Level: logs.Info, Request: "r1", Text: strings.Replace(row.text, "NAME", name, 1)}
			if got := shownOf(l, false); got != row.want {
				t.Errorf("with %s it is %q, want %q", name, got, row.want)
			}
			if got := entry.Read([]logs.Line{l})[0].Severity; strings.HasPrefix(row.names, "level") && got != entry.Warn {
				t.Errorf("with %s the level is %q", name, got.Word())
			}
		}
	}
	for want, words := range map[entry.Severity]string{
		entry.Trace: "trace 10 19", entry.Debug: "Debug 20", entry.Info: "INFO notice 30 9 70 -10 other", entry.Warn: "warn WARNING 40 49", entry.Error: "error err 50",
		entry.Fatal: "critical fatal alert emergency panic 60 69",
	} {
		for _, word := range strings.Fields(words) {
			if got := entry.Read([]logs.Line{{Level: logs.Info, Text: `{"level":"` + word + `","msg":"x"}`}})[0].Severity; got != want {
				t.Errorf("the level %s is %q, want %q", word, got.Word(), want.Word())
			}
		}
	}
}
