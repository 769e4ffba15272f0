package signature

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/sandbox/http1"
)

const (
	testKey    = "ASIAQQQQQQQQQQQQQQQQ"
	testSecret = "secret+of/forty"
	testHost   = "127.0.0.1:4280"
)

var testTime = time.Date(2026, 11, 21, 10, 11, 12, 999e6, time.UTC)

// signedByTest is a request of an API's client, signed by Sign.
func signedByTest(method, target, body string, lines ...string) Request {
	r := Request{Method: method, Target: target, Host: testHost, Body: []byte(body), Fields: []http1.Field{{Name: "Host", Value: testHost}}}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		r.Fields = append(r.Fields, http1.Field{Name: name, Value: value})
	}
	Sign(&r, Credentials{testKey, testSecret, "token=="}, "eu-west-1", "execute-api", testTime)
	return r
}

func refusal(t *testing.T, err error) *Error {
	t.Helper()
	var refused *Error
	if !errors.As(err, &refused) {
		t.Fatalf("no refusal: %v", err)
	}
	if refused.Code == "" || refused.Message == "" || refused.Reason == "" {
		t.Errorf("%+v", refused)
	}
	for _, secret := range []string{testSecret, "Bearer", "c2VjcmV0"} {
		if strings.Contains(refused.Error()+refused.Reason+refused.Message, secret) {
			t.Errorf("%q shows %q", refused, secret)
		}
	}
	return refused
}

func TestSignatureIsValidForItsTime(t *testing.T) {
	t.Parallel()
	header := signedByTest("GET", "/", "")
	i := slices.IndexFunc(vectors, func(v vector) bool { return v.name == "get-vanilla" })
	query := vectors[i].inQuery()
	for _, c := range []struct {
		after   time.Duration
		message string
	}{
		{5 * time.Minute, ""},
		{-5 * time.Minute, ""},
		{5*time.Minute + time.Second, "Signature expired: 20261121T101112Z is now earlier than 20261121T101113Z (20261121T101613Z - 5 min.)"},
		{-5*time.Minute - time.Second, "Signature not yet current: 20261121T101112Z is still later than 20261121T101111Z (20261121T100611Z + 5 min.)"},
		{365 * 24 * time.Hour, "Signature expired: 20261121T101112Z is now earlier than 20271121T100612Z (20271121T101112Z - 5 min.)"},
	} {
		err := verify(header, testSecret, "eu-west-1", "execute-api", testTime.Add(c.after))
		if c.message == "" && err != nil || c.message != "" && refusal(t, err).Message != c.message {
			t.Errorf("after %s: %v", c.after, err)
		}
	}
	for _, c := range []struct {
		after   time.Duration
		message string
	}{
		{time.Hour, ""},
		{-5 * time.Minute, ""},
		{time.Hour + time.Second, "Signature expired: 20150830T133600Z is now earlier than 20150830T133601Z"},
		{-5*time.Minute - time.Second, "Signature not yet current: 20150830T123600Z is still later than 20150830T123559Z (20150830T123059Z + 5 min.)"},
	} {
		err := verify(query, vectorSecret, "us-east-1", "service", vectorTime.Add(c.after))
		if c.message == "" && err != nil || c.message != "" && refusal(t, err).Message != c.message {
			t.Errorf("an address after %s: %v", c.after, err)
		}
	}
}

func TestMismatchShowsTheCanonicalString(t *testing.T) {
	t.Parallel()
	r := signedByTest("POST", "/id/dev/a%20b/../c%2Fd/(x)?b=2&a=%C3%A9+*&a=", `{"a":1}`, "Content-Type: application/json;   charset=UTF-8")
	r.Body = []byte(`{"a":2}`)
	want := mismatch + "\n\nThe Canonical String for this request should have been\n'POST\n/id/dev/c%252Fd/%28x%29\na=&a=%C3%A9%20%2A&b=2\n" +
		"content-type:application/json; charset=UTF-8\nhost:127.0.0.1:4280\nx-amz-date:20261121T101112Z\nx-amz-security-token:token==\n\n" +
		"content-type;host;x-amz-date;x-amz-security-token\n" + hash(r.Body) + "'\n\nThe String-to-Sign should have been\n'AWS4-HMAC-SHA256\n" +
		"20261121T101112Z\n20261121/eu-west-1/execute-api/aws4_request\n"
	refused := refusal(t, verify(r, testSecret, "eu-west-1", "execute-api", testTime))
	if !strings.HasPrefix(refused.Message, want) || !strings.HasSuffix(refused.Message, "'\n") {
		t.Errorf("%s\nnot %s", refused.Message, want)
	}
	if refused.Error() != Invalid+": "+mismatch {
		t.Errorf("%q", refused.Error())
	}
}

