package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"gatewright/model"
	"gatewright/sandbox/function"
)

// documentedFields are the fields of the test's event in the Amplify CLI's documentation, by
// pointer, and whether they may be null.
var documentedFields = map[string]bool{
	"resource": false, "path": false, "httpMethod": false, "headers": true, "multiValueHeaders": true,
	"queryStringParameters": true, "multiValueQueryStringParameters": false, "pathParameters": true, "stageVariables": true,
	"requestContext": false, "requestContext/resourcePath": false, "requestContext/httpMethod": false, "requestContext/requestTime": false,
	"requestContext/path": false, "requestContext/accountId": false, "requestContext/protocol": false, "requestContext/stage": false,
	"requestContext/domainPrefix": false, "requestContext/requestTimeEpoch": false, "requestContext/requestId": false, "requestContext/identity": false,
	"requestContext/identity/cognitoIdentityPoolId": true, "requestContext/identity/cognitoIdentityId": true, "requestContext/identity/apiKey": true,
	"requestContext/identity/principalOrgId": true, "requestContext/identity/cognitoAuthenticationType": true,
	"requestContext/identity/userArn": true, "requestContext/identity/apiKeyId": true, "requestContext/identity/userAgent": true,
}

func TestTheConsolesEventHasEveryDocumentedField(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 21, 10, 11, 12, 0, time.UTC)
	data, err := ConsoleEvent(shop(), Request{Method: "GET", Path: "/items"}, at)
	if err != nil {
		t.Fatal(err)
	}
	var event map[string]any
	if err := json.Unmarshal(data, &event); err != nil {
		t.Fatal(err)
	}
	for pointer, nullable := range documentedFields {
		var value any = event
		for key := range strings.SplitSeq(pointer, "/") {
			object, _ := value.(map[string]any)
			var found bool
			if value, found = object[key]; !found {
				t.Errorf("%s is missing", pointer)
			}
		}
		if value == nil && !nullable {
			t.Errorf("%s is null", pointer)
		}
	}
	context, _ := event["requestContext"].(map[string]any)
	identity, _ := context["identity"].(map[string]any)
	for name, want := range map[string]any{
		"path": "/items", "resourcePath": "/items", "stage": "test-invoke-stage", "domainPrefix": "testPrefix", "protocol": "HTTP/1.1",
		"requestTime": "21/Nov/2026:10:11:12 +0000", "requestTimeEpoch": 1795255872000.0, "accountId": testAccount,
	} {
		if context[name] != want {
			t.Errorf("%s is %v", name, context[name])
		}
	}
	if identity["apiKey"] != "test-invoke-api-key" || identity["apiKeyId"] != "test-invoke-api-key-id" {
		t.Errorf("%v", identity)
	}
	for _, name := range []string{"headers", "multiValueHeaders", "queryStringParameters", "pathParameters", "stageVariables", "body"} {
		if event[name] != nil {
			t.Errorf("%s is %v", name, event[name])
		}
	}
	if !reflect.DeepEqual(event["multiValueQueryStringParameters"], map[string]any{}) {
		t.Errorf("%v", event["multiValueQueryStringParameters"])
	}
}

