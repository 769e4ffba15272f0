package gateway

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"gatewright/sandbox/function"
)

// eventOf sends a request to an API and returns the event that its function gets.
func eventOf(t *testing.T, api API, request string) deployedEvent {
	t.Helper()
	r := start(t, api, handler(echo), nil)
	method, _, _ := strings.Cut(request, " ")
	answer := r.raw(method, request)
	if answer.status != 200 {
		t.Fatalf("%.80q: %d %s\n%s", request, answer.status, answer.body, r.logText(".gateway"))
	}
	var e deployedEvent
	strict(t, []byte(answer.body), &e)
	return e
}

func TestPathsArriveAsRecorded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, target                         string
		path, fullPath, proxy, resourceWords string
	}{
		{"a plain one", "/ID/dev/proxy-value", "/proxy-value", "/dev/proxy-value", "proxy-value", "/{proxy+}"},
		{"a trailing slash is kept, but not in proxy", "/ID/dev/proxy-value/", "/proxy-value/", "/dev/proxy-value/", "proxy-value", "/{proxy+}"},
		{"an inner double slash is kept", "/ID/dev/proxy-value//double-slash", "/proxy-value//double-slash", "/dev/proxy-value//double-slash", "proxy-value//double-slash", "/{proxy+}"},
		{"a slash before the stage is ignored", "/ID//dev/proxy-value", "/proxy-value", "/dev/proxy-value", "proxy-value", "/{proxy+}"},
		{"a slash after it is kept in the context only", "/ID/dev//proxy-value", "/proxy-value", "/dev//proxy-value", "proxy-value", "/{proxy+}"},
		{"a static path has no parameters", "/ID/dev//hardcoded", "/hardcoded", "/dev//hardcoded", "", "/hardcoded"},
		{
			"percent-encoding is kept", "/ID/dev/proxy-value/api/user/test%2Balias@gmail.com/plus/test+alias@gmail.com",
			"/proxy-value/api/user/test%2Balias@gmail.com/plus/test+alias@gmail.com", "/dev/proxy-value/api/user/test%2Balias@gmail.com/plus/test+alias@gmail.com",
			"proxy-value/api/user/test%2Balias@gmail.com/plus/test+alias@gmail.com", "/{proxy+}",
		},
		{"the root", "/ID/dev/", "/", "/dev/", "", "/"},
		{"the root without its slash", "/ID/dev", "/", "/dev", "", "/"},
		{"relative segments are kept", "/ID/dev/a/../b/./c", "/a/../b/./c", "/dev/a/../b/./c", "a/../b/./c", "/{proxy+}"},
		{"the form for proxies", "http://127.0.0.1/ID/dev/x", "/x", "/dev/x", "x", "/{proxy+}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := eventOf(t, proxyAPI(), request("GET", strings.ReplaceAll(c.target, "ID", testID), ""))
			if e.Path != c.path || e.RequestContext.Path != c.fullPath || e.Resource != c.resourceWords || e.RequestContext.ResourcePath != c.resourceWords {
				t.Errorf("path %q, context path %q, resource %q and %q", e.Path, e.RequestContext.Path, e.Resource, e.RequestContext.ResourcePath)
			}
			if c.proxy == "" && e.PathParameters != nil || c.proxy != "" && !reflect.DeepEqual(e.PathParameters, map[string]string{"proxy": c.proxy}) {
				t.Errorf("path parameters %v", e.PathParameters)
			}
		})
	}
}

func TestAnEmptyRequestHasTheRecordedNulls(t *testing.T) {
	t.Parallel()
	e := eventOf(t, proxyAPI(), request("GET", "/"+testID+"/dev/hardcoded", ""))
	if e.QueryStringParameters != nil || e.MultiValueQueryStringParameters != nil || e.PathParameters != nil || e.StageVariables != nil || e.Body != nil || e.IsBase64Encoded {
		t.Errorf("%+v", e)
	}
	i := e.RequestContext.Identity
	if i.SourceIP != "127.0.0.1" {
		t.Errorf("source address %q", i.SourceIP)
	}
	i.SourceIP = ""
	if i != (deployedIdentity{}) {
		t.Errorf("an identity of an open path is %+v", i)
	}
}

func TestAnEmptyValueIsNotNull(t *testing.T) {
	t.Parallel()
	e := eventOf(t, proxyAPI(), request("POST", "/"+testID+"/dev/x?a=&b&=c", ""))
	if want := map[string]string{"a": "", "b": "", "": "c"}; !reflect.DeepEqual(e.QueryStringParameters, want) {
		t.Errorf("%v", e.QueryStringParameters)
	}
}