func TestKnownFaultsAreNamed(t *testing.T) {
	t.Parallel()
	signedWith := func(r Request, path, query string) Request {
		c, err := Parse(r)
		if err != nil {
			t.Fatal(err)
		}
		stamp := c.Time.Format(stampLayout)
		text := toSign(stamp, scope(c.date, c.Region, c.Service, c.terminator), canonical(&r, path, query, c.signed, hash(r.Body)))
		made := sign(testSecret, c.date, c.Region, c.Service, c.terminator, text)
		last := &r.Fields[len(r.Fields)-1]
		last.Value = last.Value[:strings.LastIndex(last.Value, "=")+1] + made
		return r
	}
	hashOf := func(text string) func(*Request) {
		return func(r *Request) { r.Fields[1].Value = text }
	}
	for _, c := range []struct {
		name   string
		r      Request
		change func(*Request)
		reason string
	}{
		{"as JavaScript encodes", signedWith(signedByTest("GET", "/id/dev/a(b)%20c", ""), "/id/dev/a(b)%2520c", ""), nil, "%21 %27 %28 %29 %2A"},
		{"encoded once", signedWith(signedByTest("GET", "/id/dev/a%20b", ""), "/id/dev/a%20b", ""), nil, "right for S3 only"},
		{"ordered first", signedWith(signedByTest("GET", "/id/dev/?z=1&%C3%A9=2", ""), "/id/dev/", "z=1&%C3%A9=2"), nil, "and the rule is to encode them first"},
		{"the hash of another body", signedByTest("PUT", "/", "one", "X-Amz-Content-Sha256: "+hash([]byte("one"))), func(r *Request) { r.Body = []byte("two") }, "not the hash of the body"},
		{"no hash", signedByTest("PUT", "/", "one", "X-Amz-Content-Sha256: UNSIGNED-PAYLOAD"), hashOf("UNSIGNED-PAYLOAD"), "must be signed"},
		{"a header that did not come", signedByTest("GET", "/", "", "X-One: 1"), func(r *Request) { r.Fields[1].Name = "X-Two" }, "the signed header x-one was not sent"},
	} {
		if c.change != nil {
			c.change(&c.r)
		}
		if refused := refusal(t, verify(c.r, testSecret, "eu-west-1", "execute-api", testTime)); refused.Code != Invalid || !strings.Contains(refused.Reason, c.reason) {
			t.Errorf("%s: %s: %s", c.name, refused.Code, refused.Reason)
		}
	}
}

func TestPathMayBeSignedAsWritten(t *testing.T) {
	t.Parallel()
	r := signedByTest("GET", "/id/dev//items/./x", "")
	if err := verify(r, testSecret, "eu-west-1", "execute-api", testTime); err != nil {
		t.Error(err)
	}
	r = signedByTest("GET", "http://"+testHost+"/id/dev/items", "")
	if err := verify(r, testSecret, "eu-west-1", "execute-api", testTime); err != nil {
		t.Errorf("the form that proxies get: %v", err)
	}
}

func TestDateHeaderReplacesXAmzDate(t *testing.T) {
	t.Parallel()
	r := signedByTest("GET", "/", "")
	for i := range r.Fields {
		if r.Fields[i].Name == "X-Amz-Date" {
			r.Fields[i] = http1.Field{Name: "Date", Value: "Sat, 21 Nov 2026 10:11:12 GMT"}
		}
	}
	c, err := Parse(r)
	if err != nil || !c.Time.Equal(testTime.Truncate(time.Second)) {
		t.Fatalf("%+v, %v", c, err)
	}
	r.Fields = append(r.Fields, http1.Field{Name: "date", Value: "Sat, 21 Nov 2026 10:11:13 GMT"})
	if refused := refusal(t, verify(r, testSecret, "eu-west-1", "execute-api", testTime)); refused.Message != "The header 'Date' may be sent once only." {
		t.Errorf("two dates: %s", refused.Message)
	}
}

func TestATokenInQueryAndHeaderIsRefused(t *testing.T) {
	t.Parallel()
	i := slices.IndexFunc(vectors, func(v vector) bool { return v.name == "get-vanilla-with-session-token" })
	r := vectors[i].inQuery()
	r.Fields = append(r.Fields, http1.Field{Name: "X-Amz-Security-Token", Value: vectors[i].token})
	if refused := refusal(t, verify(r, vectorSecret, "us-east-1", "service", vectorTime)); refused.Message != "The header 'X-Amz-Security-Token' may be sent once only." {
		t.Error(refused.Message)
	}
}

func TestClaimOfAnotherRequestIsRefused(t *testing.T) {
	t.Parallel()
	r := signedByTest("GET", "/", "")
	c, err := Parse(r)
	if err != nil {
		t.Fatal(err)
	}
	r.Fields = append(r.Fields, http1.Field{Name: "Host", Value: "other"})
	refusal(t, c.Verify(r, testSecret, "eu-west-1", "execute-api", testTime))
}

