package invoke

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/sandbox/function"
	"gatewright/sandbox/traffic"
	"gatewright/test/await"
)

const ordersARN = "arn:aws:lambda:" + region + ":" + account + ":function:orders"

func TestAFunctionIsFoundByEveryFormOfItsName(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, test := range []struct{ name, arn string }{
		{"orders", ordersARN},
		{"orders-dev", ordersARN},
		{"orders:$LATEST", ordersARN + ":$LATEST"},
		{"orders%3A%24LATEST", ordersARN + ":$LATEST"},
		{"function:orders", ordersARN},
		{account + ":function:orders", ordersARN},
		{account + ":orders", ordersARN},
		{ordersARN, ordersARN},
		{strings.ReplaceAll(ordersARN, ":", "%3A"), ordersARN},
		{ordersARN + ":$LATEST", ordersARN + ":$LATEST"},
	} {
		for _, caller := range []string{"", byBooks} {
			a := s.invoke(test.name, `{}`, caller)
			if a.status != http.StatusOK || !strings.Contains(a.body, `"arn":"`+test.arn+`"`) || a.header.Get("X-Amz-Executed-Version") != "$LATEST" {
				t.Errorf("%s is answered %d %s", test.name, a.status, a.body)
			}
		}
	}
	if a := s.send("POST", "/2015-03-31/functions/orders/invocations?Qualifier=$LATEST", ""); a.status != http.StatusOK || !strings.Contains(a.body, `"event":{}`) || !strings.Contains(a.body, ordersARN+":$LATEST") {
		t.Errorf("a qualifier in the query is answered %d %s", a.status, a.body)
	}
	// Programs find the functions of the other environments by the names that they have in AWS.
	if a := s.invoke("orders-prod", ``); a.status != http.StatusOK || a.body != `"prod"` {
		t.Errorf("the function of another environment is answered %d %s", a.status, a.body)
	}
}

func TestWhatCannotBeCalledIsRefusedInTheWordsOfLambda(t *testing.T) {
	t.Parallel()
	s := open(t)
	const (
		mayNot = "books may not call arn:aws:lambda:" + region + ":" + account + ":function:"
		prefix = "Function not found: arn:aws:lambda:" + region + ":" + account + ":function:"
	)
	for _, test := range []struct {
		name, query, caller string
		status              int
		code, text          string
	}{
		{"nothing", "", "", 404, notFound, prefix + "nothing:$LATEST"},
		{"missing", "", byBooks, 404, notFound, prefix + "missing:$LATEST"},
		{"orders:7", "", "", 404, notFound, prefix + "orders:7"},
		{"orders", "?Qualifier=live", byBooks, 404, notFound, prefix + "orders:live"},
		{"orders-prod", "", byBooks, 404, notFound, prefix + "orders-prod:$LATEST"},
		{"arn:aws:lambda:us-east-1:" + account + ":function:orders", "", "", 404, notFound, "Functions from 'us-east-1' are not reachable in this region ('eu-west-1')"},
		{"closed", "", byBooks, 403, accessDenied, mayNot + "closed-dev"},
		{"closed-dev", "", byBooks, 403, accessDenied, mayNot + "closed-dev"},
		{"nothing", "", byBooks, 403, accessDenied, mayNot + "nothing"},
		{"closed:$LATEST", "", byBooks, 403, accessDenied, mayNot + "closed-dev:$LATEST"},
		{"secret", "", byBooks, 403, accessDenied, mayNot + "secret-dev"},
		{"999999999999:function:orders", "", "", 403, accessDenied, "User: arn:aws:iam::999999999999:root is not authorized to perform: lambda:InvokeFunction on resource: arn:aws:lambda:eu-west-1:999999999999:function:orders because no resource-based policy allows the lambda:InvokeFunction action"},
		{"a:b:c", "", "", 400, notValid, "1 validation error detected: Value 'a:b:c' at 'functionName' failed to satisfy constraint: Member must satisfy regular expression pattern: " + namePattern},
		{strings.Repeat("a", 65), "", "", 400, invalidParameter, "1 validation error detected: Value '" + strings.Repeat("a", 65) + "' at 'functionName' failed to satisfy constraint: Member must have length less than or equal to 64"},
		{strings.Repeat("a", 257), "", "", 400, notValid, "1 validation error detected: Value '" + strings.Repeat("a", 257) + "' at 'functionName' failed to satisfy constraint: Member must have length less than or equal to 256"},
		{"orders", "?Qualifier=a.b", "", 400, notValid, "1 validation error detected: Value 'a.b' at 'qualifier' failed to satisfy constraint: Member must satisfy regular expression pattern: " + qualifierPattern},
		{"orders:$LATEST", "?Qualifier=7", "", 400, invalidParameter, "The derived qualifier from the function name does not match the specified qualifier."},
	} {
		a := s.send("POST", "/2015-03-31/functions/"+test.name+"/invocations"+test.query, `{}`, test.caller)
		if a.status != test.status || a.header.Get("X-Amzn-Errortype") != test.code || a.text() != test.text || a.kind() != kindOf(test.status, test.code) {
			t.Errorf("%s%s is answered %d %s\n%s\nwant %d %s\n%s", test.name, test.query, a.status, a.header.Get("X-Amzn-Errortype"), a.text(), test.status, test.code, test.text)
		}
	}
	places := map[string]int{}
	for _, c := range s.traffic.Calls(traffic.Query{}) {
		places[c.Environment+" "+string(c.Who.Kind)]++
	}
	if fmt.Sprint(places) != "map[ nobody:9 dev function:8]" {
		t.Errorf("the refused calls are remembered in %v", places)
	}
	want := []string{"books closed", "books closed", "books nothing", "books closed", "books secret"}
	if got := s.said(&s.refused); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("refused were %q, want %q", got, want)
	}
	if log := s.log("books"); !strings.Contains(log, "there is no function missing here; there are books, orders, secret, closed, broken") || !strings.Contains(log, "there is no version or alias live here, only $LATEST") {
		t.Errorf("the log of the caller does not say why:\n%s", log)
	}
}

