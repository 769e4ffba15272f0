package request

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/sandbox/call"
	"gatewright/sandbox/logs/entry"
)

// Exchange is a request that was sent, and its answer.
type Exchange struct {
	Form   Form
	Answer call.Answer
	At     time.Time
	// Function is the function that serves it; "" for none.
	Function string
	// Unanswered says that the request was sent and no answer came: the Answer has only how long that took.
	Unanswered bool
}

// How many bytes and lines of a body are shown.
const (
	mostShown = 256 << 10
	mostLines = 4000
)

// Summary returns the answer in one line.
func (x Exchange) Summary() string {
	return fmt.Sprintf("%s, %s, %s", x.Status(), clock.Took(x.Answer.Latency), phrase.Count(len(x.Answer.Body), "byte"))
}

// Status returns the status code with its text, if it has one.
func (x Exchange) Status() string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", x.Answer.Status, http.StatusText(x.Answer.Status)))
}

// Tone returns the tone of the summary.
func (x Exchange) Tone() prose.Tone {
	switch status := x.Answer.Status; {
	case status >= http.StatusInternalServerError:
		return prose.Bad
	case status >= http.StatusBadRequest:
		return prose.Warning
	case status >= http.StatusMultipleChoices:
		return prose.Note
	}
	return prose.Good
}

// unsigned ends the sentence about a request that nobody signs.
const unsigned = ", not signed"

// Sentence returns the request in one line: method, URL, and who signs.
func (f Form) Sentence() string {
	text := f.request()
	if f.Test {
		return "TEST " + text
	}
	if f.signer() == nil {
		return text + unsigned
	}
	return text + ", signed by " + whoWords(f.As)
}

// BodyTitle is the title of the part of Describe that has the body.
const BodyTitle = "Response body"

// Describe returns everything that is known about an answer: the request, status and
// latency, why it was refused, the body, the headers, the log, and the event of a
// test. The lines are safe for the terminal; each part begins with a prose.Title.
func Describe(x Exchange) []prose.Line {
	var lines []prose.Line
	part := func(title string, of []prose.Line) {
		lines = append(append(lines, prose.Line{Tone: prose.Title, Text: title}), of...)
	}
	a := x.Answer
	part("Request", fullLines(prose.Plain, x.Form.Sentence()))
	part("Status and latency", fullLines(x.Tone(), x.Summary()))
	switch {
	case len(a.Refusal) > 0 && a.Status >= http.StatusInternalServerError:
		part("Why it failed", fullLines(prose.Bad, a.Refusal...))
	case len(a.Refusal) > 0:
		part("Why it was refused", fullLines(prose.Bad, a.Refusal...))
	}
	if len(a.Breaches) > 0 {
		part("What breaks the contract", fullLines(prose.Warning, a.Breaches...))
	}
	part(BodyTitle, bodyLines(a.Body))
	headers := func() { part("Response headers", fullLines(prose.Plain, call.HeaderLines(a.Headers)...)) }
	failed := a.Status >= http.StatusInternalServerError
	if !failed {
		headers()
	}
	title, log := "Log of the function", prose.InTone(prose.Muted, "the function was not called, or wrote nothing")
	if x.Form.Test {
		title, log = "Execution log", prose.InTone(prose.Muted, "no log")
	} else if x.Function != "" {
		title = "Log of the function " + prose.Printable(x.Function)
	}
	if x.Form.Cloud && !x.Form.Test && x.Function != "" {
		log = prose.InTone(prose.Muted,
			"it is in AWS; see it with: gatewright logs "+
				model.ShellWord(x.Function)+" --env "+model.ShellWord(x.Form.Environment))
	}
	switch {
	case len(a.Written) > 0:
		log = entry.InLines(a.Written...)
	case len(a.Log) > 0:
		log = prose.InTone(prose.Plain, prose.PrintableStarts(a.Log)...)
	}
	part(title, log)
	if failed {
		// What failed is more likely to be in the log than in the headers.
		headers()
	}
	if a.Event != nil {
		part("Event that the function got", bodyLines(a.Event))
	}
	return lines
}