func TestOrderOfSignedHeadersDoesNotMatter(t *testing.T) {
	t.Parallel()
	r := signedByTest("GET", "/", "")
	last := &r.Fields[len(r.Fields)-1]
	last.Value = strings.Replace(last.Value, "host;x-amz-date;x-amz-security-token", "X-Amz-Security-Token;host;x-amz-date", 1)
	if err := verify(r, testSecret, "eu-west-1", "execute-api", testTime); err != nil {
		t.Error(err)
	}
}

func TestSigningAgainReplacesTheSignature(t *testing.T) {
	t.Parallel()
	r := signedByTest("GET", "/", "", "X-One: 1")
	Sign(&r, Credentials{testKey, testSecret, "token=="}, "eu-west-1", "execute-api", testTime)
	if len(r.Fields) != len(signedByTest("GET", "/", "", "X-One: 1").Fields) {
		t.Errorf("%+v", r.Fields)
	}
	if err := verify(r, testSecret, "eu-west-1", "execute-api", testTime); err != nil {
		t.Error(err)
	}
}

func TestParseReadsTheClaim(t *testing.T) {
	t.Parallel()
	c, err := Parse(signedByTest("GET", "/", ""))
	if err != nil || c.AccessKeyID != testKey || c.SessionToken != "token==" || c.Region != "eu-west-1" || c.Service != "execute-api" || !c.Time.Equal(testTime.Truncate(time.Second)) || c.Presigned {
		t.Errorf("%+v, %v", c, err)
	}
	i := slices.IndexFunc(vectors, func(v vector) bool { return v.name == "get-vanilla-with-session-token" })
	c, err = Parse(vectors[i].inQuery())
	if err != nil || c.AccessKeyID != vectorKey || c.SessionToken != vectors[i].token || !c.Presigned || c.Expires != time.Hour {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestNoClaimIsReadOfARequestWithTwoDatesOrTokens(t *testing.T) {
	t.Parallel()
	for name, message := range map[string]string{
		"X-Amz-Date": "The header 'x-amz-date' may be sent once only.", "X-AMZ-Security-Token": "The header 'x-amz-security-token' may be sent once only.",
	} {
		r := signedByTest("GET", "/", "")
		r.Fields = append([]http1.Field{{Name: name, Value: "20261121T101112Z"}}, r.Fields...)
		c, err := Parse(r)
		if refused := refusal(t, err); refused.Code != Invalid || refused.Message != message || c.AccessKeyID != "" {
			t.Errorf("two of %s: %+v, %s", name, c, refused.Message)
		}
	}
}

func TestASignatureInAnAddressIsGoodForAWeekAtMost(t *testing.T) {
	t.Parallel()
	r := vectors[0].inQuery()
	for expires, want := range map[string]time.Duration{"Expires=1&": time.Second, "Expires=604800&": 7 * 24 * time.Hour} {
		changed := r
		changed.Target = strings.Replace(r.Target, "Expires=3600&", expires, 1)
		if c, err := Parse(changed); err != nil || c.Expires != want {
			t.Errorf("%s: %v, %v", expires, c.Expires, err)
		}
	}
	// Years of fewer than four digits are not written as the date of a credential is.
	r.Target = strings.Replace(r.Target, "X-Amz-Date=20150830T123600Z", "X-Amz-Date=00150830T123600Z", 1)
	_, err := Parse(r)
	if refused := refusal(t, err); refused.Code != Incomplete || !strings.HasPrefix(refused.Message, "Date must be in ISO-8601") {
		t.Errorf("the year 15: %v", refused)
	}
}

func TestAsWrittenAcceptsOnlyThePathAsWritten(t *testing.T) {
	t.Parallel()
	for target, good := range map[string]bool{"/id/dev/items": true, "/id/dev/a/../items": false, "/id/dev//items": false, "/id/dev/items/..x": true} {
		r := signedByTest("GET", target, "")
		if err := verify(r, testSecret, "eu-west-1", "execute-api", testTime); err != nil {
			t.Errorf("%s: %v", target, err)
		}
		r.AsWritten = true
		err := verify(r, testSecret, "eu-west-1", "execute-api", testTime)
		if good && err != nil {
			t.Errorf("%s as it is written: %v", target, err)
		}
		if !good && !strings.Contains(refusal(t, err).Reason, "which is another resource;") {
			t.Errorf("%s is signed as another path: %v", target, err)
		}
	}
	for i, v := range vectors {
		if !v.asWritten {
			continue
		}
		r := vectors[i].inHeader()
		r.AsWritten = true
		if err := verify(r, vectorSecret, "us-east-1", "service", vectorTime); err != nil {
			t.Errorf("%s: %v", v.name, err)
		}
	}
}

func TestIsRelative(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"": false, "/": false, "/a": false, "/.": true, "/a/..": true, "/a/./b": true, "/...": false, "/.a/..b/c.": false, "/%2e%2e/a": false,
	} {
		if IsRelative(path) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
}