func TestRequestsThatAreWrongAreRefusedInTheWordsOfLambda(t *testing.T) {
	t.Parallel()
	s := open(t)
	const (
		unreadable = "Could not parse request body into json: Could not parse payload into json: "
		at         = "\n at [Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: "
		expected   = ": expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')"
	)
	long := `"` + strings.Repeat("x", function.MaxPayload-2) + `"`
	for _, test := range []struct {
		what, body, header string
		status             int
		code, text         string
	}{
		{"no JSON", "hello", "", 400, invalidContent, unreadable + "Unexpected character ('h' (code 104))" + expected + at + "1, column: 1]"},
		{"no JSON in the second line", "{\n  \"a\": x}", "", 400, invalidContent, unreadable + "Unexpected character ('x' (code 120))" + expected + at + "2, column: 8]"},
		{"too little JSON", `{"a":`, "", 400, invalidContent, unreadable + "Unexpected end-of-input" + at + "1, column: 6]"},
		{"JSON and more", `{}{}`, "", 400, invalidContent, unreadable + "Unexpected character ('{' (code 123))" + expected + at + "1, column: 3]"},
		{"no UTF-8", "n\x87r", "", 400, invalidContent, unreadable + "Invalid UTF-8 start byte 0x87" + at + "1, column: 2]"},
		{"6 MB and a byte", long + " ", "", 413, tooLarge, "Request must be smaller than 6291456 bytes for the InvokeFunction operation"},
		{"1 MB and a byte, not waited for", long[:mostQueued] + `"`, "X-Amz-Invocation-Type: Event", 413, tooLarge, "1048577 byte payload is too large for the Event invocation type (limit 1048576 bytes)"},
		{"another type", "", "X-Amz-Invocation-Type: event", 400, notValid, "1 validation error detected: Value 'event' at 'invocationType' failed to satisfy constraint: Member must satisfy enum value set: [Event, RequestResponse, DryRun]"},
		{"another log", "", "X-Amz-Log-Type: All", 400, notValid, "1 validation error detected: Value 'All' at 'logType' failed to satisfy constraint: Member must satisfy enum value set: [None, Tail]"},
		{"a client context that is no base64", "", "X-Amz-Client-Context: {}", 400, invalidContent, "Client context must be a valid Base64-encoded JSON object."},
		{"a client context that is no object", "", "X-Amz-Client-Context: " + base64.StdEncoding.EncodeToString([]byte(`[1]`)), 400, invalidContent, "Client context must be a valid Base64-encoded JSON object."},
		{"a long client context", "", "X-Amz-Client-Context: " + strings.Repeat("e30=", 1000), 400, invalidContent, "Client context must have at most 3583 bytes in Base64."},
		{"a page of a browser", "{}", "Origin: http://example.org", 403, accessDenied, "Functions are not for web pages: programs ask for them at 127.0.0.1 or localhost"},
		{"a page with a name of this machine", "{}", "Host: rebound.example.org:4280", 403, accessDenied, "Functions are not for web pages: programs ask for them at 127.0.0.1 or localhost"},
		{"a page that asks itself", "{}", "Sec-Fetch-Site: same-origin", 403, accessDenied, "Functions are not for web pages: programs ask for them at 127.0.0.1 or localhost"},
	} {
		a := s.invoke("orders", test.body, test.header)
		if a.status != test.status || a.header.Get("X-Amzn-Errortype") != test.code || a.text() != test.text || a.kind() != kindOf(test.status, test.code) {
			t.Errorf("%s is answered %d %s\n%s\nwant %d %s\n%s", test.what, a.status, a.header.Get("X-Amzn-Errortype"), a.text(), test.status, test.code, test.text)
		}
	}
	for path, method := range map[string]string{
		"/2015-03-31/functions": "GET", "/2015-03-31/functions/orders": "GET", "/2015-03-31/functions/orders/invocations": "GET",
		"/2014-11-13/functions/orders/invoke-async": "POST", "/2015-03-31/layers/orders/invocations": "POST", "/2015-03-31/functions/orders/invocations/more": "POST", "/2021-11-15/functions/orders/invocations": "POST",
	} {
		if a := s.send(method, path, "{}"); a.status != 400 || a.header.Get("X-Amzn-Errortype") != "NotInSandbox" || !strings.Contains(a.text(), "only Invoke and InvokeWithResponseStream are served here") {
			t.Errorf("%s %s is answered %d %s", method, path, a.status, a.body)
		}
	}
	if a := s.invoke("orders", long); a.status != http.StatusOK || len(a.body) < function.MaxPayload {
		t.Errorf("6 MB are answered %d %d bytes", a.status, len(a.body))
	}
}

