package signature

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gatewright/sandbox/http1"
)

func TestRefusalsHaveTheCloudsCodesAndMessages(t *testing.T) {
	t.Parallel()
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
		{"no key", replace(testKey, ""), Incomplete, "Credential must have exactly 5"},
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
		{"two hosts", add("host", testHost), Invalid, "The header 'Host' may be sent once only."},
		{"a host in the headers", set("Host", "other"), Invalid, "The header 'Host' may be sent once only."},
		{"a header of the cloud's twice", add("X-AMZ-one", "1"), Invalid, "The header 'x-amz-one' may be sent once only."},
		{"more names than headers", replace("SignedHeaders=", "SignedHeaders="+names(5000)), Invalid, mismatch},
		{"a signed header twice", add("x-one", "1"), Invalid, "The header 'x-one' may be sent once only."},
		{"a host in the target", func(r *Request) { r.Target = "http://other" + r.Target }, Invalid, "The request names two hosts."},
		{"the query too", func(r *Request) { r.Target += "&X-Amz-Signature=x" }, Invalid, "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."},
		{"the query too, escaped", func(r *Request) { r.Target += "&%58-Amz%2dCredential" }, Invalid, "Found both"},
		{"another secret", replace("x-one", "x-one"), Invalid, mismatch},
	} {
		r := signedByTest("GET", "/id/dev/items?a=b", "", "X-One: 1", "X-Amz-One: 1")
		c.change(&r)
		secret := testSecret
		if c.name == "another secret" {
			secret += "x"
		}
		refused := refusal(t, verify(r, secret, "eu-west-1", "execute-api", testTime))
		if refused.Code != c.code || !strings.HasPrefix(refused.Message, c.message) && !strings.Contains(refused.Message, " "+c.message) {
			t.Errorf("%s: %s: %s", c.name, refused.Code, refused.Message)
		}
	}
}

func TestTheReasonOfARefusalSaysWhatToLookFor(t *testing.T) {
	t.Parallel()
	change := func(from, to string) Request {
		r := signedByTest("GET", "/", "")
		for i := range r.Fields {
			r.Fields[i].Value = strings.Replace(r.Fields[i].Value, from, to, 1)
		}
		return r
	}
	elsewhere, address := change("", ""), vectors[0].inQuery()
	elsewhere.Target = "http://other/"
	part := func(from, to string) Request {
		r := address
		r.Target = strings.Replace(r.Target, from, to, 1)
		return r
	}
	for _, row := range []struct {
		r      Request
		later  time.Duration
		reason string
	}{
		{elsewhere, 0, "the host in the target is not the Host header"},
		{change(", Signature=", ", X="), 0, "the signature in the Authorization header is incomplete"},
		{change(algorithm, "Bearer"), 0, "the request is not signed with AWS4-HMAC-SHA256"},
		{change("Credential="+testKey, "Credential="), 0, "the credential is not of the form key/date/region/service/aws4_request"},
		{change("", ""), -time.Hour, "the client's clock is more than 5 minutes ahead"},
		{change("", ""), time.Hour, "the request was signed more than 5 minutes ago, or the client's clock is behind"},
		{change("host;", ""), 0, "the host and every header that begins with x-amz- have to be signed"},
		{change("/eu-west-1/", "/eu-west-2/"), 0, "the request has to be signed for region eu-west-1 and service execute-api"},
		{part("X-Amz-Signature=", "X-Amz-Sign="), 0, "the signature in the query is incomplete"},
		{part("Expires=3600", "Expires=x"), 0, "X-Amz-Expires is not a number of seconds within a week"},
		{part("X-Amz-Date=2", "X-Amz-Date=x"), 0, "the date does not have the form 20060102T150405Z"},
		{address, 24 * 365 * 100 * time.Hour, "the presigned URL has expired"},
	} {
		if got := refusal(t, verify(row.r, testSecret, "eu-west-1", "execute-api", testTime.Add(row.later))).Reason; got != row.reason {
			t.Errorf("the reason is %q, want %q", got, row.reason)
		}
	}
}

// names is a list of names for SignedHeaders.
func names(many int) string {
	var b strings.Builder
	for i := range many {
		b.WriteString("x-" + strconv.Itoa(i) + ";")
	}
	return b.String()
}

func TestIncompletePresignedRequestsAreRefused(t *testing.T) {
	t.Parallel()
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
		if refused := refusal(t, verify(r, vectorSecret, "us-east-1", "service", vectorTime)); refused.Code != Incomplete || !strings.HasPrefix(refused.Message, c.message) {
			t.Errorf("%s for %s: %s: %s", c.to, c.change, refused.Code, refused.Message)
		}
	}
}
