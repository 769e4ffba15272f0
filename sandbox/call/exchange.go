package call

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	"gatewright/sandbox/signature"
)

// Address is where the requests to an API go.
type Address struct {
	// Endpoint is the URL of the API's stage, without a trailing slash.
	Endpoint string
	// Host is sent as the header Host, unless the request has one; "" for that of Endpoint.
	Host string
	// Region is that of the API. Signatures have it.
	Region string
	// Transport makes the connection; nil for one to this machine, without a proxy. It must not
	// decompress.
	Transport *http.Transport
}

// Keys sign requests.
type Keys struct {
	signature.Credentials
	// Skew is how far the clock of the API is ahead of this machine's.
	Skew time.Duration
	// AsWritten signs the path as it is written, otherwise as most clients do (see
	// signature.Request).
	AsWritten bool
}

// SentError is the error of a request that was on its way: nobody knows what the function did.
type SentError struct{ Cause error }

func (e *SentError) Error() string { return e.Cause.Error() }

// Unwrap returns the cause.
func (e *SentError) Unwrap() error { return e.Cause }

// UnsentError is the error of a request that was not sent.
type UnsentError struct{ Cause error }

func (e *UnsentError) Error() string { return e.Cause.Error() }

// Unwrap returns the cause.
func (e *UnsentError) Unwrap() error { return e.Cause }

// Exchange sends a request to an API and reads the answer, signed unless keys is nil. An answer
// of 4xx or 5xx is no error. The answer is as it came: redirects are not followed, and nothing
// is decompressed. sent says whether the request was on its way.
func Exchange(ctx context.Context, to Address, r Request, keys *Keys) (a Answer, sent bool, err error) {
	var wrote atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { wrote.Store(true) }})
	request, err := http.NewRequestWithContext(ctx, r.Method, to.Endpoint+r.target(), bytes.NewReader(r.Body))
	if err != nil {
		return Answer{}, false, fmt.Errorf("making the request: %w", err)
	}
	request.Header = r.Headers.Clone()
	if request.Header == nil {
		request.Header = make(http.Header)
	}
	if to.Host != "" {
		request.Host = to.Host
	}
	if host := r.Headers["Host"]; len(host) > 0 {
		request.Host = host[0]
	}
	if keys != nil {
		sign(request, r.Body, *keys, to.Region)
	}
	transport := to.Transport
	if transport == nil {
		transport = &http.Transport{DisableCompression: true}
	}
	defer transport.CloseIdleConnections()
	sender := &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	began := time.Now()
	response, err := sender.Do(request)
	if err != nil {
		return Answer{}, wrote.Load(), err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return Answer{}, true, err
	}
	return Answer{
		Status: response.StatusCode, Line: response.Proto + " " + response.Status, Latency: time.Since(began),
		Headers: response.Header, Body: body, RequestID: response.Header.Get("X-Amzn-RequestId"),
	}, true, nil
}
