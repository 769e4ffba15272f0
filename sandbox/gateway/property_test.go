package gateway

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/textproto"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"gatewright/sandbox/function"
)

// anyRequest is an arbitrary request, and what its event must have.
type anyRequest struct {
	method, path string
	query        [][2]string
	headers      [][2]string
	body         string
	chunks       []int
}

var methodsWithBody = []string{"DELETE", "GET", "PATCH", "POST", "PUT"}

func drawRequest(t *rapid.T) anyRequest {
	segment := rapid.StringMatching(`[A-Za-z0-9._~!$&'()*+,;=:@-]{0,6}(%[0-9A-Fa-f]{2}){0,2}`)
	name := rapid.StringMatching(`[A-Za-z][A-Za-z0-9-]{0,10}[A-Za-z0-9]`)
	q := anyRequest{
		method: rapid.SampledFrom(methodsWithBody).Draw(t, "method"),
		path:   "/p" + strings.Join(rapid.SliceOfN(segment, 0, 5).Draw(t, "path"), "/"),
		body:   string(rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "body")),
		chunks: rapid.SliceOfN(rapid.IntRange(1, 40), 0, 4).Draw(t, "chunks"),
	}
	for range rapid.IntRange(0, 4).Draw(t, "parameters") {
		q.query = append(q.query, [2]string{rapid.String().Draw(t, "name"), rapid.String().Draw(t, "value")})
	}
	for i := range rapid.IntRange(0, 5).Draw(t, "headers") {
		// The number makes the names unique and different from those with a meaning.
		header := name.Draw(t, "header") + "-" + itoa(i)
		for range rapid.IntRange(1, 2).Draw(t, "values") {
			q.headers = append(q.headers, [2]string{header, strings.TrimSpace(rapid.StringMatching(`[ -~]{0,12}`).Draw(t, "value"))})
		}
	}
	return q
}

func (q anyRequest) bytes() string {
	var b strings.Builder
	b.WriteString(q.method + " /" + testID + "/dev" + q.path)
	for i, p := range q.query {
		b.WriteString(string("?&"[min(i, 1)]) + escaped(p[0]) + "=" + escaped(p[1]))
	}
	b.WriteString(" HTTP/1.1\r\nHost: a\r\n")
	for _, h := range q.headers {
		b.WriteString(h[0] + ": " + h[1] + "\r\n")
	}
	if len(q.chunks) == 0 {
		return b.String() + "Content-Length: " + itoa(len(q.body)) + "\r\n\r\n" + q.body
	}
	b.WriteString("transfer-encoding: chunked\r\n\r\n")
	rest := q.body
	for i := 0; rest != ""; i++ {
		n := min(len(rest), q.chunks[i%len(q.chunks)])
		b.WriteString(strings.ToLower(hexOf(n)) + "\r\n" + rest[:n] + "\r\n")
		rest = rest[n:]
	}
	b.WriteString("0\r\n\r\n")
	return b.String()
}

func hexOf(n int) string {
	const digits = "0123456789ABCDEF"
	if n < 16 {
		return digits[n : n+1]
	}
	return hexOf(n/16) + digits[n%16:n%16+1]
}

// escaped percent-encodes every byte of a text.
func escaped(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteString("%" + ("0" + hexOf(int(s[i])))[len("0"+hexOf(int(s[i])))-2:])
	}
	return b.String()
}

func (q anyRequest) check(t *rapid.T, answer reply) {
	var e deployedEvent
	if err := json.Unmarshal([]byte(answer.body), &e); err != nil || answer.status != 200 {
		t.Fatalf("%d %q, %v", answer.status, answer.body, err)
	}
	if e.HTTPMethod != q.method || e.Path != q.path || e.RequestContext.Path != "/dev"+q.path || e.Resource != e.RequestContext.ResourcePath {
		t.Errorf("%s %q %q", e.HTTPMethod, e.Path, e.RequestContext.Path)
	}
	if proxy := strings.Trim(q.path, "/"); e.PathParameters["proxy"] != proxy {
		t.Errorf("proxy %q, not %q", e.PathParameters["proxy"], proxy)
	}
	query := map[string][]string{}
	for _, p := range q.query {
		query[p[0]] = append(query[p[0]], p[1])
	}
	compareValues(t, "parameter", query, e.MultiValueQueryStringParameters, e.QueryStringParameters)
	headers := map[string][]string{}
	for _, h := range q.headers {
		headers[h[0]] = append(headers[h[0]], h[1])
	}
	own := map[string][]string{}
	for name, values := range e.MultiValueHeaders {
		if !slices.Contains([]string{"Host", "X-Amzn-Trace-Id", "X-Forwarded-For", "X-Forwarded-Port", "X-Forwarded-Proto"}, name) {
			own[name] = values
		}
	}
	compareValues(t, "header", headers, own, e.Headers)
	body := ""
	if e.Body != nil {
		body = *e.Body
	}
	if e.IsBase64Encoded {
		decoded, _ := base64.StdEncoding.DecodeString(body)
		body = string(decoded)
	}
	if body != q.body || e.IsBase64Encoded == utf8.ValidString(q.body) || (e.Body == nil) != (q.body == "") {
		t.Errorf("body %q, not %q", body, q.body)
	}
}

