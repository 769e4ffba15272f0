package worker

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare/preparetest"
)

func TestTheMostTellingLineIsThatOfAPanicElseTheLast(t *testing.T) {
	t.Parallel()
	for lines, want := range map[string]string{
		"a\nb": "b", "panic: x\ngoroutine 1": "panic: x", "a\nfatal error: x\nb": "fatal error: x", "a\nFATAL ERROR: heap\nb": "FATAL ERROR: heap", "no panic: x\nb": "b",
	} {
		if got := mainLine(strings.Split(lines, "\n")); got != want {
			t.Errorf("of %q it is %q, want %q", lines, got, want)
		}
	}
}

func TestThePlaceOfAnErrorIsTheFirstInTheSource(t *testing.T) {
	t.Parallel()
	source := t.TempDir()
	preparetest.WriteFiles(t, source, map[string]string{"index.js": "", "lib/a.js": "", "index.py": "", "node_modules/x/i.js": ""})
	at := func(name string) string { return filepath.Join(source, filepath.FromSlash(name)) }
	for _, test := range []struct {
		frames []any
		want   string
	}{
		{nil, ""},
		{[]any{"Error: x", "    at handler (" + at("index.js") + ":3:7)", "    at " + at("lib/a.js") + ":1:1"}, "index.js:3:7"},
		{[]any{"    at file://" + filepath.ToSlash(at("lib/a.js")) + ":5:2"}, "lib/a.js:5:2"},
		{[]any{"    at x (" + at("node_modules/x/i.js") + ":1:1)", "    at y (" + at("index.js") + ":2:2)"}, "index.js:2:2"},
		{[]any{"    at added (" + at("made.js") + ":1:1)", "    at more (" + at("other.js") + ":1:1)", "    at y (" + at("index.js") + ":2:2)"}, "index.js:2:2"},
		{[]any{"    at added (" + at("made.js") + ":1:1)", "    at more (" + at("other.js") + ":1:1)"}, "made.js:1:1"},
		{[]any{"  File \"" + at("index.py") + "\", line 4, in handler\n    raise x\n"}, "index.py:4"},
		{[]any{"  File \"" + at("index.py") + "\" Line 4\n"}, "index.py:4"},
		{[]any{map[string]any{"path": at("index.js")}, 7, "    at elsewhere (/x/index.js:1:1)"}, ""},
	} {
		if got := firstFrame(&report{Trace: test.frames}, source); got != test.want {
			t.Errorf("in %q it is %q, want %q", test.frames, got, test.want)
		}
		if got := firstFrame(&report{StackTrace: test.frames}, source); got != test.want {
			t.Errorf("in the stack %q it is %q, want %q", test.frames, got, test.want)
		}
	}
}

func TestAReportOfARuntimeOfAnyFormIsRead(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ body, kind, wantKind, want string }{
		{`{"errorType":"E","errorMessage":"m"}`, "H", "E", "m"},
		{`{"errorMessage":"m"}`, "H", "Runtime.Unknown", "m"},
		{`{"errorType":"E"}`, "", "E", ""},
		{`{}`, "H", "H", "{}"},
		{`no JSON`, "H", "H", "no JSON"},
		{`no JSON`, "", "Runtime.Unknown", "no JSON"},
	} {
		r := readReport(&request{body: []byte(test.body), errorType: test.kind})
		if r.Type != test.wantKind || r.Message != test.want || string(r.body) != test.body {
			t.Errorf("%s of the type %q is read as %+v", test.body, test.kind, r)
		}
	}
}

func TestTheLineAboutACallIsLambdas(t *testing.T) {
	t.Parallel()
	for want, a := range map[string]function.Answer{
		"REPORT RequestId: id\tDuration: 1.50 ms\tBilled Duration: 2 ms\tMemory Size: 128 MB":                                                  {Duration: 1500 * time.Microsecond},
		"REPORT RequestId: id\tDuration: 2.00 ms\tBilled Duration: 2 ms\tMemory Size: 128 MB\tMax Memory Used: 1 MB":                           {Duration: 2 * time.Millisecond, MaxMemory: 1},
		"REPORT RequestId: id\tInit Duration: 100.25 ms\tDuration: 0.00 ms\tBilled Duration: 1 ms\tMemory Size: 128 MB\tMax Memory Used: 9 MB": {Duration: time.Nanosecond, Init: 100250 * time.Microsecond, MaxMemory: 9},
	} {
		if got := reportLine("id", 128, a); got != want {
			t.Errorf("it is %q, want %q", got, want)
		}
	}
}