func TestTheConsolesEventOfAWholeRequest(t *testing.T) {
	t.Parallel()
	data, err := ConsoleEvent(shop(), Request{
		Method: "POST", Path: "/book/1%202/x?a=1", Query: "?limit=10&limit=20", Headers: http.Header{"x-a": {"1", "2"}}, Body: []byte(`{"a":1}`),
	}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	var e struct {
		Resource, Path, HTTPMethod, Body string
		Headers, QueryStringParameters   map[string]string
		MultiValueHeaders                map[string][]string
		PathParameters                   map[string]string
	}
	if err := json.Unmarshal(data, &e); err != nil {
		t.Fatal(err)
	}
	if e.Resource != "/book/{isbn}/{proxy+}" || e.Path != "/book/1%202/x" || e.HTTPMethod != "POST" || e.Body != `{"a":1}` ||
		!reflect.DeepEqual(e.QueryStringParameters, map[string]string{"a": "1", "limit": "20"}) ||
		!reflect.DeepEqual(e.Headers, map[string]string{"x-a": "2"}) || !reflect.DeepEqual(e.MultiValueHeaders, map[string][]string{"x-a": {"1", "2"}}) ||
		!reflect.DeepEqual(e.PathParameters, map[string]string{"isbn": "1%202", "proxy": "x"}) {
		t.Errorf("%+v", e)
	}
}

func TestEventsCanBeMadeForUnknownPaths(t *testing.T) {
	t.Parallel()
	data, err := ConsoleEvent(API{}, Request{Method: "GET", Path: "/item"}, time.Now())
	if err != nil || !strings.Contains(string(data), `"resource":"/item"`) || !json.Valid(data) {
		t.Errorf("%s, %v", data, err)
	}
	for _, r := range []Request{{Method: "BREW", Path: "/"}, {Method: "GET", Path: "items"}, {}} {
		if _, err := ConsoleEvent(shop(), r, time.Now()); !errors.As(err, new(*model.Problem)) {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

// recordedLog is the execution log of API Gateway from LocalStack's recordings
// (test_apigateway_basic.snapshot.json); the parts that differ are patterns.
var recordedLog = []string{
	`Execution log for request ID`,
	`AT : Starting execution for request: ID`,
	`AT : HTTP Method: GET, Resource Path: /items`,
	`AT : Method request path: {}`,
	`AT : Method request query string: {queryTest=value}`,
	`AT : Method request headers: {content-type=application/json}`,
	`AT : Method request body before transformations: {"test": "val123"}`,
	`AT : Endpoint request URI: https://lambda.eu-west-1.amazonaws.com/2015-03-31/functions/arn:aws:lambda:eu-west-1:123456789012:function:items/invocations`,
	`AT : Endpoint request headers: {x-amzn-lambda-integration-tag=ID, Authorization=[*]+, X-Amz-Date=20261121T101112Z, x-amzn-apigateway-api-id=` + testID + `, Accept=application/json, User-Agent=AmazonAPIGateway_` + testID + `, X-Amz-Security-Token=[*]+ [[]TRUNCATED]`,
	`AT : Endpoint request body after transformations: {"resource":"/items",.*`,
	`AT : Sending request to https://lambda.eu-west-1.amazonaws.com/2015-03-31/functions/arn:aws:lambda:eu-west-1:123456789012:function:items/invocations`,
	`AT : Received response. Status: 200, Integration latency: [0-9]+ ms`,
	`AT : Endpoint response headers: {Date=Sat, 21 Nov 2026 10:11:12 GMT, Content-Type=application/json, Content-Length=[0-9]+, Connection=keep-alive, x-amzn-RequestId=ID, x-amzn-Remapped-Content-Length=0, X-Amz-Executed-Version=[$]LATEST, X-Amzn-Trace-Id=TRACE}`,
	`AT : Endpoint response body before transformations: {"statusCode":201,"body":"a\\nb","headers":{"x-a":"b"}}`,
	`AT : Method response body after transformations: a\\nb`,
	`AT : Method response headers: {X-Amzn-Trace-Id=TRACE, Content-Type=application/json, x-a=b}`,
	`AT : Successfully completed execution`,
	`AT : Method completed with status: 201`,
}

func TestTheExecutionLogIsTheRecordedOne(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), returns(`{"statusCode":201,"body":"a\nb","headers":{"x-a":"b"}}`), nil)
	got, err := r.gateway.Test(context.Background(), Request{
		Environment: "dev", Label: "shop", Method: "GET", Path: "/items", Query: "queryTest=value",
		Headers: http.Header{"content-type": {"application/json"}}, Body: []byte(`{"test": "val123"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, recordedLog)
	if got.Status != 201 || got.Body != "a\nb" || !reflect.DeepEqual(got.Headers["x-a"], []string{"b"}) || len(got.Headers) != 3 || !json.Valid(got.Event) {
		t.Errorf("%+v", got)
	}
}

// same compares a log with the recorded one.
func same(t *testing.T, got Test, recorded []string) {
	t.Helper()
	if len(got.Log) != len(recorded) {
		t.Fatalf("%d lines, not %d:\n%s", len(got.Log), len(recorded), strings.Join(got.Log, "\n"))
	}
	for i, want := range recorded {
		want = strings.NewReplacer("{", "[{]", "}", "[}]", "AT", "Sat Nov 21 10:11:12 UTC 2026", "LATEST", "LATEST").Replace(want)
		want = strings.NewReplacer("ID", regexp.QuoteMeta(got.RequestID), "TRACE", "Root=[^ ]+").Replace(strings.ReplaceAll(want, "TRUNCSat Nov 21 10:11:12 UTC 2026ED", "TRUNCATED"))
		if !regexp.MustCompile("^" + want + "$").MatchString(got.Log[i]) {
			t.Errorf("line %d is\n%s\nand not\n%s", i, got.Log[i], want)
		}
	}
}

func TestTheConsolesTestDoesNotCheckAccess(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), returns(`{"body":"in"}`), nil)
	got, err := r.gateway.Test(context.Background(), Request{Environment: "dev", Label: "shop", Method: "GET", Path: "/secret/x"})
	if err != nil || got.Status != 200 || got.Body != "in" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestTheConsolesTestOfOPTIONSCallsNoFunction(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), never(t), nil)
	got, err := r.gateway.Test(context.Background(), Request{Environment: "dev", Label: "shop", Method: "OPTIONS", Path: "/items"})
	if err != nil || got.Status != 200 || got.Headers["Access-Control-Allow-Methods"] == nil || got.Event != nil {
		t.Errorf("%+v, %v", got, err)
	}
	if last := got.Log[len(got.Log)-1]; !strings.HasSuffix(last, "Method completed with status: 200") {
		t.Error(last)
	}
}

func TestTheConsolesTestExplainsFailures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		invoker handler
		status  int
		line    string
	}{
		{"a bad result", returns(`{"foo":1}`), 502, "Execution failed due to configuration error: Malformed Lambda proxy response"},
		{"an error", func(context.Context, function.Call) (function.Answer, error) {
			return function.Answer{Failed: true, RequestID: "r", Payload: []byte(`{"errorMessage":"no"}`)}, nil
		}, 502, "Lambda execution failed with status 200 due to customer function error: no. Lambda request id: r"},
		{"a crash", func(context.Context, function.Call) (function.Answer, error) {
			return function.Answer{}, &function.Error{Kind: function.Crashed, Function: "items", Text: "crashed", CloudText: "ID Error: Runtime exited with error: exit status 3"}
		}, 502, "Lambda execution failed with status 200 due to customer function error: ID Error: Runtime exited with error: exit status 3"},
		{"the gateway's time", func(ctx context.Context, _ function.Call) (function.Answer, error) {
			<-ctx.Done()
			return function.Answer{}, ctx.Err()
		}, 504, "Execution failed due to a timeout error"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := start(t, shop(), c.invoker, func(g *Gateway) { g.limits.integration = 20 * time.Millisecond })
			got, err := r.gateway.Test(context.Background(), Request{Environment: "dev", Label: "shop", Method: "GET", Path: "/items"})
			if err != nil || got.Status != c.status {
				t.Fatalf("%+v, %v", got, err)
			}
			if n := len(got.Log); !strings.HasSuffix(got.Log[n-2], " : "+c.line) || !strings.HasSuffix(got.Log[n-1], " : Method completed with status: "+itoa(c.status)) {
				t.Errorf("%s", strings.Join(got.Log, "\n"))
			}
			r.logged("test of GET /items " + itoa(c.status))
		})
	}
}

func TestTheExecutionLogHasNoSecret(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), handler(func(context.Context, function.Call) (function.Answer, error) {
		return function.Answer{Failed: true, RequestID: "r", Payload: []byte(`{"errorMessage":"key is tell-nobody"}`)}, nil
	}), nil)
	r.logs.Redact([]string{"tell-nobody"})
	got, err := r.gateway.Test(context.Background(), Request{Environment: "dev", Label: "shop", Method: "GET", Path: "/items"})
	if err != nil {
		t.Fatal(err)
	}
	if log := strings.Join(got.Log, "\n"); strings.Contains(log, "tell-nobody") || strings.Count(log, "key is <redacted>") != 2 {
		t.Errorf("%s", log)
	}
}

func TestACancelledTestIsNotATimeout(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	r := start(t, shop(), handler(func(inner context.Context, _ function.Call) (function.Answer, error) {
		cancel()
		<-inner.Done()
		return function.Answer{}, inner.Err()
	}), nil)
	if _, err := r.gateway.Test(ctx, Request{Environment: "dev", Label: "shop", Method: "GET", Path: "/items"}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestRequestsThatCannotBeTestedAreProblems(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), never(t), nil)
	for want, q := range map[string]Request{
		"API shop: is not served in environment prod; name an API of that environment": {Environment: "prod", Label: "shop", Method: "GET", Path: "/items"},
		"API shop: no path serves /nowhere; add one, or correct the path":              {Environment: "dev", Label: "shop", Method: "GET", Path: "/nowhere"},
		"method: BREW is not a method of an API; use one of DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT": {
			Environment: "dev", Label: "shop", Method: "BREW", Path: "/items",
		},
	} {
		if _, err := r.gateway.Test(context.Background(), q); !errors.As(err, new(*model.Problem)) || err.Error() != want {
			t.Errorf("%v", err)
		}
	}
}
