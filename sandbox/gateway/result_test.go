package gateway

import (
	"context"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"gatewright/sandbox/function"
)

const internalError = `{"message": "Internal server error"}`

func TestResultsAreAnsweredAsRecorded(t *testing.T) {
	t.Parallel()
	type headers = map[string]string
	for _, c := range []struct {
		name, result string
		status       int
		body         string
		headers      headers
	}{
		{"a status alone", `{"statusCode":200}`, 200, "", headers{"Content-Type": "application/json", "Content-Length": "0"}},
		{"no status", `{"headers":{"a":"b"}}`, 200, "", headers{"a": "b", "Content-Type": "application/json"}},
		{"an empty object", `{}`, 200, "", nil},
		{"a status that is null", `{"statusCode":null}`, 200, "", nil},
		{"a status in a string", `{"statusCode":"201"}`, 201, "", nil},
		{"a whole number with a decimal point", `{"statusCode":200.0}`, 200, "", nil},
		{"a string that is not a status", `{"statusCode":"test"}`, 502, internalError, nil},
		{"headers that are null", `{"statusCode":200,"headers":null}`, 200, "", headers{"Content-Type": "application/json"}},
		{"a boolean in a header", `{"headers":{"header-bool":true,"test-header":"value"}}`, 200, "", headers{"header-bool": "true", "test-header": "value"}},
		{"an unknown key", `{"statusCode":200,"wrongValue":"value"}`, 502, internalError, headers{"x-amzn-ErrorType": "InternalServerErrorException"}},
		{"a key in another case", `{"StatusCode":200}`, 502, internalError, nil},
		{"null", `null`, 502, internalError, nil},
		{"a string", `"justAString"`, 502, internalError, nil},
		{"an array", `[]`, 502, internalError, nil},
		{"incomplete JSON", `{"statusCode":200`, 502, internalError, nil},
		{"JSON and more", `{"statusCode":200} x`, 502, internalError, nil},
		{"two results", `{"statusCode":200}{}`, 502, internalError, nil},
		{"nothing", ``, 502, internalError, nil},
		{"all values of a header", `{"multiValueHeaders":{"test-multi":["value1","value2"]}}`, 200, "", headers{"test-multi": "value1 | value2"}},
		{"both maps", `{"headers":{"test-multi":"value-solo"},"multiValueHeaders":{"test-multi":["value-multi"]}}`, 200, "", headers{"test-multi": "value-multi | value-solo"}},
		{"both maps, spelled otherwise", `{"headers":{"test-multi":"value-solo"},"multiValueHeaders":{"tesT-Multi":["value-multi"]}}`, 200, "", headers{"tesT-Multi": "value-multi | value-solo", "test-multi": ""}},
		{"a multi value that is not an array", `{"multiValueHeaders":{"test-multi-invalid":"value1"}}`, 502, internalError, nil},
		{"an undecoded body", `{"body":"dGVzdC1kYXRh","isBase64Encoded":true}`, 200, "dGVzdC1kYXRh", nil},
		{"the same, not encoded", `{"body":"dGVzdC1kYXRh","isBase64Encoded":false}`, 200, "dGVzdC1kYXRh", nil},
		{"a body that is null", `{"body":null}`, 200, "", nil},
		{"a body that is an object", `{"body":{"a":1}}`, 502, internalError, nil},
		{"a body beyond ASCII", `{"body":"\u00e4\ud83d\ude00"}`, 200, "ä😀", headers{"Content-Length": "6"}},
		{"an error object", `{"errorMessage":"x","errorType":"Error","trace":[]}`, 502, internalError, headers{"x-amzn-ErrorType": "InternalServerErrorException"}},
		{"headers keep their case", `{"headers":{"x-lOWer":"1","content-type":"text/plain"}}`, 200, "", headers{"x-lOWer": "1", "content-type": "text/plain", "Content-Type": ""}},
		{"their case, with a body", `{"headers":{"content-type":"text/plain"},"body":"<html>"}`, 200, "<html>", headers{"content-type": "text/plain", "Content-Type": ""}},
		{"a key twice", `{"statusCode":200,"statusCode":201,"headers":{"a":"1","a":"2"}}`, 201, "", headers{"a": "2"}},
		{"a body with no content", `{"statusCode":304,"body":"x"}`, 304, "", headers{"Content-Length": ""}},
		{"two cookies in two cases", `{"headers":{"Set-Cookie":"a=1","set-cookie":"b=2"}}`, 200, "", headers{"Set-Cookie": "a=1", "set-cookie": "b=2"}},
		{
			"headers that the gateway renames or drops", `{"headers":{"connection":"close","Content-Length":"99","Date":"today","transfer-encoding":"chunked","Server":"mine","x-amzn-requestid":"x"},"body":"ok"}`,
			200, "ok",
			headers{
				"x-amzn-Remapped-Connection": "close", "x-amzn-Remapped-Content-Length": "99", "x-amzn-Remapped-Date": "today", "x-amzn-Remapped-Server": "mine",
				"Content-Length": "2", "transfer-encoding": "", "connection": "", "Connection": "", "x-amzn-requestid": "",
			},
		},
		{
			"more of them", `{"headers":{"authorization":"a","Content-MD5":"b","Max-Forwards":"1","user-agent":"c","WWW-Authenticate":"Basic","Via":"d","Host":"e","TE":"f","Expect":"g","Proxy-Authenticate":"h"}}`,
			200, "",
			headers{
				"x-amzn-Remapped-Authorization": "a", "x-amzn-Remapped-Content-Md5": "b", "x-amzn-Remapped-Max-Forwards": "1", "x-amzn-Remapped-User-Agent": "c",
				"x-amzn-Remapped-Www-Authenticate": "Basic", "authorization": "", "WWW-Authenticate": "", "Via": "", "Host": "", "TE": "", "Expect": "", "Proxy-Authenticate": "",
			},
		},
		{
			"the rest of them", `{"headers":{"Trailer":"a","Upgrade":"b","Keep-Alive":"c","X-Amz-Apigw-Id":"d","X-Amzn-Trace-Id":"e","x-a-name-that-is-longer-than-all-that-are-known":"f"}}`,
			200, "",
			headers{"Trailer": "", "Upgrade": "", "Keep-Alive": "", "X-Amz-Apigw-Id": "", "x-a-name-that-is-longer-than-all-that-are-known": "f"},
		},
		{"values that are null", `{"headers":{"a":null},"multiValueHeaders":{"b":null,"c":[null,"1",2]}}`, 200, "", headers{"a": "", "b": "", "c": "1 | 2"}},
		{"multi values that do not end", `{"multiValueHeaders":{"a":["b"`, 502, internalError, nil},
		{"headers that do not end", `{"headers":{"a":"b"`, 502, internalError, nil},
		{"the greatest status", `{"statusCode":599}`, 599, "", nil},
		{"a status of 199", `{"statusCode":199}`, 502, internalError, nil},
		{"a status with an exponent", `{"statusCode":2e2}`, 200, "", nil},
		{"a status that is far too great", `{"statusCode":65736.0}`, 502, internalError, nil},
		{"a status of 0", `{"statusCode":0}`, 502, internalError, nil},
		{"a status of 600", `{"statusCode":600}`, 502, internalError, nil},
		{"an interim status", `{"statusCode":100}`, 502, internalError, nil},
		{"a fractional status", `{"statusCode":200.5}`, 502, internalError, nil},
		{"a header name with a line break", `{"headers":{"a\r\nb":"c"}}`, 502, internalError, nil},
		{"a header value with a line break", `{"headers":{"a":"b\r\nc: d"}}`, 502, internalError, nil},
		{"an error of the function's own", `{"statusCode":503,"body":"later"}`, 503, "later", headers{"x-amzn-ErrorType": "", "Access-Control-Allow-Origin": ""}},
		{"no content", `{"statusCode":204}`, 204, "", headers{"Content-Length": ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := start(t, shop(), returns(c.result), nil)
			answer := r.call("GET", "/items", "")
			if answer.status != c.status || answer.body != c.body {
				t.Errorf("%d %q, not %d %q", answer.status, answer.body, c.status, c.body)
			}
			for name, value := range c.headers {
				if got := answer.get(name); got != value {
					t.Errorf("%s is %q, not %q: %v", name, got, value, answer.header)
				}
			}
			carriesIDs(t, answer)
			for _, name := range []string{"content-type", "content-length", "date"} {
				if n := count(answer.names, name); n > 1 {
					t.Errorf("%d headers %s: %q", n, name, answer.names)
				}
			}
			if c.status == 502 {
				r.logged("GET /dev/items 502: ", "items")
				if own := r.logText("items"); !strings.Contains(own, "GET /dev/items 502: ") {
					t.Errorf("the function's log has %q", own)
				}
			}
		})
	}
}

