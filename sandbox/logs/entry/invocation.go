package entry

import (
	"strconv"
	"strings"
	"time"

	"gatewright/internal/clock"
	"gatewright/internal/text/prose"
	"gatewright/sandbox/logs"
)

// Invocation is what the lines of one request say of the invocation of its function.
type Invocation struct {
	Request string
	Began   time.Time
	// Took and Init are the durations in REPORT; Init is how long the worker took to start,
	// 0 if it ran already. Size and Used are megabytes.
	Took, Init time.Duration
	Size, Used int
	// Ended says that REPORT was read.
	Ended bool
	// Failure says how it failed, "" if nothing says that it did. A handler that answers 500
	// itself does not say so in its log.
	Failure string
	// Answer is the request with the status that the gateway answered: GET /dev/items 502.
	// The log has it for failures only.
	Answer string
	// Died says that it timed out or that its process ended: there may be no other error.
	Died bool

	// newest is the number of its newest entry.
	newest int
	// hasStart says that its START is in the log.
	hasStart bool
	// tracing is the kind of stack that is being printed line by line.
	tracing trace
	// plainBefore says that its last entry is plain output, which an indented line goes on with.
	plainBefore bool
}

// learn takes what an entry says of the invocation.
func (v *Invocation) learn(e *Entry) {
	switch e.Kind {
	case Start:
		v.Began, v.hasStart = e.Time, true
	case Report:
		v.report(e.Text)
		v.Ended = true
	case Outcome:
		v.outcome(e.Line)
	case Written:
		if e.Severity.Bad() && v.Failure == "" {
			v.Failure = handlerFailure(e.Text)
		}
	}
}

// report reads a REPORT line: fields with a name and a value, separated by tabs.
func (v *Invocation) report(text string) {
	for field := range strings.SplitSeq(text, "\t") {
		name, value, _ := strings.Cut(field, ": ")
		switch name {
		case "Duration":
			v.Took = milliseconds(value)
		case "Init Duration":
			v.Init = milliseconds(value)
		case "Memory Size":
			v.Size = megabytes(value)
		case "Max Memory Used":
			v.Used = megabytes(value)
		case "Status":
			if v.Failure == "" && value != "success" {
				v.Failure = prose.PrintableStart(value)
			}
		}
	}
}

func milliseconds(value string) time.Duration {
	d, err := time.ParseDuration(strings.ReplaceAll(value, " ", ""))
	if err != nil || d < 0 {
		return 0
	}
	return d
}

func megabytes(value string) int {
	n, err := strconv.Atoi(strings.TrimSuffix(value, " MB"))
	if err != nil {
		return 0
	}
	return n
}

// outcome reads how an invocation ended.
func (v *Invocation) outcome(l logs.Line) {
	text := strings.TrimPrefix(l.Text, l.Request+" ")
	if request, _, ok := answerOf(text); ok {
		v.Answer = prose.PrintableStart(request)
		if v.Failure == "" {
			v.Failure = "no response"
		}
		return
	}
	if words, ok := strings.CutPrefix(text, "Task timed out after "); ok {
		v.Failure, v.Died = "timed out after "+prose.PrintableStart(words), true
		return
	}
	text = strings.TrimPrefix(text, "RequestId: "+l.Request+" ")
	if words, ok := strings.CutPrefix(text, "Error: Runtime exited with error: "); ok {
		v.Failure, v.Died = "the process ended, "+prose.PrintableStart(words), true
	}
}

// answerOf divides the gateway's line about a request: GET /dev/items 502: why.
func answerOf(text string) (request, why string, ok bool) {
	head, why, ok := strings.Cut(firstLine(text), ": ")
	if !ok || !strings.Contains(head, " /") || len(head) > 4<<10 {
		return "", "", false
	}
	method, rest, _ := strings.Cut(head, " ")
	at := strings.LastIndexByte(rest, ' ')
	if at < 0 || method != strings.ToUpper(method) || !strings.HasPrefix(rest, "/") || len(rest)-at != len(" 502") {
		return "", "", false
	}
	if status, err := strconv.Atoi(rest[at+1:]); err != nil || status < 400 {
		return "", "", false
	}
	return head, why, true
}

// titles are what Lambda's runtimes write before the error that ended an invocation.
var titles = []string{"Invoke Error", "Uncaught Exception", "Unhandled Promise Rejection"}

// handlerFailure is how a handler failed, if a text is the error that ended its invocation;
// else "".
func handlerFailure(text string) string {
	if title, value, ok := strings.Cut(text, " \t"); ok {
		for _, known := range titles {
			if title == known {
				if failure, ok := readError(value); ok {
					return failure.kind
				}
				return strings.ToLower(title)
			}
		}
	}
	if value, ok := goError(text); ok {
		if failure, ok := readError(value); ok {
			return failure.kind
		}
	}
	// Python: "[ERROR] ValueError: text".
	if rest, ok := strings.CutPrefix(text, "[ERROR] "); ok {
		kind, _, found := strings.Cut(firstLine(rest), ": ")
		if found && !strings.Contains(kind, " ") {
			return prose.PrintableStart(kind)
		}
	}
	return ""
}

// Heading makes the line of an invocation, the most important first: how long it took, how it
// failed, whether a worker had to start, and the memory that it needed.
func (v *Invocation) Heading() Line {
	took := "has not ended"
	if v.Ended {
		took = clock.Took(v.Took)
	}
	parts := []Part{{prose.Muted, Short(prose.PrintableStart(v.Request)) + "  " + took}}
	if v.Failure != "" {
		parts = append(parts, Part{prose.Bad, "  failed: " + v.Failure})
	}
	rest := ""
	if v.Answer != "" {
		rest += "  " + v.Answer
	}
	if v.Init > 0 {
		rest += "  cold, " + clock.Took(v.Init) + " to start"
	}
	switch {
	case v.Used > 0 && v.Size > 0:
		rest += "  " + strconv.Itoa(v.Used) + " of " + strconv.Itoa(v.Size) + " MB"
	case v.Size > 0:
		rest += "  " + strconv.Itoa(v.Size) + " MB"
	}
	return Line{Parts: append(parts, Part{prose.Muted, rest})}
}
