package gateway

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/traffic"
)

// withBinary is the shop with binary media types.
func withBinary(types ...string) API {
	api := shop()
	api.Definition.BinaryMediaTypes = types
	return api
}

// png are the first bytes of an image, with some that are no UTF-8.
const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xff\xfe"

// encoded is an Invoker that returns bytes in base64.
func encoded(body, contentType string) handler {
	result, _ := json.Marshal(map[string]any{
		"statusCode": 200, "headers": map[string]string{"Content-Type": contentType}, "body": base64.StdEncoding.EncodeToString([]byte(body)), "isBase64Encoded": true,
	})
	return returns(string(result))
}

// The table of answers that LocalStack recorded for its test test_aws_proxy_binary_response in
// https://github.com/localstack/localstack/blob/master/tests/aws/services/apigateway/test_apigateway_lambda.py
// and, where a row says so, another source.
func TestAResultInBase64IsDecodedWhereTheRequestAcceptsBytes(t *testing.T) {
	t.Parallel()
	const none = "(none)"
	for _, c := range []struct {
		types  []string
		accept string
		bytes  bool
	}{
		{nil, "image/png", false},
		{nil, "*/*", false},
		{[]string{"image/png"}, "image/png", true},
		{[]string{"image/png"}, "image/jpg", false},
		{[]string{"image/png"}, "image/*", false},
		{[]string{"image/png"}, "*/*", false},
		{[]string{"image/png"}, none, false},
		{[]string{"image/png"}, "image/webp,image/png,*/*;q=0.8", false},
		{[]string{"image/png"}, "image/png,image/*,*/*;q=0.8", true},
		{[]string{"application/*"}, "application/whatever", true},
		{[]string{"application/*"}, "application/test", true},
		{[]string{"application/*"}, "application/*", true},
		{[]string{"application/*"}, "application", false},
		{[]string{"application/*"}, "applications/x", false},
		{[]string{"application/*"}, none, false},
		{[]string{"*/test"}, "random/test", false},
		{[]string{"*/test"}, "*/test", false},
		{[]string{"text/css", "image/png"}, "image/png", true},
		// https://github.com/maciejtreder/serverless-apigw-binary/issues/33
		{[]string{"image/png"}, "image/png;q=0.8", true},
		{[]string{"image/png"}, " image/png ; q=0.8 , text/html", true},
		// https://github.com/dougmoscrop/serverless-http/issues/34
		{[]string{"application/pdf"}, "application/pdf, text/html", true},
		{[]string{"application/pdf"}, "text/html, application/pdf", false},
		// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-payload-encodings.html
		{[]string{"*/*"}, "text/html,application/xhtml+xml,image/webp,*/*;q=0.8", true},
		{[]string{"*/*"}, "image/png", true},
		// Only https://github.com/squidfunk/terraform-aws-api-gateway-enable-cors/pull/11 says so.
		{[]string{"*/*"}, none, true},
		// RFC 9110, section 8.3.1: media types ignore case.
		{[]string{"Image/PNG"}, "image/png", true},
		{[]string{"image/png"}, "IMAGE/PNG", true},
	} {
		r := start(t, withBinary(c.types...), encoded(png, "application/other"), nil)
		var lines []string
		if c.accept != none {
			lines = []string{"Accept: " + c.accept}
		}
		answer := r.call("GET", "/items", "", lines...)
		want := base64.StdEncoding.EncodeToString([]byte(png))
		if c.bytes {
			want = png
		}
		if answer.status != 200 || answer.body != want || answer.get("Content-Length") != itoa(len(want)) || answer.get("Content-Type") != "application/other" {
			t.Errorf("%q with Accept %q: %d %q %v", c.types, c.accept, answer.status, answer.body, answer.header)
		}
		said := strings.Contains(r.logText(".gateway"), "returned isBase64Encoded: its body is sent undecoded")
		if said == c.bytes {
			t.Errorf("%q with Accept %q: the log is %q", c.types, c.accept, r.logText(".gateway"))
		}
	}
}

// The first of several Accept headers counts:
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-payload-encodings.html
func TestTheFirstOfSeveralAcceptHeadersCounts(t *testing.T) {
	t.Parallel()
	r := start(t, withBinary("image/png"), encoded(png, "image/png"), nil)
	if answer := r.call("GET", "/items", "", "Accept: image/png", "Accept: text/html"); answer.body != png {
		t.Errorf("%q", answer.body)
	}
	if answer := r.call("GET", "/items", "", "Accept: text/html", "Accept: image/png"); answer.body == png {
		t.Errorf("%q", answer.body)
	}
}

