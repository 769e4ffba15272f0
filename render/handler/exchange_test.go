package handler

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// exchange is an event and the answer that a handler must give.
type exchange struct {
	name   string
	event  string
	status int
	// body is JSON, or empty for no body. It is not compared if status is an error.
	body string
}

// exchanges are events at /items and the answers of every template except CRUD.
var exchanges = []exchange{
	{
		"GET lists", `{"httpMethod":"GET","path":"/items","queryStringParameters":{"limit":"10"}}`,
		200, `{"success":"get call succeed!","url":"/items?limit=10"}`,
	},
	{
		"GET below", `{"httpMethod":"GET","path":"/items/1"}`,
		200, `{"success":"get call succeed!","url":"/items/1"}`,
	},
	{
		"GET at any depth", `{"httpMethod":"GET","path":"/items/1/x/y/z"}`,
		200, `{"success":"get call succeed!","url":"/items/1/x/y/z"}`,
	},
	{
		"GET with a slash at the end", `{"httpMethod":"GET","path":"/items/"}`,
		200, `{"success":"get call succeed!","url":"/items/"}`,
	},
	{
		"GET keeps the path as it was sent", `{"httpMethod":"GET","path":"/items/a%2Fb%20c+d@e"}`,
		200, `{"success":"get call succeed!","url":"/items/a%2Fb%20c+d@e"}`,
	},
	{
		"POST", `{"httpMethod":"POST","path":"/items","headers":{"Content-Type":"application/json"},"body":"{\"a\":1}"}`,
		200, `{"success":"post call succeed!","url":"/items","body":{"a":1}}`,
	},
	{
		"PUT", `{"httpMethod":"PUT","path":"/items","headers":{"content-type":"application/json; charset=utf-8"},"body":"{\"a\":\"é\"}"}`,
		200, `{"success":"put call succeed!","url":"/items","body":{"a":"é"}}`,
	},
	{
		"PATCH", `{"httpMethod":"PATCH","path":"/items/1","headers":{"Content-Type":"application/json"},"body":"{\"a\":null}"}`,
		200, `{"success":"patch call succeed!","url":"/items/1","body":{"a":null}}`,
	},
	{
		"DELETE", `{"httpMethod":"DELETE","path":"/items/1"}`,
		200, `{"success":"delete call succeed!","url":"/items/1"}`,
	},
	{"HEAD", `{"httpMethod":"HEAD","path":"/items"}`, 200, ``},
	{"OPTIONS", `{"httpMethod":"OPTIONS","path":"/items/1"}`, 200, ``},
	{
		"POST with nulls", `{"httpMethod":"POST","path":"/items","headers":null,"multiValueHeaders":null,"queryStringParameters":null,"multiValueQueryStringParameters":null,"pathParameters":null,"stageVariables":null,"body":null,"isBase64Encoded":false}`,
		200, `{"success":"post call succeed!","url":"/items","body":{}}`,
	},
	{
		"POST in base64", `{"httpMethod":"POST","path":"/items","headers":{"Content-Type":"application/json"},"body":"eyJhIjoxfQ==","isBase64Encoded":true}`,
		200, `{"success":"post call succeed!","url":"/items","body":{"a":1}}`,
	},
	{
		"POST without a content type", `{"httpMethod":"POST","path":"/items","body":"[1,2]"}`,
		200, `{"success":"post call succeed!","url":"/items","body":[1,2]}`,
	},
	{
		"POST of another content type", `{"httpMethod":"POST","path":"/items","headers":{"Content-Type":"text/plain"},"body":"5"}`,
		200, `{"success":"post call succeed!","url":"/items","body":5}`,
	},
	{
		"the console's test event", `{"resource":"/items","path":"/items","httpMethod":"GET","headers":null,"multiValueHeaders":null,"queryStringParameters":{"limit":"10"},"multiValueQueryStringParameters":{"limit":["10"]},"pathParameters":null,"stageVariables":null,"requestContext":{"resourcePath":"/items","httpMethod":"GET","requestTime":"21/Nov/2026:04:41:00 +0000","path":"/items","accountId":"123456789012","protocol":"HTTP/1.1","stage":"test-invoke-stage","domainPrefix":"testPrefix","requestTimeEpoch":1795236060000,"requestId":"6a1b","identity":{"cognitoIdentityPoolId":null,"cognitoIdentityId":null,"apiKey":"test-invoke-api-key","principalOrgId":null,"cognitoAuthenticationType":null,"userArn":"arn:x","apiKeyId":"test-invoke-api-key-id","userAgent":"console"}}}`,
		200, `{"success":"get call succeed!","url":"/items?limit=10"}`,
	},
	{
		"a deployed event", `{"resource":"/items/{proxy+}","path":"/items/1","httpMethod":"PUT","headers":{"Host":"x","Content-Type":"application/json"},"multiValueHeaders":{"Host":["x"],"Content-Type":["application/json"]},"queryStringParameters":{"a":"2","q":"x y&z"},"multiValueQueryStringParameters":{"a":["1","2"],"q":["x y&z"]},"pathParameters":{"proxy":"1"},"stageVariables":null,"requestContext":{"resourcePath":"/items/{proxy+}","path":"/dev/items/1","stage":"dev","identity":{"sourceIp":"127.0.0.1"}},"body":"{}","isBase64Encoded":false}`,
		200, `{"success":"put call succeed!","url":"/items/1?a=1&a=2&q=x%20y%26z","body":{}}`,
	},
	{
		"a query with an escape", `{"httpMethod":"GET","path":"/items","queryStringParameters":{"q":"100%+ü"}}`,
		200, `{"success":"get call succeed!","url":"/items?q=100%25%2B%C3%BC"}`,
	},
	{"malformed JSON", `{"httpMethod":"POST","path":"/items","headers":{"Content-Type":"application/json"},"body":"{\"a\":"}`, 400, ``},
	{"JSON that is none", `{"httpMethod":"PUT","path":"/items","body":"NaN"}`, 400, ``},
	{"JSON of spaces", `{"httpMethod":"PATCH","path":"/items","body":"  "}`, 400, ``},
	{"JSON without an end", `{"httpMethod":"POST","path":"/items","body":"` + strings.Repeat("[", 200_000) + `"}`, 400, ``},
	{"another method", `{"httpMethod":"TRACE","path":"/items"}`, 404, ``},
	{
		"a body of 1 MB", `{"httpMethod":"POST","path":"/items","body":"\"` + strings.Repeat("x", 1<<20) + `\""}`,
		200, `{"success":"post call succeed!","url":"/items","body":"` + strings.Repeat("x", 1<<20) + `"}`,
	},
}

