package call

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"gatewright/internal/network"
	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/gateway"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/signature"
)

// Answer is the answer to a request.
type Answer struct {
	Status int
	// Line is the first line of the answer, such as "HTTP/1.1 200 OK"; "" for a test.
	Line string
	// Latency is the time until the last byte of the body, or for a test until the
	// function's answer.
	Latency time.Duration
	Headers http.Header
	Body    []byte
	// RequestID is the gateway's id of the request, or "".
	RequestID string
	// Written is what the function wrote to its log for this request; nil for a test, and
	// if Request.Function is not set.
	Written []logs.Line
	// Log is the execution log of a test, without control characters.
	Log []string
	// Refusal has the gateway's log lines of a request that it answered itself: the
	// reason and the remedy.
	Refusal []string
	// Breaches are the ways in which the request and its answer break the contract of the API,
	// if the sandbox checks that.
	Breaches []string
	// Event is the function's input in a test; nil if none is called, as for OPTIONS.
	Event json.RawMessage
}

// Send sends a request to an API of a running sandbox. An answer of 4xx or 5xx is not an error. The error is
// a *CredentialsError if there are no credentials for r.As, and a *model.Problem if a path or method cannot
// be tested. If the request was sent all the same, which WasSent says, the Answer has how long it took.
func Send(ctx context.Context, client *sandbox.Client, api sandbox.ServedAPI, r Request) (Answer, error) {
	began, send := time.Now(), overHTTP
	if r.Test {
		send = test
	}
	a, err := send(ctx, client, api, r)
	if WasSent(err) {
		a = Answer{Latency: time.Since(began)}
	}
	return a, err
}

// overHTTP sends a request as a client does.
func overHTTP(ctx context.Context, client *sandbox.Client, api sandbox.ServedAPI, r Request) (Answer, error) {
	var keys *Keys
	if r.As != nil {
		given, err := client.Credentials(ctx, api.Environment, *r.As)
		if err != nil {
			return Answer{}, &CredentialsError{err}
		}
		keys = &Keys{Credentials: signature.Credentials{
			AccessKeyID: given.AccessKeyID, SecretKey: given.SecretKey,
			SessionToken: given.SessionToken,
		}, AsWritten: true}
	}
	// The pool, and the project as it is now, may be of another region than the API.
	a, _, err := Exchange(ctx, Address{Endpoint: api.Endpoint, Region: api.Region}, r, keys)
	if err != nil {
		return Answer{}, unanswered(api, err)
	}
	if a.Refusal = refusal(ctx, client, api, a); a.RequestID == "" {
		a.Refusal = earlyRefusal(ctx, client, api, r, a)
	}
	a.Breaches = breaches(ctx, client, api, a)
	a.Written = functionLog(ctx, client, api, r, a)
	return a, nil
}

// WasSent reports whether an error of Send came after the request was on its way: nobody knows
// then what the function did.
func WasSent(err error) bool {
	var sent *SentError
	var unsent *UnsentError
	var refused *CredentialsError
	var problem *model.Problem
	switch {
	case errors.As(err, &sent):
		return true
	case errors.As(err, &unsent):
		return false
	}
	return err != nil && !errors.As(err, &refused) && !errors.As(err, &problem) && !network.Refused(err)
}

// noAnswerError says that the sandbox ended in the middle of a request.
type noAnswerError struct {
	endpoint string
	cause    error
}

func (e *noAnswerError) Error() string {
	return "the sandbox ended before it answered the request to " + e.endpoint +
		"; look at what it printed, and start it again with: gatewright sandbox"
}

// Unwrap returns the cause.
func (e *noAnswerError) Unwrap() error { return e.cause }

// unanswered explains why there is no answer, or no end of it.
func unanswered(api sandbox.ServedAPI, err error) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err
	}
	if network.Refused(err) || network.Ended(err) {
		return &noAnswerError{api.Endpoint, err}
	}
	return fmt.Errorf("sending the request to %s: %w", api.Endpoint, err)
}

// test sends a request as the test of the API Gateway console.
func test(ctx context.Context, client *sandbox.Client, api sandbox.ServedAPI, r Request) (Answer, error) {
	t, err := client.Test(ctx, gateway.Request{
		Environment: api.Environment, Label: api.Label, Method: r.Method, Path: r.Path, Query: r.Query, Headers: r.Headers,
		Body: r.Body,
	})
	if err != nil {
		return Answer{}, err
	}
	a := Answer{
		Status: t.Status, Latency: t.Latency, Headers: t.Headers, Body: []byte(t.Body), RequestID: t.RequestID, Log: t.Log,
		Event: t.Event,
	}
	if r.Function != "" {
		a.Refusal = refusal(ctx, client, api, a)
	}
	a.Breaches = breaches(ctx, client, api, a)
	return a, nil
}