func compareValues(t *rapid.T, what string, want, multi map[string][]string, single map[string]string) {
	if len(want) == 0 && len(multi) == 0 {
		return
	}
	if !reflect.DeepEqual(multi, want) {
		t.Errorf("%ss %q, not %q", what, multi, want)
	}
	for name, values := range want {
		if single[name] != values[len(values)-1] {
			t.Errorf("%s %s is %q, not the last of %q", what, name, single[name], values)
		}
	}
}

// Each request on a connection arrives unchanged, however the bytes are split, and gets
// its own answer.
func TestAnyRequestArrivesAsSent(t *testing.T) {
	t.Parallel()
	r := start(t, proxyAPI(), handler(echo), nil)
	rapid.Check(t, func(t *rapid.T) {
		requests := rapid.SliceOfN(rapid.Custom(drawRequest), 1, 4).Draw(t, "requests")
		var all strings.Builder
		for _, q := range requests {
			all.WriteString(q.bytes())
		}
		c := r.dial()
		defer c.Close()
		go func(rest string, pieces []int) {
			for i := 0; rest != ""; i++ {
				n := min(len(rest), pieces[i%len(pieces)])
				if _, err := io.WriteString(c, rest[:n]); err != nil {
					return
				}
				rest = rest[n:]
			}
		}(all.String(), rapid.SliceOfN(rapid.IntRange(1, 2000), 1, 5).Draw(t, "pieces"))
		from := bufio.NewReader(c)
		for _, q := range requests {
			answer, err := readReply(from, q.method)
			if err != nil {
				t.Fatalf("%v\n%s", err, r.logText(".gateway"))
			}
			q.check(t, answer)
		}
	})
}

// anyResult is a valid or an invalid result.
func anyResult(t *rapid.T) map[string]any {
	scalar := rapid.SampledFrom([]any{"text", "a\"b\n", "", true, false, 12, 1.5, nil, []any{"x"}, map[string]any{"a": 1}})
	header := rapid.SampledFrom([]string{"x-a", "X-A", "Content-Type", "content-type", "connection", "date", "Set-Cookie", "bad name", "Transfer-Encoding", "x-amzn-RequestId", "Trailer", ""})
	r := map[string]any{}
	if rapid.Bool().Draw(t, "status") {
		r["statusCode"] = rapid.SampledFrom([]any{200, 201, "204", 304, 404, 500, 99, 600, 199, "x", nil, true, 1e30, []any{}}).Draw(t, "code")
	}
	if rapid.Bool().Draw(t, "headers") {
		r["headers"] = rapid.MapOf(header, scalar).Draw(t, "single")
	}
	if rapid.Bool().Draw(t, "multi") {
		r["multiValueHeaders"] = rapid.MapOf(header, rapid.SliceOfN(scalar, 0, 3)).Draw(t, "many")
	}
	if rapid.Bool().Draw(t, "body") {
		r["body"] = scalar.Draw(t, "body")
	}
	if rapid.IntRange(0, 5).Draw(t, "odd") == 0 {
		r[rapid.SampledFrom([]string{"x", "errorMessage", "Body"}).Draw(t, "key")] = 1
	}
	return r
}

// Every result gives the client a valid answer, its own or 502, and leaves the connection
// usable.
func TestAnyResultIsAnsweredByTheRules(t *testing.T) {
	t.Parallel()
	var payload []byte
	r := start(t, shop(), handler(func(_ context.Context, c function.Call) (function.Answer, error) {
		if c.Function == "special" {
			return function.Answer{Payload: []byte(`{"body":"next"}`)}, nil
		}
		return function.Answer{Payload: payload}, nil
	}), nil)
	rapid.Check(t, func(t *rapid.T) {
		data, err := json.Marshal(anyResult(t))
		if err != nil {
			t.Fatal(err)
		}
		payload = data
		method := rapid.SampledFrom([]string{"GET", "HEAD", "POST"}).Draw(t, "method")
		c := r.dial()
		defer c.Close()
		from := bufio.NewReader(c)
		io.WriteString(c, request(method, "/"+testID+"/dev/items", "")+request("GET", "/"+testID+"/dev/items/special", ""))
		answer, err := readReply(from, method)
		if err != nil {
			t.Fatalf("%s: %v", payload, err)
		}
		result, bad := parseResult(payload)
		switch {
		case bad != nil && (answer.status != 502 || method != "HEAD" && answer.body != bodyInternal):
			t.Errorf("%s: %d %q", payload, answer.status, answer.body)
		case bad == nil && (answer.status != result.status || answer.body != result.body && method != "HEAD" && answer.status != 204 && answer.status != 304):
			t.Errorf("%s: %d %q", payload, answer.status, answer.body)
		}
		for _, name := range []string{"Content-Length", "Date", "X-Amzn-RequestId"} {
			if n := count(answer.names, name); n > 1 || textproto.CanonicalMIMEHeaderKey(name) == "Transfer-Encoding" {
				t.Errorf("%s: %d headers %s: %q", payload, n, name, answer.names)
			}
		}
		if next, err := readReply(from, "GET"); err != nil || next.body != "next" {
			t.Errorf("%s: the next answer is %+v, %v", payload, next, err)
		}
	})
}