func TestTheEndOfACallIsToldAsByLambda(t *testing.T) {
	t.Parallel()
	s := openNode(t)
	for event, want := range map[string]string{
		`{"fail":true}`:     `^\{"errorType":"Error","errorMessage":"no orders","trace":\["Error: no orders",.*\]\}$`,
		`{"exit":true}`:     `^\{"errorType":"Runtime.ExitError","errorMessage":"RequestId: ID Error: Runtime exited with error: exit status 3"\}$`,
		`{"hang":true}`:     `^\{"errorType":"Sandbox.Timedout","errorMessage":"RequestId: ID Error: Task timed out after 2.00 seconds"\}$`,
		`{"long":6300000}`:  `^\{"errorType":"Function.ResponseSizeTooLarge","errorMessage":"Response payload size exceeded maximum allowed payload size \(6291556 bytes\)."\}$`,
		`{"hello":"world"}`: `^\{"event":\{"hello":"world"\},"arn":"[^"]*"\}$`,
	} {
		name := "orders"
		if strings.Contains(event, "hang") {
			name = "closed"
		}
		a := s.invoke(name, event)
		pattern := regexp.MustCompile(strings.ReplaceAll(want, "ID", regexp.QuoteMeta(a.header.Get("X-Amzn-Requestid"))))
		failed := !strings.Contains(event, "hello")
		if a.status != http.StatusOK || !pattern.MatchString(a.body) || (a.header.Get("X-Amz-Function-Error") == "Unhandled") != failed || a.header.Get("X-Amz-Executed-Version") != "$LATEST" {
			t.Errorf("%s is answered %d %s %s", event, a.status, a.header, a.body)
		}
	}
	// A source that fails at its start, and then too often, tells its error each time.
	for range 5 {
		if a := s.invoke("broken", `{}`); a.status != http.StatusOK || a.header.Get("X-Amz-Function-Error") != "Unhandled" || !strings.Contains(a.text(), "not today") || !strings.Contains(a.body, `"trace":["Error: not today"`) {
			t.Fatalf("a broken source is answered %d %s", a.status, a.body)
		}
	}
}

func TestTheCallerGetsTheLastOfTheLog(t *testing.T) {
	t.Parallel()
	s := openNode(t)
	a := s.invoke("orders", `{"a":1}`, "X-Amz-Log-Type: Tail")
	log, err := base64.StdEncoding.DecodeString(a.header.Get("X-Amz-Log-Result"))
	must(t, err)
	id := a.header.Get("X-Amzn-Requestid")
	want := `^START RequestId: ` + id + ` Version: \$LATEST
\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z	` + id + `	INFO	the event \{"a":1\}
END RequestId: ` + id + `
REPORT RequestId: ` + id + `	Init Duration: [0-9.]+ ms	Duration: [0-9.]+ ms	Billed Duration: \d+ ms	Memory Size: 128 MB(	Max Memory Used: \d+ MB)?	
$`
	if !regexp.MustCompile(want).Match(log) {
		t.Errorf("the log is\n%s", log)
	}
	a = s.invoke("orders", `{"a":"`+strings.Repeat("y", 5000)+`"}`, "X-Amz-Log-Type: Tail")
	if log, err = base64.StdEncoding.DecodeString(a.header.Get("X-Amz-Log-Result")); err != nil || len(log) != 4096 || !strings.HasPrefix(string(log), "yyyy") || !strings.Contains(string(log), "REPORT") {
		t.Errorf("of a long log came %d bytes", len(log))
	}
	if a = s.invoke("orders", `{}`); a.header.Get("X-Amz-Log-Result") != "" {
		t.Error("a log came that nobody wanted")
	}
}