// carriesIDs fails unless an answer has the ids that every answer has.
func carriesIDs(t *testing.T, answer reply) {
	t.Helper()
	for _, name := range []string{"x-amzn-RequestId", "x-amz-apigw-id", "X-Amzn-Trace-Id"} {
		if len(answer.header[name]) != 1 {
			t.Errorf("%s is %q", name, answer.header[name])
		}
	}
}

func count(names []string, name string) int {
	n := 0
	for _, other := range names {
		if strings.EqualFold(other, name) {
			n++
		}
	}
	return n
}

func TestInvalidResultsAreExplained(t *testing.T) {
	t.Parallel()
	for result, why := range map[string]string{
		`{"statusCode":200,"foo":1}`:               "has the unknown key foo; return only statusCode, headers, multiValueHeaders, body and isBase64Encoded",
		`{"statusCode":"ok"}`:                      "has the statusCode ok; return a number from 200 to 599",
		`{"body":{"a":1}}`:                         "has a body that is an object; return a string",
		`null`:                                     "is null and not an object; return an object with statusCode and body",
		`{"multiValueHeaders":{"a%d":"b"}}`:        "has multiValueHeaders in which a%d is a string; return an array of strings",
		`{"headers":{"a%d":["b"]}}`:                "has the header a%d that is an array; return a string",
		`true`:                                     "is a boolean and not an object; return an object with statusCode and body",
		`{"headers":1}`:                            "has headers that are a number; return an object of header names",
		`{"multiValueHeaders":"a"}`:                "has multiValueHeaders that are a string; return an object of header names",
		`{"multiValueHeaders":{"a":[{}]}}`:         "has the header a that is an object; return a string",
		`{"isBase64Encoded":[]}`:                   "has an isBase64Encoded that is an array; return true or false",
		`{"statusCode":{}}`:                        "has a statusCode that is an object; return a number from 200 to 599",
		`{"statusCode":199}`:                       "has the statusCode 199; return a number from 200 to 599",
		`{"headers":{"a b":"c"}}`:                  `has the header name "a b"; use letters, digits and hyphens`,
		`{"headers":["b"]}`:                        "has headers that are an array; return an object of header names",
		`{"headers":{"a":"\u0000"}}`:               "has control characters in the header a; leave them out",
		`{"isBase64Encoded":"perhaps"}`:            "has an isBase64Encoded that is perhaps; return true or false",
		`{"\u001b[31mred":1}`:                      `has the unknown key "\x1b[31mred"; `,
		`{"errorMessage":"m","errorType":"Error"}`: "is an error object: it has the key errorMessage",
	} {
		r := start(t, shop(), returns(result), nil)
		r.call("GET", "/items", "")
		r.logged("GET /dev/items 502: the result of function items " + why)
	}
}

