package amplifystack

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"gatewright/sandbox/http1"
	"gatewright/sandbox/signature"
)

// amplify serves one answer to requests that are signed as they must be.
func amplify(t *testing.T, status int, body string) (endpoint string, asked *string) {
	t.Helper()
	asked = new(string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = r.Method + " " + r.RequestURI
		request := signature.Request{Method: r.Method, Target: r.RequestURI, Host: r.Host}
		for name, values := range r.Header {
			for _, value := range values {
				request.Fields = append(request.Fields, http1.Field{Name: name, Value: value})
			}
		}
		claim, err := signature.Parse(request)
		if err == nil {
			err = claim.Verify(request, "secret", region, "amplify", time.Now())
		}
		if err == nil && claim.SessionToken != "token" {
			err = errors.New("no session token")
		}
		if err != nil {
			t.Errorf("the signature: %v", err)
		}
		if status == http.StatusFound {
			w.Header().Set("Location", "/elsewhere")
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

func account() aws.Config {
	return aws.Config{Region: region, Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: "AKIDEXAMPLE", SecretAccessKey: "secret", SessionToken: "token"}, nil
	})}
}

func TestTheServiceIsAskedForTheStackOfAnEnvironment(t *testing.T) {
	t.Parallel()
	endpoint, asked := amplify(t, 200, `{"backendEnvironment":{"environmentName":"dev","stackName":"amplify-shop-dev-12345","createTime":1.5}}`)
	got, err := BackendStack(t.Context(), account(), endpoint+"/", "d123", "dev")
	if err != nil || got != "amplify-shop-dev-12345" {
		t.Errorf("it is %q, %v", got, err)
	}
	if *asked != "GET /apps/d123/backendenvironments/dev" {
		t.Errorf("asked for %s", *asked)
	}
	if _, err := BackendStack(t.Context(), account(), endpoint, "d1/../é", "a b?%2F"); err != nil {
		t.Error(err)
	}
	if *asked != "GET /apps/d1%2F..%2F%C3%A9/backendenvironments/a%20b%3F%252F" {
		t.Errorf("asked for %s", *asked)
	}
}

func TestEachAnswerOfTheServiceWithoutAStackIsAnError(t *testing.T) {
	t.Parallel()
	const (
		of   = "environment dev of the application d123"
		none = "the Amplify service names no stack for " + of + "; give its name with --stack"
	)
	for _, tt := range []struct {
		name   string
		status int
		body   string
		cause  error
		says   string
	}{
		{"no environment", 404, `{"message":"not found"}`, ErrNoStack, of + " does not exist; check both, the region and the account; a branch of Amplify's second generation has no environment"},
		{"no permission", 403, `{"message":"User is not\nauthorized"}`, ErrRefused, "the Amplify service returned 403 for " + of + `: "User is not\nauthorized"; use credentials that may do amplify:GetBackendEnvironment, or give the name of the stack with --stack`},
		{"no credentials", 401, `{}`, ErrRefused, "the Amplify service returned 401 for " + of + "; use credentials that may do amplify:GetBackendEnvironment, or give the name of the stack with --stack"},
		{"no page", 502, `<html>`, ErrRefused, "the Amplify service returned 502 for " + of + "; try again later, or give the name of the stack with --stack"},
		{"a redirection", 302, ``, ErrRefused, "the Amplify service returned 302 for " + of + "; try again later, or give the name of the stack with --stack"},
		{"no JSON", 200, `stack`, ErrMalformed, none},
		{"no stack", 200, `{"backendEnvironment":{}}`, ErrMalformed, none},
		{"an odd name", 200, `{"backendEnvironment":{"stackName":"a b"}}`, ErrMalformed, none},
		{"a name that begins with a digit", 200, `{"backendEnvironment":{"stackName":"1a"}}`, ErrMalformed, none},
		{"a name like an ARN", 200, `{"backendEnvironment":{"stackName":"arn:aws:\u212a"}}`, ErrMalformed, none},
		{"a long name", 200, `{"backendEnvironment":{"stackName":"` + strings.Repeat("a", 129) + `"}}`, ErrMalformed, none},
		{"a long ARN", 200, `{"backendEnvironment":{"stackName":"arn:` + strings.Repeat("a", 1597) + `"}}`, ErrMalformed, none},
		{"too much", 200, strings.Repeat(" ", longestAnswer+1), ErrTooLarge, "the response of the Amplify service is larger than 1 MB; give the name of the stack with --stack"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			endpoint, _ := amplify(t, tt.status, tt.body)
			got, err := BackendStack(t.Context(), account(), endpoint, "d123", "dev")
			if !errors.Is(err, tt.cause) {
				t.Fatalf("it is %q, %v", got, err)
			}
			mustBeOneLine(t, err)
			if err.Error() != tt.says {
				t.Errorf("it does not say %q: %v", tt.says, err)
			}
		})
	}
}

func TestANameOfAStackIsTakenUpToItsLimit(t *testing.T) {
	t.Parallel()
	for _, want := range []string{strings.Repeat("a", 128), "Z-9", "arn:aws:cloudformation:" + region + ":1:stack/a.b/c_d+e", "arn:" + strings.Repeat("a", 1596)} {
		body := `{"backendEnvironment":{"stackName":"` + want + `"}}`
		endpoint, _ := amplify(t, 200, body+strings.Repeat(" ", longestAnswer-len(body)))
		if got, err := BackendStack(t.Context(), account(), endpoint, "d123", "dev"); err != nil || got != want {
			t.Errorf("it is %q, %v, and not %q", got, err, want)
		}
	}
}

func TestNothingIsAskedForWithoutNamesOrCredentials(t *testing.T) {
	t.Parallel()
	for _, names := range [][2]string{{"", "dev"}, {"d1", ""}, {"..", "dev"}, {"d1", "."}} {
		if _, err := BackendStack(t.Context(), account(), "http://127.0.0.1:1", names[0], names[1]); !errors.Is(err, ErrNoStack) {
			t.Errorf("%q: %v", names, err)
		}
	}
	broken := errors.New("expired")
	cfg := account()
	cfg.Credentials = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return aws.Credentials{}, broken })
	if _, err := BackendStack(t.Context(), cfg, "http://127.0.0.1:1", "d1", "dev"); !errors.Is(err, broken) {
		t.Errorf("it is %v", err)
	}
	sent := 0
	cfg = account()
	cfg.HTTPClient = httpClient(func(*http.Request) (*http.Response, error) { sent++; return nil, broken })
	if _, err := BackendStack(t.Context(), cfg, "https://127.0.0.1", "d1", "dev"); !errors.Is(err, broken) || sent != 1 {
		t.Errorf("with the client of the configuration: %v, %d sent", err, sent)
	}
	cfg.Credentials = nil
	if _, err := BackendStack(t.Context(), cfg, "http://127.0.0.1:1", "d1", "dev"); err == nil {
		t.Error("no error without credentials")
	}
	cfg.Region = "x.example/"
	if got, err := BackendStack(t.Context(), cfg, "", "d1", "dev"); err == nil {
		t.Error(fmt.Sprint("an odd region leads to ", got))
	}
}

type httpClient func(*http.Request) (*http.Response, error)

func (c httpClient) Do(r *http.Request) (*http.Response, error) { return c(r) }
