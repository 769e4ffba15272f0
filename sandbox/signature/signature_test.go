package signature

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/sandbox/http1"
)

// request is a vector's, without its signature.
func (v vector) request() Request {
	r := Request{Method: v.method, Target: v.target, Host: vectorHost, Body: []byte(v.body)}
	for _, line := range v.fields {
		name, value, _ := strings.Cut(line, ":")
		r.Fields = append(r.Fields, http1.Field{Name: name, Value: value})
	}
	return r
}

// inHeader is the request signed in its header.
func (v vector) inHeader() Request {
	r := v.request()
	r.Fields = append(r.Fields, http1.Field{Name: "X-Amz-Date", Value: vectorTime.Format(stampLayout)})
	signed := []string{dateHeader}
	if v.hashed {
		r.Fields = append(r.Fields, http1.Field{Name: "x-amz-content-sha256", Value: hash(r.Body)})
		signed = append(signed, hashHeader)
	}
	if v.token != "" {
		r.Fields = append(r.Fields, http1.Field{Name: "X-Amz-Security-Token", Value: v.token})
		if !v.after {
			signed = append(signed, tokenHeader)
		}
	}
	r.Fields = append(r.Fields, http1.Field{
		Name:  "Authorization",
		Value: algorithm + " Credential=" + vectorKey + "/20150830/us-east-1/service/aws4_request, SignedHeaders=" + strings.Join(v.names(signed), ";") + ", Signature=" + v.header,
	})
	return r
}

// inQuery is the request signed in its query.
func (v vector) inQuery() Request {
	r := v.request()
	sep := "?"
	if strings.Contains(r.Target, "?") {
		sep = "&"
	}
	r.Target += sep + "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDEXAMPLE%2F20150830%2Fus-east-1%2Fservice%2Faws4_request" +
		"&X-Amz-Date=20150830T123600Z&X-Amz-SignedHeaders=" + strings.Join(v.names(nil), "%3B") + "&X-Amz-Expires=3600"
	if v.token != "" {
		r.Target += "&X-Amz-Security-Token=" + url.QueryEscape(v.token)
	}
	r.Target += "&X-Amz-Signature=" + v.query
	return r
}

