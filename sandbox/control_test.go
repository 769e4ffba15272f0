package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"gatewright/sandbox/gateway"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/state"
)

func TestTheControlInterfaceRequiresTheTokenAndRefusesWebPages(t *testing.T) {
	t.Parallel()
	s := openSite(t, Options{Stop: func() { t.Error("the sandbox was stopped") }})
	control := s.run.Control
	for what, tt := range map[string]struct {
		change func(*http.Request)
		want   int
	}{
		"a valid request": {func(*http.Request) {}, http.StatusOK},
		"no token":        {func(r *http.Request) { r.Header.Del(tokenHeader) }, http.StatusUnauthorized},
		"a wrong token":   {func(r *http.Request) { r.Header.Set(tokenHeader, "x"+s.run.Token[1:]) }, http.StatusUnauthorized},
		"half a token":    {func(r *http.Request) { r.Header.Set(tokenHeader, s.run.Token[:5]) }, http.StatusUnauthorized},
		"a page's host":   {func(r *http.Request) { r.Host = "attacker.example:" + r.URL.Port() }, http.StatusForbidden},
		"another port":    {func(r *http.Request) { r.Host = "127.0.0.1:1" }, http.StatusForbidden},
		"a page's origin": {func(r *http.Request) { r.Header.Set("Origin", "http://localhost:3000") }, http.StatusForbidden},
		"the local name":  {func(r *http.Request) { r.Host = "localhost:" + r.URL.Port() }, http.StatusOK},
	} {
		t.Run(what, func(t *testing.T) {
			for _, path := range []string{statusPath, logsPath} {
				r, err := http.NewRequest(http.MethodGet, control+path, nil)
				must(t, err)
				r.Header.Set(tokenHeader, s.run.Token)
				tt.change(r)
				response, err := http.DefaultClient.Do(r)
				must(t, err)
				body, _ := io.ReadAll(response.Body)
				response.Body.Close()
				if response.StatusCode != tt.want || tt.want != http.StatusOK && strings.Contains(string(body), "shop") {
					t.Errorf("%s is answered %d: %s", path, response.StatusCode, body)
				}
			}
		})
	}
	response, err := http.Post(control+stopPath, "", nil)
	must(t, err)
	response.Body.Close()
	if response.StatusCode != http.StatusUnauthorized {
		t.Errorf("stopping it without a token is answered %d", response.StatusCode)
	}
	// The port of the APIs does not serve the control interface.
	if status, body := s.get("/../../_gatewright/status"); status == http.StatusOK {
		t.Errorf("the port of the APIs answers %s", body)
	}
}

func TestAClientReadsLogsTestsAndStops(t *testing.T) {
	t.Parallel()
	var refreshed, stopped sync.Once
	refreshes, stops := make(chan struct{}), make(chan struct{})
	s := openSite(t, Options{
		Refresh: func() error { refreshed.Do(func() { close(refreshes) }); return errors.New("the definition is broken") },
		Stop:    func() { stopped.Do(func() { close(stops) }) },
	})
	c, ctx := s.connect(), context.Background()
	status, err := c.Status(ctx)
	must(t, err)
	if len(status.APIs) != 1 || status.APIs[0].Endpoint != s.Address()+"/"+testAPI+"/dev" || status.PID != os.Getpid() {
		t.Errorf("the status is %+v", status)
	}
	test, err := c.Test(ctx, gateway.Request{Environment: "dev", Label: "shop", Method: "GET", Path: "/items"})
	must(t, err)
	if test.Status != http.StatusOK || test.Body != "hello" || len(test.Log) == 0 {
		t.Errorf("the test gives %+v", test)
	}
	if _, err := c.Test(ctx, gateway.Request{Environment: "dev", Label: "nothing", Method: "GET", Path: "/items"}); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("the test of an unknown API gives %v", err)
	}
	var texts []string
	must(t, c.Logs(ctx, logs.Query{Environment: "dev", Function: testFunction, Request: test.RequestID}, false, func(l logs.Line) error {
		texts = append(texts, l.Text)
		return nil
	}))
	all := strings.Join(texts, "\n")
	for _, part := range []string{"START RequestId: " + test.RequestID, "key is <redacted> GET", "REPORT RequestId: " + test.RequestID} {
		if !strings.Contains(all, part) {
			t.Errorf("the log lacks %q:\n%s", part, all)
		}
	}
	if strings.Contains(all, "tell-nobody") {
		t.Errorf("the log has a secret:\n%s", all)
	}
	if err := c.Refresh(ctx); err == nil || err.Error() != "the definition is broken" {
		t.Errorf("a refresh that fails gives %v", err)
	}
	<-refreshes
	must(t, c.Stop(ctx))
	<-stops
}

func TestConnectIgnoresAStaleRunFile(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	requests := make(chan string, 10)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests <- r.URL.Path
		fmt.Fprint(w, `{"pid": 1}`)
	}))
	defer other.Close()
	for what, control := range map[string]string{
		"nothing listens": "http://127.0.0.1:1", "another server listens": other.URL,
		"a name that may be another machine": strings.Replace(other.URL, "127.0.0.1", "localhost", 1),
	} {
		o, err := state.Own(folder)
		must(t, err)
		must(t, o.Release())
		must(t, state.Run{Version: state.RunVersion, PID: os.Getpid(), Control: control, Token: "stale"}.Write(folder))
		if _, err := Connect(folder); !errors.Is(err, ErrNotRunning) {
			t.Errorf("%s: connecting gives %v", what, err)
		}
	}
	if len(requests) != 1 {
		t.Errorf("%d requests were sent, want 1", len(requests))
	}
}