func TestQueriesArriveAsRecorded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, query string
		single      map[string]string
		multi       map[string][]string
	}{
		{"one", "urlparam=test", map[string]string{"urlparam": "test"}, map[string][]string{"urlparam": {"test"}}},
		{
			"encodings", "dateTimeOffset=2023-06-12T18:05:10.123456+00:00&email=test%2Balias@gmail.com&plus=test+alias@gmail.com&url=https://www.google.com/&whitespace=foo%20bar&zhash=abort/",
			map[string]string{
				"dateTimeOffset": "2023-06-12T18:05:10.123456 00:00", "email": "test+alias@gmail.com", "plus": "test alias@gmail.com",
				"url": "https://www.google.com/", "whitespace": "foo bar", "zhash": "abort/",
			},
			nil,
		},
		{
			"the last of several", "category=electronics&category=books&price=10&price=20&price=30",
			map[string]string{"category": "books", "price": "30"},
			map[string][]string{"category": {"electronics", "books"}, "price": {"10", "20", "30"}},
		},
		{"a semicolon divides", "a=1;b=2&c=3%3B4;d", map[string]string{"a": "1", "b": "2", "c": "3;4", "d": ""}, nil},
		{"a percent sign without an escape", "a=100%&b=%zz&c=%4", map[string]string{"a": "100%", "b": "%zz", "c": "%4"}, nil},
		{"a second equals sign", "a=b&e=f=g", map[string]string{"a": "b", "e": "f=g"}, nil},
		{"letters beyond ASCII", "n%C3%A4me=%E2%82%AC", map[string]string{"näme": "€"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := eventOf(t, proxyAPI(), request("GET", "/"+testID+"/dev/x?"+c.query, ""))
			if !reflect.DeepEqual(e.QueryStringParameters, c.single) {
				t.Errorf("%v", e.QueryStringParameters)
			}
			if c.multi != nil && !reflect.DeepEqual(e.MultiValueQueryStringParameters, c.multi) {
				t.Errorf("%v", e.MultiValueQueryStringParameters)
			}
			if len(e.MultiValueQueryStringParameters) != len(c.single) {
				t.Errorf("%v", e.MultiValueQueryStringParameters)
			}
		})
	}
}

func TestHeadersArriveAsRecorded(t *testing.T) {
	t.Parallel()
	e := eventOf(t, proxyAPI(), "PUT /"+testID+"/dev/x HTTP/1.1\r\nhost: a.example\r\ntEsT-HEADeR: aValUE\r\nauthorization: random-value\r\nuser-agent: testing\r\n"+
		"accept-encoding: gzip, deflate\r\nx-multi: one\r\nX-Other: 1\r\nx-multi: two\r\nX-Latin: \xe9\r\nx-forwarded-for: 10.1.2.3\r\nx-forwarded-proto: https\r\n"+
		"CONNECTION: keep-alive\r\nContent-MD5: x\r\nMax-Forwards: 1\r\nProxy-Authenticate: x\r\nServer: x\r\nTE: trailers\r\nUpgrade: x\r\nWWW-Authenticate: x\r\ncontent-length: 2\r\n\r\nok")
	want := map[string][]string{
		"Host": {"a.example"}, "tEsT-HEADeR": {"aValUE"}, "Authorization": {"random-value"}, "User-Agent": {"testing"},
		"accept-encoding": {"gzip, deflate"}, "x-multi": {"one", "two"}, "X-Other": {"1"}, "X-Latin": {"é"},
		"X-Forwarded-For": {"10.1.2.3, 127.0.0.1"}, "X-Forwarded-Proto": {"http"},
	}
	for name, values := range want {
		if got := e.MultiValueHeaders[name]; !reflect.DeepEqual(got, values) {
			t.Errorf("%s is %q, not %q", name, got, values)
		}
		if got := e.Headers[name]; got != values[len(values)-1] {
			t.Errorf("%s is %q alone", name, got)
		}
	}
	if root := e.Headers["X-Amzn-Trace-Id"]; !strings.HasPrefix(root, "Root=1-") || len(root) != len("Root=1-6920305f-0123456789abcdef01234567") {
		t.Errorf("trace %q", root)
	}
	if e.Headers["X-Forwarded-Port"] == "" {
		t.Error("no port")
	}
	if extra := len(e.Headers) - len(want) - 2; extra != 0 || len(e.MultiValueHeaders) != len(e.Headers) {
		t.Errorf("%d headers too many: %v", extra, e.Headers)
	}
	if agent := e.RequestContext.Identity.UserAgent; agent == nil || *agent != "testing" {
		t.Errorf("user agent %v", agent)
	}
	if *e.Body != "ok" {
		t.Errorf("body %q", *e.Body)
	}
}