// The recordings of test_aws_proxy_binary_response have this too.
func TestAResultThatIsNotEncodedIsSentAsItIs(t *testing.T) {
	t.Parallel()
	r := start(t, withBinary("*/*"), returns(`{"body":"iVBORw==","isBase64Encoded":false}`), nil)
	if answer := r.call("GET", "/items", "", "Accept: image/png"); answer.status != 200 || answer.body != "iVBORw==" {
		t.Errorf("%d %q", answer.status, answer.body)
	}
}

// The status is recorded in test_aws_proxy_binary_response; the type is API_CONFIGURATION_ERROR
// in https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html.
func TestABodyThatIsNotBase64Is500(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"not base64", "iVBORw=", "iVBO Rw==", "iVBO\\nRw==", "-_-_", "é"} {
		r := start(t, withBinary("image/png"), returns(`{"body":"`+body+`","isBase64Encoded":true}`), nil)
		answer := r.call("GET", "/items", "", "Accept: image/png")
		if answer.status != http.StatusInternalServerError || answer.body != internalError || answer.get("x-amzn-ErrorType") != "InternalServerErrorException" {
			t.Errorf("%q: %d %q", body, answer.status, answer.body)
		}
		r.logged("GET /dev/items 500: the result of function items has isBase64Encoded and a body that is not base64; encode the body, or return isBase64Encoded false")
		if answer := r.call("GET", "/items", "", "Accept: text/html"); answer.status != 200 {
			t.Errorf("%q, not accepted as bytes: %d", body, answer.status)
		}
	}
}

func TestHEADHasTheLengthOfTheBytes(t *testing.T) {
	t.Parallel()
	r := start(t, withBinary("*/*"), encoded(png, "image/png"), nil)
	if answer := r.call("HEAD", "/items", ""); answer.status != 200 || answer.get("Content-Length") != itoa(len(png)) {
		t.Errorf("%+v", answer)
	}
}

// Which requests come as base64: https://github.com/ministackorg/ministack/pull/767 has answers
// of API Gateway for application/octet-stream and image/*. That parameters do not count is in
// https://github.com/francismeynard/lambda-multipart-parser/issues/2; the text under */* in
// https://github.com/serverless/serverless/issues/2797. A body of another type that is no UTF-8
// is damaged, as test_apigateway_s3.snapshot.json of the recordings shows.
func TestABodyOfABinaryMediaTypeArrivesInBase64(t *testing.T) {
	t.Parallel()
	const none = "(none)"
	octets := []string{"application/octet-stream", "image/*"}
	for _, c := range []struct {
		types       []string
		contentType string
		body        string
		want        string
		base64      bool
	}{
		{octets, "application/octet-stream", png, png, true},
		{octets, "image/png", png, png, true},
		{octets, "image/png", "plain", "plain", true},
		{octets, "application/json", `{"a":1}`, `{"a":1}`, false},
		{octets, "text/plain", "plain", "plain", false},
		{octets, "text/plain", "a\xffb", "a\ufffdb", false},
		{[]string{"multipart/form-data"}, "multipart/form-data; boundary=x", "--x--\xff", "--x--\xff", true},
		{[]string{"*/*"}, "text/plain", "test", "test", true},
		{[]string{"*/*"}, "application/json", `{"a":1}`, `{"a":1}`, true},
		{[]string{"application/json"}, "application/json; charset=utf-8", `{"a":1}`, `{"a":1}`, true},
		{[]string{"*/png"}, "image/png", "\xff", "\ufffd", false},
		// Without the header: what integration-passthrough-behaviors.html of the developer guide takes it for.
		{[]string{"application/json"}, none, `{"a":1}`, `{"a":1}`, true},
		{[]string{"image/png"}, none, `{"a":1}`, `{"a":1}`, false},
		{[]string{"image/png"}, "IMAGE/PNG", "\xff", "\xff", true},
	} {
		r := start(t, withBinary(c.types...), handler(echo), nil)
		var lines []string
		if c.contentType != none {
			lines = []string{"Content-Type: " + c.contentType}
		}
		var e deployedEvent
		strict(t, []byte(r.call("POST", "/items", c.body, append(lines, "Accept: x/y")...).body), &e)
		if e.IsBase64Encoded != c.base64 {
			t.Errorf("%q of %q, %q: isBase64Encoded is %v", c.body, c.contentType, c.types, e.IsBase64Encoded)
		}
		body := *e.Body
		if e.IsBase64Encoded {
			decoded, err := base64.StdEncoding.DecodeString(body)
			if err != nil {
				t.Errorf("%q: %v", body, err)
			}
			body = string(decoded)
		}
		if body != c.want {
			t.Errorf("%q of %q, %q: the body is %q", c.body, c.contentType, c.types, body)
		}
		if said := strings.Contains(r.logText(".gateway"), "is not UTF-8, and its Content-Type"); said != strings.Contains(c.want, "\ufffd") {
			t.Errorf("%q of %q, %q: the log is %q", c.body, c.contentType, c.types, r.logText(".gateway"))
		}
	}
}

