package cloudcall

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/aws/smithy-go"

	"gatewright/deploy/account"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/sandbox/call"
)

// test has API Gateway do its console's test: it calls the function without looking at access
// (https://docs.aws.amazon.com/apigateway/latest/api/API_TestInvokeMethod.html).
func (s *Session) test(ctx context.Context, e *Environment, label string, r call.Request) (call.Answer, error) {
	api, err := e.api(label)
	if err != nil {
		return call.Answer{}, err
	}
	route, found := e.Backend.Router(label).Match(r.Method, r.Path)
	switch {
	case !found:
		return call.Answer{},
			&model.Problem{Field: "path", Text: "no path of the API " + phrase.Quote(label) + " serves " +
				phrase.Quote(r.Method+" "+r.Path), Fix: "give another path, or add it and push"}
	case !utf8.Valid(r.Body):
		return call.Answer{},
			&model.Problem{
				Field: "body", Text: "is not UTF-8 text, the only kind that API Gateway's test accepts",
				Fix: "send it without --test",
			}
	}
	a, err := s.open(ctx, e)
	if err != nil {
		return call.Answer{}, &call.UnsentError{Cause: err}
	}
	resource, err := resourceOf(ctx, a, api.ID, route.Resource)
	if err != nil {
		return call.Answer{}, &call.UnsentError{Cause: err}
	}
	if resource == "" {
		return call.Answer{}, &model.Problem{
			Of:   model.Ref{Kind: model.KindAPI, Name: label},
			Text: "has no resource " + phrase.Quote(route.Resource) + " in AWS, although this machine pushed it",
			Fix:  "see what is deployed with: gatewright status --env " + model.ShellWord(e.Name),
		}
	}
	return invoke(ctx, a, api.ID, resource, r)
}

// invoke has the test done. It runs the function, so that it is not repeated.
func invoke(ctx context.Context, a *account.Account, id, resource string, r call.Request) (call.Answer, error) {
	target := r.Path
	if r.Query != "" {
		target += "?" + r.Query
	}
	headers := r.Headers
	if headers == nil {
		headers = http.Header{}
	}
	in := map[string]any{"pathWithQueryString": target, "body": string(r.Body), "multiValueHeaders": headers}
	var out struct {
		Status            int
		Body, Log         string
		Headers           map[string]string
		MultiValueHeaders map[string][]string
		// Latency is in milliseconds.
		Latency int64
	}
	began := time.Now()
	err := a.Send(ctx, account.APIs, account.Call{
		Operation: "TestInvokeMethod", Method: http.MethodPost, Input: in, Once: true,
		Path: "/restapis/" + url.PathEscape(id) + "/resources/" + url.PathEscape(resource) + "/methods/" +
			url.PathEscape(r.Method),
	}, &out)
	switch {
	case err != nil && !isRefusal(err):
		return call.Answer{Latency: time.Since(began)}, &call.SentError{Cause: err}
	case err != nil:
		return call.Answer{}, &call.UnsentError{Cause: err}
	}
	answer := call.Answer{
		Status: out.Status, Latency: time.Duration(out.Latency) * time.Millisecond,
		Headers: http.Header{}, Body: []byte(out.Body),
	}
	for name, value := range out.Headers {
		answer.Headers[name] = []string{value}
	}
	for name, values := range out.MultiValueHeaders {
		answer.Headers[name] = values
	}
	for line := range strings.Lines(out.Log) {
		answer.Log = append(answer.Log, prose.Printable(strings.TrimRight(line, "\r\n")))
	}
	const begins = "Execution log for request "
	if len(answer.Log) > 0 {
		if request, is := strings.CutPrefix(answer.Log[0], begins); is {
			answer.RequestID = request
		}
	}
	return answer, nil
}

// isRefusal reports whether AWS answered that it did not do what it was asked for.
func isRefusal(err error) bool {
	answer, is := errors.AsType[smithy.APIError](err)
	return is && answer.ErrorFault() == smithy.FaultClient
}

// resourceOf finds the id of a resource by its path, such as /books/{proxy+}; "" if there is none
// (https://docs.aws.amazon.com/apigateway/latest/api/API_GetResources.html).
func resourceOf(ctx context.Context, a *account.Account, id, path string) (string, error) {
	query := url.Values{"limit": {"500"}}
	var seen []string
	for {
		var page struct {
			Item     []struct{ ID, Path string }
			Position string
		}
		err := a.Send(ctx, account.APIs,
			account.Call{
				Operation: "GetResources", Method: http.MethodGet,
				Path: "/restapis/" + url.PathEscape(id) + "/resources", Query: query,
			}, &page)
		if err != nil {
			return "", err
		}
		for _, resource := range page.Item {
			if resource.Path == path {
				return resource.ID, nil
			}
		}
		if page.Position == "" || slices.Contains(seen, page.Position) {
			return "", nil
		}
		seen = append(seen, page.Position)
		query.Set("position", page.Position)
	}
}
