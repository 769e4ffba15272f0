package account_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// elsewhere counts the connections that the tests make to other hosts than this machine: the
// proxy of the process, which Go uses for those alone.
var elsewhere atomic.Int64

func TestMain(m *testing.M) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			elsewhere.Add(1)
			_ = connection.Close()
		}
	}()
	for _, name := range os.Environ() {
		if name, _, _ = strings.Cut(name, "="); strings.HasPrefix(name, "AWS_") {
			_ = os.Unsetenv(name)
		}
	}
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"} {
		_ = os.Setenv(name, "http://"+listener.Addr().String())
	}
	for _, name := range []string{"NO_PROXY", "no_proxy"} {
		_ = os.Setenv(name, "nowhere.invalid")
	}
	os.Exit(m.Run())
}

// cloud speaks the part of AWS's protocols that gives credentials and tells whose they are.
type cloud struct {
	*httptest.Server
	mu sync.Mutex
	// calls are the actions that were asked for, each with the key that signed it.
	calls []string
	// refuse answers some actions with an error of a code; "" for none.
	refuse func(action string, calls int) (status int, code, message string)
}

func newCloud(t *testing.T) *cloud {
	c := &cloud{refuse: func(string, int) (int, string, string) { return 0, "", "" }}
	c.Server = httptest.NewServer(c)
	t.Cleanup(c.Close)
	return c
}

func (c *cloud) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	action := r.PostForm.Get("Action")
	switch {
	case r.URL.Path == "/federation/credentials":
		action = "GetRoleCredentials"
	case r.URL.Path == "/token":
		action = "CreateToken"
	}
	_, key, _ := strings.Cut(r.Header.Get("Authorization"), "Credential=")
	key, _, _ = strings.Cut(key, "/")
	c.mu.Lock()
	c.calls = append(c.calls, strings.TrimSpace(action+" "+key+r.PostForm.Get("TokenCode")))
	status, code, message := c.refuse(action, len(c.calls))
	c.mu.Unlock()
	expires := time.Now().Add(time.Hour)
	if status != 0 {
		w.Header().Set("X-Amzn-Errortype", code)
		w.WriteHeader(status)
		if action == "GetRoleCredentials" || action == "CreateToken" {
			_ = json.NewEncoder(w).Encode(map[string]string{"message": message, "error": code})
			return
		}
		_, _ = fmt.Fprintf(w, `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>%s</Code><Message>%s</Message></Error><RequestId>1</RequestId></ErrorResponse>`, code, message)
		return
	}
	result := ""
	switch action {
	case "GetCallerIdentity":
		// The key tells whose it is.
		arn := "arn:aws:iam::111111111111:user/team/ann"
		if strings.HasPrefix(key, "ROLE") {
			arn = "arn:aws:sts::111111111111:assumed-role/Deployer/" + strings.ToLower(strings.TrimPrefix(key, "ROLE"))
		}
		if key == "OTHER" {
			arn = "arn:aws:iam::222222222222:root"
		}
		result = "<Arn>" + arn + "</Arn><Account>" + strings.Split(arn, ":")[4] + "</Account>"
	case "AssumeRole", "AssumeRoleWithWebIdentity":
		result = "<Credentials><AccessKeyId>ROLE" + strings.ToUpper(r.PostForm.Get("RoleSessionName")) + "</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken><Expiration>" +
			expires.UTC().Format(time.RFC3339) + "</Expiration></Credentials>"
	case "GetRoleCredentials":
		if token := r.Header.Get("X-Amz-Sso_bearer_token"); token != "signed-in" {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = fmt.Fprintf(w, `{"__type":"UnauthorizedException","message":"Session token not found or invalid"}`)
			return
		}
		_, _ = fmt.Fprintf(w, `{"roleCredentials":{"accessKeyId":"ROLESSO","secretAccessKey":"s","sessionToken":"t","expiration":%d}}`, expires.UnixMilli())
		return
	case "CreateToken":
		_, _ = fmt.Fprint(w, `{"accessToken":"signed-in","expiresIn":3600,"refreshToken":"r","tokenType":"Bearer"}`)
		return
	default:
		w.WriteHeader(http.StatusNotFound)
		return
	}
	_, _ = fmt.Fprintf(w, `<%[1]sResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><%[1]sResult>%[2]s</%[1]sResult></%[1]sResponse>`, action, result)
}

// made returns the calls that were made.
func (c *cloud) made() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.Join(c.calls, ", ")
}
