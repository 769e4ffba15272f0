package console

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

// Kind is what a line of a report is.
type Kind uint8

// The kinds. A Heading begins a section.
const (
	Plain Kind = iota
	Heading
	Muted
	Good
	Bad
	Code
	Added
	Removed
	Changed
)

// Line is a line of a report, fit for the screen.
type Line struct {
	Kind Kind
	Text string
}

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

// kind says in the summary's colour what its words say.
func (x Exchange) kind() Kind {
	if x.Answer.Status >= http.StatusBadRequest {
		return Bad
	}
	return Good
}

func latency(d time.Duration) string {
	if d < 10*time.Millisecond {
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	}
	return fmt.Sprintf("%d ms", d.Milliseconds())
}

// unsigned ends a sentence about a request that nobody signs.
const unsigned = ", not signed"

// sentence is the request in one line.
func (x Exchange) sentence() string {
	target, _ := x.Form.target()
	if query := strings.TrimPrefix(x.Form.Query, "?"); query != "" {
		target += "?" + query
	}
	text := x.Form.Method + " " + target
	if x.Form.Test {
		return "TEST " + text
	}
	if x.Form.As == (identitypool.Who{}) {
		return text + unsigned
	}
	return text + ", signed by " + whoWords(x.Form.As)
}

// Tell says all that is known of an answer: the request, the status, the latency,
// who refused it and why, the body, the headers, the log, and for a test the event.
func Tell(x Exchange) []Line {
	a := x.Answer
	lines := []Line{{Heading, "Request"}, {Plain, prose.Fit(x.sentence())}, {Heading, "Status and latency"}, {x.kind(), x.Summary()}}
	if len(a.Refusal) > 0 {
		title := "Why it was refused"
		if a.Status >= http.StatusInternalServerError {
			title = "Why it failed"
		}
		lines = append(lines, Line{Heading, title})
		for _, text := range a.Refusal {
			lines = append(lines, Line{Bad, prose.Fit(text)})
		}
	}
	lines = append(lines, Line{Heading, "Response body"})
	lines = append(lines, bodyLines(a.Body)...)
	lines = append(lines, Line{Heading, "Response headers"})
	for _, text := range headerLines(a.Headers) {
		lines = append(lines, Line{Plain, text})
	}
	title, none := "Log of the function", "the function was not called, or wrote nothing"
	if x.Form.Test {
		title, none = "Execution log", "there is none"
	} else if x.Function != "" {
		title = "Log of function " + prose.Fit(x.Function)
	}
	lines = append(lines, Line{Heading, title})
	if len(a.Log) == 0 {
		lines = append(lines, Line{Muted, none})
	}
	for _, text := range a.Log {
		lines = append(lines, Line{Plain, cut(prose.Fit(text))})
	}
	if a.Event != nil {
		lines = append(lines, Line{Heading, "Event that the function got"})
		lines = append(lines, bodyLines(a.Event)...)
	}
	return lines
}

// cut is a line that is not longer than all of a text may be.
func cut(text string) string {
	const longest = 4 << 10
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(text[:longest], "") + "…"
}

// bodyLines are a body as text, JSON formatted.
func bodyLines(body []byte) []Line {
	switch {
	case len(body) == 0:
		return []Line{{Muted, "there is none"}}
	case !utf8.Valid(body):
		return []Line{{Muted, model.Count(len(body), "byte") + " that are no text"}}
	}
	kind, text := Plain, body
	if formatted := formatted(body); formatted != nil {
		kind, text = Code, formatted
	}
	whole := len(text)
	shown := strings.ToValidUTF8(string(text[:min(len(text), mostShown)]), "")
	all := strings.Split(strings.TrimSuffix(shown, "\n"), "\n")
	lines := make([]Line, 0, min(len(all), mostLines)+1)
	for _, line := range all[:min(len(all), mostLines)] {
		lines = append(lines, Line{kind, cut(prose.Fit(strings.TrimSuffix(line, "\r")))})
	}
	if len(all) > mostLines || whole > mostShown {
		lines = append(lines, Line{Muted, "and more: all of it has " + model.Count(len(body), "byte")})
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
func Compare(before, now Exchange) []Line {
	lines := []Line{
		{Heading, "Compared with the answer before"},
		{Removed, "- " + prose.Fit(before.sentence()) + ": " + before.Summary()},
		{Added, "+ " + prose.Fit(now.sentence()) + ": " + now.Summary()},
	}
	diff := project.Diff(journal.Change{Path: "answer/src/answer", Existed: true, Old: before.comparable(), New: now.comparable()})
	if diff == "" {
		return append(lines, Line{Good, "status, headers and body are the same, but for ids and dates"})
	}
	for i, text := range strings.Split(strings.TrimSuffix(diff, "\n"), "\n") {
		kind := Plain
		switch {
		// The names of the files.
		case i < 2:
			continue
		case strings.HasPrefix(text, "@@"):
			kind = Changed
		case strings.HasPrefix(text, "+"):
			kind = Added
		case strings.HasPrefix(text, "-"):
			kind = Removed
		}
		lines = append(lines, Line{kind, text})
	}
	return lines
}

// Words are a form in one line.
func (f Form) Words() string {
	words := strings.TrimSuffix(Exchange{Form: f}.sentence(), unsigned)
	if headers := filled(f.Headers); len(headers) > 0 {
		words += ", " + model.Count(len(headers), "header")
	}
	if f.Body != "" {
		words += ", " + model.Count(len(f.Body), "byte")
	}
	return words
}
