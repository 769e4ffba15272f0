package cloudlog

import (
	"strings"
	"time"

	"gatewright/sandbox/logs"
)

// running knows which request each stream works at, so that lines without its id are known to
// belong to it: what a program in Go or Python prints.
type running map[string]string

// line reads an event as a line. Events of a stream are read in their order.
func (r running) line(e *event) logs.Line {
	l := logs.Line{Time: time.UnixMilli(e.Timestamp).UTC()}
	l.Request, l.Level, l.Text = read(e.Message)
	stream := e.group + "\x00" + e.Stream
	switch {
	case l.Level == logs.Platform && strings.HasPrefix(l.Text, "START "):
		r[stream] = l.Request
	case l.Level == logs.Platform && strings.HasPrefix(l.Text, "REPORT "):
		delete(r, stream)
	case l.Level == logs.Platform && l.Request == "":
		// What Lambda says of the worker, and not of a call.
	case l.Request == "":
		l.Request = r[stream]
	case l.Request == noRequest:
		l.Request = ""
	}
	return l
}

// noRequest is the id that a runtime writes before the first call.
const noRequest = "undefined"

// read reads what was written: the id of the request if it says so, the level and the text
// without what the line has next to it.
func read(message string) (request string, level logs.Level, text string) {
	// Lambda's runtimes write the breaks of a text as carriage returns, which keeps it one event
	// (https://github.com/aws/aws-lambda-nodejs-runtime-interface-client, src/LogPatch.js).
	text = strings.TrimRight(message, " \t\r\n")
	if strings.ContainsRune(text, '\r') {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	if strings.HasPrefix(text, "{") {
		return readJSON(text)
	}
	if request, ok := platform(text); ok {
		return request, logs.Platform, text
	}
	if fields := strings.SplitN(text, "\t", 4); len(fields) > 2 && isTime(fields[0]) {
		return readNode(fields)
	}
	if strings.HasPrefix(text, "[") {
		return readPython(text)
	}
	// TIME ID Task timed out after 3.00 seconds
	if at, rest, ok := strings.Cut(text, " "); ok && isTime(at) {
		if id, words, ok := strings.Cut(rest, " "); ok && strings.HasPrefix(words, "Task timed out after ") {
			return id, logs.Platform, rest
		}
	}
	return "", "", text
}

// platform reads what Lambda itself writes, which is about a request or about none
// (https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html shows START, END and REPORT,
// with the line XRAY that may follow in the same event, and
// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-logs-api.html what else there is).
func platform(text string) (request string, ok bool) {
	const named = "RequestId: "
	word, rest, _ := strings.Cut(text, " ")
	switch word {
	case "START", "END", "REPORT":
		if id, ok := strings.CutPrefix(rest, named); ok {
			return id[:endOfID(id)], true
		}
	case "RequestId:":
		id := rest[:endOfID(rest)]
		if after := rest[len(id):]; strings.HasPrefix(after, " Error: ") || strings.HasPrefix(after, " Process exited") {
			return id, true
		}
	case "INIT_START", "INIT_REPORT", "RESTORE_START", "RESTORE_REPORT":
		return "", true
	}
	for _, begin := range []string{"EXTENSION\tName: ", "LOGS\tName: ", "TELEMETRY\tName: "} {
		if strings.HasPrefix(text, begin) {
			return "", true
		}
	}
	return "", false
}

func endOfID(text string) int {
	if at := strings.IndexAny(text, " \t\n"); at >= 0 {
		return at
	}
	return len(text)
}

// readNode reads a line of the console of Node.js: TIME, ID, LEVEL and TEXT, in old runtimes
// without a level.
func readNode(fields []string) (request string, level logs.Level, text string) {
	level, known := levels[fields[2]]
	if known && len(fields) > 3 {
		return fields[1], level, fields[3]
	}
	return fields[1], "", strings.Join(fields[2:], "\t")
}

// readPython reads a line of Python's logger, `[LEVEL]`, TIME, ID and TEXT, or the error that a
// call ended with, `[ERROR] ValueError: text`.
func readPython(text string) (request string, level logs.Level, rest string) {
	name, after, ok := strings.Cut(text[1:], "]")
	level, known := levels[name]
	if !ok || !known {
		return "", "", text
	}
	if fields := strings.SplitN(after, "\t", 4); len(fields) == 4 && fields[0] == "" && isTime(fields[1]) {
		if fields[2] == "" {
			fields[2] = noRequest
		}
		return fields[2], level, fields[3]
	}
	return "", level, text
}

// levels are the levels as runtimes write them.
var levels = map[string]logs.Level{
	"TRACE": logs.Trace, "DEBUG": logs.Debug, "INFO": logs.Info, "WARN": logs.Warn, "WARNING": logs.Warn,
	"ERROR": logs.Error, "FATAL": logs.Fatal, "CRITICAL": logs.Fatal,
}

func isTime(text string) bool {
	if len(text) < len("2006-01-02T15:04:05Z") || text[4] != '-' {
		return false
	}
	_, err := time.Parse(time.RFC3339, text)
	return err == nil
}
