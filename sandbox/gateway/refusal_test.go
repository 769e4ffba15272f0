package gateway

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"gatewright/model/access"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
)

// never is an Invoker that fails the test when it is called.
func never(t *testing.T) handler {
	return func(_ context.Context, c function.Call) (function.Answer, error) {
		t.Errorf("function %s was called", c.Function)
		return function.Answer{Payload: []byte(`{}`)}, nil
	}
}

func TestRefusalsAreAnsweredAsRecorded(t *testing.T) {
	t.Parallel()
	const (
		noToken   = `{"message":"Missing Authentication Token"}`
		tokenKind = "MissingAuthenticationTokenException"
		arn       = "arn:aws:execute-api:eu-west-1:********9012:" + testID + "/dev/"
		denied    = `{"Message":"User: anonymous is not authorized to perform: execute-api:Invoke on resource: ` + arn
	)
	for _, c := range []struct {
		name, method, target string
		status               int
		body, kind, why      string
	}{
		{"an unknown path", "GET", "/ID/dev/nowhere", 403, noToken, tokenKind, "GET /dev/nowhere 403: no path of the API shop serves /nowhere; "},
		{"an unknown method", "BREW", "/ID/dev/items", 403, noToken, tokenKind, "BREW /dev/items 403: the method BREW is not a method of an API; use one of DELETE, GET"},
		{"a method in lower case", "get", "/ID/dev/items", 403, noToken, tokenKind, "the method get is not a method of an API"},
		{"a part of a path", "GET", "/ID/dev/item", 403, noToken, tokenKind, "serves /item"},
		{"the root, where there is none", "GET", "/ID/dev", 403, noToken, tokenKind, "serves /;"},
		{"OPTIONS of an unknown path", "OPTIONS", "/ID/dev/nowhere", 403, noToken, tokenKind, "OPTIONS /dev/nowhere 403"},
		{"another stage", "GET", "/ID/prod/items", 403, `{"message":"Forbidden"}`, "ForbiddenException", "GET /prod/items 403: the API shop has no stage prod; its only stage is dev"},
		{"no stage", "GET", "/ID", 403, `{"message":"Forbidden"}`, "ForbiddenException", `has no stage ""`},
		{"OPTIONS of another stage", "OPTIONS", "/ID/prod/items", 403, `{"message":"Forbidden"}`, "ForbiddenException", "no stage prod"},
		{"a path for signed-in users", "GET", "/ID/dev/secret/x", 403, denied + `GET/secret/x"}`, "AccessDeniedException", "GET /dev/secret/x 403: guests may not read under /secret (no credentials sent); sign in, or make /secret protected and let guests read there"},
		{"a path for guests too", "DELETE", "/ID/dev/porch?a=%3C&b", 403, denied + `DELETE/porch"}`, "AccessDeniedException", "guests may not delete under /porch (no credentials sent); let guests delete under /porch"},
		{"an unknown API", "GET", "/zzz/dev/items", 404, `{"message":"No API has this address: it is /<api id>/<environment>/<path>"}`, "NotFoundException", "no API has the id zzz"},
		{"no API", "GET", "/", 404, `{"message":"No API has this address: it is /<api id>/<environment>/<path>"}`, "NotFoundException", `no API has the id ""`},
		{"the server as a whole", "OPTIONS", "*", 404, `{"message":"No API has this address: it is /<api id>/<environment>/<path>"}`, "NotFoundException", `no API has the id ""`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := start(t, shop(), never(t), nil)
			answer := r.raw(c.method, request(c.method, strings.Replace(c.target, "ID", testID, 1), "", "X-Amz-Signature: x"))
			if answer.status != c.status || answer.body != c.body || answer.get("x-amzn-ErrorType") != c.kind || answer.get("Content-Type") != "application/json" {
				t.Errorf("%d %s %s", answer.status, answer.body, answer.get("x-amzn-ErrorType"))
			}
			carriesIDs(t, answer)
			letsPagesRead(t, answer)
			r.logged(c.why)
			lines := r.logs.Read(logs.Query{Function: logs.Gateway})
			if len(lines) != 1 || lines[0].Request != answer.get("x-amzn-RequestId") || !lines[0].Time.Equal(r.now) {
				t.Errorf("the log has %v", lines)
			}
			if strings.Contains(answer.body, "shop") || strings.Contains(answer.body, "guests") {
				t.Error("the answer discloses the rules or the label")
			}
		})
	}
}