func TestARequestWithoutABodyHasNone(t *testing.T) {
	t.Parallel()
	r := start(t, withBinary("image/png"), handler(echo), nil)
	var e deployedEvent
	strict(t, []byte(r.call("GET", "/items", "", "Content-Type: image/png").body), &e)
	if e.Body != nil {
		t.Errorf("%q", *e.Body)
	}
}

// The console's test shows a body as text: its request has bytes in base64, as that of a call,
// and its answer is what the function returned.
func TestTheConsolesTestHasBinaryMediaTypes(t *testing.T) {
	t.Parallel()
	api := withBinary("image/png")
	r := start(t, api, encoded(png, "image/png"), nil)
	request := Request{Environment: "dev", Label: "shop", Method: "POST", Path: "/items", Headers: http.Header{"Content-Type": {"image/png"}, "Accept": {"image/png"}}, Body: []byte(png)}
	got, err := r.gateway.Test(t.Context(), request)
	if err != nil || got.Body != base64.StdEncoding.EncodeToString([]byte(png)) || !strings.Contains(string(got.Event), `"isBase64Encoded":true`) {
		t.Errorf("%v %q %s", err, got.Body, got.Event)
	}
}

func TestAnAnswerOfBytesIsRememberedInBase64(t *testing.T) {
	t.Parallel()
	api := withBinary("image/png", "text/plain", "application/json")
	for name, c := range map[string]struct {
		body string
		kept string
		left string
	}{
		"bytes":      {png, png, ""},
		"text":       {"it is text", "it is text", ""},
		"many bytes": {strings.Repeat("\xff", 100<<10), strings.Repeat("\xff", 48<<10), "the end of the answer: 48 KB of 100 KB are kept"},
	} {
		t.Run(name, func(t *testing.T) {
			kept := traffic.New(testTime)
			r := start(t, api, encoded(c.body, "image/png"), func(g *Gateway) { g.options.Traffic = kept })
			r.call("POST", "/items", c.body, "Accept: image/png", "Content-Type: image/png")
			d, ok := kept.Detail(1)
			if !ok {
				t.Fatal("it is not remembered")
			}
			body := d.AnswerBody
			if d.AnswerBase64 {
				decoded, err := base64.StdEncoding.DecodeString(body)
				if err != nil {
					t.Fatal(err)
				}
				body = string(decoded)
			}
			if body != c.kept || d.AnswerBase64 == (name == "text") || d.Base64 == (name == "text") || !strings.Contains(strings.Join(d.Left, "\n"), c.left) {
				t.Errorf("%v %v %.40q, left out is %q", d.AnswerBase64, d.Base64, body, d.Left)
			}
		})
	}
}

func TestSecretsInTextThatComesAsBytesAreNotRemembered(t *testing.T) {
	t.Parallel()
	const password, token = "hunter2-hunter2", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJlbW1hIn0.c2lnbmF0dXJl"
	kept := traffic.New(testTime)
	text := `{"password": "` + password + `", "note": "` + token + `"}`
	r := start(t, withBinary(model.AllMediaTypes), encoded(text, "application/json"), func(g *Gateway) { g.options.Traffic = kept })
	if answer := r.call("POST", "/items", text, "Authorization: Bearer "+token, "Content-Type: application/json"); answer.body != text {
		t.Errorf("%q", answer.body)
	}
	d, _ := kept.Detail(1)
	var event, result struct{ Body string }
	if json.Unmarshal([]byte(d.Event), &event) != nil || json.Unmarshal([]byte(d.Result), &result) != nil {
		t.Fatalf("%s %s", d.Event, d.Result)
	}
	for what, body := range map[string]string{"event": event.Body, "result": result.Body} {
		decoded, err := base64.StdEncoding.DecodeString(body)
		if err != nil || !strings.Contains(string(decoded), `"note"`) {
			t.Errorf("the %s has %q: %v", what, body, err)
		}
		if s := string(decoded); strings.Contains(s, password) || strings.Contains(s, token) {
			t.Errorf("the %s keeps %s", what, s)
		}
	}
	if all := d.Body + d.AnswerBody; strings.Contains(all, password) || strings.Contains(all, token) || d.Base64 || d.AnswerBase64 {
		t.Errorf("it keeps %s", all)
	}
}
