package requests_test

import (
	"net/http"
	"strings"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/sandbox/traffic"
	"gatewright/tui/app/apptest"
	"gatewright/tui/dashboard/board/boardtest"
	"gatewright/tui/route"
)

// TestARefusedRequestIsShownCopiedFilledInAndSentAgain has two requests, so that each key has to
// be about the one under the cursor.
func TestARefusedRequestIsShownCopiedFilledInAndSentAgain(t *testing.T) {
	t.Parallel()
	dir := apptest.Folder(t)
	deploytest.Write(t, dir, boardtest.Library(t, "Admins", "Editors"))
	client, _ := deploytest.Serve(t, dir)
	status, err := client.Status(t.Context())
	apptest.Must(t, err)
	for _, path := range []string{"/books?limit=2", "/books/7"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, status.APIs[0].Endpoint+path, strings.NewReader(`{"title":"Emma"}`))
		apptest.Must(t, err)
		r.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(r)
		apptest.Must(t, err)
		apptest.Must(t, answer.Body.Close())
		if answer.StatusCode != http.StatusForbidden {
			t.Fatalf("%s answers %d", path, answer.StatusCode)
		}
	}
	term := apptest.Open(t, dir, "none", 150, 50, route.Dashboard{}).Tab("Requests")
	term.Shows("PUT", "/books?limit=2", "/books/7")
	term.Keys("/", "limit=2", "enter").Shows("1 of 2").Shows("─ log of PUT /books?limit=2 ─", "WARN ")
	term.Shows("▌ gate ", "▌▌▌▌▌").Keys("tab", "right").Shows("▸ gate ", "100.0 % of the time", "WARN ").Keys("esc")
	term.Keys("enter").Shows("PUT /books?limit=2", "Request", `"title": "Emma"`, "Response", "AccessDeniedException").Keys("esc")
	term.Keys("y").Shows("sent to the clipboard: curl", "books?limit=2")
	term.Keys(".").Shows("Send it again?", "PUT /books?limit=2", "It may change data.", "It is sent as guest, as before.")
	term.Keys("tab", "enter").Shows("sent again: PUT /books returned 403")
	report, err := client.Traffic(t.Context(), traffic.All)
	apptest.Must(t, err)
	calls := make(map[string]int)
	for _, of := range report.Paths {
		calls[of.Path] = of.Calls
	}
	if calls["/books"] != 2 || calls["/books/{isbn}"] != 1 {
		t.Errorf("the calls are %v", calls)
	}
	term.Keys("c").Shows("› console", "limit=2", `"title":"Emma"`, "PUT", "/books")
}
