package account_test

import (
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/sts"

	"gatewright/deploy/account"
)

// TestAnswersAreReadToTheirEnds: a connection whose answer was closed early would be made anew.
func TestAnswersAreReadToTheirEnds(t *testing.T) {
	for _, bundle := range []string{"", "set"} {
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `<GetCallerIdentityResponse><GetCallerIdentityResult><Account>123456789012</Account><Arn>arn:aws:iam::123456789012:user/ann</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>`)
			w.(http.Flusher).Flush()
			_, _ = io.WriteString(w, strings.Repeat(" ", 10_000))
		}))
		var connections atomic.Int32
		server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				connections.Add(1)
			}
		}
		server.Start()
		t.Cleanup(server.Close)
		for name, value := range map[string]string{
			"AWS_ENDPOINT_URL": server.URL, "AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": "", "AWS_PROFILE": "",
			"AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull, "AWS_EC2_METADATA_DISABLED": "true", "AWS_CA_BUNDLE": "",
		} {
			t.Setenv(name, value)
		}
		if bundle != "" {
			tls := httptest.NewTLSServer(nil)
			t.Cleanup(tls.Close)
			file := filepath.Join(t.TempDir(), "ca.pem")
			if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: tls.Certificate().Raw}), 0o600); err != nil {
				t.Fatal(err)
			}
			t.Setenv("AWS_CA_BUNDLE", file)
		}
		a, err := account.Open(t.Context(), account.Options{Environment: "dev", Region: "eu-central-1"})
		if err != nil {
			t.Fatal(err)
		}
		client := a.STS()
		for range 20 {
			if _, err := client.GetCallerIdentity(t.Context(), &sts.GetCallerIdentityInput{}); err != nil {
				t.Fatal(err)
			}
		}
		if n := connections.Load(); n > 5 {
			t.Errorf("with the bundle %q, 21 calls made %d connections", bundle, n)
		}
	}
}
