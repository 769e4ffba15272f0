package dashboard

import (
	"net/http"
	"path/filepath"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/sandbox"
	"gatewright/sandbox/live"
)

// handler gives the function f of a project a source.
func handler(t *testing.T, dir, source string) {
	t.Helper()
	deploytest.NeedNode(t)
	put(t, filepath.Join(dir, "backend", "function", "f", "src", "index.js"), source)
}

// serving runs the sandbox of a project, and returns the URL of the API shop.
func serving(t *testing.T, dir string) (endpoint string, stop func()) {
	t.Helper()
	client, stop := deploytest.Serve(t, dir)
	status, err := client.Status(t.Context())
	must(t, err)
	return status.APIs[0].Endpoint, stop
}

// running is the status of the sandbox of a project; false if none runs.
func running(t *testing.T, dir string) (sandbox.Status, bool) {
	t.Helper()
	client, err := sandbox.Connect(live.State(dir))
	if err != nil {
		return sandbox.Status{}, false
	}
	status, err := client.Status(t.Context())
	return status, err == nil
}

func statusOfCall(t *testing.T, url string) int {
	t.Helper()
	answer, err := http.Get(url)
	must(t, err)
	_ = answer.Body.Close()
	return answer.StatusCode
}