// letsPagesRead fails unless an answer has the CORS headers of a refusal.
func letsPagesRead(t *testing.T, answer reply) {
	t.Helper()
	for name, value := range map[string]string{
		"Access-Control-Allow-Origin":   "*",
		"Access-Control-Allow-Headers":  "Content-Type,X-Amz-Date,Authorization,X-Api-Key,X-Amz-Security-Token",
		"Access-Control-Allow-Methods":  "DELETE,GET,HEAD,OPTIONS,PATCH,POST,PUT",
		"Access-Control-Expose-Headers": "Date,X-Amzn-ErrorType",
	} {
		if answer.get(name) != value {
			t.Errorf("%s is %q", name, answer.get(name))
		}
	}
}

func TestPreflightsAreAnsweredWithoutTheFunction(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/items", "/items/1/2", "/secret", "/lobby/x"} {
		r := start(t, shop(), never(t), nil)
		answer := r.call("OPTIONS", path, "", "Origin: https://example.com", "Access-Control-Request-Method: PUT")
		if answer.status != 200 || answer.body != "" {
			t.Errorf("%s: %d %q", path, answer.status, answer.body)
		}
		for name, value := range map[string]string{
			"Access-Control-Allow-Origin":   "*",
			"Access-Control-Allow-Headers":  "Content-Type,X-Amz-Date,Authorization,X-Api-Key,X-Amz-Security-Token,X-Amz-User-Agent",
			"Access-Control-Allow-Methods":  "DELETE,GET,HEAD,OPTIONS,PATCH,POST,PUT",
			"Access-Control-Expose-Headers": "",
			"Content-Type":                  "application/json",
		} {
			if answer.get(name) != value {
				t.Errorf("%s: %s is %q", path, name, answer.get(name))
			}
		}
		carriesIDs(t, answer)
	}
}

func TestUnsignedRequestsAreRefusedWhereSignaturesAreRequired(t *testing.T) {
	t.Parallel()
	require := func(g *Gateway) { g.options.RequireSignatures = true }
	r := start(t, shop(), never(t), require)
	for _, c := range []struct {
		path, line, kind string
	}{
		{"/secret", "X: y", "MissingAuthenticationTokenException"},
		{"/lobby", "X: y", "MissingAuthenticationTokenException"},
		{"/secret", "Authorization: AWS4-HMAC-SHA256 x", "IncompleteSignatureException"},
		{"/secret?X-Amz-Signature=1", "X: y", "IncompleteSignatureException"},
		{"/secret", "Authorization: Bearer " + tokenOf("ada", ""), "IncompleteSignatureException"},
		{"/secret", "Authorization: " + tokenOf("ada", ""), "IncompleteSignatureException"},
	} {
		if answer := r.call("GET", c.path, "", c.line); answer.status != 403 || answer.get("x-amzn-ErrorType") != c.kind {
			t.Errorf("%+v: %+v", c, answer)
		}
	}
	r.logged("GET /dev/lobby 403: the path is restricted and the request is not signed; sign it, or run the sandbox without --require-signatures")
	r.logged("GET /dev/secret 403: the path is restricted, and the request has a token instead of a signature; sign it, or run the sandbox without --require-signatures")
	if text := r.logText(logs.Gateway); strings.Contains(text, "Bearer") {
		t.Errorf("the log proposes a token, which is not accepted: %s", text)
	}
}

// Without pools, guests may call what the rules allow guests, and no credentials are
// valid, for every setting, grant and method.
func TestWithoutPoolsOnlyGuestsAreServedRestrictedPaths(t *testing.T) {
	t.Parallel()
	for _, setting := range []access.Setting{access.Private, access.Protected, "", "OPEN", "unheard-of"} {
		for _, kind := range []access.PrincipalKind{access.Guest, access.Authenticated, access.Group} {
			to := access.Principal{Kind: kind}
			if kind == access.Group {
				to.Group = "g"
			}
			api := shop()
			api.Definition = &access.API{Label: "shop", Paths: []*access.Path{{
				Name: "/items", Function: "items",
				Access: access.Access{Setting: setting, Grants: []access.Grant{{To: to, Actions: access.EveryAction}}},
			}}}
			r := start(t, api, returns(`{}`), nil)
			for _, method := range []string{"GET", "POST", "DELETE", "HEAD", "PATCH"} {
				if answer := r.call(method, "/items/1", "", "Authorization: x"); answer.status != 403 {
					t.Errorf("%s %q for %v: %d", method, setting, kind, answer.status)
				}
				if answer := r.call(method, "/items/1", "", "Authorization: Bearer a.b.c"); answer.status != 401 {
					t.Errorf("%s %q for %v with a token: %d", method, setting, kind, answer.status)
				}
				served := setting == access.Protected && kind == access.Guest
				if answer := r.call(method, "/items/1", ""); (answer.status == 200) != served || !served && answer.status != 403 {
					t.Errorf("%s %q for %v, unsigned: %d", method, setting, kind, answer.status)
				}
			}
		}
	}
}

