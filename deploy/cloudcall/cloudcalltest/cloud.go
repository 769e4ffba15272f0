// Package cloudcalltest is a fake of AWS with an API, for tests that call it.
package cloudcalltest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"gatewright/deploy/awstest"
	"gatewright/deploy/signin/signintest"
	"gatewright/model"
	"gatewright/project"
)

const (
	// Region is where the API is, ID its id.
	Region = "eu-central-1"
	ID     = "a1b2c3d4"
)

// URL is the address of a stage of the API.
func URL(stage string) string {
	return "https://" + ID + ".execute-api." + Region + ".amazonaws.com/" + stage
}

// Cloud is a fake of AWS with one API.
type Cloud struct {
	*awstest.Server
	// API answers requests to the API, and Got are those requests.
	API func(w http.ResponseWriter, r *http.Request)
	Got []*http.Request

	mu sync.Mutex
}

// New starts a fake, to which the variables of the process lead. There are no credentials.
func New(t *testing.T) *Cloud {
	t.Helper()
	c := &Cloud{Server: awstest.New(t, awstest.Options{})}
	to, err := url.Parse(c.URL)
	if err != nil {
		t.Fatal(err)
	}
	pass := &httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) {
		host := p.In.Host
		p.SetURL(to)
		p.Out.Host = host
	}}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.Host, ID+".execute-api.localhost:") {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.Got = append(c.Got, r)
			c.API(w, r)
			return
		}
		pass.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": front.URL, "AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_SESSION_TOKEN": "",
		"AWS_PROFILE":     "",
		"AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull, "AWS_EC2_METADATA_DISABLED": "true",
	} {
		t.Setenv(name, value)
	}
	c.API = func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("fine")) }
	c.Serve("cognito-identity", Identities(time.Hour))
	return c
}

// WithCredentials gives the process credentials of the account.
func WithCredentials(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "123456789012")
	t.Setenv("AWS_SECRET_ACCESS_KEY", awstest.SecretKey)
}

// Identities answers as an identity pool does, with a new key each time.
func Identities(valid time.Duration) func(awstest.Request) (any, error) {
	n := 0
	return func(r awstest.Request) (any, error) {
		if r.Action == "GetId" {
			return map[string]any{"IdentityId": Region + ":1"}, nil
		}
		n++
		return map[string]any{"IdentityId": Region + ":1", "Credentials": map[string]any{
			"AccessKeyId": fmt.Sprint("ASIAGUEST", n), "SecretKey": "secret-of-a-guest", "SessionToken": "token",
			"Expiration": float64(time.Now().Add(valid).Unix()),
		}}, nil
	}
}

// Push records a push of an environment with the API shop, and the URL of that.
func Push(t *testing.T, p *project.Project, env, at string) {
	t.Helper()
	err := p.Deploy(project.Record{
		Stack: "gatewright-app1-main", ApplicationID: "app1", Branch: "main", Environment: env, Provider: model.AWS,
		Account: "123456789012", Region: Region,
		Deployed: time.Date(2026, 11, 25, 17, 0, 0, 0, time.UTC), APIs: []project.Endpoint{{API: "shop", ID: ID, URL: at}},
		Values: model.Outputs{"auth": map[string]any{
			"user_pool_id":        Region + "_" + signintest.ID,
			"user_pool_client_id": "client", "identity_pool_id": Region + ":pool",
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
}
