package cloudcall

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/aws/smithy-go"

	"gatewright/deploy/account"
	"gatewright/sandbox/call"
)

// Send sends a request to an API. An answer of 4xx or 5xx is no error. Errors are as those of call.Send.
func (s *Session) Send(ctx context.Context, e *Environment, label string, r call.Request) (call.Answer, error) {
	if r.Test {
		return s.test(ctx, e, label, r)
	}
	public, err := account.Public(ctx, e.options)
	if err != nil {
		return call.Answer{}, &call.UnsentError{Cause: err}
	}
	to, err := e.address(public, label)
	if err != nil {
		return call.Answer{}, err
	}
	began := time.Now()
	a, c, err := s.signed(ctx, e, public, to, r)
	if err != nil {
		if call.WasSent(err) {
			a.Latency = time.Since(began)
		}
		return a, err
	}
	a.Refusal = e.refusal(label, r, c, a)
	return a, nil
}

// signed signs and sends a request, again with new credentials if kept ones have expired.
func (s *Session) signed(
	ctx context.Context, e *Environment, public *account.Account, to call.Address, r call.Request,
) (call.Answer, *caller, error) {
	if r.As == nil {
		a, err := exchange(ctx, public, to, r, nil)
		return a, nil, err
	}
	at := place{e.pools, *r.As}
	for {
		c, err := s.caller(ctx, e, public, *r.As)
		if err != nil {
			return call.Answer{}, nil, &call.UnsentError{Cause: err}
		}
		a, err := exchange(ctx, public, to, r, &c.keys)
		if c.fresh || err != nil || !expired(a) {
			if err == nil {
				s.keep(at, *c)
			}
			return a, c, err
		}
		s.forget(at)
	}
}

// exchange sends a request. If AWS refuses the signature because of the clock of this machine, it is sent once more
// with the time of AWS, which keys have from then on: such a request has called nothing.
func exchange(
	ctx context.Context, public *account.Account, to call.Address, r call.Request, keys *call.Keys,
) (call.Answer, error) {
	a, sent, err := call.Exchange(ctx, to, r, keys)
	if err == nil && keys != nil && a.Status == http.StatusForbidden && account.ClockRefused(errorType(a), message(a)) {
		if there, failed := http.ParseTime(a.Headers.Get("Date")); failed == nil {
			keys.Skew = time.Until(there)
			a, sent, err = call.Exchange(ctx, to, r, keys)
		}
	}
	if err == nil {
		return a, nil
	}
	return call.Answer{}, unanswered(ctx, public, to, sent, err)
}

// unanswered explains why there is no answer.
func unanswered(ctx context.Context, public *account.Account, to call.Address, sent bool, err error) error {
	switch _, is := errors.AsType[*url.Error](err); {
	case ctx.Err() != nil:
		err = ctx.Err()
	case is:
		err = public.Explain(&smithy.OperationError{ServiceID: account.APIs.ID, Err: err})
	default:
		err = public.Explain(&smithy.OperationError{ServiceID: account.APIs.ID, Err: &url.Error{URL: to.Endpoint, Err: err}})
	}
	if sent {
		return &call.SentError{Cause: err}
	}
	return &call.UnsentError{Cause: err}
}

// errorType is the kind of a refusal of API Gateway; "" if a function answered
// (https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html).
func errorType(a call.Answer) string { return a.Headers.Get("X-Amzn-ErrorType") }

// message is the text of a refusal. Its name begins with a small or a capital letter.
func message(a call.Answer) string {
	var told struct{ Message string }
	_ = json.Unmarshal(a.Body, &told)
	return told.Message
}

// expired reports whether AWS says that the credentials of a request have expired.
func expired(a call.Answer) bool {
	switch errorType(a) {
	case "ExpiredTokenException", "ExpiredToken":
		return true
	}
	return false
}