// names are those of the signed headers.
func (v vector) names(more []string) []string {
	names := append([]string{"host"}, more...)
	for _, f := range v.request().Fields {
		names = append(names, strings.ToLower(f.Name))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// duplicate reports whether a header is sent more than once.
func (v vector) duplicate() bool {
	return len(v.fields) > 2 && strings.HasPrefix(v.fields[1], strings.SplitN(v.fields[0], ":", 2)[0])
}

// verify is Parse and Verify.
func verify(r Request, secret, region, service string, now time.Time) error {
	c, err := Parse(r)
	if err != nil {
		return err
	}
	return c.Verify(r, secret, region, service, now)
}

func TestThePublicVectorsAreVerified(t *testing.T) {
	for _, v := range vectors {
		for form, r := range map[string]Request{"header": v.inHeader(), "query": v.inQuery()} {
			err := verify(r, vectorSecret, "us-east-1", "service", vectorTime.Add(4*time.Minute))
			if v.after || v.duplicate() {
				// Ours is stricter: all that begins with x-amz- is signed, and a header is sent once.
				if err == nil {
					t.Errorf("%s in the %s: accepted", v.name, form)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s in the %s: %v\n%+v", v.name, form, err, err)
			}
			if err := verify(r, vectorSecret+"x", "us-east-1", "service", vectorTime); err == nil {
				t.Errorf("%s in the %s: verified with another secret", v.name, form)
			}
		}
	}
}

func TestRequestsAreSignedAsThePublicVectorsAre(t *testing.T) {
	for _, v := range vectors {
		if v.asWritten && v.name != "get-space-unnormalized" {
			continue
		}
		want, r, token := v.inHeader(), v.request(), v.token
		if v.hashed {
			r.Fields = append(r.Fields, http1.Field{Name: "x-amz-content-sha256", Value: hash(r.Body)})
		}
		if v.after {
			token = ""
		}
		Sign(&r, Credentials{vectorKey, vectorSecret, token}, "us-east-1", "service", vectorTime)
		if got, want := r.values("authorization"), want.values("authorization"); !slices.Equal(got, want) {
			t.Errorf("%s: %q\nnot %q", v.name, got, want)
		}
		if got := r.values(tokenHeader); token != "" && !slices.Equal(got, []string{token}) {
			t.Errorf("%s: token %q", v.name, got)
		}
	}
}

const (
	ourKey    = "ASIAQQQQQQQQQQQQQQQQ"
	ourSecret = "secret+of/forty"
	ourHost   = "127.0.0.1:4280"
)

var ourTime = time.Date(2026, 11, 21, 10, 11, 12, 999e6, time.UTC)

// ours is a request signed by Sign as the client of an API would.
func ours(method, target, body string, lines ...string) Request {
	r := Request{Method: method, Target: target, Host: ourHost, Body: []byte(body), Fields: []http1.Field{{Name: "Host", Value: ourHost}}}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		r.Fields = append(r.Fields, http1.Field{Name: name, Value: value})
	}
	Sign(&r, Credentials{ourKey, ourSecret, "token=="}, "eu-west-1", "execute-api", ourTime)
	return r
}

func refusal(t *testing.T, err error) *Error {
	t.Helper()
	var no *Error
	if !errors.As(err, &no) {
		t.Fatalf("no refusal: %v", err)
	}
	if no.Code == "" || no.Message == "" || no.Reason == "" {
		t.Errorf("%+v", no)
	}
	for _, secret := range []string{ourSecret, "Bearer", "c2VjcmV0"} {
		if strings.Contains(no.Error()+no.Reason+no.Message, secret) {
			t.Errorf("%q tells %q", no, secret)
		}
	}
	return no
}

func TestWhatIsRefusedIsToldAsTheCloudTells(t *testing.T) {
	replace := func(from, to string) func(*Request) {
		return func(r *Request) {
			for i := range r.Fields {
				r.Fields[i].Value = strings.Replace(r.Fields[i].Value, from, to, 1)
			}
		}
	}
	set := func(header, value string) func(*Request) {
		return func(r *Request) {
			r.Fields = slices.DeleteFunc(r.Fields, func(f http1.Field) bool { return strings.EqualFold(f.Name, header) })
			if value != "" {
				r.Fields = append(r.Fields, http1.Field{Name: header, Value: value})
			}
		}
	}
	add := func(header, value string) func(*Request) {
		return func(r *Request) { r.Fields = append(r.Fields, http1.Field{Name: header, Value: value}) }
	}
	four := "Authorization header requires 'Credential' parameter. Authorization header requires 'Signature' parameter. Authorization header requires 'SignedHeaders' parameter."
	for _, c := range []struct {
		name    string
		change  func(*Request)
		code    string
		message string
	}{
		{"nothing", set("Authorization", ""), MissingToken, "Missing Authentication Token"},
		{"a token", set("Authorization", "Bearer abc.def.ghi"), Incomplete, "Invalid key=value pair (missing equal-sign) in Authorization header (hashed with SHA-256 and encoded with Base64): 'UxOF3HMhATMMq+KaaPX3QIBX1wJiIP+fN+V4AUACHEY='."},
		{"a password", set("Authorization", "Basic c2VjcmV0="), Incomplete, four + " (Hashed with SHA-256 and encoded with Base64) Authorization="},
		{"no date", set("X-Amz-Date", ""), Incomplete, "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. (Hashed"},
		{"no signature", replace(", Signature=", ", Sign="), Incomplete, "Authorization header requires 'Signature' parameter. (Hashed"},
		{"an empty one", replace("SignedHeaders=", "SignedHeaders=,X="), Incomplete, "Authorization header requires 'SignedHeaders' parameter."},
		{"one parameter twice", replace(", Signature=", ", Credential=x, Signature="), Incomplete, "Authorization header has a parameter more than once."},
		{"another algorithm", replace("SHA256", "SHA1"), Incomplete, "Unsupported AWS 'algorithm'"},
		{"an odd credential", replace("/eu-west-1", ""), Incomplete, "Credential must have exactly 5 slash-delimited elements"},
		{"an odd date", set("X-Amz-Date", "2026-11-21T10:11:12Z"), Incomplete, "Date must be in ISO-8601 'basic format'."},
		{"odd names", replace("SignedHeaders=", "SignedHeaders=;"), Incomplete, "SignedHeaders must be names"},
		{"a name twice", replace("SignedHeaders=", "SignedHeaders=HOST;"), Incomplete, "SignedHeaders must be names"},
		{"another region", replace("eu-west-1", "us-east-1"), Invalid, "Credential should be scoped to a valid region."},
		{"another service", replace("execute-api", "s3"), Invalid, "Credential should be scoped to correct service: 'execute-api'."},
		{"another terminator", replace("aws4_request", "aws5"), Invalid, "Credential should be scoped with a valid terminator: 'aws4_request'."},
		{"another day", replace("/20261121/", "/20261120/"), Invalid, "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP, from '20261121T101112Z'."},
		{"the host unsigned", replace("host;", ""), Invalid, "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization."},
		{"the date unsigned", replace("x-amz-date;", ""), Invalid, "'X-Amz-Date' must be a 'SignedHeader' in the AWS Authorization."},
		{"a header added", add("X-AMZ-Target", "x"), Invalid, "'X-AMZ-Target' must be a 'SignedHeader'"},
		{"two Authorizations", add("authorization", "x"), Incomplete, "The header 'Authorization' may be sent once only."},
		{"two dates", add("x-amz-date", "20261121T101112Z"), Invalid, "The header 'x-amz-date' may be sent once only."},
		{"two tokens", add("x-amz-security-token", "token=="), Invalid, "The header 'x-amz-security-token' may be sent once only."},
		{"two hosts", add("host", ourHost), Invalid, "The header 'Host' may be sent once only."},
		{"a signed header twice", add("x-one", "1"), Invalid, "The header 'x-one' may be sent once only."},
		{"a host in the target", func(r *Request) { r.Target = "http://other" + r.Target }, Invalid, "The request names two hosts."},
		{"the query too", func(r *Request) { r.Target += "&X-Amz-Signature=x" }, Invalid, "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."},
		{"the query too, escaped", func(r *Request) { r.Target += "&%58-Amz%2dCredential" }, Invalid, "Found both"},
		{"another secret", replace("x-one", "x-one"), Invalid, mismatch},
	} {
		r := ours("GET", "/id/dev/items?a=b", "", "X-One: 1")
		c.change(&r)
		secret := ourSecret
		if c.name == "another secret" {
			secret += "x"
		}
		no := refusal(t, verify(r, secret, "eu-west-1", "execute-api", ourTime))
		if no.Code != c.code || !strings.HasPrefix(no.Message, c.message) && !strings.Contains(no.Message, " "+c.message) {
			t.Errorf("%s: %s: %s", c.name, no.Code, no.Message)
		}
	}
}

func TestAQueryThatHasAPartOfASignatureIsToldTheRest(t *testing.T) {
	whole := vectors[0].inQuery().Target
	_, query, _ := strings.Cut(whole, "?")
	for _, c := range []struct{ change, to, message string }{
		{"X-Amz-Algorithm=AWS4-HMAC-SHA256&", "", "AWS query-string parameters must include 'X-Amz-Algorithm'. Re-examine the query-string parameters."},
		{"X-Amz-Date", "x", "AWS query-string parameters must include 'X-Amz-Date'. Re-examine"},
		{"X-Amz-SignedHeaders=", "X-Amz-SignedHeaders=&x=", "AWS query-string parameters must include 'X-Amz-SignedHeaders'."},
		{"SHA256", "SHA1", "Unsupported AWS 'algorithm'"},
		{"Expires=3600", "Expires=604801", "X-Amz-Expires must be a number of seconds from 1 to 604800."},
		{"Expires=3600", "Expires=0", "X-Amz-Expires must be"},
		{"Expires=3600", "Expires=-1", "X-Amz-Expires must be"},
		{"Expires=3600", "Expires=", "X-Amz-Expires must be"},
		{"X-Amz-Expires=3600", "X-Amz-Expires=3600&X-Amz-Expires=3600", "AWS query-string parameters must include 'X-Amz-Expires' once only."},
		{"X-Amz-Date=20150830T123600Z", "X-Amz-Date=Sun, 30 Aug 2015 12:36:00 GMT", "Date must be in ISO-8601"},
	} {
		r := vectors[0].inQuery()
		r.Target = "/?" + strings.Replace(query, c.change, c.to, 1)
		if no := refusal(t, verify(r, vectorSecret, "us-east-1", "service", vectorTime)); no.Code != Incomplete || !strings.HasPrefix(no.Message, c.message) {
			t.Errorf("%s for %s: %s: %s", c.to, c.change, no.Code, no.Message)
		}
	}
}

func TestASignatureIsGoodForItsTime(t *testing.T) {
	header := ours("GET", "/", "")
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
		err := verify(header, ourSecret, "eu-west-1", "execute-api", ourTime.Add(c.after))
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

func TestAMismatchShowsWhatShouldHaveBeenSigned(t *testing.T) {
	r := ours("POST", "/id/dev/a%20b/../c%2Fd/(x)?b=2&a=%C3%A9+*&a=", `{"a":1}`, "Content-Type: application/json;   charset=UTF-8")
	r.Body = []byte(`{"a":2}`)
	want := mismatch + "\n\nThe Canonical String for this request should have been\n'POST\n/id/dev/c%252Fd/%28x%29\na=&a=%C3%A9%20%2A&b=2\n" +
		"content-type:application/json; charset=UTF-8\nhost:127.0.0.1:4280\nx-amz-date:20261121T101112Z\nx-amz-security-token:token==\n\n" +
		"content-type;host;x-amz-date;x-amz-security-token\n" + hash(r.Body) + "'\n\nThe String-to-Sign should have been\n'AWS4-HMAC-SHA256\n" +
		"20261121T101112Z\n20261121/eu-west-1/execute-api/aws4_request\n"
	no := refusal(t, verify(r, ourSecret, "eu-west-1", "execute-api", ourTime))
	if !strings.HasPrefix(no.Message, want) || !strings.HasSuffix(no.Message, "'\n") {
		t.Errorf("%s\nnot %s", no.Message, want)
	}
	if no.Error() != Invalid+": "+mismatch {
		t.Errorf("%q", no.Error())
	}
}

// What a client that has a known fault signs is refused, and the log says why.
func TestKnownFaultsAreNamed(t *testing.T) {
	signedWith := func(r Request, path, query string) Request {
		c, err := Parse(r)
		if err != nil {
			t.Fatal(err)
		}
		stamp := c.Time.Format(stampLayout)
		text := toSign(stamp, scope(c.date, c.Region, c.Service, c.terminator), canonical(&r, path, query, c.signed, hash(r.Body)))
		made := sign(ourSecret, c.date, c.Region, c.Service, c.terminator, text)
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
		{"as JavaScript encodes", signedWith(ours("GET", "/id/dev/a(b)%20c", ""), "/id/dev/a(b)%2520c", ""), nil, "%21 %27 %28 %29 %2A"},
		{"encoded once", signedWith(ours("GET", "/id/dev/a%20b", ""), "/id/dev/a%20b", ""), nil, "only s3 wants"},
		{"ordered first", signedWith(ours("GET", "/id/dev/?z=1&%C3%A9=2", ""), "/id/dev/", "z=1&%C3%A9=2"), nil, "before it encoded them"},
		{"the hash of another body", ours("PUT", "/", "one", "X-Amz-Content-Sha256: "+hash([]byte("one"))), func(r *Request) { r.Body = []byte("two") }, "not the hash of the body"},
		{"no hash", ours("PUT", "/", "one", "X-Amz-Content-Sha256: UNSIGNED-PAYLOAD"), hashOf("UNSIGNED-PAYLOAD"), "cannot be left unsigned"},
		{"a header that did not come", ours("GET", "/", "", "X-One: 1"), func(r *Request) { r.Fields[1].Name = "X-Two" }, "the signed header x-one was not sent"},
	} {
		if c.change != nil {
			c.change(&c.r)
		}
		if no := refusal(t, verify(c.r, ourSecret, "eu-west-1", "execute-api", ourTime)); no.Code != Invalid || !strings.Contains(no.Reason, c.reason) {
			t.Errorf("%s: %s: %s", c.name, no.Code, no.Reason)
		}
	}
}

func TestThePathMayBeSignedAsItIsWritten(t *testing.T) {
	r := ours("GET", "/id/dev//items/./x", "")
	if err := verify(r, ourSecret, "eu-west-1", "execute-api", ourTime); err != nil {
		t.Error(err)
	}
	r = ours("GET", "http://"+ourHost+"/id/dev/items", "")
	if err := verify(r, ourSecret, "eu-west-1", "execute-api", ourTime); err != nil {
		t.Errorf("the form that proxies get: %v", err)
	}
}

func TestTheDateHeaderDoesWhereThereIsNoOther(t *testing.T) {
	r := ours("GET", "/", "")
	for i := range r.Fields {
		if r.Fields[i].Name == "X-Amz-Date" {
			r.Fields[i] = http1.Field{Name: "Date", Value: "Sat, 21 Nov 2026 10:11:12 GMT"}
		}
	}
	c, err := Parse(r)
	if err != nil || !c.Time.Equal(ourTime.Truncate(time.Second)) {
		t.Fatalf("%+v, %v", c, err)
	}
	r.Fields = append(r.Fields, http1.Field{Name: "date", Value: "Sat, 21 Nov 2026 10:11:13 GMT"})
	refusal(t, verify(r, ourSecret, "eu-west-1", "execute-api", ourTime))
}

func TestAClaimIsWhatTheRequestSays(t *testing.T) {
	c, err := Parse(ours("GET", "/", ""))
	if err != nil || c.AccessKeyID != ourKey || c.SessionToken != "token==" || c.Region != "eu-west-1" || c.Service != "execute-api" || !c.Time.Equal(ourTime.Truncate(time.Second)) || c.Presigned {
		t.Errorf("%+v, %v", c, err)
	}
	i := slices.IndexFunc(vectors, func(v vector) bool { return v.name == "get-vanilla-with-session-token" })
	c, err = Parse(vectors[i].inQuery())
	if err != nil || c.AccessKeyID != vectorKey || c.SessionToken != vectors[i].token || !c.Presigned || c.Expires != time.Hour {
		t.Errorf("%+v, %v", c, err)
	}
}