func TestADryRunOnlyChecks(t *testing.T) {
	t.Parallel()
	s := open(t)
	const dry = "X-Amz-Invocation-Type: DryRun"
	count := filepath.Join(t.TempDir(), "count")
	if a := s.invoke("orders", `{"count":"`+filepath.ToSlash(count)+`"}`, dry, byBooks); a.status != http.StatusNoContent || a.body != "" {
		t.Errorf("it is answered %d %s", a.status, a.body)
	}
	if a := s.invoke("closed", `{}`, dry, byBooks); a.status != http.StatusForbidden {
		t.Errorf("one that is not allowed is answered %d %s", a.status, a.body)
	}
	if _, err := os.Stat(count); err == nil || len(s.traffic.Calls(traffic.Query{})) != 1 {
		t.Error("the function was called")
	}
}

func TestTheClientContextReachesTheHandler(t *testing.T) {
	t.Parallel()
	s := open(t)
	context := "X-Amz-Client-Context: " + base64.StdEncoding.EncodeToString([]byte("{\"custom\":\n{\"word\":\"grün 😀\"}}"))
	if a := s.invoke("orders", `{}`, context); !strings.Contains(a.body, `"client":{"custom":{"word":"gr\u00fcn \ud83d\ude00"}}`) {
		t.Errorf("it is answered %d %s", a.status, a.body)
	}
}

func TestAFunctionIsKnownByItsBootstrapItsKeyOrItsSessionToken(t *testing.T) {
	t.Parallel()
	s := open(t)
	const other = "Authorization: AWS4-HMAC-SHA256 Credential=local/20261126/eu-west-1/lambda/aws4_request, SignedHeaders=host, Signature=x"
	for _, headers := range [][]string{{byBooks}, {other, "X-Amz-Security-Token: " + booksKey}, {other, "X-Gatewright-Caller: " + booksKey}} {
		if a := s.invoke("closed", `{}`, headers...); a.status != http.StatusForbidden {
			t.Errorf("%q is answered %d %s", headers, a.status, a.body)
		}
	}
	if a := s.invoke("closed", `{}`, other); a.status != http.StatusOK {
		t.Errorf("a program of the user is answered %d %s", a.status, a.body)
	}
}

func TestACallRunsToItsEndIfItsCallerLeaves(t *testing.T) {
	t.Parallel()
	s, count := open(t), newCounter(t)
	ctx, leave := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address+"/2015-03-31/functions/orders/invocations", strings.NewReader(fmt.Sprintf(`{"count":%q,"hang":true}`, count)))
	must(t, err)
	go func() {
		for count.calls() == 0 {
			time.Sleep(time.Millisecond)
		}
		leave()
	}()
	if response, err := http.DefaultClient.Do(r); err == nil {
		response.Body.Close()
		t.Fatal("the caller got an answer")
	}
	if calls := s.ended(); len(calls) != 0 {
		t.Errorf("the call ended with its caller: %+v", calls)
	}
	close(s.hanging)
	await.Until(t, "the end of the call", func() bool { return len(s.ended()) == 1 })
	if c := s.ended()[0]; !c.Failed || !strings.Contains(c.Why, "no response within 2.0 s") {
		t.Errorf("remembered is %+v", c)
	}
}

func TestAFunctionWaitsWhileItsCallRuns(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.invoke("orders", `{}`, byBooks)
	s.invoke("orders", `{}`)
	s.invoke("orders", `{}`, byBooks, "X-Amz-Invocation-Type: DryRun")
	await.Until(t, "the end of its wait", func() bool { return len(s.said(&s.waits)) >= 2 })
	if diff := cmp.Diff([]string{"dev books waits", "dev books waits no more"}, s.said(&s.waits)); diff != "" {
		t.Error(diff)
	}
}

func TestWhatDoesNotExistAnywhereHasThePlaceOfItsCallerOrOfTheFirstFunction(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.Apply(Served{})
	const nowhere = "Function not found: arn:aws:lambda:us-east-1:000000000000:function:orders:$LATEST"
	if a := s.invoke("orders", `{}`); a.status != http.StatusNotFound || a.text() != nowhere {
		t.Errorf("without any function it is answered %d %s", a.status, a.body)
	}
	s.Apply(Served{Functions: []Function{{Environment: "dev", Name: "first", Deployed: "first", Region: "eu-north-1", Account: "210987654321"}}})
	if a := s.invoke("orders", `{}`); a.text() != "Function not found: arn:aws:lambda:eu-north-1:210987654321:function:orders:$LATEST" {
		t.Errorf("with another function it is answered %d %s", a.status, a.body)
	}
}
