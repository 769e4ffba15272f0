package sandbox

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"gatewright/sandbox/identity"
	"gatewright/sandbox/table"
)

// A preflight from another origin is not answered at the root. A page with a host name that
// resolves to this machine can send any request, but reaches neither tables nor the
// operations of administrators.
func TestWebPagesReachNeitherTablesNorAdministration(t *testing.T) {
	t.Parallel()
	s := openSite(t, Options{})
	dev := s.environment()
	dev.Pool = poolOfTest("dev")
	must(t, s.Apply(Config{Environments: []Environment{dev}}))
	ask := func(method, host, origin, target string) (int, string) {
		t.Helper()
		r, err := http.NewRequest(method, s.Address()+"/", strings.NewReader(`{"MaxResults":5}`))
		must(t, err)
		if host != "" {
			r.Host = host
		}
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		if method == http.MethodOptions {
			r.Header.Set("Access-Control-Request-Method", http.MethodPost)
			r.Header.Set("Access-Control-Request-Headers", "x-amz-target")
		}
		r.Header.Set("X-Amz-Target", target)
		r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=any/20260101/eu-west-1/any/aws4_request, SignedHeaders=host, Signature=0")
		response, err := http.DefaultClient.Do(r)
		must(t, err)
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		must(t, err)
		return response.StatusCode, string(body)
	}
	for _, target := range []string{table.Target + "ListTables", table.StreamTarget + "ListStreams", identity.UserPoolTarget + "ListUserPools", identity.IdentityPoolTarget + "ListIdentityPools"} {
		if status, body := ask("POST", "", "", target); status == http.StatusBadRequest && strings.Contains(body, "for web pages") {
			t.Errorf("%s of a program: %d %s", target, status, body)
		}
		for _, page := range [][2]string{{"", "http://evil.example"}, {"", "null"}, {"evil.example:80", ""}, {"evil.example:80", "http://evil.example:80"}, {"127.0.0.1.evil.example", ""}} {
			if status, body := ask("POST", page[0], page[1], target); status != http.StatusBadRequest || !strings.Contains(body, "for web pages") {
				t.Errorf("%s of a page, Host %q and Origin %q: %d %s", target, page[0], page[1], status, body)
			}
		}
		if status, _ := ask("OPTIONS", "", "http://evil.example", target); status < 300 {
			t.Errorf("the preflight of %s is answered with %d", target, status)
		}
	}
}