// fullLines returns lines of any length, in one tone and safe for the terminal.
func fullLines(tone prose.Tone, texts ...string) []prose.Line {
	lines := prose.InTone(tone, texts...)
	for i := range lines {
		lines[i].Text = prose.Printable(lines[i].Text)
	}
	return lines
}

// bodyLines returns the lines of a body, with JSON indented.
func bodyLines(body []byte) []prose.Line {
	switch {
	case len(body) == 0:
		return prose.InTone(prose.Muted, "no body")
	case !utf8.Valid(body):
		return prose.InTone(prose.Muted, "binary, "+phrase.Count(len(body), "byte"))
	}
	tone, text := prose.Plain, body
	if isBracket(string(body)) {
		if wide, ok := indented(body); ok {
			tone, text = prose.Code, wide
		}
	}
	shown := strings.ToValidUTF8(string(text[:min(len(text), mostShown)]), "")
	all := strings.Split(strings.TrimSuffix(shown, "\n"), "\n")
	var lines []prose.Line
	for _, line := range all[:min(len(all), mostLines)] {
		lines = append(lines, prose.Line{Tone: tone, Text: prose.PrintableStart(strings.TrimSuffix(line, "\r"))})
	}
	if len(all) > mostLines || len(text) > mostShown {
		lines = append(lines, prose.Line{Tone: prose.Muted, Text: restHidden + phrase.Count(len(body), "byte")})
	}
	return lines
}

// restHidden begins the line after the part of a body that is shown.
const restHidden = "the rest is not shown; the body has "

// Shortened reports whether lines of Describe leave out a part of the body.
func Shortened(lines []prose.Line) bool {
	return slices.ContainsFunc(lines, func(l prose.Line) bool {
		return l.Tone == prose.Muted && strings.HasPrefix(l.Text, restHidden) || l.Tone != prose.Muted &&
			prose.IsStart(l.Text)
	})
}

// Has reports whether the whole body has a text, in small or capital letters.
func (x Exchange) Has(text string) bool {
	return bytes.Contains(bytes.ToLower(x.Answer.Body), bytes.ToLower([]byte(text)))
}

// varyingHeaders are the headers that differ between any two answers.
var varyingHeaders = []string{"Date", "X-Amzn-Requestid", "X-Amzn-Trace-Id", "X-Amz-Apigw-Id"}

// comparable returns an answer as text, without the varyingHeaders.
func (x Exchange) comparable() []byte {
	headers := maps.Clone(x.Answer.Headers)
	maps.DeleteFunc(headers, func(name string, _ []string) bool {
		return slices.Contains(varyingHeaders, http.CanonicalHeaderKey(name))
	})
	head := append([]string{x.Status()}, call.HeaderLines(headers)...)
	lines := append(fullLines(prose.Plain, append(head, "")...), bodyLines(x.Answer.Body)...)
	return []byte(strings.Join(prose.Texts(lines), "\n") + "\n")
}

// Compare describes how an answer differs from the previous one.
func Compare(before, now Exchange) []prose.Line {
	lines := []prose.Line{
		{Tone: prose.Title, Text: "Compared with the previous response"},
		{Tone: prose.Removed, Text: "- " + prose.Printable(before.Form.Sentence()) + ": " + before.Summary()},
		{Tone: prose.Added, Text: "+ " + prose.Printable(now.Form.Sentence()) + ": " + now.Summary()},
	}
	diff := project.Diff(journal.Change{
		Path: "answer/src/answer", Existed: true, Old: before.comparable(),
		New: now.comparable(),
	})
	if diff == "" {
		return append(lines,
			prose.Line{Tone: prose.Good, Text: "status, headers and body are the same, except for ids and dates"})
	}
	// The first two lines name files.
	return append(lines, prose.Diff(diff)[2:]...)
}

// Summary returns the form in one line.
func (f Form) Summary() string {
	words := strings.TrimSuffix(f.Sentence(), unsigned)
	if headers := filledLines(f.Headers); len(headers) > 0 {
		words += ", " + phrase.Count(len(headers), "header")
	}
	if f.Body != "" {
		words += ", " + phrase.Count(len(f.Body), "byte")
	}
	return words
}