func TestValuesOfVariablesAreHiddenUnlessTheyAreNamesOfTheProject(t *testing.T) {
	t.Parallel()
	s := &function.Spec{
		Environment: "development", Name: "items", DeployedName: "items-development", Region: "eu-west-1", Public: []string{"notesTable"},
		Variables: map[string]string{"A": "12345678", "B": "1234567", "C": "eu-west-1", "D": "development", "E": "items-development", "F": "notesTable", "G": "notesTable2"},
	}
	const text = "12345678 1234567 eu-west-1 development items-development notesTable notesTable2 x12345678x"
	if got, want := hide(s, text), "<redacted> 1234567 eu-west-1 development items-development notesTable <redacted> x<redacted>x"; got != want {
		t.Errorf("it is %q, want %q", got, want)
	}
}

func TestWhyAWorkerDidNotStartIsToldWhole(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	preparetest.WriteFiles(t, filepath.Join(folder, "src"), map[string]string{"index.js": ""})
	at := filepath.Join(folder, "src", "index.js") + ":3:1"
	const fix, exited = "fix the source; the next call tries again", "Error: Runtime exited with error: exit status 3"
	for name, row := range map[string]struct {
		reported *report
		lines    []string
		want     function.Error
	}{
		"what the runtime reports": {
			&report{Type: "E.tell-nobody", Message: "no tell-nobody\nmore", Trace: []any{"Error: no", "    at " + at}, body: []byte(`{"errorMessage":"no tell-nobody"}`)},
			[]string{"a line"},
			function.Error{
				Text: "its source fails before the first call: E.<redacted>: no <redacted>, at index.js:3:1", Fix: fix,
				CloudType: "E.<redacted>", CloudText: "no <redacted>\nmore", Reported: []byte(`{"errorMessage":"no <redacted>"}`),
			},
		},
		"a report that is no JSON": {
			&report{Type: "E", Message: "no", body: []byte("no")}, nil,
			function.Error{Text: "its source fails before the first call: E: no", Fix: fix, CloudType: "E", CloudText: "no"},
		},
		"a package that the cloud has not": {
			&report{Type: "E", Message: "Cannot find module 'aws-sdk'", body: []byte(`{}`)}, nil,
			function.Error{
				Text: "its source fails before the first call: E: Cannot find module 'aws-sdk'", Fix: "the runtime nodejs22.x has version 3 of the AWS SDK only; add aws-sdk to src/package.json",
				CloudType: "E", CloudText: "Cannot find module 'aws-sdk'", Reported: []byte(`{}`),
			},
		},
		"what it writes": {
			nil,
			[]string{"panic: no tell-nobody", "goroutine 1"},
			function.Error{
				Text: "its process ended before the first call (exit status 3): panic: no <redacted>", Fix: "its log has the rest",
				CloudType: "Runtime.ExitError", CloudText: exited,
			},
		},
		"nothing": {
			nil, nil, function.Error{Text: "its process ended before the first call (exit status 3)", Fix: "its log has the rest", CloudType: "Runtime.ExitError", CloudText: exited},
		},
	} {
		w := &worker{
			spec:    &function.Spec{Environment: "dev", Name: "items", Runtime: model.NodeJS, RuntimeName: "nodejs22.x", Folder: folder, Variables: map[string]string{"K": "tell-nobody"}},
			process: &workerProcess{exit: "exit status 3"}, output: newOutput(nil, nil, "dev", "items"),
		}
		for _, line := range row.lines {
			w.output.emit([]byte(line))
		}
		row.want.Kind, row.want.Environment, row.want.Function = function.NotStarted, "dev", "items"
		if diff := cmp.Diff(&row.want, w.startError(row.reported)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