func TestTheLimitsOfSizeAndTime(t *testing.T) {
	t.Parallel()
	small := func(g *Gateway) { g.limits.body, g.limits.payload, g.limits.result = 4000, 2000, 2000 }
	t.Run("a body with a Content-Length that is too long", func(t *testing.T) {
		r := start(t, shop(), never(t), small)
		answer := r.raw("POST", "POST /"+testID+"/dev/items HTTP/1.1\r\nHost: a\r\nContent-Length: 4001\r\nExpect: 100-continue\r\n\r\n")
		tooLongIs(t, r, answer, "POST /dev/items 413: the request's body is larger than 4000 bytes")
	})
	t.Run("a body that is too long in chunks", func(t *testing.T) {
		r := start(t, shop(), never(t), small)
		answer := r.raw("POST", "POST /"+testID+"/dev/items HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"+strings.Repeat("ff\r\n"+strings.Repeat("x", 255)+"\r\n", 16)+"0\r\n\r\n")
		tooLongIs(t, r, answer, "POST /dev/items 413: the request's body is larger than 4000 bytes")
	})
	t.Run("an event that is too long", func(t *testing.T) {
		r := start(t, shop(), never(t), small)
		answer := r.call("POST", "/items", strings.Repeat("x", 3000))
		if answer.status != 413 || answer.body != `{"message": "Request Too Long"}` || answer.get("x-amzn-ErrorType") != "BadRequestException" {
			t.Errorf("%+v", answer)
		}
		r.logged("413: the event for the request is larger than 2000 bytes")
	})
	t.Run("a body of exactly the limit", func(t *testing.T) {
		r := start(t, shop(), handler(echo), func(g *Gateway) { g.limits.body = 4000 })
		if answer := r.call("POST", "/items", strings.Repeat("x", 4000)); answer.status != 200 {
			t.Errorf("%d", answer.status)
		}
	})
	t.Run("a result that is too long", func(t *testing.T) {
		r := start(t, shop(), returns(`{"body":"`+strings.Repeat("x", 2000)+`"}`), small)
		if answer := r.call("GET", "/items", ""); answer.status != 502 || answer.body != internalError {
			t.Errorf("%+v", answer)
		}
		r.logged("GET /dev/items 502: the result of function items is larger than 2000 bytes")
	})
	t.Run("the integration's time", func(t *testing.T) {
		r := start(t, shop(), handler(func(ctx context.Context, c function.Call) (function.Answer, error) {
			<-ctx.Done()
			return function.Answer{}, ctx.Err()
		}), func(g *Gateway) { g.limits.integration = 20 * time.Millisecond })
		answer := r.call("GET", "/items", "")
		if answer.status != http.StatusGatewayTimeout || answer.body != `{"message": "Endpoint request timed out"}` || answer.get("x-amzn-ErrorType") != "InternalServerErrorException" {
			t.Errorf("%+v", answer)
		}
		letsPagesRead(t, answer)
		r.logged("GET /dev/items 504: function items did not respond within the 20ms that the gateway waits")
	})
	if l := cloudLimits(); l.body != 10<<20 || l.payload != 6<<20 || l.result != 6_291_556 || l.integration != 29*time.Second {
		t.Errorf("the limits are %+v", l)
	}
}

func tooLongIs(t *testing.T, r *running, answer reply, why string) {
	t.Helper()
	// As https://github.com/koki-develop/lgtm-generator/issues/10 shows, with its own limit.
	if answer.status != 413 || answer.body != "HTTP content length exceeded 4000 bytes." || answer.get("Content-Type") != "text; charset=utf-8" || answer.get("x-amzn-ErrorType") != "" {
		t.Errorf("%+v", answer)
	}
	r.logged(why)
}

