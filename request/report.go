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
	"gatewright/sandbox/identity/identitypool"
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
	text := fmt.Sprintf("%d %s, %s, %s", x.Answer.Status, http.StatusText(x.Answer.Status), latency(x.Answer.Latency), model.Count(len(x.Answer.Body), "byte"))
	return strings.Replace(text, " ,", ",", 1)
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
	if f.As == (identitypool.Who{}) {
		return text + unsigned
	}
	return text + ", signed by " + whoWords(f.As)
}

// Tell says all that is known of an answer: the request, the status, the latency,
// who refused it and why, the body, the headers, the log, and for a test the event.
// The lines are fit for the screen; a part begins with a prose.Title.
func Tell(x Exchange) []prose.Line {
	var lines []prose.Line
	add := func(tone prose.Tone, texts ...string) { lines = append(lines, prose.InTone(tone, texts...)...) }
	a := x.Answer
	add(prose.Title, "Request")
	add(prose.Plain, prose.Fit(x.Form.Sentence()))
	add(prose.Title, "Status and latency")
	add(x.Tone(), x.Summary())
	if len(a.Refusal) > 0 {
		title := "Why it was refused"
		if a.Status >= http.StatusInternalServerError {
			title = "Why it failed"
		}
		add(prose.Title, title)
		for _, text := range a.Refusal {
			add(prose.Bad, prose.Fit(text))
		}
	}
	add(prose.Title, "Response body")
	lines = append(lines, bodyLines(a.Body)...)
	add(prose.Title, "Response headers")
	add(prose.Plain, headerLines(a.Headers)...)
	title, none := "Log of the function", "the function was not called, or wrote nothing"
	if x.Form.Test {
		title, none = "Execution log", "there is none"
	} else if x.Function != "" {
		title = "Log of function " + prose.Fit(x.Function)
	}
	add(prose.Title, title)
	if len(a.Log) == 0 {
		add(prose.Muted, none)
	}
	for _, text := range a.Log {
		add(prose.Plain, prose.Short(text))
	}
	if a.Event != nil {
		add(prose.Title, "Event that the function got")
		lines = append(lines, bodyLines(a.Event)...)
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
	if formatted := formatted(body); formatted != nil {
		tone, text = prose.Code, formatted
	}
	whole := len(text)
	shown := strings.ToValidUTF8(string(text[:min(len(text), mostShown)]), "")
	all := strings.Split(strings.TrimSuffix(shown, "\n"), "\n")
	lines := make([]prose.Line, 0, min(len(all), mostLines)+1)
	for _, line := range all[:min(len(all), mostLines)] {
		lines = append(lines, prose.Line{Tone: tone, Text: prose.Short(strings.TrimSuffix(line, "\r"))})
	}
	if len(all) > mostLines || whole > mostShown {
		lines = append(lines, prose.Line{Tone: prose.Muted, Text: "and more: all of it has " + model.Count(len(body), "byte")})
	}
	return lines
}

// formatted is JSON with two spaces for each level; nil where it is none, and where
// it is a text or a number alone.
func formatted(body []byte) []byte {
	trimmed := bytes.TrimSpace(body)
	if len(trimmed) == 0 || trimmed[0] != '{' && trimmed[0] != '[' {
		return nil
	}
	var b bytes.Buffer
	if json.Indent(&b, trimmed, "", "  ") != nil {
		return nil
	}
	return b.Bytes()
}

// headerLines are headers, sorted.
func headerLines(headers http.Header) []string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		for _, value := range headers[name] {
			lines = append(lines, prose.Fit(name+": "+value))
		}
	}
	return lines
}

// passing are the headers that no two answers have alike.
var passing = []string{"Date", "X-Amzn-Requestid", "X-Amzn-Trace-Id", "X-Amz-Apigw-Id"}

// comparable is an answer as text, without what no two answers have alike.
func (x Exchange) comparable() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d %s\n", x.Answer.Status, http.StatusText(x.Answer.Status))
	headers := make(http.Header)
	for name, values := range x.Answer.Headers {
		if !slices.Contains(passing, http.CanonicalHeaderKey(name)) {
			headers[name] = values
		}
	}
	for _, line := range headerLines(headers) {
		b.WriteString(line + "\n")
	}
	b.WriteString("\n")
	for _, line := range bodyLines(x.Answer.Body) {
		b.WriteString(line.Text + "\n")
	}
	return b.Bytes()
}

// Compare says in what an answer differs from the one before.
func Compare(before, now Exchange) []prose.Line {
	lines := []prose.Line{
		{Tone: prose.Title, Text: "Compared with the answer before"},
		{Tone: prose.Removed, Text: "- " + prose.Fit(before.Form.Sentence()) + ": " + before.Summary()},
		{Tone: prose.Added, Text: "+ " + prose.Fit(now.Form.Sentence()) + ": " + now.Summary()},
	}
	diff := project.Diff(journal.Change{Path: "answer/src/answer", Existed: true, Old: before.comparable(), New: now.comparable()})
	if diff == "" {
		return append(lines, prose.Line{Tone: prose.Good, Text: "status, headers and body are the same, but for ids and dates"})
	}
	for i, text := range strings.Split(strings.TrimSuffix(diff, "\n"), "\n") {
		tone := prose.Plain
		switch {
		// The names of the files.
		case i < 2:
			continue
		case strings.HasPrefix(text, "@@"):
			tone = prose.Changed
		case strings.HasPrefix(text, "+"):
			tone = prose.Added
		case strings.HasPrefix(text, "-"):
			tone = prose.Removed
		}
		lines = append(lines, prose.Line{Tone: tone, Text: text})
	}
	return lines
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
