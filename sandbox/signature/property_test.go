package signature

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gatewright/sandbox/http1"
)

// drawSigned draws a signed request.
func drawSigned(t *rapid.T) Request {
	r := Request{
		Method: rapid.SampledFrom([]string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"}).Draw(t, "method"),
		Target: "/id/dev" + rapid.StringMatching(`(/([A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-F]{2}|é){0,8}){0,4}`).Draw(t, "path"),
		Host:   rapid.SampledFrom([]string{testHost, "localhost:1", "id.localhost"}).Draw(t, "host"),
		Body:   rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "body"),
	}
	if query := rapid.StringMatching(`(([a-z+é]|%[0-9A-F]{2}){1,3}=([A-Za-z+!*~/-]|%[0-9A-F]{2}|%){0,5}&?){0,4}`).Draw(t, "query"); query != "" {
		r.Target += "?" + query
	}
	for i := range rapid.IntRange(0, 4).Draw(t, "headers") {
		name := rapid.SampledFrom([]string{"X-Amz-Meta-", "content-type-", "X-Own-"}).Draw(t, "name") + string(rune('a'+i))
		r.Fields = append(r.Fields, http1.Field{Name: name, Value: rapid.StringMatching(`[!-~][ -~]{0,10}`).Draw(t, "value")})
	}
	Sign(&r, Credentials{testKey, testSecret, rapid.SampledFrom([]string{"", "token=="}).Draw(t, "token")}, "eu-west-1", "execute-api", testTime)
	return r
}

func TestSignedRequestsAreVerified(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := drawSigned(t)
		now := testTime.Add(time.Duration(rapid.IntRange(-299, 299).Draw(t, "seconds")) * time.Second)
		if err := verify(r, testSecret, "eu-west-1", "execute-api", now); err != nil {
			t.Fatalf("%+v: %+v", r, err)
		}
	})
}

// meaning is everything in a request that its signature covers, put differently from
// the canonical form: the parameters of the query as text, headers without spaces, and
// the claim in place of its spelling in the Authorization header.
func meaning(r Request) string {
	path, query := http1.SplitTarget(r.Target)
	if !r.AsWritten {
		path = Normal(path)
	}
	parameters := parseQuery(query)
	slices.SortFunc(parameters, byNameThenValue)
	claim, _ := Parse(r)
	var b strings.Builder
	fmt.Fprintf(&b, "%+v\n%s\n%s\n%s\n%s", claim, r.Method, path, r.Host, r.Body)
	for _, p := range parameters {
		b.WriteString("\n" + p.name + "\x00" + p.value)
	}
	var headers []string
	for _, f := range r.Fields {
		if name := strings.ToLower(f.Name); name != "authorization" {
			headers = append(headers, name+":"+strings.Join(strings.Fields(f.Value), " "))
		}
	}
	slices.Sort(headers)
	return b.String() + strings.Join(headers, "\n")
}

func TestAnyChangeOfASignedRequestIsRefused(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		checkChangesAreRefused(t, drawSigned(t), "eu-west-1", "execute-api")
	})
}

// checkChangesAreRefused changes one thing in a request that was signed with testSecret at
// testTime. All of its headers are signed.
func checkChangesAreRefused(t *rapid.T, signed Request, region, service string) {
	r, secret, now := signed, testSecret, testTime
	change := func(text string) string {
		at := rapid.IntRange(0, len(text)).Draw(t, "at")
		one := rapid.StringMatching(`[!-~]`).Draw(t, "byte")
		if at == len(text) || rapid.Bool().Draw(t, "insert") {
			return text[:at] + one + text[at:]
		}
		if rapid.Bool().Draw(t, "drop") {
			return text[:at] + text[at+1:]
		}
		return text[:at] + one + text[at+1:]
	}
	parts := []string{"method", "path", "query", "host", "body", "region", "service", "secret", "time"}
	if len(r.Fields) > 0 {
		parts = append(parts, "header", "drop")
	}
	wantRegion, wantService := region, service
	switch rapid.SampledFrom(parts).Draw(t, "part") {
	case "method":
		r.Method = change(r.Method)
	case "path":
		path, query, found := strings.Cut(r.Target, "?")
		if r.Target = "/" + strings.ReplaceAll(change(path[1:]), "?", "x"); found {
			r.Target += "?" + query
		}
	case "query":
		path, query, _ := strings.Cut(r.Target, "?")
		r.Target = path + "?" + change(query)
	case "host":
		r.Host = change(r.Host)
	case "body":
		r.Body = []byte(change(string(r.Body)))
	case "header":
		r.Fields = slices.Clone(r.Fields)
		f := &r.Fields[rapid.IntRange(0, len(r.Fields)-1).Draw(t, "field")]
		f.Value = change(f.Value)
	case "drop":
		at := rapid.IntRange(0, len(r.Fields)-1).Draw(t, "field")
		r.Fields = slices.Delete(slices.Clone(r.Fields), at, at+1)
	case "region":
		wantRegion = change(region)
	case "service":
		wantService = change(service)
	case "secret":
		secret = change(secret)
	case "time":
		now = now.Add(6*time.Minute + LongestExpiry)
	}
	unchanged := meaning(r) == meaning(signed) && wantRegion == region && wantService == service && secret == testSecret && now.Equal(testTime)
	if c, _ := Parse(r); c.AccessKeyID != testKey {
		// Another access key has another secret.
		secret += "x"
	}
	if err := verify(r, secret, wantRegion, wantService, now); err == nil && !unchanged {
		t.Fatalf("accepted: %+v", r)
	}
}

// FuzzVerify checks that no request crashes Verify, and that it accepts none that was not
// signed with the secret.
func FuzzVerify(f *testing.F) {
	for _, v := range vectors {
		for _, r := range []Request{v.inHeader(), v.inQuery()} {
			f.Add(r.Method, r.Target, r.Host, strings.Join(r.values("authorization"), ""), strings.Join(r.values(dateHeader), ""), "X-One", v.token, r.Body)
		}
	}
	f.Add("GET", "http://a?X-Amz-Credential", "a", "AWS4-HMAC-SHA256 Credential=/,SignedHeaders=;,Signature=", "", "Host", "", []byte(nil))
	f.Fuzz(func(t *testing.T, method, target, host, authorization, date, name, value string, body []byte) {
		r := Request{Method: method, Target: target, Host: host, Body: body, Fields: []http1.Field{{Name: name, Value: value}, {Name: "Authorization", Value: authorization}, {Name: "X-Amz-Date", Value: date}}}
		for range 2 {
			if err := verify(r, "a secret that nobody has", "us-east-1", "service", vectorTime); err == nil {
				t.Fatalf("%+v is accepted", r)
			} else if strings.ContainsAny(err.Error(), "\n\r") {
				t.Fatalf("%q", err)
			}
			r.Fields = r.Fields[:1]
		}
		Sign(&r, Credentials{testKey, testSecret, ""}, "us-east-1", "service", vectorTime)
		// A header sent twice or another host is refused even if signed.
		_ = verify(r, testSecret, "us-east-1", "service", vectorTime)
	})
}

func BenchmarkVerify(b *testing.B) {
	r := signedByTest("GET", "/id/dev/items/1?limit=3", "")
	r.Fields = append(r.Fields, http1.Field{Name: "Accept", Value: "*/*"}, http1.Field{Name: "User-Agent", Value: "node"}, http1.Field{Name: "Accept-Language", Value: "*"})
	b.ReportAllocs()
	for b.Loop() {
		if err := verify(r, testSecret, "eu-west-1", "execute-api", testTime); err != nil {
			b.Fatal(err)
		}
	}
}
