package cloudlog

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/sandbox/logs"
	"gatewright/sandbox/logs/entry"
)

const id, other = "4f1c0d3e-8a52-4c6e-9b07-2f7d1f0f6c11", "77aa0d3e-8a52-4c6e-9b07-2f7d1f0f6c12"

// linesOf reads messages of one stream.
func linesOf(messages ...string) []logs.Line {
	of := make(running)
	var all []logs.Line
	for _, message := range messages {
		l := of.line(&event{Stream: "2026/11/26/[$LATEST]1", Message: message, Timestamp: 1})
		all = append(all, logs.Line{Request: l.Request, Level: l.Level, Text: l.Text})
	}
	return all
}

func TestWhatARuntimeWritesIsReadAsALine(t *testing.T) {
	t.Parallel()
	const at = "2026-11-26T10:00:00.123Z"
	for name, test := range map[string]struct {
		message string
		want    logs.Line
	}{
		"start":                 {"START RequestId: " + id + " Version: $LATEST\n", logs.Line{Request: id, Level: logs.Platform, Text: "START RequestId: " + id + " Version: $LATEST"}},
		"report":                {"REPORT RequestId: " + id + "\tDuration: 1.20 ms\tMax Memory Used: 64 MB\t\nXRAY TraceId: 1-2-3\tSampled: true\t\n", logs.Line{Request: id, Level: logs.Platform, Text: "REPORT RequestId: " + id + "\tDuration: 1.20 ms\tMax Memory Used: 64 MB\t\nXRAY TraceId: 1-2-3\tSampled: true"}},
		"the start of a worker": {"INIT_START Runtime Version: nodejs:22.v9\tRuntime Version ARN: arn:aws:lambda:eu-central-1::runtime:1\n", logs.Line{Level: logs.Platform, Text: "INIT_START Runtime Version: nodejs:22.v9\tRuntime Version ARN: arn:aws:lambda:eu-central-1::runtime:1"}},
		"an extension":          {"EXTENSION\tName: agent\tState: Ready\tEvents: [INVOKE]\n", logs.Line{Level: logs.Platform, Text: "EXTENSION\tName: agent\tState: Ready\tEvents: [INVOKE]"}},
		"a timeout":             {at + " " + id + " Task timed out after 3.00 seconds\n\n", logs.Line{Request: id, Level: logs.Platform, Text: id + " Task timed out after 3.00 seconds"}},
		"the end of a process":  {"RequestId: " + id + " Error: Runtime exited with error: exit status 1\nRuntime.ExitError\n", logs.Line{Request: id, Level: logs.Platform, Text: "RequestId: " + id + " Error: Runtime exited with error: exit status 1\nRuntime.ExitError"}},
		"Node.js":               {at + "\t" + id + "\tWARN\ta\tb\rc\n", logs.Line{Request: id, Level: logs.Warn, Text: "a\tb\nc"}},
		"Node.js before a call": {at + "\tundefined\tINFO\tloaded\n", logs.Line{Level: logs.Info, Text: "loaded"}},
		"an old Node.js":        {at + "\t" + id + "\ttext\n", logs.Line{Request: id, Text: "text"}},
		"a failed call":         {at + "\t" + id + "\tERROR\tInvoke Error \t{\"errorType\":\"Error\"}\n", logs.Line{Request: id, Level: logs.Error, Text: "Invoke Error \t{\"errorType\":\"Error\"}"}},
		"Python's logger":       {"[WARNING]\t" + at + "\t" + id + "\tlow\n", logs.Line{Request: id, Level: logs.Warn, Text: "low"}},
		"Python's error":        {"[ERROR] ValueError: no\rTraceback (most recent call last):\r  File \"/var/task/index.py\", line 1, in handler\n", logs.Line{Level: logs.Error, Text: "[ERROR] ValueError: no\nTraceback (most recent call last):\n  File \"/var/task/index.py\", line 1, in handler"}},
		"a list":                {"[1, 2]\n", logs.Line{Text: "[1, 2]"}},
		"JSON of a runtime":     {`{"timestamp":"` + at + `","level":"ERROR","requestId":"` + id + `","message":"no"}`, logs.Line{Request: id, Level: logs.Error, Text: `{"timestamp":"` + at + `","level":"ERROR","requestId":"` + id + `","message":"no"}`}},
		"JSON of Lambda":        {`{"time":"` + at + `","type":"platform.start","record":{"requestId":"` + id + `","version":"$LATEST"}}`, logs.Line{Request: id, Level: logs.Platform, Text: "START RequestId: " + id + " Version: $LATEST"}},
		"a report in JSON": {
			`{"time":"` + at + `","type":"platform.report","record":{"requestId":"` + id + `","status":"timeout","metrics":{"durationMs":3000,"billedDurationMs":3000,"memorySizeMB":128,"maxMemoryUsedMB":64,"initDurationMs":150.5}}}`,
			logs.Line{Request: id, Level: logs.Platform, Text: "REPORT RequestId: " + id + "\tDuration: 3000.00 ms\tBilled Duration: 3000 ms\tMemory Size: 128 MB\tMax Memory Used: 64 MB\tInit Duration: 150.50 ms\tStatus: timeout"},
		},
		"JSON of Java":                   {`{"level":"warn","AWSRequestId":"` + id + `"}`, logs.Line{Request: id, Level: logs.Warn, Text: `{"level":"warn","AWSRequestId":"` + id + `"}`}},
		"JSON of a program":              {`{"level":30,"msg":"x"}`, logs.Line{Text: `{"level":30,"msg":"x"}`}},
		"the end in JSON":                {`{"type":"platform.runtimeDone","record":{"requestId":"` + id + `","status":"success"}}`, logs.Line{Request: id, Level: logs.Platform, Text: "END RequestId: " + id}},
		"a good report in JSON":          {`{"type":"platform.report","record":{"requestId":"` + id + `","status":"success","metrics":{"durationMs":1.256,"billedDurationMs":2,"memorySizeMB":128,"maxMemoryUsedMB":64}}}`, logs.Line{Request: id, Level: logs.Platform, Text: "REPORT RequestId: " + id + "\tDuration: 1.26 ms\tBilled Duration: 2 ms\tMemory Size: 128 MB\tMax Memory Used: 64 MB"}},
		"other JSON of Lambda":           {`{"type":"platform.initStart","record":{}}`, logs.Line{Level: logs.Platform, Text: `{"type":"platform.initStart","record":{}}`}},
		"Python's logger before a call":  {"[CRITICAL]\t" + at + "\t\tlow\n", logs.Line{Level: logs.Fatal, Text: "low"}},
		"Python's logger without a time": {"[INFO]\tsoon\t" + id + "\tlow\n", logs.Line{Level: logs.Info, Text: "[INFO]\tsoon\t" + id + "\tlow"}},
		"a process that left":            {"RequestId: " + id + " Process exited before completing request\n", logs.Line{Request: id, Level: logs.Platform, Text: "RequestId: " + id + " Process exited before completing request"}},
		"a text like the end of one":     {"RequestId: " + id + " is slow\n", logs.Line{Text: "RequestId: " + id + " is slow"}},
		"a text like a start":            {"START of it\n", logs.Line{Text: "START of it"}},
		"a worker that is restored":      {"RESTORE_START Runtime Version: x\n", logs.Line{Level: logs.Platform, Text: "RESTORE_START Runtime Version: x"}},
		"a log extension":                {"LOGS\tName: agent\tState: Subscribed\n", logs.Line{Level: logs.Platform, Text: "LOGS\tName: agent\tState: Subscribed"}},
		"a telemetry extension":          {"TELEMETRY\tName: agent\tState: Subscribed\n", logs.Line{Level: logs.Platform, Text: "TELEMETRY\tName: agent\tState: Subscribed"}},
		"breaks of a text":               {"a\r\nb\rc \t\n", logs.Line{Text: "a\nb\nc"}},
		"a time that a program writes":   {at + " text\n", logs.Line{Text: at + " text"}},
		"an unknown level of Node.js":    {at + "\t" + id + "\tNOTICE\tx\n", logs.Line{Request: id, Text: "NOTICE\tx"}},
		"broken JSON":                    {"{\"level\": ", logs.Line{Text: "{\"level\":"}},
		"nothing":                        {"\n", logs.Line{}},
	} {
		if diff := cmp.Diff(test.want, linesOf(test.message)[0]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestALineWithoutAnIDBelongsToTheCallOfItsStream(t *testing.T) {
	t.Parallel()
	got := linesOf("loading\n", "START RequestId: "+id+" Version: $LATEST\n", "2026/11/26 10:00:00 from Go\n", "printed\n",
		"REPORT RequestId: "+id+"\tDuration: 1.00 ms\n", "between\n", "START RequestId: "+other+" Version: $LATEST\n", "again\n")
	var requests []string
	for _, l := range got {
		requests = append(requests, l.Request)
	}
	if diff := cmp.Diff([]string{"", id, id, id, id, "", other, other}, requests); diff != "" {
		t.Error(diff)
	}
}

func TestACallInTheCloudIsSummedUpAsOneInTheSandbox(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		messages []string
		heading  string
	}{
		"a timeout": {[]string{
			"START RequestId: " + id + " Version: $LATEST\n", "2026-11-26T10:00:03.123Z " + id + " Task timed out after 3.00 seconds\n\n", "END RequestId: " + id + "\n",
			"REPORT RequestId: " + id + "\tDuration: 3000.00 ms\tBilled Duration: 3000 ms\tMemory Size: 128 MB\tMax Memory Used: 64 MB\tInit Duration: 151.23 ms\t\n",
		}, "4f1c0d3e  3.0 s  failed: timed out after 3.00 seconds  cold, 151 ms to start  64 of 128 MB"},
		"an error": {[]string{
			"START RequestId: " + id + " Version: $LATEST\n", "[ERROR] ValueError: no\rTraceback (most recent call last):\r  File \"/var/task/index.py\", line 1, in handler\n", "END RequestId: " + id + "\n",
			"REPORT RequestId: " + id + "\tDuration: 3.20 ms\tBilled Duration: 4 ms\tMemory Size: 128 MB\tMax Memory Used: 64 MB\t\n",
		}, "4f1c0d3e  3.2 ms  failed: ValueError  64 of 128 MB"},
	} {
		var g entry.Log
		g.Add(entry.Read(linesOf(test.messages...)))
		if got := g.At(g.End() - 1).Of.Heading().Text(); got != test.heading {
			t.Errorf("%s is summed up as %q", name, got)
		}
	}
}

func TestAnEventIsForgottenOnlyIfItIsOldAndThereAreMany(t *testing.T) {
	t.Parallel()
	var s seen
	for n := range int64(1000) {
		s.forget(2000)
		if !s.first(strconv.FormatInt(n, 10), n) || s.first(strconv.FormatInt(n, 10), n) {
			t.Fatalf("%d is not seen once", n)
		}
	}
	if s.forget(900); len(s.times) != 100 || s.first("900", 900) || !s.first("899", 899) || s.room != 200 {
		t.Errorf("there are %d, and room for %d", len(s.times), s.room)
	}
	if s.forget(2000); len(s.times) != 101 {
		t.Errorf("of a few there are %d", len(s.times))
	}
}

func FuzzReading(f *testing.F) {
	for _, text := range []string{"START RequestId: ", "RequestId: ", "[ERROR]", "2026-11-26T10:00:00.123Z\t\t", "2026-11-26T10:00:00.123Z x Task timed out after ", `{"type":"platform.report"}`, "{}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if l := linesOf(text)[0]; strings.ContainsAny(l.Request, "\r\n") {
			t.Errorf("%q has the request %q", text, l.Request)
		}
	})
}
