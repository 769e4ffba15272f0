package signature

import (
	"bytes"
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"pgregory.net/rapid"

	"gatewright/sandbox/http1"
)

// sdkRequest is a request that the AWS SDK for Go signs (aws/signer/v4).
type sdkRequest struct {
	*http.Request
	body            []byte
	service, region string
	credentials     Credentials
}

// drawSDKRequest draws an unsigned request. Each header is sent once, and values have no
// tabs and no Unicode spaces at their ends, where the SDK differs from Sign: it keeps tabs
// within a value, and trims Unicode spaces. Sign treats a tab as a space, as aws-c-auth
// does.
func drawSDKRequest(t *rapid.T) sdkRequest {
	body := rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "body")
	scheme := rapid.SampledFrom([]string{"https", "http"}).Draw(t, "scheme")
	host := rapid.SampledFrom([]string{testHost, "localhost:80", "id.execute-api.eu-west-1.amazonaws.com", "dynamodb.localhost:443", "[::1]:4280"}).Draw(t, "host")
	path := rapid.StringMatching(`(/([A-Za-z0-9._~!$&'()*+,;=:@\[\]-]|%[0-9A-Fa-f]{2}|\.|é|本| ){0,6}|/\.{1,2}){0,5}`).Draw(t, "path")
	query := rapid.StringMatching(`(([ab+é]|%[0-9A-Fa-f]{2}){1,2}(=([A-Za-z+!*~/é-]|%[0-9A-F]{2}){0,4})?&?){0,5}`).Draw(t, "query")
	parsed, err := url.Parse(scheme + "://" + host + path + "?" + query)
	if err != nil {
		t.Skip(err)
	}
	r, err := http.NewRequest(rapid.SampledFrom([]string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"}).Draw(t, "method"), parsed.String(), bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{
		"Content-Type", "X-Amz-Target", "X-Amz-Meta-One", "x-own", "Accept", "Range", "Cache-Control", "X-Api-Key",
	}), 0, 4, rapid.ID).Draw(t, "headers") {
		r.Header.Set(name, rapid.StringMatching(`[!-~]?([!-~é本]| ){0,10}`).Draw(t, "value"))
	}
	if rapid.Bool().Draw(t, "hashed") {
		r.Header.Set("X-Amz-Content-Sha256", hash(body))
	}
	return sdkRequest{
		Request: r, body: body,
		service:     rapid.SampledFrom([]string{"execute-api", "dynamodb", "cognito-idp", "cognito-identity"}).Draw(t, "service"),
		region:      rapid.SampledFrom([]string{"eu-west-1", "us-gov-east-1"}).Draw(t, "region"),
		credentials: Credentials{testKey, testSecret, rapid.SampledFrom([]string{"", "token+/=="}).Draw(t, "token")},
	}
}

// asSent is the request as a server receives it.
func (r sdkRequest) asSent() Request {
	sent := Request{Method: r.Method, Target: r.URL.RequestURI(), Host: r.Host, Body: r.body}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		for _, value := range r.Header[name] {
			sent.Fields = append(sent.Fields, http1.Field{Name: name, Value: value})
		}
	}
	if r.ContentLength > 0 {
		sent.Fields = append(sent.Fields, http1.Field{Name: "Content-Length", Value: strconv.FormatInt(r.ContentLength, 10)})
	}
	return sent
}

func (r sdkRequest) awsCredentials() aws.Credentials {
	return aws.Credentials{AccessKeyID: r.credentials.AccessKeyID, SecretAccessKey: r.credentials.SecretKey, SessionToken: r.credentials.SessionToken}
}

// signBySDK signs the request with an Authorization header.
func (r sdkRequest) signBySDK(t interface{ Fatal(...any) }, bodyHash string) Request {
	if err := v4.NewSigner().SignHTTP(context.Background(), r.awsCredentials(), r.Request, bodyHash, r.service, r.region, testTime); err != nil {
		t.Fatal(err)
	}
	return r.asSent()
}

// presignBySDK signs the request in its query, for an hour.
func (r sdkRequest) presignBySDK(t interface{ Fatal(...any) }) Request {
	r.URL.RawQuery += "&X-Amz-Expires=3600"
	signed, headers, err := v4.NewSigner().PresignHTTP(context.Background(), r.awsCredentials(), r.Request, hash(r.body), r.service, r.region, testTime)
	if err != nil {
		t.Fatal(err)
	}
	if r.URL, err = url.Parse(signed); err != nil {
		t.Fatal(err)
	}
	r.Host = headers.Get("Host")
	headers.Del("Host")
	headers.Del("Content-Length")
	r.Header = headers
	return r.asSent()
}

// drawSignedBySDK draws a request that the SDK has signed, in either form.
func drawSignedBySDK(t *rapid.T) (r Request, service, region string) {
	drawn := drawSDKRequest(t)
	if rapid.Bool().Draw(t, "presigned") {
		r = drawn.presignBySDK(t)
	} else {
		r = drawn.signBySDK(t, hash(drawn.body))
	}
	r.AsWritten = rapid.Bool().Draw(t, "as written")
	return r, drawn.service, drawn.region
}

func TestRequestsSignedByTheSDKAreVerified(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r, service, region := drawSignedBySDK(t)
		if err := verify(r, testSecret, region, service, testTime); err != nil {
			t.Fatalf("%+v: %+v", r, err)
		}
	})
}

func TestAnyChangeOfARequestSignedByTheSDKIsRefused(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r, service, region := drawSignedBySDK(t)
		checkChangesAreRefused(t, r, region, service)
	})
}

// The SDK signs the path as written, as Sign does with AsWritten. It drops malformed pairs
// of the query, so then Sign gets the query that it sends.
func TestSignMakesTheSDKsSignature(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		drawn := drawSDKRequest(t)
		for _, name := range []string{"User-Agent", "Expect", "X-Amzn-Trace-Id"} {
			if rapid.Bool().Draw(t, name) {
				drawn.Header.Set(name, "not signed")
			}
		}
		unsigned := drawn.asSent()
		_, malformed := url.ParseQuery(drawn.URL.RawQuery)
		want := drawn.signBySDK(t, hash(drawn.body))
		unsigned.Host, unsigned.AsWritten = want.Host, true
		if malformed != nil {
			unsigned.Target = want.Target
		}
		Sign(&unsigned, drawn.credentials, drawn.region, drawn.service, testTime)
		if got, want := unsigned.values("authorization"), want.values("authorization"); !slices.Equal(got, want) {
			t.Fatalf("%q\nnot %q", got, want)
		}
	})
}

// Only S3 accepts an unsigned body:
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
func TestUnsignedBodyIsRefused(t *testing.T) {
	t.Parallel()
	const unsigned = "UNSIGNED-PAYLOAD"
	rapid.Check(t, func(t *rapid.T) {
		drawn := drawSDKRequest(t)
		drawn.Header.Del("X-Amz-Content-Sha256")
		if rapid.Bool().Draw(t, "declared") {
			drawn.Header.Set("X-Amz-Content-Sha256", unsigned)
		}
		err := verify(drawn.signBySDK(t, unsigned), testSecret, drawn.region, drawn.service, testTime)
		if err == nil || !strings.HasPrefix(err.Error(), Invalid+": "+mismatch) {
			t.Fatalf("a body that is not signed: %v", err)
		}
	})
}
