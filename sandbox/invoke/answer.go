package invoke

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"

	"gatewright/sandbox/function"
)

// unhandled is the header X-Amz-Function-Error of every failed call in the recordings.
const unhandled = "Unhandled"

// ended is the end of a call.
type ended struct {
	answer function.Answer
	err    error
}

// answer calls a function and writes its answer. Like in Lambda, the function runs to its end
// if the caller leaves earlier.
func (s *Service) answer(w http.ResponseWriter, r *http.Request, q *request) {
	if q.caller != nil {
		over := s.options.Runner.Waiting(q.caller.Environment, q.caller.Name)
		defer over()
	}
	end := make(chan ended, 1)
	s.waited.Go(func() {
		a, err := s.call(context.WithoutCancel(r.Context()), q)
		s.keep(q, a, err)
		end <- ended{a, err}
	})
	var e ended
	select {
	case e = <-end:
	case <-r.Context().Done():
		s.used(q, "the caller did not wait for the response")
		return
	}
	payload, failed, refused := outcome(q, e.answer, e.err)
	switch {
	case refused != nil:
		s.used(q, refused.text)
		s.note(q, refused.note)
		refused.answer(w)
		return
	case failed:
		s.used(q, "the function ended with an error")
	default:
		s.used(q, "")
	}
	log := ""
	if q.wantsLog {
		log = base64.StdEncoding.EncodeToString(s.tail(q))
	}
	h := w.Header()
	h.Set("X-Amz-Executed-Version", latest)
	if q.streams {
		stream(w, payload, failed, log)
		return
	}
	h.Set("Content-Type", "application/json")
	if failed {
		h.Set("X-Amz-Function-Error", unhandled)
	}
	if log != "" {
		h.Set("X-Amz-Log-Result", log)
	}
	_, _ = w.Write(payload)
}

// call calls a function once.
func (s *Service) call(ctx context.Context, q *request) (function.Answer, error) {
	defer s.track(q)()
	defer q.flight.Now(function.Returned)
	q.flight.Environment, q.flight.Function = q.called.Environment, q.called.Name
	return s.options.Runner.Invoke(ctx, function.Call{
		Environment: q.called.Environment, Function: q.called.Name, RequestID: q.id, Payload: q.payload,
		ClientContext: q.context, Qualifier: q.qualifier, Lineage: q.lineage.String(),
		Nested: q.caller != nil && q.kind == kindWait, Flight: q.flight,
	})
}

// outcome is what Lambda says of the end of a call: what the function returned, or the error
// that it ended with, or a refusal if Lambda has no such error.
func outcome(q *request, a function.Answer, err error) (payload []byte, failed bool, refused *fault) {
	if err == nil {
		return a.Payload, a.Failed, nil
	}
	var e *function.Error
	if !errors.As(err, &e) {
		return nil, false, &fault{status: http.StatusInternalServerError, code: serviceFailed, text: err.Error()}
	}
	if e.Reported != nil {
		return e.Reported, true, nil
	}
	if e.CloudType != "" || e.CloudText != "" {
		return errorObject(q.id, *e), true, nil
	}
	switch e.Kind {
	case function.NoFunction:
		return nil, false,
			&fault{
				status: http.StatusNotFound, code: notFound,
				text: "Function not found: " + q.called.ARN() + ":" + cmp.Or(q.qualifier, latest),
			}
	case function.Throttled:
		return nil, false, &fault{
			status: http.StatusTooManyRequests, code: tooMany, text: "Rate Exceeded.",
			reason: "ReservedFunctionConcurrentInvocationLimitExceeded", note: e.Error(),
		}
	case function.Closed:
		return nil, false, &fault{status: http.StatusInternalServerError, code: serviceFailed, text: e.Error()}
	}
	// The state of a function that cannot run, see
	// https://docs.aws.amazon.com/lambda/latest/dg/functions-states.html
	return nil, false, &fault{
		status: http.StatusConflict, code: notReady, note: e.Error(),
		text: "The operation cannot be performed at this time. The function is currently in the following state: Failed: " +
			e.Error(),
	}
}

// errorObject is the payload for a function that was ended, as in the recordings.
func errorObject(id string, e function.Error) []byte {
	e.CloudText = strings.TrimPrefix(strings.TrimPrefix(e.CloudText, "RequestId: "), id+" ")
	if e.CloudType == "Sandbox.Timedout" || e.CloudType == "Runtime.ExitError" {
		e.CloudText = "RequestId: " + id + " Error: " + strings.TrimPrefix(e.CloudText, "Error: ")
	}
	return e.Object()
}