func TestAnUndecodedBodyIsLoggedOnce(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), returns(`{"body":"eA==","isBase64Encoded":true}`), nil)
	r.call("GET", "/items", "")
	r.call("GET", "/items", "")
	if n := strings.Count(r.logText(".gateway"), "returned isBase64Encoded"); n != 1 {
		t.Errorf("%d times: %s", n, r.logText(".gateway"))
	}
}

func TestHEADHasTheHeadersOfItsAnswerAndNoBody(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), returns(`{"statusCode":200,"headers":{"x-a":"b"},"body":"12345"}`), nil)
	answer := r.call("HEAD", "/items", "")
	if answer.status != 200 || answer.get("Content-Length") != "5" || answer.get("x-a") != "b" {
		t.Errorf("%+v", answer)
	}
}

func TestFailuresOfFunctionsAre502AndExplained(t *testing.T) {
	t.Parallel()
	broken := &function.Error{Kind: function.Crashed, Environment: "dev", Function: "items", Text: "ended with exit status 3", Fix: "see its log"}
	for _, c := range []struct {
		name    string
		invoker handler
		why     string
	}{
		{"its error", func(context.Context, function.Call) (function.Answer, error) {
			return function.Answer{Failed: true, Payload: []byte(`{"errorType":"TypeError","errorMessage":"x is not a function","trace":[]}`)}, nil
		}, `function items ended with an error: TypeError: "x is not a function"`},
		{"its error, in no object", func(context.Context, function.Call) (function.Answer, error) {
			return function.Answer{Failed: true, Payload: []byte(`oops`)}, nil
		}, "function items ended with an error"},
		{"its crash", func(context.Context, function.Call) (function.Answer, error) {
			return function.Answer{}, broken
		}, "function items of environment dev: ended with exit status 3; see its log"},
		{"its own time-out", func(context.Context, function.Call) (function.Answer, error) {
			return function.Answer{}, &function.Error{Kind: function.TimedOut, Function: "items", Text: "gave no response within 3 s"}
		}, "function items: gave no response within 3 s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := start(t, shop(), c.invoker, nil)
			answer := r.call("GET", "/items", "")
			if answer.status != http.StatusBadGateway || answer.body != internalError || answer.get("x-amzn-ErrorType") != "InternalServerErrorException" {
				t.Errorf("%+v", answer)
			}
			r.logged("GET /dev/items 502: " + c.why)
			if own := r.logText("items"); !strings.Contains(own, c.why) {
				t.Errorf("the function's log has %q", own)
			}
		})
	}
}

// panicking is an Invoker that panics.
type panicking struct{ handler }

func (panicking) Begin(function.Call, func(function.Answer, error)) func() { panic("broken \x1b[0m") }

func TestAGatewayThatPanicsStillAnswers(t *testing.T) {
	t.Parallel()
	r := start(t, shop(), panicking{}, nil)
	if answer := r.call("GET", "/items", ""); answer.status != 502 || answer.body != internalError {
		t.Errorf("%+v", answer)
	}
	r.logged("GET /dev/items 502: the gateway failed", `"broken \x1b[0m"`)
}

func TestHeadersInDifferentCaseAreJoined(t *testing.T) {
	t.Parallel()
	h := joinHeaders([]namedValues{{"A", []string{"1"}}, {"b", []string{"2"}}}, []namedValues{{"a", []string{"3"}}})
	if want := []namedValues{{"a", []string{"3", "1"}}, {"b", []string{"2"}}}; !reflect.DeepEqual(h, want) {
		t.Errorf("%v", h)
	}
}