// events returns the events of a list of exchanges.
func events(list []exchange) []json.RawMessage {
	all := make([]json.RawMessage, len(list))
	for i, x := range list {
		all[i] = json.RawMessage(x.event)
	}
	return all
}

// verify compares each result with its exchange.
func verify(t *testing.T, list []exchange, results []result) {
	t.Helper()
	if len(results) != len(list) {
		t.Fatalf("%d results for %d events", len(results), len(list))
	}
	for i, x := range list {
		t.Run(x.name, func(t *testing.T) { x.verify(t, results[i]) })
	}
}

func (x exchange) verify(t failer, got result) {
	t.Helper()
	if got.StatusCode != x.status {
		t.Fatalf("status %d, want %d; body %.300s", got.StatusCode, x.status, got.Body)
	}
	headers := map[string]string{}
	for name, value := range got.Headers {
		headers[strings.ToLower(name)] = value
	}
	wanted := map[string]string{
		"access-control-allow-origin":  "*",
		"access-control-allow-headers": "Origin, X-Requested-With, Content-Type, Accept, Authorization, X-Amz-Date, X-Amz-Security-Token",
	}
	if got.Body != "" {
		wanted["content-type"] = "application/json; charset=utf-8"
	}
	for name, value := range wanted {
		if headers[name] != value {
			t.Errorf("header %s is %q, want %q", name, headers[name], value)
		}
	}
	if _, ok := headers["x-powered-by"]; ok {
		t.Errorf("there is a header x-powered-by")
	}
	switch {
	case got.IsBase64Encoded:
		t.Errorf("the body is base64")
	case x.status >= 400:
		verifyError(t, got.Body)
	case x.body == "":
		if got.Body != "" {
			t.Errorf("body %.300q, want none", got.Body)
		}
	default:
		if diff := cmp.Diff(value(t, x.body), value(t, got.Body)); diff != "" {
			t.Errorf("body (-want +got):\n%.2000s", diff)
		}
	}
}

// verifyError wants {"error": "..."} without details of the code.
func verifyError(t failer, body string) {
	t.Helper()
	content, ok := value(t, body).(map[string]any)
	text, isText := content["error"].(string)
	if !ok || !isText || text == "" || len(content) != 1 {
		t.Fatalf("body %.300q, want an error", body)
	}
	for _, inside := range []string{"\n", "node_modules", ".js", ".py", "metadata", "    at "} {
		if strings.Contains(body, inside) {
			t.Errorf("the error shows %q: %.300s", inside, body)
		}
	}
}

func value(t failer, text string) any {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		t.Fatalf("not JSON: %v: %.300q", err, text)
	}
	return v
}
