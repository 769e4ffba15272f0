package run

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"gatewright/cli/command"
	"gatewright/internal/clock"
	"gatewright/sandbox/call"
	"gatewright/sandbox/traffic"
)

// callReport is an answer as JSON. Latency is in milliseconds.
type callReport struct {
	Status  int                 `json:"status"`
	Latency int64               `json:"latency"`
	Headers map[string][]string `json:"headers"`
	Body    string              `json:"body"`
	// Base64 says that Body is in base64, since the answer is not text.
	Base64 bool `json:"base64"`
	// Notes say why the gateway refused the request, and Breaches how it breaks its contract.
	Notes    []string `json:"notes"`
	Breaches []string `json:"breaches"`
}

// testReport is a test of --test as JSON, with the event that the function got and the log
// of the execution.
type testReport struct {
	callReport
	RequestID string          `json:"requestId"`
	Event     json.RawMessage `json:"event"`
	Log       []string        `json:"log"`
}

func reportOf(a call.Answer, notes []string) callReport {
	r := callReport{
		Status: a.Status, Latency: a.Latency.Milliseconds(), Headers: a.Headers, Body: string(a.Body),
		Notes: notes, Breaches: command.Listed(a.Breaches),
	}
	if r.Base64 = !utf8.Valid(a.Body); r.Base64 {
		r.Body = base64.StdEncoding.EncodeToString(a.Body)
	}
	return r
}

// send sends the request and prints the answer.
func (x *callCommand) send(send func() (call.Answer, error)) error {
	at := time.Now()
	a, err := send()
	if err == nil || call.WasSent(err) {
		x.keep(a, at)
	}
	if err != nil {
		return err
	}
	switch {
	case x.json && x.test:
		report := testReport{reportOf(a, []string{}), a.RequestID, a.Event, command.Listed(a.Log)}
		return errors.Join(command.PrintJSON(x.streams.Out, report), exitOf(a.Status))
	case x.json:
		return errors.Join(command.PrintJSON(x.streams.Out, reportOf(a, command.Listed(a.Refusal))), exitOf(a.Status))
	}
	if err := x.printAnswer(a); err != nil {
		return err
	}
	return exitOf(a.Status)
}

// printAnswer prints the body of an answer, and to standard error what else is to be seen.
func (x *callCommand) printAnswer(a call.Answer) error {
	switch {
	case a.Line == "":
		command.Say(x.streams.Err, "status: %d %s", a.Status, http.StatusText(a.Status))
		command.Say(x.streams.Err, "latency: %s", clock.Took(a.Latency))
	default:
		command.Say(x.streams.Err, "%s", a.Line)
	}
	if x.include {
		for _, line := range call.HeaderLines(a.Headers) {
			command.Say(x.streams.Err, "%s", line)
		}
		command.Say(x.streams.Err, "")
	}
	if err := x.printBody(a.Body); err != nil {
		return err
	}
	isTest := a.Line == ""
	if isTest && !command.IsTerminal(x.streams.Out) && len(a.Body) > 0 {
		_, _ = io.WriteString(x.streams.Out, "\n")
	}
	if isTest {
		for _, line := range a.Log {
			command.Say(x.streams.Err, "%s", line)
		}
	} else {
		command.SayNotes(x.streams.Err, a.Refusal)
	}
	for _, text := range a.Breaches {
		command.Say(x.streams.Err, "warning: %s%s", traffic.BreaksContract, text)
	}
	return nil
}

// printBody prints a body as it is. On a terminal, control characters are replaced and a
// last line break is added.
func (x *callCommand) printBody(body []byte) error {
	if !command.IsTerminal(x.streams.Out) {
		if _, err := x.streams.Out.Write(body); err != nil {
			return fmt.Errorf("printing the response: %w", err)
		}
		return nil
	}
	text := string(body)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return command.PrintText(x.streams.Out, text)
}
