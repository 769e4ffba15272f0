package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/gateway"
	"gatewright/sandbox/logs"
)

// callReport is an answer as JSON. Latency is in milliseconds.
type callReport struct {
	Status  int                 `json:"status"`
	Latency int64               `json:"latency"`
	Headers map[string][]string `json:"headers"`
	Body    string              `json:"body"`
	// Notes are what the gateway says of a request that it refused.
	Notes []string `json:"notes"`
}

// testReport is the console's test as JSON: the event that the function got, and
// the log of the execution.
type testReport struct {
	callReport
	RequestID string          `json:"requestId"`
	Event     json.RawMessage `json:"event"`
	Log       []string        `json:"log"`
}

// plain sends the request as any client would; sign gives it what says who sends
// it.
func (x *calling) plain(client *sandbox.Client, api sandbox.ServedAPI, r gateway.Request, sign func(*http.Request, []byte) error) error {
	address := api.Endpoint + r.Path
	if r.Query != "" {
		address += "?" + r.Query
	}
	request, err := http.NewRequest(r.Method, address, bytes.NewReader(r.Body))
	if err != nil {
		return misuse("%s is no address: %s", model.Quote(address), err)
	}
	request.Header = r.Headers
	if host := r.Headers["Host"]; len(host) > 0 {
		request.Host = host[0]
	}
	if err := sign(request, r.Body); err != nil {
		return err
	}
	// A proxy, a redirect or a compressed answer would be another thing than
	// what the API answers.
	sender := &http.Client{
		Transport:     &http.Transport{DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	began := time.Now()
	response, err := sender.Do(request)
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return fmt.Errorf("sending the request to %s: %w", api.Endpoint, err)
	}
	defer func() { _ = response.Body.Close() }()
	if x.json {
		body, err := io.ReadAll(response.Body)
		if err != nil {
			return fmt.Errorf("reading the answer: %w", err)
		}
		latency := time.Since(began).Milliseconds()
		report := callReport{response.StatusCode, latency, response.Header, string(body), listed(whyRefused(client, api, response.Header))}
		return errors.Join(printJSON(x.streams.Out, report), answered(response.StatusCode))
	}
	say(x.streams.Err, "%s %s", response.Proto, response.Status)
	if x.include {
		x.printHeaders(response.Header)
	}
	if err := x.printBody(response.Body); err != nil {
		return err
	}
	for _, note := range whyRefused(client, api, response.Header) {
		say(x.streams.Err, "note: %s", note)
	}
	return answered(response.StatusCode)
}

// whyRefused is what the gateway told its log of a request that it answered itself.
func whyRefused(client *sandbox.Client, api sandbox.ServedAPI, headers http.Header) []string {
	id := headers.Get("X-Amzn-RequestId")
	if headers.Get("X-Amzn-ErrorType") == "" || id == "" {
		return nil
	}
	var notes []string
	query := logs.Query{Environment: api.Environment, Function: logs.Gateway, Request: id}
	err := client.Logs(context.Background(), query, false, func(l logs.Line) error {
		notes = append(notes, l.Text)
		return nil
	})
	if err != nil || len(notes) == 0 {
		return []string{"why: gatewright logs " + logs.Gateway + " --env " + model.Quote(api.Environment) + " --request " + model.Quote(id)}
	}
	return notes
}

// printHeaders prints the headers of an answer, sorted.
func (x *calling) printHeaders(headers map[string][]string) {
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		for _, value := range headers[name] {
			say(x.streams.Err, "%s: %s", name, value)
		}
	}
	say(x.streams.Err, "")
}

// printBody prints a body as it is; a terminal gets what it must not obey
// replaced, and a last line break.
func (x *calling) printBody(body io.Reader) error {
	if !isTerminal(x.streams.Out) {
		if _, err := io.Copy(x.streams.Out, body); err != nil {
			return fmt.Errorf("reading the answer: %w", err)
		}
		return nil
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return fmt.Errorf("reading the answer: %w", err)
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	return printText(x.streams.Out, string(text))
}

// console sends the request as the test of the gateway's console does.
func (x *calling) console(client *sandbox.Client, r gateway.Request) error {
	test, err := client.Test(context.Background(), r)
	if err != nil {
		return err
	}
	if x.json {
		report := testReport{
			callReport{test.Status, test.Latency.Milliseconds(), test.Headers, test.Body, []string{}},
			test.RequestID, test.Event, listed(test.Log),
		}
		return errors.Join(printJSON(x.streams.Out, report), answered(test.Status))
	}
	say(x.streams.Err, "status: %d %s", test.Status, http.StatusText(test.Status))
	say(x.streams.Err, "latency: %d ms", test.Latency.Milliseconds())
	if x.include {
		x.printHeaders(test.Headers)
	}
	if err := x.printBody(strings.NewReader(test.Body)); err != nil {
		return err
	}
	if !isTerminal(x.streams.Out) && test.Body != "" {
		_, _ = io.WriteString(x.streams.Out, "\n")
	}
	for _, line := range test.Log {
		say(x.streams.Err, "%s", line)
	}
	return answered(test.Status)
}