func TestTheClientsTraceIsContinued(t *testing.T) {
	t.Parallel()
	r := start(t, proxyAPI(), handler(echo), nil)
	answer := r.call("GET", "/x", "", "x-amzn-trace-id: Root=1-6920305f-0123456789abcdef01234567;Parent=53995c3f42cd8ad8;Sampled=1")
	var e deployedEvent
	strict(t, []byte(answer.body), &e)
	if got := e.Headers["X-Amzn-Trace-Id"]; got != "Root=1-6920305f-0123456789abcdef01234567;Parent=53995c3f42cd8ad8;Sampled=1" {
		t.Errorf("the function sees %q", got)
	}
	if got := answer.get("X-Amzn-Trace-Id"); !strings.HasPrefix(got, "Root=1-6920305f-0123456789abcdef01234567;Parent=") {
		t.Errorf("the client sees %q", got)
	}
}

func TestTheContextOfARequest(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), handler(echo), nil)
	var first, second deployedEvent
	answer := r.call("GET", "/book/12%2F3", "")
	strict(t, []byte(answer.body), &first)
	strict(t, []byte(r.call("POST", "/book/4", "{}").body), &second)
	c := first.RequestContext
	if c.AccountID != testAccount || c.APIID != testID || c.DomainPrefix != testID || c.Stage != "dev" || c.Protocol != "HTTP/1.1" || c.HTTPMethod != "GET" || first.HTTPMethod != "GET" {
		t.Errorf("%+v", c)
	}
	if c.RequestTime != "21/Nov/2026:10:11:12 +0000" || c.RequestTimeEpoch != 1795255872123 {
		t.Errorf("time %s, %d", c.RequestTime, c.RequestTimeEpoch)
	}
	_, port, _ := strings.Cut(r.address, ":")
	if c.DomainName != testID+".localhost:"+port {
		t.Errorf("domain %s", c.DomainName)
	}
	if c.RequestID != answer.get("x-amzn-RequestId") || c.ExtendedRequestID != answer.get("x-amz-apigw-id") || len(c.RequestID) != 36 || len(c.ExtendedRequestID) != 16 {
		t.Errorf("ids %q %q, the client has %q %q", c.RequestID, c.ExtendedRequestID, answer.get("x-amzn-RequestId"), answer.get("x-amz-apigw-id"))
	}
	if first.PathParameters["isbn"] != "12%2F3" {
		t.Errorf("parameters %v", first.PathParameters)
	}
	other := second.RequestContext
	if c.ResourceID != other.ResourceID || c.DeploymentID != other.DeploymentID || c.ResourceID == "" || c.DeploymentID == "" {
		t.Errorf("resource %q and %q, deployment %q and %q", c.ResourceID, other.ResourceID, c.DeploymentID, other.DeploymentID)
	}
	if c.RequestID == other.RequestID || c.ExtendedRequestID == other.ExtendedRequestID {
		t.Error("two requests have one id")
	}
	again := newServed(shop())
	if id := again.resourceID("/book/{isbn}"); id != c.ResourceID || id == again.resourceID("/items") {
		t.Errorf("the resource's id is %s the next time", id)
	}
}

func TestAFunctionIsCalledWithTheRequestsID(t *testing.T) {
	t.Parallel()
	var got function.Call
	r := start(t, shop(), handler(func(_ context.Context, c function.Call) (function.Answer, error) {
		got = c
		return function.Answer{Payload: []byte(`{}`)}, nil
	}), nil)
	answer := r.call("GET", "/items", "")
	if got.RequestID != answer.get("x-amzn-RequestId") || got.Environment != "dev" || got.Function != "items" || got.Timeout != 0 {
		t.Errorf("%+v", got)
	}
}

func TestBinaryBodiesAreBase64AndLoggedOnce(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), handler(echo), nil)
	for range 2 {
		var e deployedEvent
		strict(t, []byte(r.call("POST", "/items", "\xff\x00\xfe").body), &e)
		if !e.IsBase64Encoded || *e.Body != "/wD+" {
			t.Errorf("%v %q", e.IsBase64Encoded, *e.Body)
		}
	}
	if n := strings.Count(r.logText(".gateway"), "is not UTF-8"); n != 1 {
		t.Errorf("it was logged %d times:\n%s", n, r.logText(".gateway"))
	}
}

func TestAnAPIIsServedUnderItsOwnHost(t *testing.T) {
	t.Parallel()
	for _, host := range []string{testID + ".localhost:4280", testID + ".localhost", strings.ToUpper(testID) + ".LOCALHOST:1"} {
		e := eventOf(t, proxyAPI(), "GET /dev/x//y?q=1 HTTP/1.1\r\nHost: "+host+"\r\n\r\n")
		if e.Path != "/x//y" || e.RequestContext.Path != "/dev/x//y" || e.RequestContext.DomainName != host || e.Headers["Host"] != host {
			t.Errorf("%s: %+v", host, e)
		}
	}
}
