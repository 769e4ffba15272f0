package gateway

import (
	"bufio"
	"io"
	"slices"
	"strings"
	"testing"

	"gatewright/sandbox/traffic"
)

// isEarly fails unless an answer has no header of an API.
func isEarly(t *testing.T, answer reply) {
	t.Helper()
	for _, name := range answer.names {
		if !slices.Contains([]string{"Date", "Content-Length", "Content-Type", "Connection"}, name) {
			t.Errorf("the answer has the header %s", name)
		}
	}
}

// The limit counts names, values, white space and line breaks, and not the request line:
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
// The text of the answer:
// https://ntsblog.homedev.com.au/index.php/2021/03/09/aws-api-gateway-http-header-is-larger-than-10240-bytes/
func TestHeadersOver10240BytesAreRefused(t *testing.T) {
	t.Parallel()
	const rest = "Host: 127.0.0.1\r\nX-Large: \r\n"
	of := func(size int) string { return "X-Large: " + strings.Repeat("x", size-len(rest)) }
	r := start(t, shop(), returns(`{"body":"ok"}`), nil)
	long := "/items?" + strings.Repeat("q", 5000)
	if answer := r.call("GET", long, "", of(10240)); answer.status != 200 || answer.body != "ok" {
		t.Errorf("10,240 bytes: %d %.60q", answer.status, answer.body)
	}
	for name, lines := range map[string][]string{
		"one byte more": {of(10241)}, "in white space": {strings.Replace(of(10240), " ", "  ", 1)},
		"in many headers": slices.Repeat([]string{"Cookie: " + strings.Repeat("c", 90)}, 120), "in names": slices.Repeat([]string{strings.Repeat("n", 90) + ":"}, 120),
	} {
		t.Run(name, func(t *testing.T) {
			refusing := start(t, shop(), never(t), nil)
			answer := refusing.call("GET", "/items", "", lines...)
			if answer.status != 431 || answer.body != "HTTP header is larger than 10240 bytes." {
				t.Errorf("%d %q", answer.status, answer.body)
			}
			isEarly(t, answer)
			refusing.logged("GET /dev/items 431: the request's headers are ", "API Gateway accepts 10240; send fewer or shorter headers")
		})
	}
}

func TestTheConnectionOfARequestWithTooManyHeadersGoesOn(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), returns(`{"body":"ok"}`), nil)
	c := r.dial()
	target := "/" + testID + "/dev/items"
	if _, err := io.WriteString(c, request("POST", target, "body", "X: "+strings.Repeat("x", 10240))+request("GET", target, "")); err != nil {
		t.Fatal(err)
	}
	from := bufio.NewReader(c)
	for i, status := range []int{431, 200} {
		if answer, err := readReply(from, "GET"); err != nil || answer.status != status {
			t.Errorf("answer %d: %+v %v", i, answer, err)
		}
	}
}

// The query may have these characters only encoded:
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
// The status, and that no function runs: https://github.com/outmoded/lout/pull/179 and
// https://github.com/yezyilomo/django-restql/issues/279. An answer of this kind is empty:
// https://github.com/aws-amplify/amplify-js/issues/8494.
func TestAQueryWithARawPipeOrBraceIsRefused(t *testing.T) {
	t.Parallel()
	kept := traffic.New(testTime)
	r := start(t, shop(), never(t), func(g *Gateway) { g.options.Traffic = kept })
	for target, character := range map[string]string{
		"/items?query={name}": "{ which", "/items?a|b": "|", "/items?a=1&b=}": "}", "/secret?q=a|b": "|", "/nowhere?x={": "{",
	} {
		for _, method := range []string{"GET", "OPTIONS", "POST"} {
			answer := r.call(method, target, "")
			if answer.status != 400 || answer.body != "" || answer.get("Content-Length") != "0" || answer.get("Content-Type") != "" {
				t.Errorf("%s %s: %+v", method, target, answer)
			}
			isEarly(t, answer)
			r.logged(method+" /dev/"+strings.TrimPrefix(strings.Split(target, "?")[0], "/")+" 400: the query has the character "+character[:1], "send it as %")
		}
	}
	calls := kept.Calls(traffic.Query{Environment: "dev"})
	for _, c := range calls {
		if c.Status != 400 || c.Function != "" || c.API != "shop" || c.Why == "" {
			t.Errorf("%+v", c)
		}
	}
	if len(calls) != 15 {
		t.Errorf("%d requests are remembered", len(calls))
	}
}

// What is encoded, and what is in the path, passes: the documentation is about queries alone.
func TestAnEncodedPipeOrBraceArrives(t *testing.T) {
	t.Parallel()
	e := eventOf(t, proxyAPI(), request("GET", "/"+testID+"/dev/x|{y}?a=%7Bb%7c%7D", ""))
	if e.QueryStringParameters["a"] != "{b|}" || e.Path != "/x|{y}" {
		t.Errorf("%q %q", e.QueryStringParameters, e.Path)
	}
}

// RFC 9112, section 2.2, lets a recipient take a line feed alone for a line break, and AWS's
// own check of requests finds that acceptable (NonCrLfLineTermination in
// https://github.com/aws/http-desync-guardian/blob/main/docs/README.md). What API Gateway does
// is not documented.
func TestAHeadWithBareLineFeedsIsServedAndLoggedOnce(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), returns(`{"body":"ok"}`), nil)
	for range 2 {
		if answer := r.raw("GET", "GET /"+testID+"/dev/items HTTP/1.1\nHost: 127.0.0.1\n\n"); answer.status != 200 || answer.body != "ok" {
			t.Errorf("%+v", answer)
		}
	}
	r.call("GET", "/items", "")
	if n := strings.Count(r.logText(".gateway"), "ends in LF without CR"); n != 1 {
		t.Errorf("it was logged %d times:\n%s", n, r.logText(".gateway"))
	}
}

// An API without keys has neither apiKey nor apiKeyId in its events, as in the recordings
// (test_apigateway_lambda.snapshot.json, test_lambda_aws_proxy_integration). apiKey is the key
// of methods that require one, whatever the client sends to others:
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-mapping-template-reference.html
func TestAKeyThatNoMethodRequiresIsNotInTheIdentity(t *testing.T) {
	t.Parallel()
	// eventOf fails if the identity has any other key than those of the recording.
	e := eventOf(t, proxyAPI(), request("GET", "/"+testID+"/dev/x", "", "x-api-key: k3y"))
	if e.Headers["x-api-key"] != "k3y" {
		t.Errorf("headers %v", e.Headers)
	}
}