func TestABodyOfTenMegabytesIsRead(t *testing.T) {
	t.Parallel()
	length := 0
	r := start(t, shop(), handler(func(_ context.Context, c function.Call) (function.Answer, error) {
		length = len(c.Body.Into(c.Payload))
		return function.Answer{Payload: []byte(`{}`)}, nil
	}), func(g *Gateway) { g.limits.payload = 11 << 20 })
	if answer := r.call("PUT", "/items", strings.Repeat("x", 10<<20)); answer.status != 200 || length < 10<<20 {
		t.Errorf("%d, %d bytes", answer.status, length)
	}
}

func TestAnAnswerOfSixMegabytesArrives(t *testing.T) {
	t.Parallel()
	const around, most = len(`{"body":""}`), 6_291_556
	body := strings.Repeat("x", most-around)
	r := start(t, shop(), returns(`{"body":"`+body+`"}`), nil)
	if answer := r.call("GET", "/items", ""); answer.status != 200 || answer.body != body {
		t.Errorf("%d, %d bytes", answer.status, len(answer.body))
	}
	r = start(t, shop(), returns(`{"body":"x`+body+`"}`), nil)
	if answer := r.call("GET", "/items", ""); answer.status != 502 || answer.body != internalError {
		t.Errorf("a byte more: %d, %.50s", answer.status, answer.body)
	}
}

func TestServicesAreServedBesideTheAPIs(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), returns(`{}`), nil)
	r.gateway.Handle("/_gatewright/", http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		_, _ = io.WriteString(w, "service "+q.URL.Path)
	}))
	if answer := r.raw("GET", request("GET", "/_gatewright/logs?x=1", "")); answer.status != 200 || answer.body != "service /_gatewright/logs" {
		t.Errorf("%+v", answer)
	}
	for _, target := range []string{"//_gatewright/logs", "/x/../_gatewright/logs", "/%5fgatewright/logs", "/_gatewright"} {
		if answer := r.raw("GET", request("GET", target, "")); answer.status != 404 {
			t.Errorf("%s: %+v", target, answer)
		}
	}
	r.gateway.Handle("Tables_1.", http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		_, _ = io.Copy(w, q.Body)
	}))
	if answer := r.raw("POST", request("POST", "/", "{}", "x-amz-target: Tables_1.List")); answer.status != 200 || answer.body != "{}" {
		t.Errorf("by its target: %+v", answer)
	}
	for _, line := range []string{"X-Amz-Target: Other_1.List", "X-Amz: Tables_1.List"} {
		if answer := r.raw("POST", request("POST", "/", "{}", line)); answer.status != 404 {
			t.Errorf("%s: %+v", line, answer)
		}
	}
	if answer := r.raw("GET", "GET /_gatewright/logs HTTP/1.1\r\nHost: "+testID+".localhost\r\n\r\n"); answer.status != 403 {
		t.Errorf("under an API's host: %+v", answer)
	}
}

func TestARunningRequestEndsWithTheAPIItBeganWith(t *testing.T) {
	t.Parallel()
	begun, goOn := make(chan bool), make(chan bool)
	r := start(t, shop(), handler(func(_ context.Context, c function.Call) (function.Answer, error) {
		begun <- true
		<-goOn
		return function.Answer{Payload: []byte(`{"body":"` + c.Function + `"}`)}, nil
	}), nil)
	c := r.dial()
	if _, err := io.WriteString(c, request("GET", "/"+testID+"/dev/items", "")); err != nil {
		t.Fatal(err)
	}
	<-begun
	r.gateway.Apply(nil)
	if answer := r.call("GET", "/items", ""); answer.status != 404 {
		t.Errorf("the API is still there: %+v", answer)
	}
	goOn <- true
	if answer, err := readReply(bufio.NewReader(c), "GET"); err != nil || answer.body != "items" {
		t.Errorf("%+v, %v", answer, err)
	}
}

func TestHeadersOfAFunctionThatAreTooLargeForAPIGatewayAreLoggedOnce(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), returns(`{"headers":{"x-large":"`+strings.Repeat("x", 10240)+`"},"body":"ok"}`), nil)
	for range 2 {
		if answer := r.call("GET", "/items", ""); answer.status != 200 || answer.body != "ok" {
			t.Errorf("%d %q", answer.status, answer.body)
		}
	}
	if n := strings.Count(r.logText(".gateway"), "the headers that function items returned are"); n != 1 {
		t.Errorf("it is logged %d times", n)
	}
}
