package request

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/prose"
	"gatewright/sandbox/call"
)

// Exchange is a request that was sent and what came of it.
type Exchange struct {
	Form   Form
	Answer call.Answer
	At     time.Time
	// Function is the one that serves it; "" for none.
	Function string
}

// How much of a text is shown.
const (
	mostShown = 256 << 10
	mostLines = 4000
)

// Summary is an answer in one line.
func (x Exchange) Summary() string {
	return fmt.Sprintf("%s, %s, %s", x.status(), latency(x.Answer.Latency), model.Count(len(x.Answer.Body), "byte"))
}

// status is the status, with its words where it has any.
func (x Exchange) status() string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", x.Answer.Status, http.StatusText(x.Answer.Status)))
}

// Tone is that of the summary: its words say the same.
func (x Exchange) Tone() prose.Tone {
	if x.Answer.Status >= http.StatusBadRequest {
		return prose.Bad
	}
	return prose.Good
}

func latency(d time.Duration) string {
	if d < 10*time.Millisecond {
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	}
	return fmt.Sprintf("%d ms", d.Milliseconds())
}

// unsigned ends a sentence about a request that nobody signs.
const unsigned = ", not signed"

// Sentence is the request in one line: what is called, and who signs.
func (f Form) Sentence() string {
	target, _ := f.target()
	if query := strings.TrimPrefix(f.Query, "?"); query != "" {
		target += "?" + query
	}
	text := f.Method + " " + target
	if f.Test {
		return "TEST " + text
	}
	if f.signer() == nil {
		return text + unsigned
	}
	return text + ", signed by " + whoWords(f.As)
}

// Tell says all that is known of an answer: the request, the status, the latency,
// who refused it and why, the body, the headers, the log, and for a test the event.
// The lines are fit for the screen; a part begins with a prose.Title.
func Tell(x Exchange) []prose.Line {
	var lines []prose.Line
	part := func(title string, of []prose.Line) {
		lines = append(append(lines, prose.Line{Tone: prose.Title, Text: title}), of...)
	}
	a := x.Answer
	part("Request", whole(prose.Plain, x.Form.Sentence()))
	part("Status and latency", whole(x.Tone(), x.Summary()))
	switch {
	case len(a.Refusal) > 0 && a.Status >= http.StatusInternalServerError:
		part("Why it failed", whole(prose.Bad, a.Refusal...))
	case len(a.Refusal) > 0:
		part("Why it was refused", whole(prose.Bad, a.Refusal...))
	}
	part("Response body", bodyLines(a.Body))
	part("Response headers", whole(prose.Plain, call.HeaderLines(a.Headers)...))
	title, log := "Log of the function", prose.InTone(prose.Muted, "the function was not called, or wrote nothing")
	if x.Form.Test {
		title, log = "Execution log", prose.InTone(prose.Muted, "there is none")
	} else if x.Function != "" {
		title = "Log of function " + prose.Printable(x.Function)
	}
	if len(a.Log) > 0 {
		log = prose.InTone(prose.Plain, prose.Shorts(a.Log)...)
	}
	part(title, log)
	if a.Event != nil {
		part("Event that the function got", bodyLines(a.Event))
	}
	return lines
}

// whole are texts of which nothing is cut, in one tone and fit for the screen.
func whole(tone prose.Tone, texts ...string) []prose.Line {
	lines := prose.InTone(tone, texts...)
	for i := range lines {
		lines[i].Text = prose.Printable(lines[i].Text)
	}
	return lines
}

// bodyLines are a body as text, JSON formatted.
func bodyLines(body []byte) []prose.Line {
	switch {
	case len(body) == 0:
		return prose.InTone(prose.Muted, "there is none")
	case !utf8.Valid(body):
		return prose.InTone(prose.Muted, model.Count(len(body), "byte")+" that are no text")
	}
	tone, text := prose.Plain, body
	var indented bytes.Buffer
	if isBracket(string(body)) && json.Indent(&indented, bytes.TrimSpace(body), "", "  ") == nil {
		tone, text = prose.Code, indented.Bytes()
	}
	shown := strings.ToValidUTF8(string(text[:min(len(text), mostShown)]), "")
	all := strings.Split(strings.TrimSuffix(shown, "\n"), "\n")
	var lines []prose.Line
	for _, line := range all[:min(len(all), mostLines)] {
		lines = append(lines, prose.Line{Tone: tone, Text: prose.Short(strings.TrimSuffix(line, "\r"))})
	}
	if len(all) > mostLines || len(text) > mostShown {
		lines = append(lines, prose.Line{Tone: prose.Muted, Text: "and more: all of it has " + model.Count(len(body), "byte")})
	}
	return lines
}

// passing are the headers that no two answers have alike.
var passing = []string{"Date", "X-Amzn-Requestid", "X-Amzn-Trace-Id", "X-Amz-Apigw-Id"}

// comparable is an answer as text, without what no two answers have alike.
func (x Exchange) comparable() []byte {
	headers := maps.Clone(x.Answer.Headers)
	maps.DeleteFunc(headers, func(name string, _ []string) bool { return slices.Contains(passing, http.CanonicalHeaderKey(name)) })
	head := append([]string{x.status()}, call.HeaderLines(headers)...)
	lines := append(whole(prose.Plain, append(head, "")...), bodyLines(x.Answer.Body)...)
	return []byte(strings.Join(prose.Texts(lines), "\n") + "\n")
}

// Compare says in what an answer differs from the one before.
func Compare(before, now Exchange) []prose.Line {
	lines := []prose.Line{
		{Tone: prose.Title, Text: "Compared with the answer before"},
		{Tone: prose.Removed, Text: "- " + prose.Printable(before.Form.Sentence()) + ": " + before.Summary()},
		{Tone: prose.Added, Text: "+ " + prose.Printable(now.Form.Sentence()) + ": " + now.Summary()},
	}
	diff := project.Diff(journal.Change{Path: "answer/src/answer", Existed: true, Old: before.comparable(), New: now.comparable()})
	if diff == "" {
		return append(lines, prose.Line{Tone: prose.Good, Text: "status, headers and body are the same, but for ids and dates"})
	}
	// The first two lines name files.
	return append(lines, prose.Diff(diff)[2:]...)
}

// Words are a form in one line.
func (f Form) Words() string {
	words := strings.TrimSuffix(f.Sentence(), unsigned)
	if headers := filled(f.Headers); len(headers) > 0 {
		words += ", " + model.Count(len(headers), "header")
	}
	if f.Body != "" {
		words += ", " + model.Count(len(f.Body), "byte")
	}
	return words
}
